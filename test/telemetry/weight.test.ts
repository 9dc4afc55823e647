import { describe, expect, it } from "vitest";
import { findRate, openBag } from "../../src/telemetry/dimensions.ts";
import { validRate, weigh } from "../../src/telemetry/weight.ts";

describe("weigh", () => {
  it.each([
    // item count, sample rate, weight, ambiguous: the table of the definitions, row by row
    [null, null, 1, false],
    [1, null, 1, false],
    [8, null, 8, false],
    [3.5, null, 3.5, false],
    [null, 12.5, 8, false],
    [1, 12.5, 8, false],
    [8, 12.5, 8, false],
    [9, 12.5, 8, false],
    [7, 12.5, 8, false],
    [2, 100, 1, false],
    [10, 12.5, 8, true],
    [3, 100, 1, true],
  ])("item count %s with rate %s weighs %d", (itemCount, rate, weight, ambiguous) => {
    expect(weigh(itemCount, rate, "auto")).toMatchObject({ weight, ambiguous });
  });

  it("changes ambiguous rows only, when told which source counts", () => {
    expect(weigh(10, 12.5, "item-count").weight).toBe(10);
    expect(weigh(10, 12.5, "sample-rate").weight).toBe(8);
    expect(weigh(9, 12.5, "item-count").weight).toBe(8);
    expect(weigh(1, 12.5, "item-count").weight).toBe(8);
  });

  it("notes the rows whose item count hides their sampling", () => {
    expect(weigh(1, 12.5, "auto").rateAlone).toBe(true);
    expect(weigh(1, 100, "auto").rateAlone).toBe(false);
    expect(weigh(8, 12.5, "auto").rateAlone).toBe(false);
  });
});

describe("validRate", () => {
  it("counts 99.99 and more as everything kept, and nothing outside (0, 100]", () => {
    expect([99.99, 100, 99.98, 0, -1, 100.1, Number.NaN, null].map(validRate)).toEqual([
      100,
      100,
      99.98,
      null,
      null,
      null,
      null,
      null,
    ]);
  });

  it("takes percentages below 1 as they are", () => {
    expect(validRate(0.1)).toBe(0.1);
  });
});

describe("findRate", () => {
  const rate = (dimensions: unknown, measurements: unknown = null) =>
    findRate(openBag(dimensions), openBag(measurements));

  it("takes the first key that holds a valid rate, dimensions before measurements", () => {
    expect(rate({ "_MS.sampleRate": "50", "microsoft.sample_rate": "25" })).toEqual({
      rate: 25,
      invalid: false,
    });
    expect(rate({ sampleRate: "50" }, { "microsoft.sample_rate": 25 })).toEqual({ rate: 50, invalid: false });
    expect(rate({}, { "microsoft.sample_rate": 25 })).toEqual({ rate: 25, invalid: false });
    expect(rate({ "applicationinsights.internal.sample_rate": 10 })).toEqual({ rate: 10, invalid: false });
  });

  it("passes over what is no rate, and says so", () => {
    expect(rate({ "microsoft.sample_rate": "0", sampleRate: "20" })).toEqual({ rate: 20, invalid: true });
    expect(rate({ "microsoft.sample_rate": "NaN" })).toEqual({ rate: null, invalid: true });
    expect(rate({ "microsoft.sample_rate": "" })).toEqual({ rate: null, invalid: false });
  });

  it("reads bags as objects, JSON text, and JSON text in JSON text, whatever the case of the key", () => {
    const text = '{"Microsoft.Sample_Rate":"12.5"}';
    expect([JSON.parse(text), text, JSON.stringify(text)].map((bag) => rate(bag).rate)).toEqual([
      12.5, 12.5, 12.5,
    ]);
    expect(["", "None", "[1]", "{", null, 7].map((bag) => rate(bag).rate)).toEqual(Array(6).fill(null));
  });
});
