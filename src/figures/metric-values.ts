import type { NewInstance } from "../fleet/cohort.ts";
import type { Fleet } from "../fleet/fleet.ts";
import type { Random } from "../stats/random.ts";
import { SUCCESS_FALSE, SUCCESS_UNKNOWN } from "../telemetry/table.ts";
import { ticksOfMs } from "../telemetry/time.ts";
import { comparisonStatistic } from "./metric-comparison.ts";
import type { Metric } from "./metric-names.ts";
import { clusteredStatistic } from "./metric-statistics.ts";

/** A statistic over instances. */
export interface Statistic {
  /** Its value where each instance counts as often as it stands in a resample. */
  at(counts: Uint32Array): number | null;
  /** How many instances have anything that it is computed from. */
  readonly contributing: number;
  /** For sums and shares: how many instances have a value other than zero; null for quantiles. */
  readonly nonZero: number | null;
  /** The largest value that one instance can have; null where there is no such bound. */
  readonly ceiling: number | null;
}

/** What a metric is judged by. */
export type MetricValues =
  /** One value an instance, ascending. */
  | { readonly kind: "quantile"; readonly q: number; readonly values: Float64Array }
  /** How many of n instances have the property. */
  | { readonly kind: "share"; readonly count: number; readonly n: number }
  /** A statistic and a way to draw it on a resample of the instances. */
  | {
      readonly kind: "bootstrap";
      /** Instances that contribute; of a comparison, those of the smaller cohort. */
      readonly n: number;
      /** See {@link Statistic}. */
      readonly nonZero: number | null;
      readonly ceiling: number | null;
      readonly estimate: number | null;
      readonly draw: (random: Random) => number | null;
    };

/** The instances that a metric is computed from. */
export interface MetricInput {
  readonly fleet: Fleet;
  readonly after: readonly NewInstance[];
  /** Used by metrics of the comparison only. */
  readonly before: readonly NewInstance[];
  readonly thresholdMs: number;
}

/** The values of a metric; on a whole cohort its estimate is the report's figure of the same name. */
export function metricValues(metric: Metric, input: MetricInput): MetricValues {
  const { judged, name } = metric;
  if (judged.kind === "quantile") {
    return { kind: "quantile", q: judged.q, values: Float64Array.from(durations(name, input)).sort() };
  }
  if (judged.kind === "share") return shareValues(name, input);
  if (metric.needsBefore) return comparisonStatistic(name, input);
  const statistic = clusteredStatistic(name, input);
  const n = input.after.length;
  const counts = new Uint32Array(n);
  return {
    kind: "bootstrap",
    n: statistic.contributing,
    nonZero: statistic.nonZero,
    ceiling: statistic.ceiling,
    estimate: statistic.at(counts.fill(1)),
    draw: (random) => {
      counts.fill(0);
      for (let i = 0; i < n; i++) counts[random.int(n)]!++;
      return statistic.at(counts);
    },
  };
}

function durations(name: string, { fleet, after }: MetricInput): number[] {
  const { table } = fleet;
  if (/^(?:firstRequest|byOrder\.1)\./.test(name))
    return after.map(({ life }) => table.duration(life.users[0]!));
  const wanted = name.startsWith("second.overlapping.");
  return after.flatMap(({ life: { users } }) => {
    if (users.length < 2) return [];
    const firstEnd = table.start(users[0]!) + ticksOfMs(table.duration(users[0]!));
    return table.start(users[1]!) < firstEnd === wanted ? [table.duration(users[1]!)] : [];
  });
}

function shareValues(name: string, input: MetricInput): MetricValues {
  const { fleet, after, thresholdMs } = input;
  const { table } = fleet;
  const rows = after.map(({ life }) => life.users[0]!);
  const count = (values: readonly number[], test: (value: number) => boolean): MetricValues => ({
    kind: "share",
    count: values.filter(test).length,
    n: values.length,
  });
  switch (name) {
    case "firstRequest.failed.share":
      // A row that does not say whether it succeeded is no success.
      return count(
        rows.filter((row) => table.success(row) !== SUCCESS_UNKNOWN),
        (row) => table.success(row) === SUCCESS_FALSE,
      );
    case "firstRequest.certainOrder.share":
      return count(rows, (row) => table.weight(row) === 1);
    default:
      return count(durations(name, input), (value) => value > thresholdMs);
  }
}
