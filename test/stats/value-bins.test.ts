import fc from "fast-check";
import { expect, test } from "vitest";
import { weightedQuantiles } from "../../src/stats/quantile.ts";
import { ValueBins } from "../../src/stats/value-bins.ts";

type Pair = readonly [value: number, weight: number];

function byBins(pairs: readonly Pair[], qs: readonly number[], again = pairs): (number | null)[] {
  const bins = new ValueBins();
  for (const [value, weight] of pairs) bins.add(value, weight);
  const near = bins.near(qs);
  for (const [value, weight] of again) near.keep(value, weight);
  return near.quantiles();
}

function bySelection(pairs: readonly Pair[], qs: readonly number[]): (number | null)[] {
  const [values, weights] = [pairs.map(([v]) => v), pairs.map(([, w]) => w)];
  return weightedQuantiles(values, weights, qs);
}

const qs = [0.9, 0, 0.07, 0.25, 0.5, 0.99, 1];
const value = fc.oneof(
  fc.integer({ min: 0, max: 9 }),
  // Many that share a bin.
  fc.double({ min: 1000, max: 1060, noNaN: true }),
  fc.double({ min: -1e6, max: 1e9, noNaN: true }).map((x) => x + 0),
);
const weight = fc.constantFrom(0, 1, 1, 3, 500, 100 / 3, 100 / 12.5, 100 / 7);
const pairs = fc.array(fc.tuple(value, weight), { maxLength: 300 });

test("the bins give what a selection gives, whatever the order of the second reading", () => {
  fc.assert(
    fc.property(pairs, (list) => {
      expect(byBins(list, qs, [...list].reverse())).toEqual(bySelection(list, qs));
    }),
    { numRuns: 1000 },
  );
});

test("cumulative weights that meet their bounds in exact arithmetic reach them", () => {
  const deciles = Array.from({ length: 11 }, (_, i) => i / 10);
  for (const rate of [3, 7, 33, 100 / 3]) {
    const list = Array.from({ length: 1000 }, (_, i): Pair => {
      const v = (i * 7919) % 1000;
      return [v, (v % 2 === 0 ? 1 : 2) * (100 / rate)];
    });
    expect(byBins(list, deciles)).toEqual(bySelection(list, deciles));
  }
});

test("weights too small for the sum of their bin are not lost", () => {
  // Twenty million ones on top of 2^53: without them, the bound of the second value lies past it.
  const [base, ones, second, third] = [2 ** 53, 20_000_000, 1e8, 2 ** 60];
  const bins = new ValueBins();
  bins.add(1, base);
  for (let i = 0; i < ones; i++) bins.add(1, 1);
  bins.add(3, second);
  bins.add(100, third);
  const near = bins.near([(base + ones + second) / (base + ones + second + third)]);
  near.keep(3, second);
  near.keep(100, third);
  expect(near.quantiles()).toEqual([3]);
});

test("values without a positive weight do not count", () => {
  expect(byBins([], [0.5])).toEqual([null]);
  expect(byBins([[5, 0]], [0, 1])).toEqual([null, null]);
  const list: Pair[] = [
    [5, 0],
    [7, 1],
    [1, -2],
  ];
  expect(byBins(list, [0, 1])).toEqual([7, 7]);
});
