import { PROBE_TYPES } from "../telemetry/spec.ts";
import { TICKS_PER_SECOND } from "../telemetry/time.ts";
import type { ProbeSet } from "./probe-consequences.ts";
import { isMissing } from "./probe-expected.ts";
import { type Found, found } from "./probe-finding.ts";
import type { AppLog } from "./probe-log.ts";
import type { Refusals } from "./probe-refusals.ts";

const MINUTE = 60 * TICKS_PER_SECOND;
/** The platform's timer and the log's clock are this far apart at most. */
const SLACK_SECONDS = 0.5;

/** What the system log shows of the probes at work. */
export function logFindings(
  log: AppLog,
  refusals: Readonly<Record<(typeof PROBE_TYPES)[number], Refusals>>,
  set: ProbeSet,
): Found[] {
  const findings: Found[] = [];
  for (const { target, listening, count } of log.mismatches) {
    findings.push(
      found(
        "port-mismatch",
        "problem",
        "system log, Pending:PortMismatch",
        `the ingress sends requests to port ${target}, the app listens on ${listening} (said ${count} times)`,
        `set targetPort to ${listening}, or let the app listen on ${target}`,
      ),
    );
  }
  for (const type of PROBE_TYPES) {
    const { kills, byStatus, count } = refusals[type];
    if (kills > 0) {
      findings.push(
        found(
          "ended-by-probe",
          "problem",
          `system log, ${type}`,
          `the platform ended ${kills} ${kills === 1 ? "container" : "containers"} for the ${type} probe (${log.starts.length} starts in the log)`,
          type === "startup"
            ? "compare the time that a start may take with the time it takes, and the path and port with what the app serves"
            : "see what the app did when it stopped answering; a liveness probe must not depend on load or on other services",
        ),
      );
    }
    const missing = byStatus.find(({ status }) => status === "404");
    if (missing !== undefined) {
      findings.push(
        found(
          "path-not-found",
          "problem",
          set.declared[type].place ?? `system log, ${type}`,
          `${missing.count} of ${count} ${type} refusals are HTTP 404: the app answers, but does not serve ${set.declared[type].path ?? "the probe's path"}`,
          "correct the probe's path, or serve it",
        ),
      );
    }
  }
  const unnamed = log.kills.filter(({ type }) => type === null).length;
  if (unnamed > 0) {
    findings.push(
      found(
        "ended-by-unnamed-probe",
        "problem",
        "system log, ContainerTerminated",
        `the platform ended ${unnamed} ${unnamed === 1 ? "container" : "containers"} for a probe, and the log does not say which`,
        "look at the refusals right before",
      ),
    );
  }
  if (log.excluded.platform > 0) {
    findings.push(
      found(
        "sidecar-refused",
        "caution",
        `system log, ${log.platformContainers.join(", ")}`,
        `${log.excluded.platform} refusals are of ${log.platformContainers.join(", ")}, a container of the platform, and not of the app: the replica is not ready before it is`,
        "look at that container's own log (for Dapr: its components, and the port of the app)",
      ),
    );
  }
  const together = mostTogether(log);
  if (together > 1) {
    findings.push(
      found(
        "readiness-failed-together",
        "caution",
        "system log, readiness",
        `${together} replicas failed readiness within one minute, each more than a minute after its start: the mark of a dependency that all of them ask`,
        "let readiness answer for the process alone",
      ),
    );
  }
  findings.push(...earlyRefusals(log, set));
  return findings;
}

/** The most replicas with a failed readiness attempt in one minute, those that were still starting aside. */
function mostTogether(log: AppLog): number {
  if (!log.hasReplicas) return 0;
  const failures = log.failures
    .filter(
      ({ event, ticks, start }) => event.type === "readiness" && start !== null && ticks - start.at > MINUTE,
    )
    .sort((a, b) => a.ticks - b.ticks);
  let most = 0;
  let from = 0;
  const inside = new Map<string, number>();
  for (const { ticks, replica } of failures) {
    inside.set(replica, (inside.get(replica) ?? 0) + 1);
    for (; failures[from]!.ticks < ticks - MINUTE; from++) {
      const gone = failures[from]!.replica;
      const left = inside.get(gone)! - 1;
      if (left === 0) inside.delete(gone);
      else inside.set(gone, left);
    }
    most = Math.max(most, inside.size);
  }
  return most;
}

/** Attempts before the initial delay was over. */
function earlyRefusals(log: AppLog, set: ProbeSet): Found[] {
  if (!log.ownClock) return [];
  return PROBE_TYPES.flatMap((type) => {
    const { initialDelaySeconds: delay, origin, place } = set.declared[type];
    if (origin !== "written" || delay === null || delay < 1) return [];
    const early = log.failures.filter(
      ({ event, start, ticks }) =>
        event.type === type &&
        start !== null &&
        (ticks - start.at) / TICKS_PER_SECOND < delay - SLACK_SECONDS,
    );
    if (early.length === 0) return [];
    return [
      found(
        "delay-not-kept",
        "note",
        place ?? type,
        `${early.length} ${type} attempts came before the initial delay of ${delay} s was over`,
        "do not rely on initialDelaySeconds; give the failure threshold more room",
      ),
    ];
  });
}

/** Where the sides tell different things. */
export function contradictions(set: ProbeSet): Found[] {
  return PROBE_TYPES.flatMap((type) => {
    const { contradiction, expectedRows } = set.inferred[type];
    const place = set.declared[type].place ?? type;
    const findings: Found[] = [];
    if (contradiction !== null) {
      findings.push(
        found(
          "spec-and-log-differ",
          "caution",
          place,
          `${type}: ${contradiction}`,
          "check that the spec is of the revision in the log (az containerapp revision show)",
        ),
      );
    }
    if (isMissing(expectedRows)) {
      findings.push(
        found(
          "no-rows-of-probe",
          "note",
          place,
          `${type} asks ${expectedRows.path}, which would leave about ${Math.round(expectedRows.expectedRowCount)} rows in this export, and there is none: its telemetry is filtered, or it does not run`,
          "if the telemetry is not filtered, check the probe of the running revision",
        ),
      );
    }
    return findings;
  });
}
