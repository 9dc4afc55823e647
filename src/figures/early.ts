import type { Cohort } from "../fleet/cohort.ts";
import { weightedQuantile } from "../stats/quantile.ts";
import { Sum } from "../stats/sum.ts";
import type { RequestTable } from "../telemetry/table.ts";
import { TICKS_PER_SECOND } from "../telemetry/time.ts";
import { type OrderBucket, OrderCurve } from "./by-order.ts";
import { copyWeights, Series } from "./series.ts";
import { exposure, extentsOf } from "./walk.ts";

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
  const curve = new OrderCurve(table, thresholdMs);
  const overlap = new Series();
  const afterFirst = new Series();
  const slow = new Sum();
  const early = { weight: new Sum(), ticks: 0 };
  const later = { weight: new Sum(), ticks: 0 };
  const weights = new Float64Array(
    cohort.instances.reduce((most, { life }) => Math.max(most, life.users.length), 0),
  );

  for (const { life } of cohort.instances) {
    const { users } = life;
    const extents = extentsOf(table, users);
    copyWeights(table, users, 0, users.length, weights);
    // The first request counts once: its process had no other one then.
    weights[0] = 1;
    curve.add(users, weights, extents.buckets);
    for (let i = 0; i < Math.max(extents.early, extents.overlapping); i++) {
      const durationMs = table.duration(users[i]!);
      if (i < extents.early && durationMs > thresholdMs) slow.add(weights[i]!);
      if (i > 0) (i < extents.overlapping ? overlap : afterFirst).add(durationMs, weights[i]!);
    }
    early.weight.addAll(weights, 1, extents.withinTenSeconds);
    later.weight.addAll(weights, extents.withinTenSeconds, users.length);
    // Whole ticks add up without rounding, seconds would not.
    const seen = exposure(table, users);
    early.ticks += seen.early;
    later.ticks += seen.later;
  }

  const instances = cohort.instances.length;
  const perInstance = (value: number): number | null => (instances === 0 ? null : value / instances);
  const rate = ({ weight, ticks }: typeof early): number | null =>
    ticks > 0 ? weight.value / (ticks / TICKS_PER_SECOND) : null;
  return {
    byOrder: curve.figures(),
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

function total(weights: Float64Array): number {
  const sum = new Sum();
  sum.addAll(weights);
  return sum.value;
}
