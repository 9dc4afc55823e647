import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MetricValues } from "../../src/figures/metric-values.ts";
import { clopperPearsonUpper } from "../../src/stats/intervals.ts";
import { createRandom, type Random } from "../../src/stats/random.ts";
import { judgeByBootstrap, RESAMPLES } from "../../src/verdict/judge-bootstrap.ts";
import type { Bound, Judgement, Rule } from "../../src/verdict/judgement.ts";

type Drawn = Extract<MetricValues, { kind: "bootstrap" }>;

const RULE: Rule = { confidence: 0.95, looks: "once", seed: 1 };
const below = (value: number): Bound => ({ side: "below", value });
const above = (value: number): Bound => ({ side: "above", value });
const TOO_FEW = ["a bootstrap over fewer than 20 instances covers too little to judge by"];

/** The mean of values as a metric draws it: each resample takes n of the n values. */
function meanOf(values: readonly number[]): Drawn {
  const n = values.length;
  const draw = (random: Random): number => {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += values[random.int(n)]!;
    return sum / n;
  };
  const estimate = n === 0 ? null : values.reduce((a, b) => a + b, 0) / n;
  return { kind: "bootstrap", n, estimate, nonZero: null, ceiling: null, draw };
}

/** Draws that run through 1, 2, … 9,999 in a scrambled order, however they are asked for. */
function ladder(n: number): Drawn {
  let i = 0;
  const draw = (): number => ((++i * 7919) % RESAMPLES) + 1;
  return { kind: "bootstrap", n, estimate: 5000, nonZero: null, ceiling: null, draw };
}

function bounds({ lowerBound, upperBound, ci95 }: Judgement): unknown {
  return { lowerBound, upperBound, ci95 };
}

describe("the bounds of a bootstrap", () => {
  it("are the draws at α and 1 − α of 9,999, the interval those at 2.5 and 97.5 %", () => {
    expect(judgeByBootstrap(ladder(20), below(6000), RULE)).toEqual({
      method: "bootstrap",
      estimate: 5000,
      ci95: [250, 9750],
      lowerBound: 500,
      upperBound: 9500,
      n: 20,
      needed: null,
      seen: null,
      eValue: null,
      eNeeded: null,
      verdict: "inconclusive",
      reasons: ["the bar lies between the two bounds: the data show neither"],
    });
    const sure = judgeByBootstrap(ladder(20), below(6000), { ...RULE, confidence: 0.99 });
    expect(bounds(sure)).toEqual({ lowerBound: 100, upperBound: 9900, ci95: [250, 9750] });
    const unsure = judgeByBootstrap(ladder(20), below(6000), { ...RULE, confidence: 0.6 });
    expect(bounds(unsure)).toEqual({ lowerBound: 4000, upperBound: 6000, ci95: [250, 9750] });
  });

  it("equal those of resampling and sorting by hand", () => {
    const values = Array.from({ length: 25 }, (_, i) => (i * 37) % 23);
    const random = createRandom(5);
    const means = Array.from({ length: 9999 }, () => meanOf(values).draw(random)!);
    means.sort((a, b) => a - b);
    expect(bounds(judgeByBootstrap(meanOf(values), below(10), { ...RULE, seed: 5 }))).toEqual({
      lowerBound: means[499],
      upperBound: means[9499],
      ci95: [means[249], means[9749]],
    });
  });

  it("come from the seed alone, the same for every condition", () => {
    const values = Array.from({ length: 40 }, (_, i) => i * i);
    const once = judgeByBootstrap(meanOf(values), below(600), RULE);
    expect(judgeByBootstrap(meanOf(values), below(600), RULE)).toEqual(once);
    expect(bounds(judgeByBootstrap(meanOf(values), above(1), RULE))).toEqual(bounds(once));
    expect(bounds(judgeByBootstrap(meanOf(values), below(600), { ...RULE, seed: 2 }))).not.toEqual(
      bounds(once),
    );
  });

  it("are none where fewer than half of the resamples have a value", () => {
    let i = 0;
    const draw = (): number | null => (i++ % 3 === 0 ? 1 : null);
    const rare: Drawn = { ...ladder(50), estimate: 1, draw };
    expect(judgeByBootstrap(rare, below(2), RULE)).toMatchObject({
      verdict: "inconclusive",
      lowerBound: null,
      upperBound: null,
      ci95: [null, null],
      reasons: ["too few values for a bound at this confidence"],
    });
  });
});

describe("the verdict", () => {
  it.each([
    [below(9501), "pass"],
    [below(9500), "inconclusive"],
    [below(501), "inconclusive"],
    [below(500), "fail"],
    [above(499), "pass"],
    [above(500), "inconclusive"],
    [above(9499), "inconclusive"],
    [above(9500), "fail"],
  ] as const)("for %o is %s", (bound, verdict) => {
    expect(judgeByBootstrap(ladder(20), bound, RULE).verdict).toBe(verdict);
  });

  it.each([below(99_999), below(0), above(0), above(99_999)])(
    "is none with fewer than 20 instances: %o",
    (bound) => {
      expect(judgeByBootstrap(ladder(19), bound, RULE)).toMatchObject({
        verdict: "inconclusive",
        reasons: TOO_FEW,
        lowerBound: 500,
        upperBound: 9500,
      });
      expect(judgeByBootstrap(ladder(20), bound, RULE).verdict).not.toBe("inconclusive");
    },
  );

  it("is none where the figure itself is none, though resamples have one", () => {
    const judged = judgeByBootstrap({ ...ladder(30), estimate: null }, below(99_999), RULE);
    expect(judged).toMatchObject({
      verdict: "inconclusive",
      estimate: null,
      method: "bootstrap",
      reasons: ["the figure cannot be computed from these values"],
    });
  });

  it("draws nothing from no instance, and is none", () => {
    const draw = (): number => {
      throw new Error("drawn");
    };
    const none: Drawn = { ...ladder(0), estimate: null, draw };
    for (const rule of [RULE, { ...RULE, confidence: null }]) {
      expect(judgeByBootstrap(none, below(1), rule)).toMatchObject({
        verdict: "inconclusive",
        n: 0,
        ci95: [null, null],
        lowerBound: null,
        upperBound: null,
      });
    }
  });

  it("cannot be had at any time", () => {
    expect(() => judgeByBootstrap(ladder(30), below(1), { ...RULE, looks: "anytime" })).toThrow(
      new RangeError("anytime looks need a quantile or a share"),
    );
  });

  it("never passes where the estimate is on the wrong side of the bar", () => {
    const values = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 20, maxLength: 30 });
    fc.assert(
      fc.property(values, fc.integer({ min: 0, max: 100 }), (numbers, bar) => {
        const drawn = meanOf(numbers);
        const { verdict } = judgeByBootstrap(drawn, below(bar), RULE);
        if (verdict === "pass") expect(drawn.estimate).toBeLessThan(bar);
        if (verdict === "fail") expect(drawn.estimate).toBeGreaterThanOrEqual(bar);
      }),
      { numRuns: 20 },
    );
  });
});

describe("without a confidence", () => {
  const rule: Rule = { ...RULE, confidence: null };

  it.each([
    [below(5001), "pass"],
    [below(5000), "fail"],
    [above(4999), "pass"],
    [above(5000), "fail"],
  ] as const)("the estimate alone is judged, however few the instances: %o is a %s", (bound, verdict) => {
    expect(judgeByBootstrap(ladder(3), bound, rule)).toEqual({
      method: "point-estimate",
      estimate: 5000,
      ci95: [250, 9750],
      lowerBound: null,
      upperBound: null,
      n: 3,
      needed: null,
      seen: null,
      eValue: null,
      eNeeded: null,
      verdict,
      reasons: verdict === "pass" ? [] : [`the estimate is not ${bound.side} the bar`],
    });
  });
});

describe("a mean of which few instances have any part", () => {
  /** 40 instances; each draw is one of 9,999 steps from 0 to about 1. */
  const rare = (nonZero: number | null, ceiling: number | null): Drawn => {
    let i = 0;
    const draw = (): number => (((++i * 7919) % RESAMPLES) + 1) / 10_000;
    return { kind: "bootstrap", n: 40, estimate: 0.5, nonZero, ceiling, draw };
  };

  it("is bounded above by the exact bound of their share, each at the most that one can have", () => {
    for (const nonZero of [0, 1, 9]) {
      const { upperBound, lowerBound } = judgeByBootstrap(rare(nonZero, 9), below(1), RULE);
      expect(upperBound).toBe(9 * clopperPearsonUpper(nonZero, 40, 0.95));
      expect(lowerBound).toBe(0.05);
    }
    // With none of 40 the share is below 1 − 0.05^(1/40).
    const bound = 9 * (1 - 0.05 ** (1 / 40));
    expect(judgeByBootstrap(rare(0, 9), below(bound + 1e-9), RULE)).toMatchObject({
      verdict: "pass",
      reasons: [],
    });
    expect(judgeByBootstrap(rare(0, 9), below(bound - 1e-9), RULE).verdict).toBe("inconclusive");
  });

  it("is bounded by its resamples from ten such instances on, or where none are counted", () => {
    for (const nonZero of [10, 40, null]) {
      expect(judgeByBootstrap(rare(nonZero, 9), below(0.96), RULE)).toMatchObject({
        verdict: "pass",
        lowerBound: 0.05,
        upperBound: 0.95,
      });
    }
    expect(judgeByBootstrap(rare(9, 9), below(0.96), RULE).verdict).toBe("inconclusive");
  });

  it("has no upper bound where there is no most, and is then no pass below any bar", () => {
    const judged = judgeByBootstrap(rare(3, null), below(1e9), RULE);
    expect(judged).toMatchObject({
      verdict: "inconclusive",
      upperBound: null,
      reasons: ["only 3 instances have a value other than zero: resampling them cannot tell how rare it is"],
    });
    // Upwards the resamples are on the safe side.
    expect(judgeByBootstrap(rare(3, null), above(0.04), RULE).verdict).toBe("pass");
    expect(judgeByBootstrap(rare(3, null), above(0.05), RULE)).toMatchObject({
      verdict: "inconclusive",
      reasons: ["the bar lies between the two bounds: the data show neither"],
    });
    expect(judgeByBootstrap(rare(10, null), below(0.96), RULE).verdict).toBe("pass");
  });

  it("shows nothing where every resample is the same, unless the rare ones are bounded exactly", () => {
    const same = (nonZero: number | null): Drawn => ({ ...rare(nonZero, 9), draw: () => 1, estimate: 1 });
    for (const bound of [below(2), above(0.5), below(0.5)]) {
      expect(judgeByBootstrap(same(40), bound, RULE)).toMatchObject({
        verdict: "inconclusive",
        reasons: ["every resample gives the same value: there is no spread to judge by"],
      });
    }
    expect(judgeByBootstrap(same(null), below(2), RULE).verdict).toBe("pass");
    expect(judgeByBootstrap(same(0), below(2), RULE).verdict).toBe("pass");
  });
});
