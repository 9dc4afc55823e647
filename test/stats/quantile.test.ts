import fc from "fast-check";
import { quantileSorted as simpleQuantile } from "simple-statistics";
import { describe, expect, test } from "vitest";
import {
  nearestRank,
  quantile,
  quantileSorted,
  weightedQuantile,
  weightedQuantiles,
} from "../../src/stats/quantile.ts";

const ms = fc.integer({ min: 0, max: 50 });
/** Shares in hundredths, so that the slow versions can count in whole numbers. */
const hundredths = fc.integer({ min: 0, max: 100 });

describe("nearestRank", () => {
  test("is the smallest k with 100·k ≥ hundredths·n", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), hundredths, (n, h) => {
        let k = 1;
        while (100 * k < h * n) k++;
        expect(nearestRank(n, h / 100)).toBe(k);
      }),
    );
  });

  test("forgives the rounding of q·n", () => {
    expect(0.07 * 100).toBeGreaterThan(7);
    expect(nearestRank(100, 0.07)).toBe(7);
    expect(nearestRank(1000, 0.007)).toBe(7);
  });

  test("stays within 1..n", () => {
    expect(nearestRank(0, 0.5)).toBe(1);
    expect(nearestRank(10, 0)).toBe(1);
    expect(nearestRank(10, 1)).toBe(10);
  });
});

describe("quantile", () => {
  const starts = [850, 900, 1200, 1500, 1900, 2100, 2600, 3300, 5200, 9000];

  test("is an observed value, the lower one at the middle", () => {
    expect(quantileSorted(starts, 0.5)).toBe(1900);
    expect(quantileSorted(starts, 0.9)).toBe(5200);
  });

  test("of no values is null", () => {
    expect(quantileSorted([], 0.5)).toBeNull();
    expect(quantile([], 0.5)).toBeNull();
  });

  test("takes any order and any iterable, and leaves it alone", () => {
    const values = [3, 1, 10, 2];
    expect(quantile(values, 0.75)).toBe(3);
    expect(values).toEqual([3, 1, 10, 2]);
    expect(quantile(new Set([9, 10, 1]), 1)).toBe(10);
  });

  test("is the smallest value with at least a share q at or below it", () => {
    fc.assert(
      fc.property(fc.array(ms, { minLength: 1, maxLength: 40 }), hundredths, (values, h) => {
        const slow = [...values]
          .sort((a, b) => a - b)
          .find((v) => 100 * values.filter((x) => x <= v).length >= h * values.length);
        expect(quantile(values, h / 100)).toBe(slow);
      }),
    );
  });

  test("agrees with simple-statistics where no two definitions differ", () => {
    fc.assert(
      fc.property(fc.array(ms, { minLength: 1, maxLength: 20 }), (values) => {
        const odd = values.length % 2 === 1 ? values : [...values, 7];
        const sorted = odd.sort((a, b) => a - b);
        expect(quantileSorted(sorted, 0.5)).toBe(simpleQuantile(sorted, 0.5));
      }),
    );
  });
});

describe("weighted quantile", () => {
  const rows = fc.array(fc.tuple(ms, fc.integer({ min: 0, max: 6 })), { maxLength: 30 });

  test("with whole weights is the quantile of the repeated values", () => {
    fc.assert(
      fc.property(rows, hundredths, (pairs, h) => {
        const repeated = pairs.flatMap(([v, w]) => Array.from({ length: w }, () => v));
        const values = pairs.map(([v]) => v);
        const weights = pairs.map(([, w]) => w);
        expect(weightedQuantile(values, weights, h / 100)).toBe(quantile(repeated, h / 100));
      }),
    );
  });

  test("does not change when all weights are scaled", () => {
    const scale = fc.constantFrom(100 / 33, 0.1, 1 / 3, 1e-7, 1e9);
    fc.assert(
      fc.property(rows, hundredths, scale, (pairs, h, factor) => {
        const values = pairs.map(([v]) => v);
        const weights = pairs.map(([, w]) => w);
        const scaled = weights.map((w) => w * factor);
        expect(weightedQuantile(values, scaled, h / 100)).toBe(weightedQuantile(values, weights, h / 100));
      }),
    );
  });

  test("with nearly equal weights of a tenth is still exact at the jumps", () => {
    // Ten times 0.1 is 0.9999999999999999 when summed plainly; the last weight forces the general path.
    const values = Array.from({ length: 20 }, (_, i) => i + 1);
    const weights = values.map((v) => (v === 20 ? 0.1 + 1e-12 : 0.1));
    for (let k = 1; k <= 20; k++) expect(weightedQuantile(values, weights, k / 20)).toBe(k);
  });

  test("several at once, in the order asked", () => {
    expect(weightedQuantiles([30, 10, 20], [1, 5, 2], [0.9, 0.5, 0])).toEqual([30, 10, 10]);
  });

  test("counts only positive weights, and gives null without any", () => {
    expect(weightedQuantile([1, 2, 3], [0, 1, 2], 0)).toBe(2);
    expect(weightedQuantile([1, 2], [0, 0], 0.5)).toBeNull();
    expect(weightedQuantile([], [], 0.5)).toBeNull();
  });

  test("refuses lists of different lengths", () => {
    expect(() => weightedQuantile([1, 2], [1], 0.5)).toThrow(
      new RangeError("values and weights differ in length"),
    );
  });
});
