import type { Interval } from "./intervals.ts";
import { nearestRank, quantileSorted } from "./quantile.ts";
import type { Random } from "./random.ts";

/**
 * The percentile bootstrap interval of a statistic: `draw` computes it once on a resample of its own,
 * null (or NaN) where that resample has no value. Both sides are null when fewer than half have one.
 */
export function bootstrapInterval(
  resamples: number,
  draw: (random: Random) => number | null,
  random: Random,
  confidence = 0.95,
): Interval {
  const drawn = new Float64Array(resamples);
  let n = 0;
  for (let i = 0; i < resamples; i++) {
    const value = draw(random);
    if (value !== null && !Number.isNaN(value)) drawn[n++] = value;
  }
  if (2 * n < resamples) return [null, null];
  const sorted = drawn.subarray(0, n).sort();
  const tail = (1 - confidence) / 2;
  return [quantileSorted(sorted, tail), quantileSorted(sorted, 1 - tail)];
}

/**
 * The percentile interval of quantile(after) − quantile(before), each side resampled with replacement at
 * its own size; both sides are null when `before` or `after` is empty.
 */
export function bootstrapMedianDifference(
  before: ArrayLike<number>,
  after: ArrayLike<number>,
  q: number,
  resamples: number,
  random: Random,
  confidence = 0.95,
): Interval {
  if (before.length === 0 || after.length === 0) return [null, null];
  const drawBefore = quantileDrawer(before, q);
  const drawAfter = quantileDrawer(after, q);
  return bootstrapInterval(
    resamples,
    () => {
      const from = drawBefore(random);
      return drawAfter(random) - from;
    },
    random,
    confidence,
  );
}

/**
 * The percentile interval of a statistic over clusters resampled with replacement, each with all that
 * belongs to it. `statistic` gets one array that is filled anew each time: it must not keep it.
 * Both sides are null for no clusters.
 */
export function clusterBootstrap<T>(
  clusters: readonly T[],
  statistic: (sample: readonly T[]) => number | null,
  resamples: number,
  random: Random,
  confidence = 0.95,
): Interval {
  const n = clusters.length;
  if (n === 0) return [null, null];
  const sample = clusters.slice();
  return bootstrapInterval(
    resamples,
    () => {
      for (let i = 0; i < n; i++) sample[i] = clusters[random.int(n)]!;
      return statistic(sample);
    },
    random,
    confidence,
  );
}

/** Draws the quantile of a resample by counting how often each rank came up: no sort per resample. */
function quantileDrawer(values: ArrayLike<number>, q: number): (random: Random) => number {
  const sorted = Float64Array.from(values).sort();
  const n = sorted.length;
  const rank = nearestRank(n, q);
  const counts = new Uint32Array(n);
  return (random) => {
    counts.fill(0);
    for (let i = 0; i < n; i++) counts[random.int(n)]!++;
    let at = 0;
    for (let seen = counts[0]!; seen < rank; seen += counts[at]!) at++;
    return sorted[at]!;
  };
}
