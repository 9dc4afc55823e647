import { logBetaTail, logBinomialDensity } from "./special.ts";

/** Probabilities that are equal in exact arithmetic must compare as equal. */
export const PROBABILITY_SLACK = 1e-12;

/** P(B ≤ k) for B ~ Binomial(n, p), to about 1e-12 for n up to 100,000. k < 0 gives 0, k ≥ n gives 1. */
export function binomialCdf(k: number, n: number, p: number): number {
  return Math.exp(logBinomialCdf(k, n, p));
}

/** ln P(B ≤ k), which does not underflow far out in the lower tail; −Infinity where it is 0. */
export function logBinomialCdf(k: number, n: number, p: number): number {
  k = Math.floor(k);
  if (k < 0) return Number.NEGATIVE_INFINITY;
  if (k >= n) return 0;
  return logBetaTail(1 - p, p, n - k, k + 1);
}

/** ln P(B = k) for B ~ Binomial(n, p) and a whole k; −Infinity outside 0..n. */
export function logBinomialPmf(k: number, n: number, p: number): number {
  if (!(k >= 0 && k <= n)) return Number.NEGATIVE_INFINITY;
  return logBinomialDensity(k, n - k, p, 1 - p);
}

/** The smallest k in 0..n with P(B ≤ k) ≥ prob. */
export function binomialQuantile(prob: number, n: number, p: number): number {
  if (prob >= 1) return p <= 0 ? 0 : n;
  const bound = prob * (1 - PROBABILITY_SLACK);
  return smallestRank(n, (k) => binomialCdf(k, n, p) >= bound);
}

/** The smallest k in 0..n for which a monotone test holds; n where it never does. */
export function smallestRank(n: number, holds: (k: number) => boolean): number {
  let low = 0;
  let high = n;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
