import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { binomialCdf } from "../../src/stats/binomial.ts";
import { clopperPearsonLower, clopperPearsonUpper } from "../../src/stats/intervals.ts";
import { judgeShare, neededOf } from "../../src/verdict/judge-share.ts";
import type { Bound, Rule } from "../../src/verdict/judgement.ts";

const RULE: Rule = { confidence: 0.95, looks: "once", seed: 1 };
const below = (value: number): Bound => ({ side: "below", value });
const above = (value: number): Bound => ({ side: "above", value });

describe("a share below a bar", () => {
  it("passes when the exact upper bound is under it", () => {
    // P(Bin(100, 0.4) ≤ 31) = 0.0398, P(… ≤ 32) = 0.0615: 31 is the most that shows a share under 0.4.
    expect(binomialCdf(31, 100, 0.4)).toBeLessThan(0.05);
    expect(binomialCdf(32, 100, 0.4)).toBeGreaterThan(0.05);
    expect(judgeShare(31, 100, below(0.4), RULE)).toMatchObject({
      verdict: "pass",
      needed: 69,
      seen: 69,
      method: "exact-binomial",
    });
    expect(judgeShare(32, 100, below(0.4), RULE)).toMatchObject({
      verdict: "inconclusive",
      needed: 69,
      seen: 68,
    });
  });

  it("fails when the exact lower bound is not under it", () => {
    expect(judgeShare(49, 100, below(0.4), RULE).verdict).toBe("fail");
    expect(judgeShare(48, 100, below(0.4), RULE).verdict).toBe("inconclusive");
  });

  it("never passes with no instance", () => {
    for (const rule of [RULE, { ...RULE, confidence: null }, { ...RULE, looks: "anytime" as const }]) {
      for (const bound of [below(0.4), above(0.4)]) {
        expect(judgeShare(0, 0, bound, rule)).toEqual({
          method: rule.confidence === null ? "point-estimate" : "exact-binomial",
          estimate: null,
          ci95: [null, null],
          lowerBound: null,
          upperBound: null,
          n: 0,
          needed: null,
          seen: null,
          eValue: null,
          eNeeded: null,
          verdict: "inconclusive",
          reasons: ["the figure cannot be computed from these values"],
        });
      }
    }
  });

  it("is not met by a bound that lies exactly on it", () => {
    for (const [count, n] of [
      [3, 20],
      [31, 100],
      [0, 5],
    ] as const) {
      const upper = clopperPearsonUpper(count, n, 0.95);
      expect(judgeShare(count, n, below(upper), RULE).verdict).toBe("inconclusive");
      const { needed, seen } = judgeShare(count, n, below(upper), RULE);
      expect(needed ?? n + 1).toBe(seen! + 1);
      const lower = clopperPearsonLower(n - count, n, 0.95);
      expect(judgeShare(n - count, n, above(lower), RULE).verdict).toBe("inconclusive");
      expect(neededOf(n, above(lower), 0.95) ?? n + 1).toBe(n - count + 1);
    }
  });

  it("says where no sample of this size could show it", () => {
    expect(judgeShare(0, 10, below(0.2), RULE)).toMatchObject({ verdict: "inconclusive", needed: null });
    expect(judgeShare(0, 14, below(0.2), RULE)).toMatchObject({ verdict: "pass", needed: 14 });
  });
});

describe("a share above a bar", () => {
  it("mirrors the one below it", () => {
    expect(judgeShare(69, 100, above(0.6), RULE)).toMatchObject({ verdict: "pass", needed: 69, seen: 69 });
    expect(judgeShare(68, 100, above(0.6), RULE).verdict).toBe("inconclusive");
    expect(judgeShare(51, 100, above(0.6), RULE).verdict).toBe("fail");
    expect(judgeShare(52, 100, above(0.6), RULE).verdict).toBe("inconclusive");
  });
});

describe("neededOf", () => {
  it("is the first count that shows the bar met, as a slow search finds it", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.double({ min: 0.02, max: 0.98, noNaN: true }),
        fc.constantFrom("below", "above"),
        (n, value, side) => {
          const bound: Bound = { side: side as "below", value };
          const counts = Array.from({ length: n + 1 }, (_, right) => right);
          const first = counts.find((right) => {
            const count = side === "below" ? n - right : right;
            return judgeShare(count, n, bound, RULE).verdict === "pass";
          });
          expect(neededOf(n, bound, 0.95)).toBe(first ?? null);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("the point estimate and anytime looks", () => {
  it("are strict", () => {
    const rule = { ...RULE, confidence: null };
    expect(judgeShare(39, 100, below(0.4), rule)).toMatchObject({
      verdict: "pass",
      method: "point-estimate",
    });
    expect(judgeShare(40, 100, below(0.4), rule).verdict).toBe("fail");
    expect(judgeShare(40, 100, above(0.4), rule).verdict).toBe("fail");
  });

  it("judge by evidence", () => {
    const rule: Rule = { ...RULE, looks: "anytime" };
    expect(judgeShare(31, 100, below(0.4), rule)).toMatchObject({
      verdict: "inconclusive",
      method: "e-value",
      needed: null,
    });
    expect(judgeShare(20, 100, below(0.4), rule).verdict).toBe("pass");
    expect(judgeShare(60, 100, below(0.4), rule).verdict).toBe("fail");
    expect(judgeShare(60, 100, above(0.4), rule).verdict).toBe("pass");
    expect(judgeShare(20, 100, above(0.4), rule).verdict).toBe("fail");
  });
});
