import type { Fleet } from "../fleet/fleet.ts";
import type { MetricPoint } from "../telemetry/metric-point.ts";
import { ingressOf } from "./ingress.ts";
import type { ReplicaGroup, ReplicaSettings } from "./replicas.ts";
import type { SetAside } from "./replicas-log.ts";
import { BATCH_ERROR_SECONDS } from "./replicas-phases.ts";
import type { RowCoverage } from "./replicas-service.ts";

/** What the data could not tell, each with what would help. */
export function unknownsOf(
  fleet: Fleet,
  groups: readonly ReplicaGroup[],
  aside: SetAside,
  coverages: ReadonlyMap<string, RowCoverage | null>,
  metrics: readonly MetricPoint[],
  appsInLog: readonly string[],
  { rates }: ReplicaSettings,
): string[] {
  const events = fleet.events ?? [];
  const sum = (value: (group: ReplicaGroup) => number): number =>
    groups.reduce((total, group) => total + value(group), 0);
  const births = sum((group) => group.births);
  const said: (string | false)[] = [];
  if (aside.withoutReplica > 0) {
    said.push(
      `${counted(aside.withoutReplica, "container start")} without a replica name: not counted; add ReplicaName_s to the query`,
    );
  }
  if (births === 0) return said.filter((line) => line !== false);

  const unknown = sum(({ causes }) => causes.find(({ cause }) => cause === "unknown")!.count);
  const inferred = sum(({ causes }) => causes.reduce((n, cause) => n + cause.inferred, 0));
  said.push(
    unknown > 0 &&
      `why ${unknown} of ${births} births happened: the log does not tell; begin it earlier, and keep RevisionCreation, KEDAScaleTargetActivated, SuccessfulRescale and AssigningReplica in the query`,
    inferred > 0 &&
      `${inferred} of ${births} causes are inferred from what else lived at that time, not told by an event; lost rows of the log would mislead that`,
  );
  const batch = events.filter(({ ownClock }) => !ownClock).length;
  said.push(
    batch > 0 &&
      `${batch} of ${events.length} events have only the time of their batch (TimeGenerated), up to about ${BATCH_ERROR_SECONDS} s late: phases of those are not told, or in whole seconds; add time_t or TimeStamp_s to the query`,
  );
  const refusals = sum(
    ({ phases }) => phases.newReplicas.find(({ name }) => name === "started-last-refusal")!.unknown,
  );
  const starts = sum(({ newReplicas }) => newReplicas);
  said.push(
    refusals > 0 &&
      `when the port opened in ${refusals} of ${starts} new replicas: no refused startup probe, or none that it survived`,
  );
  const { unclear } = ingressOf(metrics);
  const censored = sum(({ lifetime }) => lifetime.censored);
  said.push(
    censored === births && "how long the processes live: the log holds no end of any of them",
    [...coverages.values()].every((rows) => rows === null) &&
      "which replicas never served, and when they served first: no request row bears the name of a replica; add request rows of the same time",
    [...coverages.values()].some((rows) => rows?.isSampled) &&
      "whether a replica without a request row really served nobody: the rows are sampled, and a few requests may all have been dropped",
    unclear !== null && `how many requests the ingress counted: ${unclear}`,
    metrics.length > 0 &&
      unclear === null &&
      groups.length > 0 &&
      appsInLog.length > 1 &&
      groups.some(({ perThousand }) => perThousand?.source !== "ingress-metric") &&
      "to which app the ingress metric belongs: the log holds several; choose one with --app",
    groups.some(({ perThousand }) => perThousand === null) &&
      "starts per 1,000 requests: neither the ingress metric Requests nor request rows of the replicas cover the time of the log (and neither is told apart by day type)",
    groups.some(({ birthsPerDay }) => birthsPerDay === null) &&
      "births per day as a rate: the log covers less than a day, or the days are restricted",
    groups.some(({ startSeconds }) => startSeconds.n > 0) &&
      "from when on a start is billed: the seconds are counted from the first event of the replica",
    rates === null && "what the start seconds cost: give --vcpu-rate, --gib-rate, --vcpu and --memory",
  );
  return said.filter((line) => line !== false);
}

function counted(n: number, one: string): string {
  return `${n} ${one}${n === 1 ? "" : "s"}`;
}
