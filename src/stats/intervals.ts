import { binomialCdf, binomialQuantile, PROBABILITY_SLACK, smallestRank } from "./binomial.ts";
import { betaQuantile } from "./special.ts";

/** A two-sided interval; a side that the data cannot give is null. */
export type Interval = [lower: number | null, upper: number | null];

/** The 97.5 % point of the standard normal. */
const Z_95 = 1.959963984540054;

/**
 * The 1-based ranks of the order-statistic interval of a quantile: with B ~ Binomial(n, q) and
 * α = 1 − confidence, the smallest l with P(B ≤ l) ≥ α/2, and the smallest k with P(B ≤ k) ≥ 1 − α/2,
 * plus 1. A rank outside 1..n is null. Exact for continuous values, conservative with ties.
 */
export function quantileRanks(
  n: number,
  q: number,
  confidence = 0.95,
): { lower: number | null; upper: number | null } {
  const tail = (1 - confidence) / 2;
  const lower = binomialQuantile(tail, n, q);
  const upper = binomialQuantile(1 - tail, n, q) + 1;
  return { lower: lower < 1 ? null : lower, upper: upper > n ? null : upper };
}

/** The order-statistic interval of the `q` quantile of values in ascending order (see `quantileRanks`). */
export function quantileInterval(sorted: ArrayLike<number>, q: number, confidence = 0.95): Interval {
  const { lower, upper } = quantileRanks(sorted.length, q, confidence);
  return [lower === null ? null : sorted[lower - 1]!, upper === null ? null : sorted[upper - 1]!];
}

/**
 * Wilson's interval of the share count / n; both sides null for n = 0.
 * Source: E. B. Wilson, JASA 22 (1927), 209–212.
 */
export function wilson(count: number, n: number, z = Z_95): Interval {
  if (n <= 0) return [null, null];
  const share = count / n;
  const z2 = (z * z) / n;
  const centre = share + z2 / 2;
  const half = z * Math.sqrt((share * (1 - share) + z2 / 4) / n);
  // At the ends the bound is the end itself, which rounding would miss by an ulp.
  const lower = count <= 0 ? 0 : Math.max(0, (centre - half) / (1 + z2));
  const upper = count >= n ? 1 : Math.min(1, (centre + half) / (1 + z2));
  return [lower, upper];
}

/** Clopper and Pearson's exact two-sided interval of the share count / n; [0, 1] for n = 0. */
export function clopperPearson(count: number, n: number, confidence: number): [number, number] {
  const oneSided = 1 - (1 - confidence) / 2;
  return [clopperPearsonLower(count, n, oneSided), clopperPearsonUpper(count, n, oneSided)];
}

/** The exact one-sided upper bound of a share: the largest p with P(Bin(n, p) ≤ count) ≥ 1 − confidence. */
export function clopperPearsonUpper(count: number, n: number, confidence: number): number {
  // By symmetry from the lower bound: its small tail probability keeps all its digits.
  return 1 - clopperPearsonLower(n - count, n, confidence);
}

/** The exact one-sided lower bound of a share: the smallest p with P(Bin(n, p) ≥ count) ≥ 1 − confidence. */
export function clopperPearsonLower(count: number, n: number, confidence: number): number {
  return count <= 0 ? 0 : betaQuantile(1 - confidence, count, n - count + 1);
}

/**
 * The rank of the one-sided upper bound of a quantile: the smallest u with P(Bin(n, q) ≤ u − 1) ≥
 * confidence, so that x(u) lies above the true quantile that often. Null when u > n.
 */
export function upperBoundRank(n: number, q: number, confidence: number): number | null {
  const rank = binomialQuantile(confidence, n, q) + 1;
  return rank > n ? null : rank;
}

/** The mirrored lower bound: the largest l with P(Bin(n, q) ≤ l − 1) ≤ 1 − confidence. Null when l < 1. */
export function lowerBoundRank(n: number, q: number, confidence: number): number | null {
  const bound = (1 - confidence) * (1 + PROBABILITY_SLACK);
  const rank = smallestRank(n, (k) => binomialCdf(k, n, q) > bound);
  return rank < 1 ? null : rank;
}

/**
 * How many of n values must lie under a bar to show, with the given confidence, that the `q` quantile
 * does: the sign test, equal to x(`upperBoundRank`) < bar. Null when no count can show it.
 */
export function neededUnder(n: number, q: number, confidence: number): number | null {
  return upperBoundRank(n, q, confidence);
}

/** The smallest n with an upper bound of the `q` quantile, q^n ≤ 1 − confidence; Infinity if there is none. */
export function smallestSample(q: number, confidence: number): number {
  if (q <= 0 || confidence <= 0) return 1;
  if (q >= 1 || confidence >= 1) return Number.POSITIVE_INFINITY;
  let n = Math.max(1, Math.floor(Math.log1p(-confidence) / Math.log(q)) - 1);
  while (upperBoundRank(n, q, confidence) === null) n++;
  return n;
}
