import { describe, expect, it } from "vitest";
import type { MetricValues } from "../../src/figures/metric-values.ts";
import type { Condition } from "../../src/verdict/bar.ts";
import { boundOf, metricOf, sideOf } from "../../src/verdict/bar-units.ts";
import { type JudgedCondition, judgeCondition, judgeValues } from "../../src/verdict/judge.ts";
import { judgeByBootstrap } from "../../src/verdict/judge-bootstrap.ts";
import { judgeQuantile } from "../../src/verdict/judge-quantile.ts";
import { judgeShare } from "../../src/verdict/judge-share.ts";
import type { Bound, Rule } from "../../src/verdict/judgement.ts";
import { barWith, sound } from "./bars.ts";

const RULE: Rule = { confidence: 0.95, looks: "once", seed: 1 };

/** `under` of n first requests at 1,000 ms, the rest at 3,000 ms. */
function firstRequests(n: number, under: number): MetricValues {
  const values = Float64Array.from({ length: n }, (_, i) => (i < under ? 1000 : 3000));
  return { kind: "quantile", q: 0.5, values };
}

function judged(
  condition: string,
  values: MetricValues,
  { rest = "sample: { minimum: 5 }", shortOf = 0 }: { rest?: string; shortOf?: number } = {},
): JudgedCondition {
  const { bar } = sound(barWith(condition, rest));
  const [first] = bar.conditions as [Condition];
  const metric = metricOf(first);
  const bound: Bound = { side: sideOf(first)!, value: boundOf(first, metric) };
  return judgeCondition(bar, first, metric, bound, values, { weekend: 3 }, shortOf);
}

describe("a condition", () => {
  it("is what its values say, with what the bar asked", () => {
    const values = firstRequests(100, 59);
    expect(judged("{ metric: firstRequest.p50, below: 2s }", values)).toEqual({
      ...judgeQuantile(firstRequestsOf(values), 0.5, { side: "below", value: 2000 }, RULE),
      name: "n",
      metric: "firstRequest.p50",
      below: 2000,
      above: null,
      unit: "ms",
      confidence: 0.95,
      minimum: 5,
      excluded: { weekend: 3 },
      verdict: "pass",
      reasons: [],
    });
  });

  it("says its bound on the side that it is on", () => {
    const slow = judged("{ metric: firstRequest.p50Ms, above: 2s }", firstRequests(100, 10));
    expect(slow).toMatchObject({ metric: "firstRequest.p50", below: null, above: 2000, verdict: "pass" });
    expect(judged("{ metric: firstRequest.p50, above: 2s }", firstRequests(100, 90)).verdict).toBe("fail");
  });

  it("is judged with the bar's confidence, looks and seed", () => {
    const rest = (more: string): { rest: string } => ({ rest: `sample: { minimum: 30 }\n${more}` });
    const condition = "{ metric: firstRequest.p50, below: 2s }";
    const values = firstRequests(100, 60);
    expect(judged(condition, values)).toMatchObject({ verdict: "pass", method: "order-statistics" });
    expect(judged(condition, values, rest("confidence: 0.99"))).toMatchObject({
      verdict: "inconclusive",
      confidence: 0.99,
    });
    expect(judged(condition, values, rest("looks: anytime"))).toMatchObject({
      verdict: "inconclusive",
      method: "e-value",
    });
    expect(judged(condition, firstRequests(100, 50), rest("confidence: none"))).toMatchObject({
      verdict: "pass",
      method: "point-estimate",
      confidence: null,
    });
    const draws = (seed: number): [number | null, number | null] =>
      judged("{ metric: overlap.perInstance, below: 2 }", noise(30), rest(`seed: ${seed}`)).ci95;
    expect(draws(7)).toEqual(draws(7));
    expect(draws(7)).not.toEqual(draws(8));
  });
});

describe("the minimum", () => {
  const condition = "{ metric: firstRequest.p50, below: 2s }";
  const why = (n: number, minimum: number): string =>
    `only ${n} values where the bar asks for at least ${minimum}`;

  it.each([
    ["a pass", 20, []],
    ["a fail", 0, ["the one-sided lower bound is already not below the bar"]],
    ["neither", 10, ["the bar lies between the two bounds: the data show neither"]],
  ] as const)("not reached is inconclusive, whatever the values say: %s", (_, under, reasons) => {
    const rest = "sample: { minimum: 21 }";
    expect(judged(condition, firstRequests(20, under), { rest })).toMatchObject({
      verdict: "inconclusive",
      minimum: 21,
      reasons: [why(20, 21), ...reasons],
    });
  });

  it("is reached exactly", () => {
    const rest = "sample: { minimum: 20 }";
    expect(judged(condition, firstRequests(20, 20), { rest })).toMatchObject({
      verdict: "pass",
      minimum: 20,
    });
    expect(judged(condition, firstRequests(20, 0), { rest })).toMatchObject({
      verdict: "fail",
      reasons: ["the one-sided lower bound is already not below the bar"],
    });
  });

  it("of a condition stands in place of the sample's, be it more or less", () => {
    const own = "{ metric: firstRequest.p50, below: 2s, minimum: 21 }";
    const more = judged(own, firstRequests(20, 20));
    expect(more).toMatchObject({ verdict: "inconclusive", minimum: 21, reasons: [why(20, 21)] });
    const less = judged("{ metric: firstRequest.p50, below: 2s, minimum: 20 }", firstRequests(20, 20), {
      rest: "sample: { minimum: 50 }",
    });
    expect(less).toMatchObject({ verdict: "pass", minimum: 20 });
  });

  it("counts the values of the metric, also of shares and bootstraps", () => {
    const share = "{ metric: firstRequest.overThreshold.share, below: 0.4 }";
    const rest = "sample: { minimum: 31 }";
    expect(judged(share, { kind: "share", count: 0, n: 30 }, { rest }).verdict).toBe("inconclusive");
    expect(judged(share, { kind: "share", count: 0, n: 31 }, { rest }).verdict).toBe("pass");
    const bootstrap = "{ metric: overlap.perInstance, below: 2 }";
    expect(judged(bootstrap, noise(30), { rest }).verdict).toBe("inconclusive");
    expect(judged(bootstrap, noise(31), { rest }).verdict).toBe("pass");
  });
});

describe("the first N", () => {
  const condition = "{ metric: firstRequest.p50, below: 2s }";
  const why = "1 of the first instances that the bar judges are not born yet, or not in the data";

  it.each([
    ["a pass", 20, []],
    ["a fail", 0, ["the one-sided lower bound is already not below the bar"]],
  ])("not there yet is inconclusive, whatever the values say: %s", (_, under, reasons) => {
    expect(judged(condition, firstRequests(20, under), { shortOf: 1 })).toMatchObject({
      verdict: "inconclusive",
      reasons: [why, ...reasons],
    });
  });

  it("is told before the minimum", () => {
    const { reasons } = judged(condition, firstRequests(4, 4), { shortOf: 1 });
    expect(reasons).toEqual([
      why,
      "only 4 values where the bar asks for at least 5",
      "too few values for a bound at this confidence",
    ]);
  });
});

describe("the values alone", () => {
  it("are judged by what they are", () => {
    const bound: Bound = { side: "below", value: 0.4 };
    expect(judgeValues({ kind: "share", count: 3, n: 40 }, bound, RULE)).toEqual(
      judgeShare(3, 40, bound, RULE),
    );
    const values = Float64Array.of(0.1, 0.2, 0.3, 0.4, 0.5);
    expect(judgeValues({ kind: "quantile", q: 0.9, values }, bound, RULE)).toEqual(
      judgeQuantile(values, 0.9, bound, RULE),
    );
    const drawn = noise(25);
    if (drawn.kind !== "bootstrap") throw new Error("no bootstrap");
    expect(judgeValues(drawn, bound, RULE)).toEqual(judgeByBootstrap(drawn, bound, RULE));
  });
});

function firstRequestsOf(values: MetricValues): Float64Array {
  return values.kind === "quantile" ? values.values : new Float64Array(0);
}

/** A bootstrap whose draws are uniform on 0..1. */
function noise(n: number): MetricValues {
  return {
    kind: "bootstrap",
    n,
    estimate: 0.5,
    nonZero: null,
    ceiling: null,
    draw: (random) => random.float(),
  };
}
