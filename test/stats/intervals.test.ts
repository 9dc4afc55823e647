import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { binomialCdf } from "../../src/stats/binomial.ts";
import {
  clopperPearson,
  clopperPearsonLower,
  clopperPearsonUpper,
  lowerBoundRank,
  neededUnder,
  quantileInterval,
  quantileRanks,
  smallestSample,
  upperBoundRank,
  wilson,
} from "../../src/stats/intervals.ts";

const size = fc.integer({ min: 0, max: 120 });
const share = fc.constantFrom(0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99);
const confidence = fc.constantFrom(0.8, 0.9, 0.95, 0.99);

/** P(B ≤ k) for k = 0..n by adding up C(n, k) p^k (1−p)^(n−k). */
function slowCdf(n: number, p: number): number[] {
  let sum = 0;
  let choose = 1;
  return Array.from({ length: n + 1 }, (_, k) => {
    sum += choose * p ** k * (1 - p) ** (n - k);
    choose = (choose * (n - k)) / (k + 1);
    return sum;
  });
}

describe("ranks of the interval of a quantile", () => {
  test.each([
    [6, 1, 6, 0.969],
    [10, 2, 9, 0.979],
    [20, 6, 15, 0.959],
    [30, 10, 21, 0.957],
    [50, 18, 33, 0.967],
    [100, 40, 61, 0.965],
    [150, 63, 88, 0.959],
    [200, 86, 115, 0.96],
    [300, 133, 168, 0.957],
    [500, 228, 273, 0.956],
  ])("median of %d: %d–%d, coverage %d", (n, lower, upper, coverage) => {
    expect(quantileRanks(n, 0.5)).toEqual({ lower, upper });
    expect(binomialCdf(upper - 1, n, 0.5) - binomialCdf(lower - 1, n, 0.5)).toBeCloseTo(coverage, 3);
  });

  test("are those that a walk over the distribution finds", () => {
    fc.assert(
      fc.property(size, share, confidence, (n, q, level) => {
        const cdf = slowCdf(n, q);
        const tail = (1 - level) / 2;
        const lower = cdf.findIndex((p) => p >= tail - 1e-12);
        const upper = cdf.findIndex((p) => p >= 1 - tail - 1e-12) + 1;
        expect(quantileRanks(n, q, level)).toEqual({
          lower: lower === 0 ? null : lower,
          upper: upper > n ? null : upper,
        });
      }),
    );
  });

  test("a side that the data cannot give is null", () => {
    expect(quantileRanks(5, 0.5)).toEqual({ lower: null, upper: null });
    expect(quantileRanks(0, 0.5)).toEqual({ lower: null, upper: null });
    expect(quantileRanks(30, 0.99)).toEqual({ lower: 28, upper: null });
    expect(quantileInterval([], 0.5)).toEqual([null, null]);
    expect(quantileInterval([1, 2, 3, 4, 5, 6], 0.5)).toEqual([1, 6]);
  });

  test("picks the values at those ranks", () => {
    const sorted = Array.from({ length: 100 }, (_, i) => 10 * (i + 1));
    expect(quantileInterval(sorted, 0.5)).toEqual([400, 610]);
  });
});

describe("one-sided bounds of a quantile", () => {
  test.each([
    [30, 20, 27, 30, null],
    [50, 32, 43, 49, null],
    [60, 37, 51, 59, 60],
    [100, 59, 83, 96, 99],
    [150, 86, 122, 142, 148],
    [200, 113, 161, 188, 196],
    [300, 165, 238, 279, 292],
  ])("of %d, needed under the bar at 95 %%: %d %d %d %d", (n, ...needed) => {
    expect([0.5, 0.75, 0.9, 0.95].map((q) => neededUnder(n, q, 0.95))).toEqual(needed);
  });

  test.each([
    [0.5, 5],
    [0.75, 11],
    [0.9, 29],
    [0.95, 59],
    [0.99, 299],
  ])("the p%d needs at least %d values", (q, n) => {
    expect(smallestSample(q, 0.95)).toBe(n);
  });

  test("the smallest sample is the first with an upper bound", () => {
    fc.assert(
      fc.property(share, confidence, (q, level) => {
        let n = 0;
        while (upperBoundRank(n, q, level) === null) n++;
        expect(smallestSample(q, level)).toBe(n);
      }),
    );
    expect(smallestSample(0.5, 0.5)).toBe(1);
    expect(smallestSample(0.05, 0.95)).toBe(1);
    expect(smallestSample(1, 0.95)).toBe(Number.POSITIVE_INFINITY);
    expect(smallestSample(0, 0.95)).toBe(1);
    expect(smallestSample(0.999999, 0.95)).toBe(2995731);
  });

  test("are those that a walk over the distribution finds", () => {
    fc.assert(
      fc.property(size, share, confidence, (n, q, level) => {
        const cdf = slowCdf(n, q);
        const upper = cdf.findIndex((p) => p >= level - 1e-12) + 1;
        expect(upperBoundRank(n, q, level)).toBe(upper > n ? null : upper);
        let lower = 0;
        while (lower < n && cdf[lower]! <= 1 - level + 1e-12) lower++;
        expect(lowerBoundRank(n, q, level)).toBe(lower === 0 ? null : lower);
      }),
    );
  });

  test("mirror one another", () => {
    fc.assert(
      fc.property(size, share, confidence, (n, q, level) => {
        const upper = upperBoundRank(n, 1 - q, level);
        expect(lowerBoundRank(n, q, level)).toBe(upper === null ? null : n + 1 - upper);
      }),
    );
    expect(lowerBoundRank(100, 0.5, 0.95)).toBe(42);
    expect(lowerBoundRank(0, 0.5, 0.95)).toBeNull();
    // P(Bin(2, 0.9) ≤ 1) is exactly 0.19; in doubles 1 − 0.81 is less.
    expect(lowerBoundRank(2, 0.9, 0.81)).toBe(2);
    expect(upperBoundRank(2, 0.1, 0.81)).toBe(1);
  });
});

describe("Wilson's interval", () => {
  test("published values", () => {
    // Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
    const published: [number, number, number, number][] = [
      [81, 263, 0.2553, 0.3662],
      [15, 148, 0.0624, 0.1605],
      [0, 20, 0, 0.1611],
      [1, 29, 0.0061, 0.1718],
    ];
    for (const [count, n, lower, upper] of published) {
      const [lo, hi] = wilson(count, n);
      expect(lo).toBeCloseTo(lower, 4);
      expect(hi).toBeCloseTo(upper, 4);
    }
  });

  test("its ends solve |share − p| = z √(p (1 − p) / n)", () => {
    const pair = fc
      .integer({ min: 1, max: 5000 })
      .chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)));
    fc.assert(
      fc.property(pair, ([count, n]) => {
        const z = 1.959963984540054;
        for (const p of wilson(count, n)) {
          expect((count / n - p!) ** 2).toBeCloseTo((z * z * p! * (1 - p!)) / n, 12);
        }
      }),
    );
  });

  test("no data, and the ends", () => {
    expect(wilson(0, 0)).toEqual([null, null]);
    expect(wilson(0, 7)[0]).toBe(0);
    for (let n = 1; n <= 200; n++) {
      expect(wilson(0, n)[0]).toBe(0);
      expect(wilson(n, n)[1]).toBe(1);
    }
  });
});

describe("Clopper and Pearson's bounds", () => {
  const pair = fc
    .integer({ min: 1, max: 400 })
    .chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)));

  test("published values", () => {
    // Newcombe (1998), table I, method 5.
    const published: [number, number, number, number][] = [
      [81, 263, 0.2527, 0.3676],
      [15, 148, 0.0578, 0.1617],
      [0, 20, 0, 0.1684],
      [1, 29, 0.0009, 0.1776],
    ];
    for (const [count, n, lower, upper] of published) {
      const [lo, hi] = clopperPearson(count, n, 0.95);
      expect(lo).toBeCloseTo(lower, 4);
      expect(hi).toBeCloseTo(upper, 4);
    }
  });

  test("at the bound the count has exactly the probability 1 − confidence", () => {
    fc.assert(
      fc.property(pair, confidence, ([count, n], level) => {
        const upper = clopperPearsonUpper(count, n, level);
        if (count === n) expect(upper).toBe(1);
        else expect(binomialCdf(count, n, upper)).toBeCloseTo(1 - level, 11);
        const lower = clopperPearsonLower(count, n, level);
        if (count === 0) expect(lower).toBe(0);
        else expect(1 - binomialCdf(count - 1, n, lower)).toBeCloseTo(1 - level, 11);
      }),
    );
  });

  test("no data says nothing", () => {
    expect(clopperPearson(0, 0, 0.95)).toEqual([0, 1]);
    expect(clopperPearsonUpper(0, 30, 0.95)).toBeCloseTo(1 - 0.05 ** (1 / 30), 14);
  });

  test("the sign test passes exactly when the lower bound of the share lies above q", () => {
    fc.assert(
      fc.property(pair, share, confidence, ([count, n], q, level) => {
        const needed = neededUnder(n, q, level);
        const passes = needed !== null && count >= needed;
        expect(passes).toBe(clopperPearsonLower(count, n, level) >= q - 1e-12);
      }),
    );
  });
});
