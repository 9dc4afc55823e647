import type { NewInstance } from "../fleet/cohort.ts";
import { quantileSorted } from "../stats/quantile.ts";
import type { Random } from "../stats/random.ts";
import { probabilityLess } from "../stats/ranks.ts";
import type { MetricInput, MetricValues } from "./metric-values.ts";

/** A metric of the first requests of two cohorts, each resampled at its own size. */
export function comparisonStatistic(name: string, input: MetricInput): MetricValues {
  const before = firstMs(input, input.before);
  const after = firstMs(input, input.after);
  const isEmpty = before.length === 0 || after.length === 0;
  const statistic = STATISTICS[name];
  if (statistic === undefined) throw new RangeError(`no metric is called ${name}`);
  const drawBefore = new Float64Array(before.length);
  const drawAfter = new Float64Array(after.length);
  return {
    kind: "bootstrap",
    n: Math.min(before.length, after.length),
    nonZero: null,
    ceiling: null,
    estimate: isEmpty ? null : statistic(before, after),
    draw: (random) => {
      if (isEmpty) return null;
      return statistic(resample(before, drawBefore, random), resample(after, drawAfter, random));
    },
  };
}

const STATISTICS: Readonly<Record<string, (before: Float64Array, after: Float64Array) => number | null>> = {
  "comparison.firstRequest.p50Ratio": (before, after) => {
    const divisor = quantileSorted(after, 0.5)!;
    return divisor > 0 ? quantileSorted(before, 0.5)! / divisor : null;
  },
  "comparison.firstRequest.p50DeltaMs": (before, after) =>
    quantileSorted(after, 0.5)! - quantileSorted(before, 0.5)!,
  "comparison.firstRequest.probabilityFaster": (before, after) => probabilityLess(after, before),
};

function firstMs({ fleet }: MetricInput, instances: readonly NewInstance[]): Float64Array {
  return Float64Array.from(instances, ({ life }) => fleet.table.duration(life.users[0]!)).sort();
}

/** Draws ranks and counts them, so that the resample comes out in ascending order without a sort. */
function resample(sorted: Float64Array, into: Float64Array, random: Random): Float64Array {
  const n = sorted.length;
  const counts = new Uint32Array(n);
  for (let i = 0; i < n; i++) counts[random.int(n)]!++;
  let at = 0;
  for (let i = 0; i < n; i++) for (let times = counts[i]!; times > 0; times--) into[at++] = sorted[i]!;
  return into;
}
