import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Sum } from "../../src/stats/sum.ts";
import { selectWeighted } from "../../src/stats/weighted-select.ts";

/** The same quantiles by a sort. */
function bySorting(values: readonly number[], weights: readonly number[], q: number): number | null {
  const order = values.map((_, i) => i).filter((i) => weights[i]! > 0);
  order.sort((i, j) => values[i]! - values[j]!);
  const total = new Sum();
  for (const i of order) total.add(weights[i]!);
  const upTo = new Sum();
  for (const i of order) {
    upTo.add(weights[i]!);
    if (upTo.value >= q * total.value * (1 - 1e-9)) return values[i]!;
  }
  return values[order[order.length - 1] ?? -1] ?? null;
}

function bySelection(values: readonly number[], weights: readonly number[], qs: readonly number[]) {
  return selectWeighted(Float64Array.from(values), Float64Array.from(weights), qs);
}

const qs = [0, 0.07, 0.25, 0.5, 0.9, 0.99, 1];
/** Few values, so that many are equal. */
const value = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.double({ min: 0, max: 1e6, noNaN: true }));
const weight = fc.oneof(
  fc.constantFrom(0, 1, 1, 3, 100 / 3, 100 / 12.5, 100 / 7),
  fc.integer({ min: 1, max: 500 }),
);
const pairs = fc.array(fc.tuple(value, weight), { maxLength: 300 });

describe("selectWeighted", () => {
  test("gives what a sort gives", () => {
    fc.assert(
      fc.property(pairs, (list) => {
        const values = list.map(([v]) => v);
        const weights = list.map(([, w]) => w);
        expect(bySelection(values, weights, qs)).toEqual(qs.map((q) => bySorting(values, weights, q)));
      }),
      { numRuns: 2000 },
    );
  });

  test("gives what a sort gives where cumulative weights meet their bounds", () => {
    // Every decile is a tie in exact arithmetic: 100 / 3 and its multiples are not exact.
    const deciles = Array.from({ length: 11 }, (_, i) => i / 10);
    for (const rate of [3, 7, 30, 33, 100 / 3]) {
      for (const n of [10, 100, 1000]) {
        const values = Array.from({ length: n }, (_, i) => (i * 7919) % n);
        const weights = values.map((v) => (v % 2 === 0 ? 1 : 2) * (100 / rate));
        expect(bySelection(values, weights, deciles)).toEqual(
          deciles.map((q) => bySorting(values, weights, q)),
        );
      }
    }
  });

  test("takes many values in any order: sorted, backwards, all equal, in two runs", () => {
    const n = 200_000;
    const orders: readonly ((i: number) => number)[] = [
      (i) => i,
      (i) => n - i,
      () => 5,
      (i) => (i < n / 2 ? i : n - i),
    ];
    for (const order of orders) {
      const values = Array.from({ length: n }, (_, i) => order(i));
      const weights = values.map((_, i) => 1 + (i % 3));
      expect(bySelection(values, weights, [0.5, 0.9])).toEqual(
        [0.5, 0.9].map((q) => bySorting(values, weights, q)),
      );
    }
  });

  test("keeps the pairs together", () => {
    const values = Float64Array.from([4, 1, 3, 2, 5]);
    const weights = Float64Array.from([40, 10, 30, 20, 50]);
    selectWeighted(values, weights, [0.5]);
    expect([...values].map((v, i) => [v, weights[i]]).sort()).toEqual([
      [1, 10],
      [2, 20],
      [3, 30],
      [4, 40],
      [5, 50],
    ]);
  });
});
