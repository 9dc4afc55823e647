import { describe, expect, it } from "vitest";
import { allMetrics, type Metric, metricByName } from "../../src/figures/metric-names.ts";
import { boundOf, boundProblem, durationMs, metricOf, sideOf } from "../../src/verdict/bar-units.ts";

function metric(name: string): Metric {
  const found = metricByName(name);
  if (found === undefined) throw new Error(name);
  return found;
}

describe("durations", () => {
  it.each([
    ["2s", 2000],
    ["1500ms", 1500],
    ["1.1s", 1100],
    ["1.25s", 1250],
    ["-1.5s", -1500],
    ["0.1ms", 0.1],
    ["10m", 600_000],
    ["1.5h", 5_400_000],
    ["14d", 1_209_600_000],
  ])("%s", (text, ms) => {
    expect(durationMs(text)).toBe(ms);
  });

  it.each(["2", "2 s", "s", "2sec", "1e3s", "", "P1D", "2S", ".5s"])("%s is none", (text) => {
    expect(durationMs(text)).toBeNull();
  });
});

describe("the bound of a condition", () => {
  it.each([
    ["firstRequest.p50", "2s", 2000],
    ["lifetime.p50Minutes", "90s", 1.5],
    ["firstRequest.failed.share", 0.05, 0.05],
    ["comparison.firstRequest.p50Ratio", 2, 2],
    ["slowEarlyPerInstance", 1.5, 1.5],
    ["arrivals.laterPerSecond", 0.1, 0.1],
  ])("%s below %s", (name, bound, value) => {
    expect(boundOf({ metric: name, below: bound }, metric(name))).toBe(value);
    expect(boundOf({ metric: name, above: bound }, metric(name))).toBe(value);
  });

  it("takes durations for times only, numbers for the rest only", () => {
    for (const each of allMetrics()) {
      const isTime = each.unit === "ms" || each.unit === "minutes";
      expect(boundProblem("1s", "below", each) === null, each.name).toBe(isTime);
      expect(boundProblem(0.5, "below", each) === null, each.name).toBe(!isTime);
    }
    expect(() => boundOf({ metric: "firstRequest.p50", below: 2000 }, metric("firstRequest.p50"))).toThrow(
      "missing unit",
    );
  });

  it.each([
    ["firstRequest.failed.share", "below", 0],
    ["firstRequest.failed.share", "above", 1],
    ["firstRequest.failed.share", "above", -0.1],
    ["firstRequest.failed.share", "below", 1.1],
    ["overlap.perInstance", "below", 0],
    ["overlap.perInstance", "above", -1],
    ["firstRequest.p50", "below", "0s"],
  ] as const)("%s %s %s says nothing or never holds", (name, side, bound) => {
    expect(boundProblem(bound, side, metric(name))).not.toBeNull();
  });

  it.each([
    ["firstRequest.failed.share", "below", 0, "no value of firstRequest.failed.share is below 0"],
    ["overlap.perInstance", "above", -1, "every value of overlap.perInstance is above -1"],
    ["firstRequest.p50", "above", "-1s", "every value of firstRequest.p50 is above -1s"],
    ...(["below", "above"] as const).flatMap((side) =>
      [
        [-0.1, ""],
        [1.5, " (1.5 % is 0.015)"],
        [40, " (40 % is 0.4)"],
        [100, " (100 % is 1)"],
        [100.5, ""],
      ].map(
        ([bound, hint]) =>
          [
            "firstRequest.failed.share",
            side,
            bound as number,
            `firstRequest.failed.share is a share, from 0 to 1; ${bound} is outside${hint}`,
          ] as const,
      ),
    ),
  ] as const)("%s %s %s is told so", (name, side, bound, message) => {
    expect(boundProblem(bound, side, metric(name))).toBe(message);
  });

  it("is no text that is no duration", () => {
    const p50 = metric("firstRequest.p50");
    for (const side of ["below", "above"] as const) {
      const bound = { metric: p50.name, [side]: "2 s" };
      expect(() => boundOf(bound, p50)).toThrow(new RangeError('"2 s" is no duration'));
    }
  });

  it.each([
    ["firstRequest.failed.share", "below", 1],
    ["firstRequest.failed.share", "above", 0],
    ["overlap.perInstance", "above", 0],
    ["comparison.firstRequest.p50DeltaMs", "below", "0s"],
  ] as const)("%s %s %s can go either way", (name, side, bound) => {
    expect(boundProblem(bound, side, metric(name))).toBeNull();
  });

  it("needs exactly one side", () => {
    const p50 = metric("firstRequest.p50");
    expect(sideOf({ below: "1s" })).toBe("below");
    expect(sideOf({ above: "1s" })).toBe("above");
    expect(sideOf({})).toBeNull();
    expect(sideOf({ below: "1s", above: "1s" })).toBeNull();
    const error = new RangeError("firstRequest.p50: one of below and above is needed");
    expect(() => boundOf({ metric: p50.name }, p50)).toThrow(error);
    expect(() => boundOf({ metric: p50.name, below: "1s", above: "1s" }, p50)).toThrow(error);
  });

  it("belongs to a metric that exists, by either of its names", () => {
    expect(metricOf({ metric: "firstRequest.p50Ms" }).name).toBe("firstRequest.p50");
    expect(() => metricOf({ metric: "firstRequest.p5" })).toThrow(
      new RangeError("firstRequest.p5 is no metric"),
    );
  });
});
