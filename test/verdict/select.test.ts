import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SampleInstance } from "../../src/figures/sample.ts";
import type { Bar } from "../../src/verdict/bar.ts";
import { byBirthAndName, select } from "../../src/verdict/select.ts";
import { barWith, sound } from "./bars.ts";
import { instance, instancesOf, sampleOf } from "./samples.ts";

function bar(population = "{}", take = "all"): Bar {
  const rest = `sample: { minimum: 1, take: ${take} }\npopulation: ${population}\nconfidence: none`;
  return sound(barWith("{ metric: firstRequest.p50, below: 2s }", rest)).bar;
}

const COUNTED = { alreadyRunning: 0, birthUnknown: 0 };

describe("the order of birth", () => {
  it("does not depend on the order of the input; ties are broken by name, then by role", () => {
    const inOrder = [
      instance({ born: 1, instance: "z" }),
      instance({ born: 2, instance: "a", role: "y" }),
      instance({ born: 2, instance: "b", role: "x" }),
      instance({ born: 2, instance: "c", role: "x" }),
      instance({ born: 2, instance: "c", role: "y" }),
      instance({ born: 10, instance: "a" }),
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(inOrder, { minLength: 6 }), (instances) => {
        const { chosen } = select(bar(), sampleOf("after", instances), true);
        expect(chosen.map((i) => instances[i])).toEqual(inOrder);
      }),
    );
  });

  it("is told by a sign, 0 only for one and the same", () => {
    const one = { born: 2, instance: "b", role: "b" };
    for (const later of [
      { born: 3, instance: "a", role: "a" },
      { born: 2, instance: "c", role: "a" },
      { born: 2, instance: "b", role: "c" },
    ]) {
      expect(byBirthAndName(instance(one), instance(later))).toBe(-1);
      expect(byBirthAndName(instance(later), instance(one))).toBe(1);
    }
    expect(byBirthAndName(instance(one), instance(one))).toBe(0);
  });

  it("decides who is among the first N", () => {
    const instances = [5, 3, 9, 1].map((born) => instance({ instance: `api-${born}`, born }));
    const selection = select(bar("{}", "{ first: 2 }"), sampleOf("after", instances), true);
    expect(selection.chosen).toEqual([3, 1]);
    expect([...selection.reasons].sort()).toEqual([
      [0, "beyondFirst"],
      [2, "beyondFirst"],
    ]);
    expect(selection.excluded).toEqual({ ...COUNTED, beyondFirst: 2 });
  });
});

describe("the first N", () => {
  const instances = instancesOf(1, 2, 3);

  it.each([1, 2, 3])("are exactly %i", (first) => {
    const selection = select(bar("{}", `{ first: ${first} }`), sampleOf("after", instances), true);
    expect(selection.chosen).toEqual([0, 1, 2].slice(0, first));
    expect(selection.reasons.size).toBe(3 - first);
  });

  it("are all where fewer are there", () => {
    const selection = select(bar("{}", "{ first: 4 }"), sampleOf("after", instances), true);
    expect(selection).toEqual({ chosen: [0, 1, 2], reasons: new Map(), excluded: COUNTED });
  });

  it("are not asked of the cohort before the deployment, nor where all are taken", () => {
    for (const [take, isJudged] of [
      ["{ first: 1 }", false],
      ["all", true],
      ["all", false],
    ] as const) {
      const selection = select(bar("{}", take), sampleOf("before", instances), isJudged);
      expect(selection).toEqual({ chosen: [0, 1, 2], reasons: new Map(), excluded: COUNTED });
    }
  });

  it("are those of the population: who is left out for another reason takes no place", () => {
    const mixed = [
      instance({ instance: "a", born: 1, day: "weekend" }),
      instance({ instance: "b", born: 2 }),
      instance({ instance: "c", born: 3, day: "weekend" }),
      instance({ instance: "d", born: 4 }),
      instance({ instance: "e", born: 5 }),
    ];
    const selection = select(bar("{ days: weekdays }", "{ first: 2 }"), sampleOf("after", mixed), true);
    expect(selection.chosen).toEqual([1, 3]);
    expect(selection.excluded).toEqual({ ...COUNTED, weekend: 2, beyondFirst: 1 });
  });

  it("cannot be changed by what is born later", () => {
    const born = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 20 });
    const names = (of: readonly SampleInstance[], chosen: readonly number[]): string[] =>
      chosen.map((i) => of[i]!.instance);
    fc.assert(
      fc.property(born, born, fc.integer({ min: 1, max: 10 }), (early, late, first) => {
        const there = early.map((at, i) => instance({ instance: `early-${i}`, born: at }));
        const more = late.map((at, i) => instance({ instance: `late-${i}`, born: 51 + at }));
        const all = [...more, ...there];
        const asked = bar("{}", `{ first: ${first} }`);
        const then = names(there, select(asked, sampleOf("after", there), true).chosen);
        const now = names(all, select(asked, sampleOf("after", all), true).chosen);
        expect(now.slice(0, then.length)).toEqual(then);
        expect(now.length).toBe(Math.min(first, all.length));
      }),
    );
  });
});

describe("the population", () => {
  const instances = [
    instance({ instance: "a", born: 0 }),
    instance({ instance: "b", born: 1, day: "weekend" }),
    instance({ instance: "c", born: 2, isCertain: false }),
    instance({ instance: "d", born: 3, warmedBy: "probe" }),
    instance({ instance: "e", born: 4, warmedBy: "synthetic" }),
    instance({ instance: "f", born: 5, day: "weekend", isCertain: false, warmedBy: "probe" }),
    instance({ instance: "g", born: 6, isCertain: false, warmedBy: "probe" }),
  ];

  it.each([
    ["{}", [0, 1, 2, 3, 4, 5, 6], {}],
    ["{ days: weekdays }", [0, 2, 3, 4, 6], { weekend: 2 }],
    ["{ order: certain }", [0, 1, 3, 4], { uncertainOrder: 3 }],
    ["{ warmedByProbe: exclude }", [0, 1, 2, 4], { warmedByProbe: 3 }],
    [
      "{ days: weekdays, order: certain, warmedByProbe: exclude }",
      [0, 4],
      { weekend: 2, uncertainOrder: 2, warmedByProbe: 1 },
    ],
  ])("%s takes %j and counts the rest, each once", (population, chosen, excluded) => {
    for (const isJudged of [true, false]) {
      const selection = select(bar(population), sampleOf("after", instances), isJudged);
      expect(selection.chosen).toEqual(chosen);
      expect(selection.excluded).toEqual({ ...COUNTED, ...excluded });
      expect(selection.reasons.size).toBe(instances.length - chosen.length);
    }
  });

  it("names the reason of each", () => {
    const population = "{ days: weekdays, order: certain, warmedByProbe: exclude }";
    expect(Object.fromEntries(select(bar(population), sampleOf("after", instances), true).reasons)).toEqual({
      1: "weekend",
      2: "uncertainOrder",
      3: "warmedByProbe",
      5: "weekend",
      6: "uncertainOrder",
    });
  });

  it("adds to what the window itself leaves out, and leaves the sample as it was", () => {
    const sample = { ...sampleOf("after", instances), excluded: { alreadyRunning: 4, birthUnknown: 2 } };
    expect(select(bar("{ days: weekdays }"), sample, true).excluded).toEqual({
      alreadyRunning: 4,
      birthUnknown: 2,
      weekend: 2,
    });
    expect(sample.excluded).toEqual({ alreadyRunning: 4, birthUnknown: 2 });
  });
});
