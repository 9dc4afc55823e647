import fc from "fast-check";
import { expect, it } from "vitest";
import { valueRows } from "../../src/verdict/values.ts";
import { judgedSample } from "../../src/verdict/verdict.ts";
import { barWith, sound } from "./bars.ts";
import { instance, samplesOf } from "./samples.ts";

const REST = "sample: { minimum: 1, take: { first: 2 } }\npopulation: { days: weekdays }\nconfidence: none";
const { bar } = sound(barWith("{ metric: firstRequest.p50, below: 2s }", REST));

it("lists every instance of both windows in order of birth, judged or with the reason why not", () => {
  const before = [
    instance({ instance: "b2", born: 8 }),
    instance({ instance: "b1", born: 7, day: "weekend" }),
    instance({ instance: "b3", born: 9 }),
    instance({ instance: "b4", born: 10 }),
  ];
  const after = [
    instance({ instance: "a4", born: 24 }),
    instance({ instance: "a1", born: 21 }),
    instance({ instance: "a3", born: 22 }),
    instance({ instance: "a2", born: 22, day: "weekend" }),
  ];
  const samples = samplesOf(before, after);
  const rows = valueRows(samples, judgedSample(bar, samples));
  expect(
    rows.map(({ cohort, instance: { instance: name }, judged, reason }) => [cohort, name, judged, reason]),
  ).toEqual([
    ["before", "b1", false, "weekend"],
    ["before", "b2", true, ""],
    ["before", "b3", true, ""],
    ["before", "b4", true, ""],
    ["after", "a1", true, ""],
    ["after", "a2", false, "weekend"],
    ["after", "a3", true, ""],
    ["after", "a4", false, "beyondFirst"],
  ]);
  expect(rows[0]!.instance).toBe(before[1]);
});

it("does not depend on the order of the input, though two roles have an instance of one name", () => {
  const inOrder = [
    instance({ born: 1, instance: "b" }),
    instance({ born: 2, instance: "a", role: "x" }),
    instance({ born: 2, instance: "a", role: "y" }),
    instance({ born: 2, instance: "b" }),
  ];
  fc.assert(
    fc.property(fc.shuffledSubarray(inOrder, { minLength: 4 }), (after) => {
      const samples = samplesOf([], after);
      const rows = valueRows(samples, judgedSample(bar, samples));
      expect(rows.map((row) => row.instance)).toEqual(inOrder);
      expect(rows.map((row) => row.judged)).toEqual([true, true, false, false]);
    }),
  );
});
