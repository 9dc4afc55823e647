import type { Fleet } from "../fleet/fleet.ts";
import { containerOf } from "../telemetry/events.ts";
import { formatTicks } from "../telemetry/time.ts";
import type { ReadAccount } from "./analysis.ts";
import type { CohortFigures } from "./cohort.ts";

/** A remark about the figures: a stable code, what was seen and what to do, how many rows or instances. */
export interface FigureWarning {
  readonly code: string;
  readonly message: string;
  readonly count: number;
}

/** What SDKs write where they know no instance: placeholders, the local host, an address. */
const NO_INSTANCE_NAME = /^(?:localhost|unknown|none|null|\$\(.*\)|\d{1,3}(?:\.\d{1,3}){3})$/i;

/** The Container Apps ingress ends every request after this time. */
const INGRESS_TIMEOUT_MS = 240_000;

/** What a reader of the figures has to know about the rows they come from. */
export function warningsOf(
  fleet: Fleet,
  cohorts: readonly CohortFigures[],
  account: ReadAccount,
): FigureWarning[] {
  return [
    ...identityWarnings(fleet, cohorts),
    ...weightWarnings(account),
    ...rowWarnings(fleet, account),
    ...coverageWarnings(fleet, cohorts),
  ].filter(({ count }) => count > 0);
}

function identityWarnings(fleet: Fleet, cohorts: readonly CohortFigures[]): FigureWarning[] {
  const warnings: FigureWarning[] = [];
  const { role } = fleet.settings;
  const named = fleet.roles.map((name) => (name === "" ? "(none)" : name));
  if (role !== null && !fleet.roles.includes(role)) {
    warnings.push({
      code: "role-not-found",
      message: `no row has the role "${role}"; the input has: ${named.join(", ")}`,
      count: 1,
    });
  } else if (role === null && named.length > 1) {
    warnings.push({
      code: "several-roles",
      message: `the figures mix ${named.length} roles (${listed(named)}); choose one with --role`,
      count: named.length,
    });
  }
  const revision = fleet.settings.revision;
  if (revision !== null && !fleet.revisions.includes(revision)) {
    warnings.push({
      code: "revision-not-found",
      message: `no row belongs to the revision "${revision}"; the input has: ${listed(fleet.revisions) || "none that can be told"}`,
      count: 1,
    });
  }
  const { container } = fleet.settings;
  if (container !== null && fleet.events !== null && fleet.starts.size === 0) {
    warnings.push({
      code: "container-not-found",
      message: `the system log holds no start of a container "${container}"; it has: ${listed(containersIn(fleet)) || "none"}`,
      count: 1,
    });
  }
  warnings.push({
    code: "no-instance",
    message:
      "user requests without a role instance are counted but belong to no instance; set the role instance in the app's telemetry",
    count: fleet.counts.noInstance,
  });
  const odd = new Set(
    fleet.lives.filter(({ instance }) => NO_INSTANCE_NAME.test(instance)).map(({ instance }) => instance),
  );
  warnings.push({
    code: "odd-instance-name",
    message: `role instances such as "${[...odd][0] ?? ""}" name no process, so several may hide behind one; set the role instance to CONTAINER_APP_REPLICA_NAME`,
    count: odd.size,
  });
  const hasInstances = fleet.lives.some((life) => life.users.length > 0);
  if (fleet.events !== null && hasInstances && cohorts.every((cohort) => cohort.instances.idle === null)) {
    warnings.push({
      code: "instances-not-replicas",
      message: `no role instance (such as "${fleet.lives[0]!.instance}") is the name of a replica in the system log, so births are taken from first rows; set the role instance to CONTAINER_APP_REPLICA_NAME`,
      count: new Set(fleet.lives.map((life) => life.instance)).size,
    });
  }
  return warnings;
}

function weightWarnings({ tallies }: ReadAccount): FigureWarning[] {
  return [
    {
      code: "ambiguous-weight",
      message:
        "item count and sample rate contradict each other; the sample rate counts unless --weight item-count is given",
      count: tallies.ambiguousWeight,
    },
    {
      code: "item-count-ignores-sampling",
      message:
        "rows say item count 1 although they carry a sample rate below 100 %; their weight is 100 / rate (a known fault of rate-limited samplers)",
      count: tallies.rateAlone,
    },
    {
      code: "invalid-sample-rate",
      message: "sample rates outside 0–100 % count as absent; mend the exporter that writes them",
      count: tallies.invalidRate,
    },
    {
      code: "invalid-item-count",
      message: "item counts below 1, or no numbers, count as absent; export the column as plain numbers",
      count: tallies.invalidItemCount,
    },
    {
      code: "fractional-item-count",
      message: "item counts that are no whole numbers are used as they are; the service writes whole ones",
      count: tallies.fractionalItemCount,
    },
    {
      code: "large-item-count",
      message: `single rows stand for more than 100 requests (up to ${tallies.largestItemCount.toLocaleString("en-US")}); figures that rest on them are rough, raise the sampling rate`,
      count: tallies.largeItemCount,
    },
    {
      code: "no-item-count",
      message:
        "rows with neither item count nor sample rate weigh 1; if the app samples, add itemCount (and customDimensions) to the query",
      count: tallies.noItemCount,
    },
  ];
}

function rowWarnings(fleet: Fleet, { malformed, tallies }: ReadAccount): FigureWarning[] {
  const isLong = (row: number): boolean => fleet.table.duration(row) > INGRESS_TIMEOUT_MS;
  const long = fleet.longestMs > INGRESS_TIMEOUT_MS ? fleet.userRows.filter(isLong).length : 0;
  const functions = Math.min(tallies.functionsHost, tallies.notFunctionsHost);
  return [
    {
      code: "malformed-rows",
      message: "rows without a valid timestamp or duration are left out; --verbose shows the first ones",
      count: malformed,
    },
    {
      code: "no-id",
      message: "rows without an id cannot be recognised as duplicates; add id to the query",
      count: tallies.noId,
    },
    {
      code: "over-ingress-timeout",
      message:
        "user requests lasted longer than the 240 s after which the ingress ends a request: streams, or requests that did not come through it",
      count: long,
    },
    {
      code: "functions-host-and-worker",
      message:
        "a Functions host and another process both wrote rows, so a call may be counted by each; choose one with --role",
      count: functions,
    },
  ];
}

/** A window that begins in a hole of the input: what was running there may look newly born. */
function coverageWarnings(fleet: Fleet, cohorts: readonly CohortFigures[]): FigureWarning[] {
  const { table, dataStart, settings } = fleet;
  if (dataStart === null) return [];
  return cohorts.flatMap(({ name, from }) => {
    if (!Number.isFinite(from) || dataStart >= from - settings.guardTicks) return [];
    let suspects = 0;
    // Rows of the role alone: another role's show nothing of what this one was doing.
    const isCovered = fleet.lives.some(({ rows }) =>
      rows.some((row) => table.start(row) >= from - settings.guardTicks && table.start(row) < from),
    );
    if (isCovered) return [];
    for (const life of fleet.lives) {
      if (life.start === null && life.born >= from && life.born < from + settings.guardTicks) suspects++;
    }
    return [
      {
        code: "coverage-gap",
        message: `the input has no rows in the guard before ${formatTicks(from)}, where the window "${name}" begins: instances first seen right after it may be older; export from before the window on`,
        count: suspects,
      },
    ];
  });
}

function containersIn(fleet: Fleet): string[] {
  const starts = (fleet.events ?? []).filter(({ reason }) => reason === "ContainerStarted");
  return [...new Set(starts.map(({ text }) => containerOf(text) ?? "(unnamed)"))].sort();
}

function listed(names: readonly string[]): string {
  return names.length <= 5 ? names.join(", ") : `${names.slice(0, 5).join(", ")}, …`;
}
