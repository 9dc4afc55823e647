import { describe, expect, it } from "vitest";
import type { ComparisonFigures } from "../../src/figures/compare.ts";
import { type Guard, type GuardInput, judgeGuards } from "../../src/verdict/guards.ts";
import { barWith, sound } from "./bars.ts";

const INPUT: GuardInput = {
  comparison: null,
  before: 0,
  after: 10,
  certainAfter: 10,
  caps: [],
  acceptCaps: false,
  needsBefore: false,
  leak: null,
  reconciliation: null,
};

function guards(wanted: string, more: Partial<GuardInput> = {}): Guard[] {
  const rest = `sample: { minimum: 100 }\nguards: ${wanted}`;
  return judgeGuards(sound(barWith("{ metric: firstRequest.p50, below: 2s }", rest)).bar, {
    ...INPUT,
    ...more,
  });
}

function comparison(...reasons: string[]): ComparisonFigures {
  const firstRequest = {
    p50DeltaMs: null,
    p50Ratio: null,
    p50DeltaCi95Ms: [null, null] as [null, null],
    probabilityFaster: null,
  };
  return { firstRequest, comparable: reasons.length === 0, reasons };
}

it("are four, and only those that the bar asks for can object", () => {
  expect(guards("{ comparable: false }")).toEqual([
    { name: "complete input", status: "ok", detail: "no row count equals a known cap" },
    { name: "comparable cohorts", status: "off", detail: "switched off by the bar" },
    { name: "no leak of the warm-up request", status: "off", detail: "the bar does not ask for it" },
    { name: "reconciliation with the ingress", status: "off", detail: "the bar does not ask for it" },
  ]);
});

describe("complete input", () => {
  const caps = ["a.csv has 30,000 rows", "b.csv has 50,000 rows"];

  it("is violated by a row count that equals a known cap, whatever the bar says", () => {
    expect(guards("{ comparable: false }", { caps })[0]).toEqual({
      name: "complete input",
      status: "violated",
      detail: "a.csv has 30,000 rows; b.csv has 50,000 rows; if the export is complete, say --accept-row-cap",
    });
  });

  it("is off where the user accepts the counts, and still says them", () => {
    expect(guards("{}", { caps, acceptCaps: true })[0]).toEqual({
      name: "complete input",
      status: "off",
      detail: "a.csv has 30,000 rows; b.csv has 50,000 rows (accepted by --accept-row-cap)",
    });
  });

  it("is ok where there is nothing to accept", () => {
    expect(guards("{}", { acceptCaps: true })[0]!.status).toBe("ok");
  });
});

describe("comparable cohorts", () => {
  const guard = (more: Partial<GuardInput>, wanted = "{}"): Guard => guards(wanted, more)[1]!;
  const name = "comparable cohorts";

  it("is asked by default, and can be switched off whatever the data", () => {
    const bad: Partial<GuardInput> = { before: 5, needsBefore: true, comparison: comparison("too unlike") };
    expect(guard(bad).status).toBe("violated");
    expect(guard(bad, "{ comparable: true }").status).toBe("violated");
    expect(guard(bad, "{ comparable: false }").status).toBe("off");
    expect(guard({ certainAfter: 0 }, "{ comparable: false }").status).toBe("off");
  });

  it("takes the reasons of a comparison that is none", () => {
    const bad = comparison("unlike order", "unlike warm-up");
    expect(guard({ before: 1, comparison: bad })).toEqual({
      name,
      status: "violated",
      detail: "unlike order; unlike warm-up",
    });
    expect(guard({ needsBefore: true, comparison: bad }).status).toBe("violated");
  });

  it("is ok where the comparison is one", () => {
    const ok = {
      name,
      status: "ok",
      detail: "certain order and probe warm-up differ by at most 10 points",
    };
    expect(guard({ before: 1, comparison: comparison() })).toEqual(ok);
    // The comparison itself asks for half of the instances to be certain.
    expect(guard({ before: 1, comparison: comparison(), certainAfter: 0 })).toEqual(ok);
  });

  it("is unknown without a comparison, where there is a cohort before or a condition needs one", () => {
    const unknown = { name, status: "unknown", detail: "there is no cohort before the deployment" };
    expect(guard({ before: 1 })).toEqual(unknown);
    expect(guard({ needsBefore: true })).toEqual(unknown);
    expect(guard({ before: 1, needsBefore: true })).toEqual(unknown);
  });

  it.each([
    [10, 5, "ok"],
    [10, 4, "violated"],
    [11, 6, "ok"],
    [11, 5, "violated"],
    [1, 1, "ok"],
    [1, 0, "violated"],
    [0, 0, "ok"],
  ] as const)("without a cohort before: of %i instances %i certain is %s", (after, certainAfter, status) => {
    expect(guard({ after, certainAfter })).toEqual({
      name,
      status,
      detail:
        status === "ok"
          ? "no cohort before the deployment, and no condition needs one"
          : `the order is certain for only ${certainAfter} of ${after} instances: less than half`,
    });
  });

  it("does not take a comparison that nobody needs", () => {
    expect(guard({ comparison: comparison("no new instance before") }).status).toBe("ok");
  });
});

describe("no leak of the warm-up request", () => {
  const wanted = "{ leak: { path: /warmup } }";
  const name = "no leak of the warm-up request";
  const guard = (leak: GuardInput["leak"], asked = wanted): Guard => guards(asked, { leak })[2]!;

  it("is off where the bar does not ask, whatever the data", () => {
    expect(guard({ path: "/warmup", instances: 10, leaking: 10 }, "{}").status).toBe("off");
  });

  it.each([null, { path: "/warmup", instances: 0, leaking: 0 }])(
    "is unknown without evidence: %j",
    (leak) => {
      expect(guard(leak)).toEqual({
        name,
        status: "unknown",
        detail: "no instance after the deployment whose rows could show a leak",
      });
    },
  );

  it("is ok where no instance leaks", () => {
    expect(guard({ path: "/warmup", instances: 10, leaking: 0 })).toEqual({
      name,
      status: "ok",
      detail: "none of 10 instances has a row of /warmup as or before its first user request",
    });
  });

  it("is violated by a single one", () => {
    expect(guard({ path: "/warmup", instances: 10, leaking: 1 })).toEqual({
      name,
      status: "violated",
      detail:
        "1 of 10 instances have a row of /warmup as or before their first user request: the warm-up may be measured as a user",
    });
  });
});

describe("reconciliation with the ingress", () => {
  const wanted = "{ reconciliation: { within: 0.05 } }";
  const name = "reconciliation with the ingress";
  const guard = (reconciliation: GuardInput["reconciliation"], asked = wanted): Guard =>
    guards(asked, { reconciliation })[3]!;

  it("is off where the bar does not ask, whatever the data", () => {
    expect(guard({ weighted: 1, ingress: 1000 }, "{}").status).toBe("off");
  });

  it.each([
    null,
    { weighted: null, ingress: null },
    { weighted: 100, ingress: null },
    { weighted: null, ingress: 100 },
    { weighted: 100, ingress: 0 },
    { weighted: 0, ingress: 0 },
  ])("is unknown without both counts: %j", (evidence) => {
    const judged = guard(evidence);
    expect(judged).toMatchObject({ name, status: "unknown" });
    expect(judged.detail).toMatch(/^no ingress metrics in the data; add the output of `az monitor metrics/);
  });

  it.each([
    [100, 100, "ok", "100.0"],
    [105, 100, "ok", "105.0"],
    [95, 100, "ok", "95.0"],
    [105.001, 100, "violated", "105.0"],
    [94.999, 100, "violated", "95.0"],
    [10_500, 10_000, "ok", "105.0"],
    [10_501, 10_000, "violated", "105.0"],
    [9_499, 10_000, "violated", "95.0"],
    [0, 100, "violated", "0.0"],
    [200, 100, "violated", "200.0"],
  ] as const)(
    "of %d weighted and %d at the ingress, within 5 %%, is %s",
    (weighted, ingress, status, percent) => {
      expect(guard({ weighted, ingress })).toEqual({
        name,
        status,
        detail: `weighted requests are ${percent} % of the ingress count (${Math.round(weighted)} of ${ingress}), allowed are ± 5.0 %`,
      });
    },
  );

  it("is ok at every exact edge, whatever doubles make of it", () => {
    for (let percent = 1; percent < 100; percent++) {
      const asked = `{ reconciliation: { within: ${percent / 100} } }`;
      for (const scale of [1, 3, 7, 1000]) {
        for (const sign of [-1, 1]) {
          const at = (points: number): Guard["status"] =>
            guard({ weighted: (100 + sign * points) * scale, ingress: 100 * scale }, asked).status;
          expect(at(percent), `${sign * percent} % of ${scale}`).toBe("ok");
          expect(at(percent + 1e-4), `${sign * percent} % of ${scale}`).toBe("violated");
        }
      }
    }
  });
});
