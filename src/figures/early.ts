import type { Cohort } from "../fleet/cohort.ts";
import { weightedQuantile, weightedQuantiles } from "../stats/quantile.ts";
import { Sum } from "../stats/sum.ts";
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
  const buckets = BUCKETS.map(() => new Series());
  const overlap = new Series();
  const afterFirst = new Series();
  const slow = new Sum();
  const early = { weight: new Sum(), ticks: 0 };
  const later = { weight: new Sum(), ticks: 0 };

  for (const { life } of cohort.instances) {
    const { users } = life;
    const firstStart = table.start(users[0]!);
    const firstEnd = firstStart + ticksOfMs(table.duration(users[0]!));
    const before = new Sum();
    let bucket = 0;
    for (let rank = 1; rank <= users.length; rank++) {
      const row = users[rank - 1]!;
      const start = table.start(row);
      const duration = table.duration(row);
      const weight = table.weight(row);
      const order = 1 + before.value;
      const counted = rank === 1 ? 1 : weight;
      const rounded = roundedOrder(order);
      while (rounded > BUCKETS[bucket]![1]) bucket++;
      buckets[bucket]!.add(duration, bucket === 0 ? 1 : weight);
      const isEarly = order <= EARLY * (1 + SLACK);
      if (isEarly && duration > thresholdMs) slow.add(counted);
      if (rank > 1) {
        if (start < firstEnd) overlap.add(duration, weight);
        else if (isEarly) afterFirst.add(duration, weight);
        (start - firstStart <= TEN_SECONDS ? early : later).weight.add(weight);
      }
      before.add(weight);
    }
    const span = table.start(users[users.length - 1]!) - firstStart;
    early.ticks += Math.min(TEN_SECONDS, span);
    later.ticks += Math.max(0, span - TEN_SECONDS);
  }

  const instances = cohort.instances.length;
  const perInstance = (value: number): number | null => (instances === 0 ? null : value / instances);
  const rate = (exposure: typeof early): number | null =>
    exposure.ticks > 0 ? exposure.weight.value / (exposure.ticks / TICKS_PER_SECOND) : null;
  return {
    byOrder: buckets.map((series, i) => bucketFigures(BUCKETS[i]![0], series, thresholdMs)),
    overlap: {
      n: overlap.length,
      perInstance: perInstance(total(overlap)),
      p50Ms: weightedQuantile(overlap.values, overlap.weights, 0.5),
    },
    afterFirst: { n: afterFirst.length, p50Ms: weightedQuantile(afterFirst.values, afterFirst.weights, 0.5) },
    slowEarlyPerInstance: perInstance(slow.value),
    arrivals: { firstTenSecondsPerSecond: rate(early), laterPerSecond: rate(later) },
  };
}

function bucketFigures(label: string, series: Series, thresholdMs: number): OrderBucket {
  const { values, weights } = series;
  const estimated = total(series);
  const over = new Sum();
  values.forEach((value, i) => {
    if (value > thresholdMs) over.add(weights[i]!);
  });
  const [p50Ms, p90Ms] = weightedQuantiles(values, weights, [0.5, 0.9]);
  return {
    label,
    observed: series.length,
    estimated,
    p50Ms: p50Ms!,
    p90Ms: p90Ms!,
    overThresholdShare: series.length === 0 ? null : Math.min(1, over.value / estimated),
  };
}

function total(series: Series): number {
  const sum = new Sum();
  for (const weight of series.weights) sum.add(weight);
  return sum.value;
}
