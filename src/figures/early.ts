import type { Cohort } from "../fleet/cohort.ts";
import { weightedQuantile } from "../stats/quantile.ts";
import { Sum } from "../stats/sum.ts";
import { selectWeighted } from "../stats/weighted-select.ts";
import type { RequestTable } from "../telemetry/table.ts";
import { TICKS_PER_SECOND } from "../telemetry/time.ts";
import { addWeights, Series } from "./series.ts";
import { exposure, extentsOf, ORDER_BUCKETS } from "./walk.ts";

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
    const extents = extentsOf(table, users);
    ends.set(extents.buckets, instance * ORDER_BUCKETS.length);
    for (let i = 0; i < extents.early; i++) {
      // The first request counts once: its process had no other one then.
      if (table.duration(users[i]!) > thresholdMs) slow.add(i === 0 ? 1 : table.weight(users[i]!));
    }
    overlap.addRows(table, users, 1, extents.overlapping);
    afterFirst.addRows(table, users, Math.max(1, extents.overlapping), extents.early);
    addWeights(early.weight, table, users, 1, extents.withinTenSeconds);
    addWeights(later.weight, table, users, extents.withinTenSeconds, users.length);
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
function inBucket(table: RequestTable, cohort: Cohort, ends: Uint32Array, bucket: number): Series {
  const range = (instance: number): [from: number, to: number] => {
    const at = instance * ORDER_BUCKETS.length + bucket;
    return [bucket === 0 ? 0 : ends[at - 1]!, ends[at]!];
  };
  let length = 0;
  for (let i = 0; i < cohort.instances.length; i++) length += range(i)[1] - range(i)[0];
  const series = new Series(length);
  cohort.instances.forEach(({ life }, i) => {
    series.addRows(table, life.users, ...range(i));
  });
  // The first request counts once.
  if (bucket === 0) series.weights.fill(1);
  return series;
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
  sum.addAll(weights);
  return sum.value;
}
