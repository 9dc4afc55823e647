import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgeEvidence } from "../../src/verdict/judge-evidence.ts";
import { type Bound, judgeBounds, judgeEstimate } from "../../src/verdict/judgement.ts";

const below = (value: number): Bound => ({ side: "below", value });
const above = (value: number): Bound => ({ side: "above", value });
const NEITHER = ["the bar lies between the two bounds: the data show neither"];
const TOO_FEW = ["too few values for a bound at this confidence"];

describe("two bounds against a bar", () => {
  it.each([
    // lower, upper, bar, verdict for below, verdict for above
    [1, 3, 4, "pass", "fail"],
    [1, 3, 3, "inconclusive", "fail"],
    [1, 3, 2, "inconclusive", "inconclusive"],
    [1, 3, 1, "fail", "inconclusive"],
    [1, 3, 0, "fail", "pass"],
    [2, 2, 2, "fail", "fail"],
    // A side that the data cannot give shows nothing, on either side of zero.
    [null, 3, 4, "pass", "fail"],
    [null, 3, 3, "inconclusive", "fail"],
    [null, 3, 2, "inconclusive", "inconclusive"],
    [null, 3, -2, "inconclusive", "inconclusive"],
    [null, -3, -2, "pass", "fail"],
    [null, 3, 0, "inconclusive", "inconclusive"],
    [1, null, 0, "fail", "pass"],
    [1, null, 1, "fail", "inconclusive"],
    [1, null, 2, "inconclusive", "inconclusive"],
    [-3, null, 2, "inconclusive", "inconclusive"],
    [-3, null, -4, "fail", "pass"],
    [-3, null, 0, "inconclusive", "inconclusive"],
    [null, null, 2, "inconclusive", "inconclusive"],
    [null, null, 0, "inconclusive", "inconclusive"],
    [null, null, -2, "inconclusive", "inconclusive"],
  ] as const)("[%s, %s] against %d: below %s, above %s", (lower, upper, bar, forBelow, forAbove) => {
    for (const [bound, verdict] of [
      [below(bar), forBelow],
      [above(bar), forAbove],
    ] as const) {
      const none = lower === null && upper === null;
      const opposite = bound.side === "below" ? "lower" : "upper";
      const reasons = {
        pass: [],
        fail: [`the one-sided ${opposite} bound is already not ${bound.side} the bar`],
        inconclusive: none ? TOO_FEW : NEITHER,
      }[verdict];
      expect(judgeBounds(lower, upper, bound)).toEqual({ verdict, reasons });
    }
  });

  it("never pass on one side and on the other too, and mirror each other", () => {
    const side = fc.option(fc.integer({ min: -5, max: 5 }));
    fc.assert(
      fc.property(side, side, fc.integer({ min: -5, max: 5 }), (a, b, bar) => {
        const [lower, upper] = a !== null && b !== null && a > b ? [b, a] : [a, b];
        const mirror = (x: number | null): number | null => (x === null ? null : -x);
        const judged = judgeBounds(lower, upper, below(bar)).verdict;
        expect(judgeBounds(mirror(upper), mirror(lower), above(-bar)).verdict).toBe(judged);
        if (judged === "pass") expect(judgeBounds(lower, upper, above(bar)).verdict).toBe("fail");
      }),
    );
  });
});

describe("a point estimate against a bar", () => {
  it.each([
    [1, 2, "pass", "fail"],
    [2, 2, "fail", "fail"],
    [3, 2, "fail", "pass"],
    [0, 0, "fail", "fail"],
    [-1, 0, "pass", "fail"],
  ] as const)("%d against %d: below %s, above %s", (estimate, bar, forBelow, forAbove) => {
    const reasons = (verdict: string, side: string): string[] =>
      verdict === "pass" ? [] : [`the estimate is not ${side} the bar`];
    expect(judgeEstimate(estimate, below(bar))).toEqual({
      verdict: forBelow,
      reasons: reasons(forBelow, "below"),
    });
    expect(judgeEstimate(estimate, above(bar))).toEqual({
      verdict: forAbove,
      reasons: reasons(forAbove, "above"),
    });
  });

  it.each([below(2), above(-2)])("is no verdict where there is none: %o", (bound) => {
    expect(judgeEstimate(null, bound)).toEqual({
      verdict: "inconclusive",
      reasons: ["the figure cannot be computed from these values"],
    });
  });
});

describe("evidence at any time", () => {
  it.each([
    [0.95, 20],
    [0.9, 10],
    [0.99, 100],
    [0.6, 2.5],
  ])("with %d confidence needs %d exactly, for a pass and for a fail", (confidence, needed) => {
    expect(judgeEvidence(needed, 0, confidence)).toEqual({
      eValue: needed,
      eNeeded: needed,
      verdict: "pass",
      reasons: [],
    });
    expect(judgeEvidence(0.5, needed, confidence)).toEqual({
      eValue: 0.5,
      eNeeded: needed,
      verdict: "fail",
      reasons: [`the evidence against the bar is E = ${needed.toPrecision(4)}`],
    });
    const less = needed * (1 - 1e-6);
    expect(judgeEvidence(less, less, confidence)).toEqual({
      eValue: less,
      eNeeded: needed,
      verdict: "inconclusive",
      reasons: ["the evidence is not enough yet, either way: look again with more instances"],
    });
  });
});
