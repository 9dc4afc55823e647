import { normalUpperTail } from "./special.ts";

/** Up to this size on both sides, and without ties, the rank test is exact (as in benchstat). */
const EXACT_UP_TO = 50;

/** P(random a < random b) + ½ P(equal), in O(n log n); null when either is empty. */
export function probabilityLess(a: ArrayLike<number>, b: ArrayLike<number>): number | null {
  if (a.length === 0 || b.length === 0) return null;
  return countLess(ascending(a), ascending(b)) / (a.length * b.length);
}

/**
 * The two-sided test of Mann and Whitney. `u` counts the pairs with a > b, ties as ½. Exact for up to 50
 * values a side without ties, otherwise normal with the correction for ties and for continuity.
 * p is 1 when either is empty or all values are equal.
 */
export function mannWhitney(a: ArrayLike<number>, b: ArrayLike<number>): { u: number; p: number } {
  const m = a.length;
  const n = b.length;
  if (m === 0 || n === 0) return { u: 0, p: 1 };
  const u = countLess(ascending(b), ascending(a));
  const ties = tieTerm(a, b);
  if (ties === 0 && m <= EXACT_UP_TO && n <= EXACT_UP_TO) {
    return { u, p: Math.min(1, 2 * exactLowerTail(Math.min(u, m * n - u), m, n)) };
  }
  const all = m + n;
  const variance = ((m * n) / 12) * (all + 1 - ties / (all * (all - 1)));
  if (!(variance > 0)) return { u, p: 1 };
  const z = Math.max(0, Math.abs(u - (m * n) / 2) - 0.5) / Math.sqrt(variance);
  return { u, p: Math.min(1, 2 * normalUpperTail(z)) };
}

/**
 * Hodges and Lehmann's shift from a to b: the median of all differences b − a (of the two middle ones
 * their mean). The differences are searched, not stored. Null when either is empty.
 */
export function hodgesLehmann(a: ArrayLike<number>, b: ArrayLike<number>): number | null {
  const pairs = a.length * b.length;
  if (pairs === 0) return null;
  const from = ascending(a);
  const to = ascending(b);
  const low = nthDifference(from, to, Math.ceil(pairs / 2));
  return pairs % 2 === 1 ? low : low + (nthDifference(from, to, pairs / 2 + 1) - low) / 2;
}

/** Holm's step-down adjustment: p values, in their order, that may each be compared with α. */
export function holm(ps: readonly number[]): number[] {
  const order = ps.map((_, i) => i).sort((i, j) => ps[i]! - ps[j]!);
  const adjusted = new Array<number>(ps.length);
  let largest = 0;
  for (const [step, i] of order.entries()) {
    largest = Math.max(largest, Math.min(1, (ps.length - step) * ps[i]!));
    adjusted[i] = largest;
  }
  return adjusted;
}

function ascending(values: ArrayLike<number>): Float64Array {
  return Float64Array.from(values).sort();
}

/** Pairs with a < b, ties as ½; both ascending. */
function countLess(a: Float64Array, b: Float64Array): number {
  let below = 0;
  let upTo = 0;
  let count = 0;
  for (const value of b) {
    while (below < a.length && a[below]! < value) below++;
    while (upTo < a.length && a[upTo]! <= value) upTo++;
    count += (below + upTo) / 2;
  }
  return count;
}

/** Σ t³ − t over the groups of equal values in both together. */
function tieTerm(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const all = new Float64Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  all.sort();
  let term = 0;
  for (let i = 0; i < all.length; ) {
    let end = i + 1;
    while (end < all.length && all[end] === all[i]) end++;
    const t = end - i;
    term += t * t * t - t;
    i = end;
  }
  return term;
}

/** P(U ≤ u) under equality: the coefficients of the Gaussian binomial [m+n over m], as probabilities. */
function exactLowerTail(u: number, m: number, n: number): number {
  // Multiplied up by (1 − x^(n+i)) and divided by (1 − x^i), scaled by i / (n + i) to sum to 1.
  const ways = new Float64Array(u + 1);
  ways[0] = 1;
  for (let i = 1; i <= m; i++) {
    for (let k = u; k >= n + i; k--) ways[k]! -= ways[k - n - i]!;
    for (let k = i; k <= u; k++) ways[k]! += ways[k - i]!;
    for (let k = 0; k <= u; k++) ways[k]! *= i / (n + i);
  }
  return ways.reduce((sum, p) => sum + p, 0);
}

/** The k-th smallest (from 1) of all to − from; both ascending. */
function nthDifference(from: Float64Array, to: Float64Array, k: number): number {
  let low = to[0]! - from[from.length - 1]!;
  let high = to[to.length - 1]! - from[0]!;
  while (low < high) {
    const half = low + (high - low) / 2;
    const middle = half < high ? half : low;
    // Both ends step to differences that occur, so ties and tiny values end the search at once.
    let count = 0;
    let below = low;
    let above = high;
    let j = 0;
    for (const value of from) {
      while (j < to.length && to[j]! - value <= middle) j++;
      count += j;
      if (j > 0) below = Math.max(below, to[j - 1]! - value);
      if (j < to.length) above = Math.min(above, to[j]! - value);
    }
    if (count >= k) high = below;
    else low = above;
  }
  return low;
}
