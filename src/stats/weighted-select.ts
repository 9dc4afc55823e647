import { Sum } from "./sum.ts";

/** Ranks and cumulative weights are compared as in exact arithmetic: 0.07 · 100 is 7, not 7.000000000000001. */
export const SLACK = 1 - 1e-9;

/**
 * Weighted quantiles by selection: what `weightedQuantiles` of `quantile.ts` gives, in time proportional
 * to the number of values instead of a sort. Both arrays are put into another order, still pairwise; where
 * all weights are equal they become 1.
 */
export function selectWeighted(
  values: Float64Array,
  weights: Float64Array,
  qs: readonly number[],
): (number | null)[] {
  const length = keepPositive(values, weights);
  if (isConstant(weights, length)) weights.fill(1, 0, length);
  const sum = new Sum();
  for (let i = 0; i < length; i++) sum.add(weights[i]!);
  return qs.map((q) => (length === 0 ? null : selectUpTo(values, weights, length, q * sum.value * SLACK)));
}

/** Moves the pairs of positive weight to the front; returns how many there are. */
function keepPositive(values: Float64Array, weights: Float64Array): number {
  let length = 0;
  for (let i = 0; i < values.length; i++) {
    if (!(weights[i]! > 0)) continue;
    values[length] = values[i]!;
    weights[length] = weights[i]!;
    length++;
  }
  return length;
}

function isConstant(weights: Float64Array, length: number): boolean {
  for (let i = 1; i < length; i++) if (weights[i] !== weights[0]) return false;
  return true;
}

/**
 * The smallest of the first `length` values (at least one) whose cumulative weight is at least `bound`, else
 * the greatest, by Hoare's quickselect in three parts. Pairs change places.
 */
export function selectUpTo(
  values: Float64Array,
  weights: Float64Array,
  length: number,
  bound: number,
): number {
  const below = new Sum();
  let from = 0;
  let to = length;
  let random = 1;
  for (;;) {
    // Any order of the input is equally good for a pivot from a place of no meaning.
    random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
    const pivot = values[from + Math.floor((random / 2 ** 32) * (to - from))]!;
    const less = new Sum();
    const equal = new Sum();
    let low = from;
    let high = to;
    for (let i = from; i < high; ) {
      const value = values[i]!;
      const weight = weights[i]!;
      if (value > pivot) {
        high--;
        values[i] = values[high]!;
        weights[i] = weights[high]!;
        values[high] = value;
        weights[high] = weight;
        continue;
      }
      if (value < pivot) {
        less.add(weight);
        values[i] = values[low]!;
        weights[i] = weights[low]!;
        values[low] = value;
        weights[low] = weight;
        low++;
      } else equal.add(weight);
      i++;
    }
    if (low > from && below.value + less.value >= bound) {
      to = low;
      continue;
    }
    below.add(less.value);
    below.add(equal.value);
    if (high === to || below.value >= bound) return pivot;
    from = high;
  }
}
