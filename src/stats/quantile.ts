import { SLACK, selectWeighted } from "./weighted-select.ts";

/**
 * The 1-based rank of the `q` quantile among `n` sorted values: the smallest k with k ≥ q·n, at least 1
 * and at most n (1 where n = 0).
 */
export function nearestRank(n: number, q: number): number {
  return Math.max(1, Math.min(n, Math.ceil(q * n * SLACK)));
}

/**
 * The `q` quantile (0..1) of values in ascending order: the inverse of the empirical distribution,
 * Hyndman and Fan's type 1, always an observed value. Null for no values.
 */
export function quantileSorted(sorted: ArrayLike<number>, q: number): number | null {
  const n = sorted.length;
  return n === 0 ? null : sorted[nearestRank(n, q) - 1]!;
}

/** As `quantileSorted`, of values in any order; they are copied, not moved. */
export function quantile(values: Iterable<number>, q: number): number | null {
  return quantileSorted(Float64Array.from(values).sort(), q);
}

/**
 * The weighted `q` quantile: the smallest value whose cumulative weight is at least q·Σw. With equal
 * weights it is `quantile`. Values without a positive weight do not count; null when none is left.
 */
export function weightedQuantile(
  values: ArrayLike<number>,
  weights: ArrayLike<number>,
  q: number,
): number | null {
  return weightedQuantiles(values, weights, [q])[0]!;
}

/**
 * `weightedQuantile` for several `qs`, in their order, without a sort.
 * Throws a RangeError when values and weights differ in length.
 */
export function weightedQuantiles(
  values: ArrayLike<number>,
  weights: ArrayLike<number>,
  qs: readonly number[],
): (number | null)[] {
  if (values.length !== weights.length) throw new RangeError("values and weights differ in length");
  return selectWeighted(Float64Array.from(values), Float64Array.from(weights), qs);
}
