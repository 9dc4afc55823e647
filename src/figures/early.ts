import type { Cohort } from "../fleet/cohort.ts";
import { weightedQuantile } from "../stats/quantile.ts";
import { Sum } from "../stats/sum.ts";
import { selectWeighted } from "../stats/weighted-select.ts";
import type { RequestTable } from "../telemetry/table.ts";
import { TICKS_PER_SECOND, ticksOfMs } from "../telemetry/time.ts";
import { Series } from "./series.ts";

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

/** Upper ends of the buckets of the rounded order. */
const BUCKETS: readonly (readonly [label: string, last: number])[] = [
  ["1", 1],
  ["2", 2],
  ["3", 3],
  ["4-5", 5],
  ["6-10", 10],
  ["11-20", 20],
  ["21-100", 100],
  [">100", Number.POSITIVE_INFINITY],
];

/** Orders and cumulative weights are compared as in exact arithmetic. */
const SLACK = 1e-9;
const EARLY = 10;
const TEN_SECONDS = 10 * TICKS_PER_SECOND;

/** The estimated order, half up to the nearest integer. */
export function roundedOrder(order: number): number {
  return Math.floor(order + 0.5 + SLACK * order);
}

/**
 * The curve by arrival order, the overlap with the first request, the requests after it, the slow early
 * ones and the arrival rates of a cohort (definitions: "The figures of a cohort").
 */
export function earlyFigures(table: RequestTable, cohort: Cohort, thresholdMs: number): EarlyFigures {
  const ends = new Uint32Array(cohort.instances.length * BUCKETS.length);
  const overlap = new Series();
  const afterFirst = new Series();
  const slow = new Sum();
  const early = { weight: new Sum(), ticks: 0 };
  const later = { weight: new Sum(), ticks: 0 };

  cohort.instances.forEach(({ life: { users } }, instance) => {
    const firstStart = table.start(users[0]!);
    const firstEnd = firstStart + ticksOfMs(table.duration(users[0]!));
    const before = new Sum();
    let bucket = instance * BUCKETS.length;
    for (let rank = 1; rank <= users.length; rank++) {
      const row = users[rank - 1]!;
      const start = table.start(row);
      const duration = table.duration(row);
      const weight = table.weight(row);
      const order = 1 + before.value;
      const counted = rank === 1 ? 1 : weight;
      const rounded = roundedOrder(order);
      while (rounded > BUCKETS[bucket % BUCKETS.length]![1]) ends[bucket++] = rank - 1;
      const isEarly = order <= EARLY * (1 + SLACK);
      if (isEarly && duration > thresholdMs) slow.add(counted);
      if (rank > 1) {
        if (start < firstEnd) overlap.add(duration, weight);
        else if (isEarly) afterFirst.add(duration, weight);
        (start - firstStart <= TEN_SECONDS ? early : later).weight.add(weight);
      }
      before.add(weight);
    }
    ends.fill(users.length, bucket, (instance + 1) * BUCKETS.length);
    const span = table.start(users[users.length - 1]!) - firstStart;
    early.ticks += Math.min(TEN_SECONDS, span);
    later.ticks += Math.max(0, span - TEN_SECONDS);
  });

  const instances = cohort.instances.length;
  const perInstance = (value: number): number | null => (instances === 0 ? null : value / instances);
  const rate = (exposure: typeof early): number | null =>
    exposure.ticks > 0 ? exposure.weight.value / (exposure.ticks / TICKS_PER_SECOND) : null;
  return {
    byOrder: BUCKETS.map(([label], bucket) => {
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
    const at = instance * BUCKETS.length + bucket;
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

/** Puts the values into another order. */
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
