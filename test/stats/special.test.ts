import fc from "fast-check";
import { cumulativeStdNormalProbability, gammaln } from "simple-statistics";
import { describe, expect, test } from "vitest";
import { betaQuantile, logGamma, normalUpperTail, regularizedBeta } from "../../src/stats/special.ts";

/** Literals of this file: 40-digit arithmetic (mpmath), rounded. */
function expectRelative(actual: number, expected: number, tolerance: number): void {
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(tolerance * Math.abs(expected));
}

describe("logGamma", () => {
  test.each([
    [0.01, 4.599479878042022],
    [0.1, 2.252712651734206],
    [0.5, 0.5723649429247001],
    [1.5, -0.12078223763524522],
    [2.5, 0.2846828704729192],
    [3, Math.LN2],
    [7.25, 7.0521854507385395],
    [15.9, 27.625493215168692],
    [16, 27.89927138384089],
    [33.3, 82.60372358165495],
    [100, 359.1342053695754],
    [10000, 82099.71749644238],
    [1000000, 12815504.569147611],
  ])("of %d", (x, expected) => {
    expect(Math.abs(logGamma(x) - expected)).toBeLessThanOrEqual(5e-15 * Math.max(1, Math.abs(expected)));
  });

  test("is ln (n−1)! and agrees with simple-statistics", () => {
    let log = 0;
    for (let n = 1; n <= 170; n++) {
      expect(logGamma(n)).toBeCloseTo(log, 11);
      expect(logGamma(n + 0.5)).toBeCloseTo(gammaln(n + 0.5), 9);
      log += Math.log(n);
    }
  });

  test("outside its domain", () => {
    expect(logGamma(0)).toBe(Number.POSITIVE_INFINITY);
    expect(() => logGamma(-1)).toThrow(RangeError);
  });
});

describe("regularizedBeta", () => {
  test.each([
    [0.1, 0.5, 0.5, 0.20483276469913345],
    [0.5, 2, 3, 0.6875],
    [0.9, 2, 3, 0.9963],
    [0.2, 10, 1.5, 3.427052743509367e-7],
    [0.01, 0.05, 7, 0.893687027116849],
    [0.999, 30, 0.3, 0.6147882217058016],
    [0.55, 400, 350, 0.8197979771544192],
    [0.3, 1000, 2200, 0.06274055012434575],
    [1e-5, 2, 3, 5.999920000300001e-10],
    [0.5, 1, 1, 0.5],
  ])("I_%d(%d, %d)", (x, a, b, expected) => {
    expectRelative(regularizedBeta(x, a, b), expected, 2e-14);
  });

  test("is the integral of the density", () => {
    const shape = fc.integer({ min: 1, max: 12 });
    fc.assert(
      fc.property(shape, shape, fc.double({ min: 0.01, max: 0.99, noNaN: true }), (a, b, x) => {
        const density = (t: number): number => t ** (a - 1) * (1 - t) ** (b - 1);
        const simpson = (to: number): number => {
          const steps = 2000;
          const h = to / steps;
          let sum = density(0) + density(to);
          for (let i = 1; i < steps; i++) sum += density(i * h) * (i % 2 === 1 ? 4 : 2);
          return (sum * h) / 3;
        };
        expect(Math.abs(regularizedBeta(x, a, b) - simpson(x) / simpson(1))).toBeLessThan(1e-8);
      }),
      { numRuns: 50 },
    );
  });

  test("ends and symmetry", () => {
    expect(regularizedBeta(0, 2, 3)).toBe(0);
    expect(regularizedBeta(1, 2, 3)).toBe(1);
    expect(regularizedBeta(-1, 2, 3)).toBe(0);
    expect(regularizedBeta(0.3, 5, 2) + regularizedBeta(0.7, 2, 5)).toBeCloseTo(1, 14);
    expect(() => regularizedBeta(0.5, 0, 1)).toThrow(RangeError);
    expect(() => regularizedBeta(Number.NaN, 1, 1)).toThrow(RangeError);
    expect(() => betaQuantile(Number.NaN, 1, 1)).toThrow(RangeError);
  });
});

describe("betaQuantile", () => {
  test("undoes regularizedBeta", () => {
    const shape = fc.double({ min: 0.3, max: 3000, noNaN: true });
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1 - 1e-6, noNaN: true }), shape, shape, (p, a, b) => {
        const x = betaQuantile(p, a, b);
        // Within two steps of a double on both sides of x the function passes p.
        expect(regularizedBeta(x * (1 - 4e-16), a, b)).toBeLessThanOrEqual(p * (1 + 1e-11));
        expect(regularizedBeta(x * (1 + 4e-16), a, b)).toBeGreaterThanOrEqual(p * (1 - 1e-11));
      }),
    );
  });

  test("closed forms", () => {
    expectRelative(betaQuantile(0.3, 1, 1), 0.3, 3e-16);
    expectRelative(betaQuantile(0.05, 20, 1), 0.05 ** (1 / 20), 1e-15);
    expectRelative(betaQuantile(0.95, 1, 30), -Math.expm1(Math.log(0.05) / 30), 1e-14);
    expectRelative(betaQuantile(1e-30, 0.5, 1), 1e-60, 1e-12);
    expect(betaQuantile(0, 2, 3)).toBe(0);
    expect(betaQuantile(1, 2, 3)).toBe(1);
  });
});

describe("normalUpperTail", () => {
  test.each([
    [0, 0.5],
    [0.1, 0.460172162722971],
    [0.5, 0.3085375387259869],
    [1, 0.15865525393145705],
    [1.9, 0.028716559816001807],
    [1.959963984540054, 0.025000000000000012],
    [2, 0.02275013194817921],
    [2.1, 0.017864420562816553],
    [3, 0.0013498980316300946],
    [5, 2.866515718791939e-7],
    [8, 6.220960574271784e-16],
    [20, 2.7536241186062337e-89],
    [37, 5.725571222524577e-300],
  ])("beyond %d", (z, expected) => {
    expectRelative(normalUpperTail(z), expected, 2e-13);
  });

  test("is symmetric and agrees with the table of simple-statistics", () => {
    for (let z = -3; z <= 3; z += 0.5) {
      expect(normalUpperTail(z) + normalUpperTail(-z)).toBeCloseTo(1, 15);
      expect(1 - normalUpperTail(z)).toBeCloseTo(cumulativeStdNormalProbability(z), 3);
    }
    expect(normalUpperTail(Number.POSITIVE_INFINITY)).toBe(0);
    expect(normalUpperTail(Number.NEGATIVE_INFINITY)).toBe(1);
  });
});
