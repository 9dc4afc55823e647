import type { Cohort } from "../fleet/cohort.ts";
import { type Interval, quantileInterval, wilson } from "../stats/intervals.ts";
import { quantileSorted } from "../stats/quantile.ts";
import { type RequestTable, SUCCESS_FALSE, SUCCESS_UNKNOWN } from "../telemetry/table.ts";
import { ticksOfMs } from "../telemetry/time.ts";

export interface FirstRequestFigures {
  readonly n: number;
  readonly p50Ms: number | null;
  readonly p90Ms: number | null;
  readonly p99Ms: number | null;
  readonly p50Ci95Ms: Interval;
  readonly overThreshold: { readonly count: number; readonly share: number | null; readonly ci95: Interval };
  /** Null where no first request says whether it succeeded. */
  readonly failed: { readonly count: number | null; readonly share: number | null };
  readonly certainOrder: { readonly count: number; readonly share: number | null };
}

export interface SecondFigures {
  readonly n: number;
  readonly p50Ms: number | null;
  readonly p90Ms: number | null;
  readonly overThresholdShare: number | null;
}

/** First-request durations of a cohort in ms, ascending: one value an instance. */
export function firstRequestMs(table: RequestTable, cohort: Cohort): Float64Array {
  return Float64Array.from(cohort.instances, ({ life }) => table.duration(life.users[0]!)).sort();
}

/** The first requests of a cohort, one value an instance and so unweighted. */
export function firstRequestFigures(
  table: RequestTable,
  cohort: Cohort,
  sorted: Float64Array,
  thresholdMs: number,
): FirstRequestFigures {
  const n = sorted.length;
  const rows = cohort.instances.map(({ life }) => life.users[0]!);
  const over = sorted.filter((value) => value > thresholdMs).length;
  const known = rows.some((row) => table.success(row) !== SUCCESS_UNKNOWN);
  const failed = rows.filter((row) => table.success(row) === SUCCESS_FALSE).length;
  const certain = rows.filter((row) => table.weight(row) === 1).length;
  return {
    n,
    p50Ms: quantileSorted(sorted, 0.5),
    p90Ms: quantileSorted(sorted, 0.9),
    p99Ms: quantileSorted(sorted, 0.99),
    p50Ci95Ms: quantileInterval(sorted, 0.5),
    overThreshold: { count: over, share: shareOf(over, n), ci95: wilson(over, n) },
    failed: { count: known ? failed : null, share: known ? shareOf(failed, n) : null },
    certainOrder: { count: certain, share: shareOf(certain, n) },
  };
}

/** The rank-2 requests of a cohort, split by whether they began before the first one ended. */
export function secondFigures(
  table: RequestTable,
  cohort: Cohort,
  thresholdMs: number,
): { sequential: SecondFigures; overlapping: SecondFigures } {
  const sequential: number[] = [];
  const overlapping: number[] = [];
  for (const { life } of cohort.instances) {
    const second = life.users[1];
    if (second === undefined) continue;
    const first = life.users[0]!;
    const isOverlapping = table.start(second) < table.start(first) + ticksOfMs(table.duration(first));
    (isOverlapping ? overlapping : sequential).push(table.duration(second));
  }
  return {
    sequential: describe(sequential, thresholdMs),
    overlapping: describe(overlapping, thresholdMs),
  };
}

function describe(values: readonly number[], thresholdMs: number): SecondFigures {
  const sorted = Float64Array.from(values).sort();
  const over = sorted.filter((value) => value > thresholdMs).length;
  return {
    n: sorted.length,
    p50Ms: quantileSorted(sorted, 0.5),
    p90Ms: quantileSorted(sorted, 0.9),
    overThresholdShare: shareOf(over, sorted.length),
  };
}

/** A share, null where there is nothing to have a share of. */
export function shareOf(count: number, n: number): number | null {
  return n === 0 ? null : count / n;
}
