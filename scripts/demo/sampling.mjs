import { SECOND } from "./clock.mjs";

const KEPT_PER_SECOND = 5;

/** Whether the written percentage gives the whole number back: 100 / Number("33.333333333333336") is 3. */
function roundTrips(n) {
  return 100 / Number(String(100 / n)) === n;
}

/**
 * Rate-limited sampling: the first requests after a quiet second are all kept, later ones of a burst one in
 * n, with the rate at that moment (rounded down to 100 / n, as the samplers do). The first request of a life
 * is always kept; `firstWeight` says what it stands for.
 */
export function sample(rng, requests, firstWeight) {
  const sorted = [...requests].sort((left, right) => left.start - right.start);
  const kept = [];
  let oldest = 0;
  for (const [i, request] of sorted.entries()) {
    while (sorted[oldest].start <= request.start - SECOND) oldest += 1;
    let n = Math.ceil((i - oldest + 1) / KEPT_PER_SECOND);
    while (!roundTrips(n)) n += 1;
    if (i === 0) kept.push({ ...request, weight: firstWeight });
    else if (rng.next() * n < 1) kept.push({ ...request, weight: n });
  }
  return kept;
}
