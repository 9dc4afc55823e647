import { describe, expect, it } from "vitest";
import { type Guard, type GuardInput, judgeGuards } from "../../src/verdict/guards.ts";
import { barWith, sound } from "./bars.ts";

const INPUT: GuardInput = {
  reasonsAgainst: [],
  before: 0,
  after: 10,
  certainAfter: 10,
  caps: [],
  acceptCaps: false,
  needsBefore: false,
  ignored: [],
  rows: { read: 1000, malformed: 0 },
  unsettled: [],
  gaps: [],
  population: [],
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

function named(name: string, all: readonly Guard[]): Guard {
  return all.find((guard) => guard.name === name)!;
}

const COMPLETE = {
  name: "complete input",
  status: "ok",
  detail: "no row count equals a known cap, no file was left out, at most 1 % of the rows are malformed",
};
const COVERED = {
  name: "coverage before the deployment",
  status: "ok",
  detail: "no instance could be older than it looks because the input begins too late",
};
const ONE = {
  name: "one population",
  status: "ok",
  detail: "the role, revision and container of the bar are in the data",
};

it("are six, of which a bar can leave out four", () => {
  expect(guards("{ comparable: false, coverage: false }")).toEqual([
    COMPLETE,
    ONE,
    { name: "coverage before the deployment", status: "off", detail: "switched off by the bar" },
    { name: "comparable cohorts", status: "off", detail: "switched off by the bar" },
    { name: "no leak of the warm-up request", status: "off", detail: "the bar does not ask for it" },
    { name: "reconciliation with the ingress", status: "off", detail: "the bar does not ask for it" },
  ]);
});

describe("complete input", () => {
  const guard = (more: Partial<GuardInput>): Guard =>
    named("complete input", guards("{ comparable: false, coverage: false }", more));
  const caps = ["a.csv has 30,000 rows", "b.csv has 50,000 rows"];

  it("is violated by a capture that lacks rows, or has some that were still arriving", () => {
    const { status, detail } = guard({ unsettled: ["capture: rows were still arriving"] });
    expect({ status, detail }).toEqual({ status: "violated", detail: "capture: rows were still arriving" });
  });

  it("is violated by a row count that equals a known cap, whatever the bar says", () => {
    expect(guard({ caps })).toEqual({
      name: "complete input",
      status: "violated",
      detail: "a.csv has 30,000 rows; b.csv has 50,000 rows; if the export is complete, say --accept-row-cap",
    });
  });

  it("is off where the user accepts the counts, and still says them", () => {
    expect(guard({ caps, acceptCaps: true })).toEqual({
      name: "complete input",
      status: "off",
      detail: "a.csv has 30,000 rows; b.csv has 50,000 rows (accepted by --accept-row-cap)",
    });
    expect(guard({ acceptCaps: true })).toEqual(COMPLETE);
  });

  it("is violated by a file that was left out, also where the caps are accepted", () => {
    for (const more of [{}, { caps, acceptCaps: true }]) {
      expect(guard({ ignored: ["x.csv is ignored", "y.csv too"], ...more })).toEqual({
        name: "complete input",
        status: "violated",
        detail:
          "x.csv is ignored; name the exports with --data, or take the rest out of the folder; y.csv too; name the exports with --data, or take the rest out of the folder",
      });
    }
  });

  it.each([
    [0, 0, "ok"],
    [1000, 10, "ok"],
    [1000, 11, "violated"],
    [99, 1, "violated"],
    [100, 1, "ok"],
    [0, 1, "violated"],
  ] as const)("of %i rows %i malformed are %s", (read, malformed, status) => {
    expect(guard({ rows: { read, malformed } })).toEqual(
      status === "ok"
        ? COMPLETE
        : {
            name: "complete input",
            status,
            detail: `${malformed} of ${read} rows cannot be read, more than 1 %; mend the export`,
          },
    );
    expect(guard({ rows: { read, malformed }, caps, acceptCaps: true }).status).toBe(
      status === "ok" ? "off" : "violated",
    );
  });

  it("tells every fault", () => {
    const { detail } = guard({ caps: ["cap"], ignored: ["left out"], rows: { read: 10, malformed: 1 } });
    expect(detail.split("; ")).toEqual([
      "cap",
      "if the export is complete, say --accept-row-cap",
      "left out",
      "name the exports with --data, or take the rest out of the folder",
      "1 of 10 rows cannot be read, more than 1 %",
      "mend the export",
    ]);
  });
});

describe("one population and coverage", () => {
  it("are violated by what the report says against them", () => {
    const population = ["two roles", "no such revision"];
    expect(named("one population", guards("{}", { population }))).toEqual({
      name: "one population",
      status: "violated",
      detail: "two roles; no such revision",
    });
    const gaps = ["a hole of 3 h", "another"];
    const violated = {
      name: "coverage before the deployment",
      status: "violated",
      detail: "a hole of 3 h; another; or add the system log, which knows when containers started",
    };
    expect(named(violated.name, guards("{}", { gaps }))).toEqual(violated);
    expect(named(violated.name, guards("{ coverage: true }", { gaps }))).toEqual(violated);
    expect(named(violated.name, guards("{ coverage: false }", { gaps })).status).toBe("off");
  });

  it("are ok where it says nothing", () => {
    expect(guards("{}")).toEqual(expect.arrayContaining([ONE, COVERED]));
  });
});

describe("comparable cohorts", () => {
  const name = "comparable cohorts";
  const guard = (more: Partial<GuardInput>, wanted = "{}"): Guard => named(name, guards(wanted, more));

  it("is asked by default, and can be switched off whatever the data", () => {
    const bad: Partial<GuardInput> = { before: 5, needsBefore: true, reasonsAgainst: ["too unlike"] };
    expect(guard(bad).status).toBe("violated");
    expect(guard(bad, "{ comparable: true }").status).toBe("violated");
    expect(guard(bad, "{ comparable: false }").status).toBe("off");
    expect(guard({ certainAfter: 0 }, "{ comparable: false }").status).toBe("off");
  });

  it("is violated by every reason against a comparison, where there is one or a condition needs it", () => {
    const reasonsAgainst = ["unlike order", "unlike warm-up"];
    const violated = { name, status: "violated", detail: "unlike order; unlike warm-up" };
    expect(guard({ before: 1, reasonsAgainst })).toEqual(violated);
    expect(guard({ needsBefore: true, reasonsAgainst })).toEqual(violated);
    expect(guard({ reasonsAgainst }).status).toBe("ok");
  });

  it("is ok where nothing is against it", () => {
    const ok = {
      name,
      status: "ok",
      detail: "certain order and probe warm-up differ by at most 10 points",
    };
    expect(guard({ before: 1 })).toEqual(ok);
    expect(guard({ needsBefore: true })).toEqual(ok);
    // The comparison itself asks for half of the instances to be certain.
    expect(guard({ before: 1, certainAfter: 0 })).toEqual(ok);
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
});

describe("no leak of the warm-up request", () => {
  const wanted = "{ leak: { path: /warmup } }";
  const name = "no leak of the warm-up request";
  const guard = (leak: GuardInput["leak"], asked = wanted): Guard => named(name, guards(asked, { leak }));

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
    named(name, guards(asked, { reconciliation }));

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
