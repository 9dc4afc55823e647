import type { AppSpec, ProbeType } from "../telemetry/spec.ts";
import type { DeclaredFigures } from "./probe-declared.ts";
import { type Found, found } from "./probe-finding.ts";
import type { Inference } from "./probe-infer.ts";

/** The probe of each type, declared and inferred. */
export interface ProbeSet {
  readonly declared: Readonly<Record<ProbeType, DeclaredFigures>>;
  readonly inferred: Readonly<Record<ProbeType, Inference>>;
}

/** What follows from the kinds of probes, whether they are declared or seen. */
export function kindConsequences(spec: AppSpec | null, set: ProbeSet): Found[] {
  if (spec?.platform === "cloud-foundry") return cloudFoundry(set);
  const findings: Found[] = [];
  const { startup, readiness, liveness } = set.inferred;
  const placeOf = (type: ProbeType): string => set.declared[type].place ?? type;
  const tcp = (["startup", "readiness"] as const).filter(
    (type) => set.inferred[type].inferred.handler === "tcp" && set.inferred[type].confidence !== "unknown",
  );
  if (tcp.length > 0) {
    findings.push(
      found(
        "tcp-passes-on-open-port",
        "caution",
        tcp.map(placeOf).join(", "),
        `${tcp.join(" and ")} over TCP ${tcp.length > 1 ? "pass" : "passes"} as soon as the port opens: requests come in before the app has warmed anything that it does after listening`,
        "open the port only when the warm-up is done, or use an HTTP startup probe that answers when it is",
      ),
    );
  }
  if (liveness.inferred.handler === "http") {
    findings.push(
      found(
        "liveness-does-not-warm",
        "note",
        placeOf("liveness"),
        "an HTTP liveness probe keeps its own path warm, not the paths that users call, and nothing waits for it",
        "warm the real paths in the startup probe's handler, or before the port opens",
      ),
    );
  }
  if (readiness.inferred.handler === "http" || set.declared.readiness.handler === "http") {
    findings.push(
      found(
        "readiness-over-dependency",
        "note",
        placeOf("readiness"),
        "where this readiness endpoint asks a dependency that all replicas share (database, cache, another service), its failure takes every replica out of rotation at once",
        "let readiness answer for the process alone; report dependencies elsewhere",
      ),
    );
  }
  findings.push(...partialSet(spec, set));
  if (spec !== null && spec.kind === "app" && spec.ingress === null) {
    findings.push(
      found(
        "no-ingress",
        "note",
        spec.place || "properties.configuration.ingress",
        "without ingress no default probes are added and nothing is routed, so a readiness check does not apply; that is no failure",
        "write a liveness probe if a hung worker is to be restarted",
      ),
    );
  }
  if (spec?.kind === "job") {
    findings.push(
      found(
        "job",
        "note",
        spec.place || "type",
        "a job has no ingress and no default probes",
        "nothing to do",
      ),
    );
  }
  if (startup.inferred.handler === "http" && set.declared.startup.path === "/") {
    findings.push(
      found(
        "startup-asks-root",
        "note",
        placeOf("startup"),
        "the startup probe asks /: any answer from 200 to 399 passes, also a redirect to a login page",
        "give it a path that answers only when the app is ready",
      ),
    );
  }
  return findings;
}

function partialSet(spec: AppSpec | null, { declared }: ProbeSet): Found[] {
  const missing = (["startup", "readiness", "liveness"] as const).filter(
    (type) => declared[type].origin === "partial-default",
  );
  const written = (["startup", "readiness", "liveness"] as const).filter(
    (type) => declared[type].origin === "written",
  );
  if (spec === null || missing.length === 0 || written.length === 0) return [];
  return [
    found(
      "partial-set",
      "caution",
      declared[written[0]!].place ?? written[0]!,
      `${written.join(" and ")} ${written.length === 1 ? "is" : "are"} written, ${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} not: whether the platform then adds its TCP default, which passes when the port opens, is not documented`,
      `write ${missing.join(" and ")} as well`,
    ),
  ];
}

function cloudFoundry({ declared }: ProbeSet): Found[] {
  const findings: Found[] = [];
  const { readiness, liveness } = declared;
  if (readiness.handler === "process") {
    findings.push(
      found(
        "readiness-is-no-gate",
        "caution",
        readiness.place ?? "readiness-health-check-type",
        `readiness of type process${readiness.origin === "default" ? " (the default)" : ""} is no gate: the instance gets its route as soon as the startup check has passed`,
        "set readiness-health-check-type to http with an endpoint that answers when the app is warm",
      ),
    );
  }
  if (liveness.handler === "process") {
    findings.push(
      found(
        "process-asks-nothing",
        "note",
        liveness.place ?? "health-check-type",
        "health check of type process: an instance counts as healthy as long as its process exists",
        "use port or http for an app that listens",
      ),
    );
  }
  if (liveness.handler === "tcp") {
    findings.push(
      found(
        "tcp-passes-on-open-port",
        "caution",
        liveness.place ?? "health-check-type",
        "a check of type port passes as soon as the port opens: with it the start is over, whether or not anything is warm",
        "open the port only when the warm-up is done, or use type http",
      ),
    );
  }
  return findings;
}
