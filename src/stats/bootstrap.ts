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
  return percentileInterval(bootstrapDraws(resamples, draw, random), confidence);
}

/**
 * The values that `draw` gives on so many resamples, ascending; empty when fewer than half of them have
 * one. Several intervals can be taken from them with {@link percentileInterval}.
 */
export function bootstrapDraws(
  resamples: number,
  draw: (random: Random) => number | null,
  random: Random,
): Float64Array {
  const drawn = new Float64Array(resamples);
  let n = 0;
  for (let i = 0; i < resamples; i++) {
    const value = draw(random);
    if (value !== null && !Number.isNaN(value)) drawn[n++] = value;
  }
  return 2 * n < resamples ? new Float64Array(0) : drawn.subarray(0, n).sort();
}

/** The percentile interval of bootstrap draws in ascending order. */
export function percentileInterval(draws: ArrayLike<number>, confidence: number): Interval {
  const tail = (1 - confidence) / 2;
  return [quantileSorted(draws, tail), quantileSorted(draws, 1 - tail)];
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
