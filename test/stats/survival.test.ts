import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { quantile } from "../../src/stats/quantile.ts";
import { endedWithin, kaplanMeier, type Life, survivalQuantile } from "../../src/stats/survival.ts";

const lives = fc.array(fc.record({ time: fc.integer({ min: 0, max: 15 }), ended: fc.boolean() }), {
  maxLength: 30,
});
const ended = (...times: number[]): Life[] => times.map((time) => ({ time, ended: true }));
const censored = (...times: number[]): Life[] => times.map((time) => ({ time, ended: false }));

/** S(time) straight from its definition: the product over ended times of 1 − deaths / at risk. */
function slowSurvival(all: readonly Life[], time: number): number {
  let survival = 1;
  for (let t = 0; t <= time; t++) {
    const atRisk = all.filter((life) => life.time >= t).length;
    const deaths = all.filter((life) => life.time === t && life.ended).length;
    if (deaths > 0) survival *= 1 - deaths / atRisk;
  }
  return survival;
}

describe("kaplanMeier", () => {
  test("Freireich's remission times (weeks on 6-MP)", () => {
    // Kalbfleisch and Prentice; the estimate is printed in every textbook of survival analysis.
    const all = [
      ...ended(6, 6, 6, 7, 10, 13, 16, 22, 23),
      ...censored(6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35),
    ];
    expect(kaplanMeier(all).map((s) => [s.time, s.atRisk, s.ended, Number(s.survival.toFixed(4))])).toEqual([
      [6, 21, 3, 0.8571],
      [7, 17, 1, 0.8067],
      [10, 15, 1, 0.7529],
      [13, 12, 1, 0.6902],
      [16, 11, 1, 0.6275],
      [22, 7, 1, 0.5378],
      [23, 6, 1, 0.4482],
    ]);
    expect(survivalQuantile(all, 0.5)).toBe(23);
    expect(survivalQuantile(all, 0.9)).toBeNull();
    expect(endedWithin(all, 10)).toBeCloseTo(1 - 0.7529, 4);
  });

  test("follows its definition", () => {
    fc.assert(
      fc.property(lives, (all) => {
        const steps = kaplanMeier(all);
        const times = new Set(all.filter((life) => life.ended).map((life) => life.time));
        expect(steps.map((s) => s.time)).toEqual([...times].sort((a, b) => a - b));
        for (const step of steps) {
          expect(step.atRisk).toBe(all.filter((life) => life.time >= step.time).length);
          expect(step.ended).toBe(all.filter((life) => life.time === step.time && life.ended).length);
          expect(step.survival).toBeCloseTo(slowSurvival(all, step.time), 12);
        }
      }),
    );
  });

  test("a life censored at the time of an end was at risk", () => {
    expect(kaplanMeier([...ended(5), ...censored(5)])).toEqual([
      { time: 5, atRisk: 2, ended: 1, survival: 0.5 },
    ]);
  });

  test("leaves its input in order", () => {
    const all = ended(3, 1, 2);
    kaplanMeier(all);
    expect(all).toEqual(ended(3, 1, 2));
  });
});

describe("survivalQuantile", () => {
  test("without censoring is the quantile", () => {
    // Sizes at which hundredths often fall on a jump.
    const times = fc
      .constantFrom(1, 7, 10, 20, 50, 100)
      .chain((n) => fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: n, maxLength: n }));
    fc.assert(
      fc.property(times, fc.integer({ min: 0, max: 100 }), (xs, h) => {
        expect(survivalQuantile(ended(...xs), h / 100)).toBe(quantile(xs, h / 100));
      }),
    );
  });

  test("forgives the rounding of the product", () => {
    expect(survivalQuantile(ended(1, 2, 3, 4, 5, 6, 7, 8, 9, 10), 0.9)).toBe(9);
  });

  test("without an end is null", () => {
    expect(survivalQuantile([], 0.5)).toBeNull();
    expect(survivalQuantile(censored(1, 2), 0.5)).toBeNull();
    expect(survivalQuantile([...ended(1), ...censored(2)], 1)).toBeNull();
  });
});

describe("endedWithin", () => {
  test("is 1 − S(time), where the estimate reaches", () => {
    fc.assert(
      fc.property(lives, fc.integer({ min: 0, max: 20 }), (all, time) => {
        const share = endedWithin(all, time);
        const last = Math.max(-1, ...all.map((life) => life.time));
        const survival = slowSurvival(all, time);
        if (last < time && survival > 1e-12) expect(share).toBeNull();
        else expect(share).toBeCloseTo(1 - survival, 12);
      }),
    );
  });

  test("its edges", () => {
    expect(endedWithin([], 10)).toBeNull();
    expect(endedWithin(ended(4, 10, 12), 10)).toBeCloseTo(2 / 3, 14);
    expect(endedWithin(ended(4, 5), 10)).toBe(1);
    expect(endedWithin(censored(9), 10)).toBeNull();
    expect(endedWithin(censored(10), 10)).toBe(0);
  });
});
