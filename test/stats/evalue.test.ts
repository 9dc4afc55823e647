import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { binomialCdf, logBinomialPmf } from "../../src/stats/binomial.ts";
import { mixtureEValue, signTestPower } from "../../src/stats/evalue.ts";
import { neededUnder } from "../../src/stats/intervals.ts";

const pmf = (k: number, n: number, p: number): number => Math.exp(logBinomialPmf(k, n, p));

/** The chance to pass at one of the looks, with a share `p` truly under the bar: exact, by its path of counts. */
function passesAtAnyLook(
  looks: readonly number[],
  p: number,
  passes: (k: number, n: number) => boolean,
): number {
  let at = [1];
  let n = 0;
  let passed = 0;
  for (const look of looks) {
    const next = new Array<number>(look + 1).fill(0);
    const step = look - n;
    at.forEach((mass, k) => {
      for (let j = 0; j <= step; j++) next[k + j]! += mass * pmf(j, step, p);
    });
    n = look;
    at = next.map((mass, k) => {
      if (!passes(k, n)) return mass;
      passed += mass;
      return 0;
    });
  }
  return passed;
}

describe("mixtureEValue", () => {
  // 40-digit arithmetic (mpmath) of the formula as written, rounded.
  test.each([
    [0, 1, 0.5, 0.5],
    [1, 1, 0.5, 1.5],
    [60, 100, 0.5, 1.7840590318646552],
    [70, 100, 0.5, 854.5896506953928],
    [20, 100, 0.5, 0.016229985286076002],
    [95, 100, 0.9, 2.76516466687002],
    [100, 100, 0.9, 3727.496979801008],
    [520, 1000, 0.5, 0.15801987252280542],
  ])("%d of %d against %d", (k, n, p0, expected) => {
    expect(Math.abs(mixtureEValue(k, n, p0) - expected)).toBeLessThanOrEqual(1e-12 * expected);
  });

  test("is the mean likelihood ratio over shares above p0", () => {
    const pair = fc
      .integer({ min: 1, max: 60 })
      .chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)));
    fc.assert(
      fc.property(pair, fc.constantFrom(0.25, 0.5, 0.9), ([k, n], p0) => {
        const steps = 4000;
        let sum = 0;
        for (let i = 0; i < steps; i++) {
          const p = p0 + ((1 - p0) * (i + 0.5)) / steps;
          sum += Math.exp(k * Math.log(p / p0) + (n - k) * Math.log((1 - p) / (1 - p0)));
        }
        expect(mixtureEValue(k, n, p0) / (sum / steps)).toBeCloseTo(1, 4);
      }),
    );
  });

  test("expects 1 on the bar and less below it", () => {
    for (const p0 of [0.5, 0.75, 0.95]) {
      for (const n of [1, 10, 250]) {
        const expectation = (p: number): number =>
          Array.from({ length: n + 1 }, (_, k) => pmf(k, n, p) * mixtureEValue(k, n, p0)).reduce(
            (a, b) => a + b,
          );
        expect(expectation(p0)).toBeCloseTo(1, 10);
        expect(expectation(0.9 * p0)).toBeLessThan(1);
        expect(expectation(p0 + 0.5 * (1 - p0))).toBeGreaterThan(1);
      }
    }
  });

  test("stays finite for a million values", () => {
    for (const k of [0, 1, 400_000, 500_000, 501_000, 999_999, 1_000_000]) {
      const e = mixtureEValue(k, 1_000_000, 0.5);
      expect(Number.isFinite(e) && e >= 0).toBe(true);
    }
    expect(mixtureEValue(1_000_000, 1_000_000, 0.5)).toBe(Number.MAX_VALUE);
    expect(mixtureEValue(499_000, 1_000_000, 0.5)).toBeLessThan(0.01);
    expect(mixtureEValue(503_500, 1_000_000, 0.5)).toBeGreaterThan(20);
  });

  test("degenerate inputs", () => {
    expect(mixtureEValue(0, 0, 0.5)).toBe(1);
    expect(mixtureEValue(5, 5, 1)).toBe(1);
    expect(mixtureEValue(0, 4, 0)).toBe(0.2);
    expect(mixtureEValue(1, 4, 0)).toBe(Number.MAX_VALUE);
    expect(() => mixtureEValue(5, 4, 0.5)).toThrow(new RangeError("5 of 4 is no count"));
    expect(() => mixtureEValue(-1, 4, 0.5)).toThrow(new RangeError("-1 of 4 is no count"));
    expect(() => mixtureEValue(-1, 0, 0.5)).toThrow(RangeError);
  });
});

describe("looking again", () => {
  const looks = Array.from({ length: 21 }, (_, i) => 100 + 10 * i);
  const bound = (k: number, n: number): boolean => k >= neededUnder(n, 0.5, 0.95)!;
  const evidence = (k: number, n: number): boolean => mixtureEValue(k, n, 0.5) >= 20;

  // A simulation of 4,000 services gave these; its standard error is at most 0.8 points.
  test.each([
    [0.5, 0.132, 0.006],
    [0.55, 0.66, 0.14],
    [0.6, 0.98, 0.73],
    [0.65, 1, 0.99],
  ])("21 looks at a share of %d: bound %d, e-value %d", (p, anyBound, anyEvidence) => {
    expect(Math.abs(passesAtAnyLook(looks, p, bound) - anyBound)).toBeLessThan(0.025);
    expect(Math.abs(passesAtAnyLook(looks, p, evidence) - anyEvidence)).toBeLessThan(0.025);
  });

  test("on the bar the evidence reaches 20 in at most 5 % of cases, at every look up to 300", () => {
    const every = Array.from({ length: 300 }, (_, i) => i + 1);
    const chance = passesAtAnyLook(every, 0.5, evidence);
    expect(chance).toBeLessThanOrEqual(0.05);
    expect(chance).toBeGreaterThan(0.005);
  });
});

describe("signTestPower", () => {
  test("with 100 values, 60 % passes 63 % of the time and 65 % passes 91 %", () => {
    expect(Math.abs(signTestPower(100, 0.6, 0.5, 0.95) - 0.63)).toBeLessThan(0.01);
    expect(Math.abs(signTestPower(100, 0.65, 0.5, 0.95) - 0.91)).toBeLessThan(0.01);
    expect(signTestPower(100, 0.5, 0.5, 0.95)).toBeLessThanOrEqual(0.05);
  });

  test("is the probability of the counts that pass", () => {
    const shares = fc.constantFrom(0, 0.3, 0.5, 0.8, 1);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 80 }), shares, fc.constantFrom(0.5, 0.9), (n, share, q) => {
        const needed = neededUnder(n, q, 0.95) ?? n + 1;
        let sum = 0;
        for (let k = needed; k <= n; k++) sum += pmf(k, n, share);
        expect(signTestPower(n, share, q, 0.95)).toBeCloseTo(sum, 11);
      }),
    );
  });

  test("is 0 where no count could show it", () => {
    expect(signTestPower(30, 0.999, 0.95, 0.95)).toBe(0);
    expect(signTestPower(0, 0.9, 0.5, 0.95)).toBe(0);
    expect(signTestPower(5, 1, 0.5, 0.95)).toBe(1);
    expect(binomialCdf(4, 5, 0.5)).toBeGreaterThanOrEqual(0.95);
  });
});
