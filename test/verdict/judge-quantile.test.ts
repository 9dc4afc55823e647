import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgeQuantile } from "../../src/verdict/judge-quantile.ts";
import type { Bound, Rule } from "../../src/verdict/judgement.ts";

const RULE: Rule = { confidence: 0.95, looks: "once", seed: 1 };
const BELOW: Bound = { side: "below", value: 2000 };
const ABOVE: Bound = { side: "above", value: 2000 };

/** Values of which `under` lie under 2,000, `equal` on it and the rest over it. */
function values(n: number, under: number, equal = 0): Float64Array {
  return Float64Array.from({ length: n }, (_, i) =>
    i < under ? 1000 + i : i < under + equal ? 2000 : 3000 + i,
  );
}

describe("a quantile below a bar", () => {
  it.each([
    [100, 0.5, 59],
    [30, 0.5, 20],
    [150, 0.5, 86],
    [100, 0.75, 83],
    [100, 0.9, 96],
    [60, 0.95, 60],
  ])("of %i values at quantile %d needs %i under it: one less is no pass", (n, q, needed) => {
    const met = judgeQuantile(values(n, needed), q, BELOW, RULE);
    expect(met).toMatchObject({
      verdict: "pass",
      needed,
      seen: needed,
      method: "order-statistics",
      n,
      reasons: [],
    });
    expect(met.upperBound).toBeLessThan(2000);
    const short = judgeQuantile(values(n, needed - 1), q, BELOW, RULE);
    expect(short).toMatchObject({ verdict: "inconclusive", needed, seen: needed - 1 });
    expect(short.upperBound).toBeGreaterThanOrEqual(2000);
  });

  it("fails when the opposite bound is not under it", () => {
    expect(judgeQuantile(values(100, 41), 0.5, BELOW, RULE).verdict).toBe("fail");
    expect(judgeQuantile(values(100, 42), 0.5, BELOW, RULE).verdict).toBe("inconclusive");
  });

  it("does not count a value equal to the bar as under it", () => {
    expect(judgeQuantile(values(100, 58, 42), 0.5, BELOW, RULE)).toMatchObject({
      verdict: "inconclusive",
      seen: 58,
    });
    expect(judgeQuantile(values(100, 0, 100), 0.5, BELOW, RULE).verdict).toBe("fail");
  });

  it("can show nothing with too few values, and says so", () => {
    const judged = judgeQuantile(values(4, 4), 0.5, BELOW, RULE);
    expect(judged).toMatchObject({ verdict: "inconclusive", needed: null, upperBound: null });
    expect(judged.reasons).toEqual(["too few values for a bound at this confidence"]);
    expect(judgeQuantile(values(58, 58), 0.95, BELOW, RULE).verdict).toBe("inconclusive");
    expect(judgeQuantile(values(59, 59), 0.95, BELOW, RULE).verdict).toBe("pass");
  });

  it("never passes on no values", () => {
    for (const rule of [RULE, { ...RULE, confidence: null }, { ...RULE, looks: "anytime" as const }]) {
      expect(judgeQuantile(values(0, 0), 0.5, BELOW, rule).verdict).toBe("inconclusive");
    }
  });
});

describe("a quantile above a bar", () => {
  it("mirrors the one below it", () => {
    // 100 values: the lower bound of the median is x(42), so 59 of them must lie over the bar.
    expect(judgeQuantile(values(100, 41), 0.5, ABOVE, RULE)).toMatchObject({
      verdict: "pass",
      needed: 59,
      seen: 59,
    });
    expect(judgeQuantile(values(100, 42), 0.5, ABOVE, RULE)).toMatchObject({
      verdict: "inconclusive",
      needed: 59,
      seen: 58,
    });
    expect(judgeQuantile(values(100, 59), 0.5, ABOVE, RULE).verdict).toBe("fail");
    expect(judgeQuantile(values(100, 58), 0.5, ABOVE, RULE).verdict).toBe("inconclusive");
  });

  it("can show nothing with too few values, and says so", () => {
    expect(judgeQuantile(values(4, 0), 0.5, ABOVE, RULE)).toMatchObject({
      verdict: "inconclusive",
      needed: null,
      seen: 4,
      lowerBound: null,
      reasons: ["too few values for a bound at this confidence"],
    });
    expect(judgeQuantile(values(5, 0), 0.5, ABOVE, RULE)).toMatchObject({ verdict: "pass", needed: 5 });
  });

  it("does not count a value equal to the bar as over it", () => {
    expect(judgeQuantile(values(100, 0, 100), 0.5, ABOVE, RULE)).toMatchObject({ verdict: "fail", seen: 0 });
  });
});

describe("properties", () => {
  const sample = fc.array(fc.integer({ min: 0, max: 4000 }), { minLength: 1, maxLength: 200 });
  const q = fc.constantFrom(0.5, 0.75, 0.9, 0.95);

  it("pass exactly when enough values are seen on the right side", () => {
    fc.assert(
      fc.property(sample, q, fc.constantFrom(BELOW, ABOVE), (numbers, quantile, bound) => {
        const judged = judgeQuantile(Float64Array.from(numbers).sort(), quantile, bound, RULE);
        expect(judged.verdict === "pass").toBe(judged.needed !== null && judged.seen! >= judged.needed);
      }),
    );
  });

  it("moving every value the right way never turns a pass into anything else", () => {
    fc.assert(
      fc.property(sample, q, fc.integer({ min: 0, max: 1000 }), (numbers, quantile, shift) => {
        const sorted = Float64Array.from(numbers).sort();
        const better = sorted.map((value) => value - shift);
        if (judgeQuantile(sorted, quantile, BELOW, RULE).verdict !== "pass") return;
        expect(judgeQuantile(better, quantile, BELOW, RULE).verdict).toBe("pass");
      }),
    );
  });

  it("no sample both passes below and above", () => {
    fc.assert(
      fc.property(sample, q, (numbers, quantile) => {
        const sorted = Float64Array.from(numbers).sort();
        const verdicts = [BELOW, ABOVE].map((bound) => judgeQuantile(sorted, quantile, bound, RULE).verdict);
        expect(verdicts.filter((verdict) => verdict === "pass").length).toBeLessThan(2);
      }),
    );
  });
});

describe("the point estimate", () => {
  const rule = { ...RULE, confidence: null };

  it("is strictly on the right side or fails", () => {
    expect(judgeQuantile(values(10, 5), 0.5, BELOW, rule)).toMatchObject({
      verdict: "pass",
      method: "point-estimate",
      needed: null,
      upperBound: null,
    });
    expect(judgeQuantile(values(10, 4), 0.5, BELOW, rule).verdict).toBe("fail");
    expect(judgeQuantile(values(10, 0, 10), 0.5, BELOW, rule).verdict).toBe("fail");
    expect(judgeQuantile(values(10, 0, 10), 0.5, ABOVE, rule).verdict).toBe("fail");
    expect(judgeQuantile(values(10, 4), 0.5, ABOVE, rule).verdict).toBe("pass");
  });
});

describe("anytime looks", () => {
  const rule: Rule = { ...RULE, looks: "anytime" };

  it("pass on evidence of 20, which is harder to reach than one look's bound", () => {
    expect(judgeQuantile(values(100, 59), 0.5, BELOW, rule).verdict).toBe("inconclusive");
    const judged = judgeQuantile(values(100, 66), 0.5, BELOW, rule);
    expect(judged).toMatchObject({ verdict: "pass", method: "e-value", eNeeded: 20, needed: null, seen: 66 });
    expect(judged.eValue).toBeGreaterThanOrEqual(20);
  });

  it("fail on evidence of 20 the other way", () => {
    expect(judgeQuantile(values(100, 30), 0.5, BELOW, rule).verdict).toBe("fail");
    expect(judgeQuantile(values(100, 45), 0.5, BELOW, rule).verdict).toBe("inconclusive");
    expect(judgeQuantile(values(100, 30), 0.5, ABOVE, rule).verdict).toBe("pass");
  });

  it("judge other quantiles at their own share", () => {
    expect(judgeQuantile(values(200, 180), 0.9, BELOW, rule).verdict).toBe("inconclusive");
    expect(judgeQuantile(values(200, 198), 0.9, BELOW, rule).verdict).toBe("pass");
    expect(judgeQuantile(values(200, 150), 0.9, BELOW, rule).verdict).toBe("fail");
    expect(judgeQuantile(values(200, 150), 0.9, ABOVE, rule).verdict).toBe("pass");
  });
});
