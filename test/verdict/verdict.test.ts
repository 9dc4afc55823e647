import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SampleInstance } from "../../src/figures/sample.ts";
import type { Bar } from "../../src/verdict/bar.ts";
import type { Guard } from "../../src/verdict/guards.ts";
import { judge, judgedSample, type Verdict } from "../../src/verdict/verdict.ts";
import { barWith, sound } from "./bars.ts";
import { instance, instancesOf, registration, samplesOf } from "./samples.ts";

const FAST = "{ metric: firstRequest.p50, below: 2s }";
const SLOW = "{ metric: firstRequest.p50, above: 2s }";
/** Judged by its estimate: what the values say is a pass or a fail, never neither. */
const ESTIMATE = "sample: { minimum: 1 }\nconfidence: none";
const GUARDS: readonly Guard[] = [
  { name: "a", status: "ok", detail: "fine" },
  { name: "b", status: "off", detail: "not asked" },
];

interface Asked {
  readonly guards?: readonly Guard[];
  readonly status?: "registered" | "retrospective" | "unproved";
  readonly allowed?: boolean;
  readonly before?: readonly SampleInstance[];
}

function bar(conditions: string, rest = ESTIMATE): Bar {
  return sound(barWith(conditions, rest)).bar;
}

function verdictOf(asked: Bar, after: readonly SampleInstance[], more: Asked = {}): Verdict {
  const { guards = GUARDS, status = "registered", allowed = false, before = [] } = more;
  return judge(asked, samplesOf(before, after), guards, registration(status), allowed);
}

/** 59 of 100 first requests under two seconds show that the median is; 41 show that it is not. */
function hundred(under: number): SampleInstance[] {
  return instancesOf(...Array.from({ length: 100 }, (_, i) => (i < under ? 1000 : 3000)));
}

describe("one condition", () => {
  const asked = bar(FAST, "sample: { minimum: 100 }");

  it.each([
    [59, "pass"],
    [58, "inconclusive"],
    [42, "inconclusive"],
    [41, "fail"],
  ] as const)("with %i of 100 on the right side is a %s", (under, verdict) => {
    const judged = verdictOf(asked, hundred(under));
    expect(judged).toMatchObject({ verdict, retrospective: false, reasons: [], guards: GUARDS });
    expect(judged.conditions).toMatchObject([{ verdict, below: 2000, above: null, n: 100, seen: under }]);
    expect(judged.registration).toEqual(registration("registered"));
    expect(judged.sample.after.chosen).toHaveLength(100);
  });

  it("above a bar is judged above it", () => {
    const above = bar(SLOW, "sample: { minimum: 100 }");
    expect(verdictOf(above, hundred(41))).toMatchObject({
      verdict: "pass",
      conditions: [{ below: null, above: 2000 }],
    });
    expect(verdictOf(above, hundred(59)).verdict).toBe("fail");
  });

  it("on no instance at all is no pass", () => {
    expect(verdictOf(bar(FAST), []).verdict).toBe("inconclusive");
    expect(verdictOf(asked, []).verdict).toBe("inconclusive");
  });
});

describe("several conditions", () => {
  const share = (below: number): string => `{ metric: firstRequest.overThreshold.share, below: ${below} }`;
  const pass = FAST;
  const fail = share(0.1);
  const neither = "{ metric: firstRequest.p90, below: 5s, minimum: 101 }";
  const after = hundred(60);

  it.each([
    [[pass], "pass"],
    [[fail], "fail"],
    [[neither], "inconclusive"],
    [[pass, fail], "fail"],
    [[fail, pass], "fail"],
    [[pass, neither], "inconclusive"],
    [[neither, pass], "inconclusive"],
    [[neither, fail], "fail"],
    [[fail, neither], "fail"],
    [[pass, neither, fail], "fail"],
    [[pass, share(0.5)], "pass"],
  ] as const)("%j together are a %s", (conditions, verdict) => {
    const judged = verdictOf(bar(conditions.join(", ")), after);
    expect(judged.verdict).toBe(verdict);
    expect(judged.conditions).toHaveLength(conditions.length);
  });

  it("pass only if each does alone", () => {
    const bounds = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 });
    const metrics = ["firstRequest.p50", "firstRequest.p90", "firstRequest.p99"];
    fc.assert(
      fc.property(bounds, fc.array(fc.integer({ min: 1, max: 5000 }), { maxLength: 20 }), (seconds, ms) => {
        const conditions = seconds.map((s, i) => `{ metric: ${metrics[i]}, below: ${s}s }`);
        const instances = instancesOf(...ms);
        const each = conditions.map((one) => verdictOf(bar(one), instances).verdict);
        const all = verdictOf(bar(conditions.join(", ")), instances).verdict;
        expect(all === "pass").toBe(each.every((one) => one === "pass"));
      }),
    );
  });

  it("are an error where there is none", () => {
    expect(verdictOf({ ...bar(FAST), conditions: [] }, after).verdict).toBe("error");
  });
});

describe("guards", () => {
  const violated: Guard = { name: "c", status: "violated", detail: "too unlike" };
  const unknown: Guard = { name: "d", status: "unknown", detail: "no data" };

  it.each([
    [[violated], ["c: too unlike"]],
    [[unknown], ["d: no data"]],
    [
      [...GUARDS, unknown, violated],
      ["d: no data", "c: too unlike"],
    ],
  ])("that object leave no verdict, be it a pass or a fail: %j", (guards, reasons) => {
    for (const under of [100, 0]) {
      const judged = verdictOf(bar(FAST), hundred(under), { guards });
      expect(judged).toMatchObject({ verdict: "inconclusive", reasons, guards });
      expect(judged.conditions).toMatchObject([{ verdict: under === 100 ? "pass" : "fail" }]);
    }
  });

  it("are not outweighed by leave to judge in retrospect", () => {
    const more: Asked = { guards: [violated], status: "retrospective", allowed: true };
    expect(verdictOf(bar(FAST), hundred(100), more)).toMatchObject({
      verdict: "inconclusive",
      retrospective: true,
      reasons: ["c: too unlike"],
    });
  });

  it("may be none", () => {
    expect(verdictOf(bar(FAST), hundred(100), { guards: [] }).verdict).toBe("pass");
  });
});

describe("a bar that was not registered before the deployment", () => {
  it.each(["retrospective", "unproved"] as const)("and is %s gives no verdict", (status) => {
    for (const under of [100, 0]) {
      expect(verdictOf(bar(FAST), hundred(under), { status })).toMatchObject({
        verdict: "inconclusive",
        retrospective: false,
        reasons: [`the bar is ${status}`],
        registration: registration(status),
      });
    }
  });

  it.each(["retrospective", "unproved"] as const)(
    "and is %s is judged only by leave, and marked",
    (status) => {
      for (const [under, verdict] of [
        [100, "pass"],
        [0, "fail"],
      ] as const) {
        expect(verdictOf(bar(FAST), hundred(under), { status, allowed: true })).toMatchObject({
          verdict,
          retrospective: true,
          reasons: [],
        });
      }
    },
  );

  it("has its reasons after those of the guards", () => {
    const guards: Guard[] = [{ name: "c", status: "violated", detail: "too unlike" }];
    expect(verdictOf(bar(FAST), hundred(100), { guards, status: "unproved" }).reasons).toEqual([
      "c: too unlike",
      "the bar is unproved",
    ]);
  });

  it("is not what leave makes of a registered one", () => {
    expect(verdictOf(bar(FAST), hundred(100), { allowed: true })).toMatchObject({
      verdict: "pass",
      retrospective: false,
    });
  });
});

describe("the first N", () => {
  const first = (n: number): Bar =>
    bar(FAST, `sample: { minimum: 2, take: { first: ${n} } }\nconfidence: none`);
  const short = (n: number): string[] => [
    `${n} of the first instances that the bar judges are not born yet, or not in the data`,
  ];

  it("are judged alone: later ones cannot change a verdict", () => {
    const judged = verdictOf(first(2), instancesOf(1000, 1000, 9000, 9000, 9000));
    expect(judged).toMatchObject({ verdict: "pass", conditions: [{ n: 2, excluded: { beyondFirst: 3 } }] });
    expect(verdictOf(first(2), instancesOf(9000, 9000, 1000, 1000, 1000)).verdict).toBe("fail");
  });

  it("are there exactly, or there is no verdict", () => {
    expect(verdictOf(first(3), instancesOf(1000, 1000, 1000)).verdict).toBe("pass");
    const judged = verdictOf(first(4), instancesOf(1000, 1000, 1000));
    expect(judged.verdict).toBe("inconclusive");
    expect(judged.conditions).toMatchObject([{ verdict: "inconclusive", reasons: short(1) }]);
    expect(verdictOf(first(6), instancesOf(9000, 9000, 9000)).conditions[0]!.reasons).toEqual([
      ...short(3),
      "the estimate is not below the bar",
    ]);
  });

  it("are no matter where all are taken", () => {
    expect(verdictOf(bar(FAST), instancesOf(1000)).conditions[0]!.reasons).toEqual([]);
  });
});

describe("the judged sample", () => {
  const asked = bar(
    "{ metric: comparison.firstRequest.p50Ratio, above: 1 }",
    "sample: { minimum: 1, take: { first: 3 } }\npopulation: { days: weekdays }\nconfidence: none",
  );
  const before = [...instancesOf(1, 2), instance({ instance: "w", born: 9, day: "weekend" })];
  const after = [instance({ instance: "w", born: -1, day: "weekend" }), ...instancesOf(1, 2, 3, 4, 5)];

  it("is of the population, and the first N only after the deployment", () => {
    const { before: chosenBefore, after: chosenAfter } = judgedSample(asked, samplesOf(before, after));
    expect(chosenBefore.chosen).toEqual([0, 1]);
    expect(chosenBefore.excluded).toMatchObject({ weekend: 1 });
    expect(chosenAfter.chosen).toEqual([1, 2, 3]);
    expect(chosenAfter.excluded).toMatchObject({ weekend: 1, beyondFirst: 2 });
    expect(judgedSample(asked, samplesOf(after, before)).before.chosen).toEqual([1, 2, 3, 4, 5]);
  });

  it("is what every condition is computed from", () => {
    // Three chosen after, two before.
    expect(verdictOf(asked, after, { before })).toMatchObject({
      verdict: "pass",
      conditions: [
        {
          metric: "comparison.firstRequest.p50Ratio",
          estimate: 1.5,
          n: 3,
          above: 1,
          excluded: { alreadyRunning: 0, birthUnknown: 0, weekend: 1, beyondFirst: 2 },
        },
      ],
    });
  });
});
