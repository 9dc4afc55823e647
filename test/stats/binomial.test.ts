import fc from "fast-check";
import { binomialDistribution } from "simple-statistics";
import { describe, expect, test } from "vitest";
import { binomialCdf, binomialQuantile, logBinomialCdf, logBinomialPmf } from "../../src/stats/binomial.ts";

/** Exact P(B ≤ k), k = 0..n, for p = p1024 / 1024 (a share that a double holds), over 1024^n. */
function exactCdf(n: number, p1024: number): bigint[] {
  const p = BigInt(p1024);
  const q = 1024n - p;
  let choose = 1n;
  let sum = 0n;
  const cdf: bigint[] = [];
  for (let k = 0n; k <= BigInt(n); k++) {
    sum += choose * p ** k * q ** (BigInt(n) - k);
    cdf.push(sum);
    choose = (choose * (BigInt(n) - k)) / (k + 1n);
  }
  return cdf;
}

/** numerator / 1024^n with 60 bits kept. */
function ratio(numerator: bigint, n: number): number {
  if (numerator === 0n) return 0;
  const shift = Math.max(0, numerator.toString(2).length - 60);
  return Number(numerator >> BigInt(shift)) * 2 ** (shift - 10 * n);
}

describe("binomialCdf", () => {
  test("equals exact rational arithmetic", () => {
    const size = fc.integer({ min: 1, max: 90 });
    fc.assert(
      fc.property(size, fc.integer({ min: 1, max: 1023 }), (n, p1024) => {
        exactCdf(n, p1024).forEach((numerator, k) => {
          const exact = ratio(numerator, n);
          expect(Math.abs(binomialCdf(k, n, p1024 / 1024) - exact)).toBeLessThanOrEqual(5e-13 * exact);
        });
      }),
      { numRuns: 60 },
    );
  });

  // 40-digit arithmetic (mpmath), rounded.
  test.each([
    [50000, 100000, 0.5, 0.5012615631070984],
    [49500, 100000, 0.5, 0.0007911799394257978],
    [48000, 100000, 0.5, 5.765469333361488e-37],
    [50500, 100000, 0.5, 0.9992258201845774],
    [95000, 100000, 0.95, 0.5020259614598264],
    [94800, 100000, 0.95, 0.001995480069652857],
    [95200, 100000, 0.95, 0.998281619785172],
    [10, 100000, 0.0001, 0.5830397502972542],
    [990, 1000, 0.99, 0.5426994078251103],
    [89900, 100000, 0.9, 0.14716151115060871],
    [74500, 100000, 0.75, 0.00013609536311764804],
  ])("P(Bin ≤ %d), n = %d, p = %d", (k, n, p, expected) => {
    expect(Math.abs(binomialCdf(k, n, p) - expected)).toBeLessThanOrEqual(1e-12 * expected);
  });

  test("its logarithm goes where a double does not", () => {
    expect(logBinomialCdf(40000, 100000, 0.5)).toBeCloseTo(Math.log(2.5917625840660077) - 877 * Math.LN10, 8);
  });

  test("ends", () => {
    expect(binomialCdf(-1, 10, 0.5)).toBe(0);
    expect(binomialCdf(10, 10, 0.5)).toBe(1);
    expect(binomialCdf(0, 0, 0.5)).toBe(1);
    expect(binomialCdf(-1, 0, 0.5)).toBe(0);
    expect(binomialCdf(3, 10, 0)).toBe(1);
    expect(binomialCdf(9, 10, 1)).toBe(0);
    expect(binomialCdf(2.9, 10, 0.5)).toBe(binomialCdf(2, 10, 0.5));
  });
});

describe("logBinomialPmf", () => {
  test("agrees with simple-statistics", () => {
    for (const p of [0.05, 0.5, 0.83]) {
      // Its distribution stops where the cumulated probability is within 1e-4 of 1.
      binomialDistribution(40, p)?.forEach((mass, k) => {
        expect(Math.exp(logBinomialPmf(k, 40, p))).toBeCloseTo(mass, 12);
      });
    }
  });

  test("is −Infinity where it cannot be", () => {
    expect(logBinomialPmf(-1, 5, 0.5)).toBe(Number.NEGATIVE_INFINITY);
    expect(logBinomialPmf(6, 5, 0.5)).toBe(Number.NEGATIVE_INFINITY);
    expect(logBinomialPmf(1, 5, 0)).toBe(Number.NEGATIVE_INFINITY);
    expect(logBinomialPmf(0, 5, 0)).toBe(0);
    expect(Math.exp(logBinomialPmf(0, 0, 0.5))).toBe(1);
  });
});

describe("binomialQuantile", () => {
  test("is the smallest k that exact arithmetic accepts, ties included", () => {
    const size = fc.integer({ min: 0, max: 40 });
    const p1024 = fc.constantFrom(32, 256, 512, 768, 1000);
    // 1/1024-ths make many exact ties with the cdf, e.g. prob = ½ at n = 1.
    const prob1024 = fc.integer({ min: 1, max: 1023 });
    fc.assert(
      fc.property(size, p1024, prob1024, (n, p, prob) => {
        const bound = BigInt(prob) * 1024n ** BigInt(n);
        const slow = exactCdf(n, p).findIndex((numerator) => numerator * 1024n >= bound);
        expect(binomialQuantile(prob / 1024, n, p / 1024)).toBe(slow);
      }),
    );
  });

  test("ties of decimal shares count as reached", () => {
    expect(binomialQuantile(0.95, 1, 0.05)).toBe(0);
    expect(binomialQuantile(0.81, 2, 0.1)).toBe(0);
    expect(binomialQuantile(1 - 0.9 ** 2, 2, 0.9)).toBe(1);
  });

  test("ends", () => {
    expect(binomialQuantile(0, 10, 0.5)).toBe(0);
    expect(binomialQuantile(1, 10, 0.5)).toBe(10);
    expect(binomialQuantile(1, 100, 0.5)).toBe(100);
    expect(binomialQuantile(0, 10, 0)).toBe(0);
    expect(binomialQuantile(1, 10, 0)).toBe(0);
    expect(binomialQuantile(0.5, 10, 1)).toBe(10);
    expect(binomialQuantile(0.5, 0, 0.5)).toBe(0);
  });
});
