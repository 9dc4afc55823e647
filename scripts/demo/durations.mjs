/** Draws within an open range by rejection; all in tenths of a millisecond, still unrounded. */
function draw(rng, { median, sigma, range }, count) {
  const values = [];
  while (values.length < count) {
    const value = rng.logNormal(median, sigma);
    if (value > range[0] && value < range[1]) values.push(value);
  }
  return values.sort((left, right) => left - right);
}

/** Stretches ascending values so that the one at `index` becomes exactly `target`. */
function stretch(values, index, target) {
  const factor = target / values[index];
  return values.map((value) => Math.round(value * factor));
}

/**
 * First-request durations of a cohort (tenths of a millisecond) as two ascending lists, at most and over the
 * threshold. The numbers on either side and the nearest-rank median of both together are the plan's, exactly.
 */
export function firstDurations(rng, cohort, thresholdMs) {
  const { n, slow: slowCount, p50 } = cohort.first;
  const rank = Math.ceil(n / 2);
  const fastCount = n - slowCount;
  let fast = draw(rng, cohort.fast, fastCount);
  let slow = draw(rng, cohort.slow, slowCount);
  if (rank > fastCount) {
    slow = stretch(slow, rank - fastCount - 1, p50);
    fast = fast.map(Math.round);
  } else {
    fast = stretch(fast, rank - 1, p50);
    slow = slow.map(Math.round);
  }
  if (fast.at(-1) > thresholdMs * 10 || slow[0] <= thresholdMs * 10) {
    throw new Error("a first-request duration crossed the threshold: change the plan's ranges");
  }
  return { fast, slow };
}
