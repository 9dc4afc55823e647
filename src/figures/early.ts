import type { Cohort } from "../fleet/cohort.ts";
import { weightedQuantile } from "../stats/quantile.ts";
import { Sum } from "../stats/sum.ts";
import { selectWeighted } from "../stats/weighted-select.ts";
import type { RequestTable } from "../telemetry/table.ts";
import { TICKS_PER_SECOND } from "../telemetry/time.ts";
import { Series } from "./series.ts";
import { exposure, ORDER_BUCKETS, walkArrivals } from "./walk.ts";

/** Figures of one bucket of the estimated arrival order. */
export interface OrderBucket {
  readonly label: string;
  readonly observed: number;
  readonly estimated: number;
  readonly p50Ms: number | null;
  readonly p90Ms: number | null;
  readonly overThresholdShare: number | null;
}

/** Figures over the requests that follow an instance's first one. */
export interface EarlyFigures {
  readonly byOrder: OrderBucket[];
  readonly overlap: {
    readonly n: number;
    readonly perInstance: number | null;
    readonly p50Ms: number | null;
  };
  readonly afterFirst: { readonly n: number; readonly p50Ms: number | null };
  readonly slowEarlyPerInstance: number | null;
  readonly arrivals: {
    readonly firstTenSecondsPerSecond: number | null;
    readonly laterPerSecond: number | null;
  };
}

/**
 * The curve by arrival order, the overlap with the first request, the requests after it, the slow early
 * ones and the arrival rates of a cohort (definitions: "The figures of a cohort").
 */
export function earlyFigures(table: RequestTable, cohort: Cohort, thresholdMs: number): EarlyFigures {
  const ends = new Uint32Array(cohort.instances.length * ORDER_BUCKETS.length);
  const overlap = new Series();
  const afterFirst = new Series();
  const slow = new Sum();
  const early = { weight: new Sum(), ticks: 0 };
  const later = { weight: new Sum(), ticks: 0 };

  cohort.instances.forEach(({ life: { users } }, instance) => {
    const base = instance * ORDER_BUCKETS.length;
    let bucket = 0;
    walkArrivals(table, users, (arrival) => {
      const { rank, durationMs, weight, isEarly } = arrival;
      while (bucket < arrival.bucket) ends[base + bucket++] = rank - 1;
      if (isEarly && durationMs > thresholdMs) slow.add(weight);
      if (rank === 1) return;
      if (arrival.isOverlapping) overlap.add(durationMs, weight);
      else if (isEarly) afterFirst.add(durationMs, weight);
      (arrival.isWithinTenSeconds ? early : later).weight.add(weight);
    });
    ends.fill(users.length, base + bucket, base + ORDER_BUCKETS.length);
    // Whole ticks add up without rounding, seconds would not.
    const seen = exposure(table, users);
    early.ticks += seen.early;
    later.ticks += seen.later;
  });

  const instances = cohort.instances.length;
  const perInstance = (value: number): number | null => (instances === 0 ? null : value / instances);
  const rate = ({ weight, ticks }: typeof early): number | null =>
    ticks > 0 ? weight.value / (ticks / TICKS_PER_SECOND) : null;
  return {
    byOrder: ORDER_BUCKETS.map(([label], bucket) => {
      const { values, weights } = inBucket(table, cohort, ends, bucket);
      return bucketFigures(label, values, weights, thresholdMs);
    }),
    overlap: {
      n: overlap.length,
      perInstance: perInstance(total(overlap.weights)),
      p50Ms: weightedQuantile(overlap.values, overlap.weights, 0.5),
    },
    afterFirst: { n: afterFirst.length, p50Ms: weightedQuantile(afterFirst.values, afterFirst.weights, 0.5) },
    slowEarlyPerInstance: perInstance(slow.value),
    arrivals: { firstTenSecondsPerSecond: rate(early), laterPerSecond: rate(later) },
  };
}

/**
 * Durations and weights of one bucket.
 *
 * @param ends for each instance and bucket the number of user requests up to the bucket's end
 */
function inBucket(
  table: RequestTable,
  cohort: Cohort,
  ends: Uint32Array,
  bucket: number,
): { values: Float64Array; weights: Float64Array } {
  const range = (instance: number): [from: number, to: number] => {
    const at = instance * ORDER_BUCKETS.length + bucket;
    return [bucket === 0 ? 0 : ends[at - 1]!, ends[at]!];
  };
  let length = 0;
  for (let i = 0; i < cohort.instances.length; i++) length += range(i)[1] - range(i)[0];
  const values = new Float64Array(length);
  const weights = new Float64Array(length);
  let used = 0;
  cohort.instances.forEach(({ life }, instance) => {
    const [from, to] = range(instance);
    for (let i = from; i < to; i++) {
      const row = life.users[i]!;
      values[used] = table.duration(row);
      // The first request counts once: its process had no other one then.
      weights[used++] = bucket === 0 ? 1 : table.weight(row);
    }
  });
  return { values, weights };
}

/** Figures of one bucket; the selection of quantiles may reorder its columns. */
function bucketFigures(
  label: string,
  values: Float64Array,
  weights: Float64Array,
  thresholdMs: number,
): OrderBucket {
  const estimated = total(weights);
  const over = new Sum();
  for (let i = 0; i < values.length; i++) if (values[i]! > thresholdMs) over.add(weights[i]!);
  const [p50Ms, p90Ms] = selectWeighted(values, weights, [0.5, 0.9]);
  return {
    label,
    observed: values.length,
    estimated,
    p50Ms: p50Ms!,
    p90Ms: p90Ms!,
    overThresholdShare: values.length === 0 ? null : Math.min(1, over.value / estimated),
  };
}

function total(weights: Float64Array): number {
  const sum = new Sum();
  for (let i = 0; i < weights.length; i++) sum.add(weights[i]!);
  return sum.value;
}
