import { Sum } from "./sum.ts";

/** Ranks and cumulative weights are compared as in exact arithmetic: 0.07 · 100 is 7, not 7.000000000000001. */
const SLACK = 1 - 1e-9;

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
 * `weightedQuantile` for several `qs`, in their order, at the price of one sort.
 * Throws a RangeError when values and weights differ in length.
 */
export function weightedQuantiles(
  values: ArrayLike<number>,
  weights: ArrayLike<number>,
  qs: readonly number[],
): (number | null)[] {
  if (values.length !== weights.length) throw new RangeError("values and weights differ in length");
  if (sameWeight(weights)) {
    // Most inputs carry no sampling, and a typed array sorts many times faster than an index.
    const sorted = Float64Array.from(values).sort();
    return qs.map((q) => quantileSorted(sorted, q));
  }
  const order = byValue(values, weights);
  const cumulative = new Float64Array(order.length);
  const sum = new Sum();
  for (let i = 0; i < order.length; i++) {
    sum.add(weights[order[i]!]!);
    cumulative[i] = sum.value;
  }
  return qs.map((q) => {
    if (order.length === 0) return null;
    const at = firstAtLeast(cumulative, q * sum.value * SLACK);
    return values[order[Math.min(at, order.length - 1)]!]!;
  });
}

function sameWeight(weights: ArrayLike<number>): boolean {
  const first = weights[0] ?? 1;
  if (!(first > 0)) return false;
  for (let i = 1; i < weights.length; i++) if (weights[i] !== first) return false;
  return true;
}

/** Indexes of the values with a positive weight, in ascending order of value. */
function byValue(values: ArrayLike<number>, weights: ArrayLike<number>): Uint32Array {
  const order = new Uint32Array(values.length);
  let n = 0;
  for (let i = 0; i < values.length; i++) if (weights[i]! > 0) order[n++] = i;
  return order.subarray(0, n).sort((i, j) => {
    const a = values[i]!;
    const b = values[j]!;
    return a < b ? -1 : a > b ? 1 : 0;
  });
}

/** Index of the first entry of an ascending array that is at least `bound`; its length when there is none. */
function firstAtLeast(ascending: Float64Array, bound: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! >= bound) high = middle;
    else low = middle + 1;
  }
  return low;
}
