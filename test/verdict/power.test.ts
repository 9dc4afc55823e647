import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mixtureEValue, signTestPower } from "../../src/stats/evalue.ts";
import {
  clopperPearsonLower,
  clopperPearsonUpper,
  lowerBoundRank,
  smallestSample,
  upperBoundRank,
} from "../../src/stats/intervals.ts";
import {
  type CountRule,
  dependableShare,
  neededCount,
  passPower,
  powerTable,
  shareOnTheBar,
  smallestPassable,
} from "../../src/verdict/power.ts";

const median: CountRule = { kind: "quantile", side: "below", at: 0.5, confidence: 0.95, looks: "once" };

const rules: fc.Arbitrary<CountRule> = fc.record({
  kind: fc.constantFrom("quantile" as const, "share" as const),
  side: fc.constantFrom("below" as const, "above" as const),
  at: fc.constantFrom(0.05, 0.25, 0.5, 0.9, 0.99),
  confidence: fc.constantFrom(0.8, 0.95, 0.99, "none" as const),
  looks: fc.constantFrom("once" as const, "anytime" as const),
});

/** P(Bin(n, p) ≥ k), added up. */
function slowTail(n: number, k: number, p: number): number {
  let sum = 0;
  let choose = 1;
  for (let i = 0; i <= n; i++) {
    if (i >= k) sum += choose * p ** i * (1 - p) ** (n - i);
    choose = (choose * (n - i)) / (i + 1);
  }
  return sum;
}

/** Whether `right` of n values on the right side pass, from the bounds of the values themselves. */
function passes(right: number, n: number, rule: CountRule): boolean {
  const { kind, side, at, confidence, looks } = rule;
  if (confidence !== "none" && looks === "anytime") {
    return mixtureEValue(right, n, shareOnTheBar(rule)) >= 1 / (1 - confidence) - 1e-9;
  }
  if (kind === "share") {
    const count = side === "below" ? n - right : right;
    if (confidence === "none") return side === "below" ? count / n < at : count / n > at;
    return side === "below"
      ? clopperPearsonUpper(count, n, confidence) < at
      : clopperPearsonLower(count, n, confidence) > at;
  }
  // Values 0 lie under the bar 1, values 2 over it.
  const under = side === "below" ? right : n - right;
  const sorted = Array.from({ length: n }, (_, i) => (i < under ? 0 : 2));
  const rank =
    confidence === "none"
      ? Math.max(1, Math.ceil(n * at - 1e-9))
      : side === "below"
        ? upperBoundRank(n, at, confidence)
        : lowerBoundRank(n, at, confidence);
  if (rank === null) return false;
  return side === "below" ? sorted[rank - 1]! < 1 : sorted[rank - 1]! > 1;
}

describe("the count that a condition needs", () => {
  it.each([
    [30, 20, 27, 30, null],
    [50, 32, 43, 49, null],
    [60, 37, 51, 59, 60],
    [100, 59, 83, 96, 99],
    [150, 86, 122, 142, 148],
    [200, 113, 161, 188, 196],
    [300, 165, 238, 279, 292],
  ])("of %i: %i for p50, %i for p75, %i for p90, %s for p95", (n, ...counts) => {
    expect([0.5, 0.75, 0.9, 0.95].map((at) => neededCount(n, { ...median, at }))).toEqual(counts);
  });

  it("is the smallest that passes, for every rule", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 70 }), rules, (n, rule) => {
        const counts = Array.from({ length: n + 1 }, (_, count) => count);
        const smallest = counts.find((count) => passes(count, n, rule)) ?? null;
        expect(neededCount(n, rule)).toBe(smallest);
      }),
      { numRuns: 300 },
    );
  });

  it("is that of the mirrored quantile for above", () => {
    for (const n of [5, 20, 100, 333]) {
      expect(neededCount(n, { ...median, side: "above", at: 0.9 })).toBe(
        neededCount(n, { ...median, at: 0.1 }),
      );
    }
  });

  it("exists for no values at all under no rule", () => {
    fc.assert(
      fc.property(rules, (rule) => {
        expect(neededCount(0, rule)).toBeNull();
      }),
    );
  });
});

describe("the smallest sample that can pass", () => {
  it.each([
    [0.5, 5],
    [0.75, 11],
    [0.9, 29],
    [0.95, 59],
    [0.99, 299],
  ])("p%d: %i", (at, n) => {
    expect(smallestPassable({ ...median, at })).toBe(n);
    expect(smallestSample(at, 0.95)).toBe(n);
    // A share that must stay under 1 − q needs the same: all of n on the right side.
    expect(smallestPassable({ ...median, kind: "share", at: 1 - at })).toBe(n);
  });

  it("can pass, and one less cannot, for every rule", () => {
    fc.assert(
      fc.property(rules, (rule) => {
        const n = smallestPassable(rule)!;
        expect(neededCount(n, rule)).not.toBeNull();
        expect(neededCount(n - 1, rule)).toBeNull();
      }),
    );
  });

  it("is not looked for beyond a million", () => {
    expect(smallestPassable({ ...median, kind: "share", at: 1e-9 })).toBeNull();
  });
});

describe("the power of a condition", () => {
  // Exact binomial tails, computed with rational numbers.
  it.each([
    [0.5, 0.04431304005703379],
    [0.55, 0.2414905754922431],
    [0.6, 0.6225326761221724],
    [0.65, 0.9123219015167059],
  ])("100 instances, median, true share %d: %d", (share, power) => {
    expect(passPower(100, share, median)).toBeCloseTo(power, 12);
  });

  it("is the sign test's for quantiles, and a sum of binomial probabilities for every rule", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        rules,
        (n, share, rule) => {
          const needed = neededCount(n, rule);
          const slow = needed === null ? 0 : slowTail(n, needed, share);
          expect(passPower(n, share, rule)).toBeCloseTo(slow, 9);
          const plain = { ...median, at: rule.at };
          expect(passPower(n, share, plain)).toBeCloseTo(signTestPower(n, share, rule.at, 0.95), 12);
        },
      ),
    );
  });

  it("is at most the error allowed for a service exactly on the bar", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), rules, (n, rule) => {
        if (rule.confidence === "none") return;
        expect(passPower(n, shareOnTheBar(rule), rule)).toBeLessThanOrEqual(1 - rule.confidence + 1e-9);
      }),
    );
  });

  it("is shown from the bar itself upwards, in round steps, with the sentence of the first dependable one", () => {
    const table = powerTable(100, median);
    expect(table.map(({ share }) => share)).toEqual([0.5, 0.55, 0.6, 0.65, 0.7, 0.75]);
    expect(dependableShare(table)?.share).toBe(0.65);
    expect(powerTable(299, { ...median, at: 0.99 }).map(({ share }) => share)).toEqual([
      0.99, 0.992, 0.994, 0.996, 0.998, 1,
    ]);
  });

  it("is shown in at most six columns, rising, whatever the rule", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), rules, (n, rule) => {
        const table = powerTable(n, rule);
        expect(table.length).toBeLessThanOrEqual(6);
        expect(table[0]!.share).toBeCloseTo(shareOnTheBar(rule), 6);
        for (let i = 1; i < table.length; i++) {
          expect(table[i]!.share).toBeGreaterThan(table[i - 1]!.share);
          expect(table[i]!.power).toBeGreaterThanOrEqual(table[i - 1]!.power - 1e-12);
        }
      }),
    );
  });
});
