import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Anatomy, anatomy, type CohortAnatomy } from "../../src/figures/anatomy.ts";
import { OutboundCalls, type RequestParts } from "../../src/figures/outbound.ts";
import { ROOT } from "../cli/world.ts";
import { fixture } from "../corpus/cases.ts";
import {
  auditOf,
  type CallSpec,
  dependencyRows,
  instant,
  type RequestSpec,
  requestRows,
  union,
} from "./audit-input.ts";

const MINUTE = 60_000;

/** A row long before everything else: what comes later is then born in the data. */
const OLD: RequestSpec = { at: -60 * MINUTE, ms: 1, instance: "old", operation: "old", id: "old" };

async function anatomyOf(
  requests: readonly RequestSpec[],
  calls: readonly CallSpec[] | null,
  flags: { readonly deployedAt?: string } = {},
  events = "",
): Promise<Anatomy> {
  const rows = requestRows([OLD, ...requests]);
  const files: Record<string, string> = {
    "rows.json": calls === null ? rows : union(rows, dependencyRows(calls)),
  };
  if (events !== "") files["system.ndjson"] = events;
  const { fleet, detail } = await auditOf(files, flags);
  return anatomy(fleet, detail, 1);
}

async function partsOf(
  request: RequestSpec,
  calls: readonly CallSpec[],
  others: readonly RequestSpec[] = [],
) {
  const files = { "rows.json": union(requestRows([request, ...others]), dependencyRows(calls)) };
  const { fleet, detail } = await auditOf(files);
  return new OutboundCalls(fleet, detail).of(0);
}

const REQUEST: RequestSpec = { at: 0, ms: 1000, id: "r", operation: "op" };

describe("the parts of a request", () => {
  it("are the union, the sum and the rest of its calls, clipped to it", async () => {
    // 100–300 and 200–500 overlap: union 400, sum 500. 900–1400 is cut at 1000: 100 more to both.
    const parts = await partsOf(REQUEST, [
      { at: 200, ms: 300, operation: "op" },
      { at: 100, ms: 200, operation: "op" },
      { at: 900, ms: 500, operation: "op" },
    ]);
    expect(parts).toEqual({
      durationMs: 1000,
      firstCallMs: 100,
      outboundMs: 500,
      outboundSumMs: 600,
      restMs: 500,
      calls: 3,
      unfinished: 1,
      isShared: false,
    });
  });

  it("counts a call inside another one only once in the union", async () => {
    const parts = await partsOf(REQUEST, [
      { at: 100, ms: 500, operation: "op" },
      { at: 200, ms: 100, operation: "op" },
      { at: 550, ms: 100, operation: "op" },
    ]);
    expect(parts).toMatchObject({ outboundMs: 550, outboundSumMs: 700, restMs: 450 });
  });

  it("leaves out what begins before it, at its end or after it", async () => {
    const parts = await partsOf(REQUEST, [
      { at: -1, ms: 500, operation: "op" },
      { at: 1000, ms: 10, operation: "op" },
      { at: 5000, ms: 10, operation: "op" },
    ]);
    expect(parts).toBe("noCallInside");
    expect(await partsOf(REQUEST, [{ at: 0, ms: 10, operation: "op" }])).toMatchObject({
      firstCallMs: 0,
      calls: 1,
    });
  });

  it("leaves out other processes of the same operation, and takes rows that name none", async () => {
    const downstream: CallSpec = { at: 100, ms: 100, operation: "op", role: "other", instance: "two" };
    expect(await partsOf(REQUEST, [downstream])).toBe("noCallInside");
    expect(await partsOf(REQUEST, [{ ...downstream, role: "app" }])).toBe("noCallInside");
    expect(await partsOf(REQUEST, [{ ...downstream, role: "", instance: "" }])).toMatchObject({ calls: 1 });
  });

  it("leaves out calls that another request of the operation made", async () => {
    const other: RequestSpec = { at: 50, ms: 500, id: "s", operation: "op" };
    const calls: CallSpec[] = [
      { at: 100, ms: 100, operation: "op", parent: "s" },
      { at: 300, ms: 100, operation: "op", parent: "r" },
    ];
    expect(await partsOf(REQUEST, calls, [other])).toMatchObject({
      calls: 1,
      firstCallMs: 300,
      isShared: false,
    });
    // A parent that is neither request leaves open whose call it is.
    const unclear: CallSpec = { at: 400, ms: 10, operation: "op", parent: "x" };
    expect(await partsOf(REQUEST, [...calls, unclear], [other])).toMatchObject({ calls: 2, isShared: true });
  });

  it("takes spans within the process for no calls", async () => {
    const span: CallSpec = { at: 0, ms: 900, operation: "op", type: "InProc" };
    expect(await partsOf(REQUEST, [span])).toBe("inProcessOnly");
    expect(
      await partsOf(REQUEST, [span, { ...span, at: 500, ms: 100, type: "InProc | Microsoft.Storage" }]),
    ).toBe("inProcessOnly");
    expect(await partsOf(REQUEST, [span, { at: 500, ms: 100, operation: "op" }])).toMatchObject({
      calls: 1,
      outboundMs: 100,
    });
  });

  it("has a reason where there are none", async () => {
    expect(await partsOf({ ...REQUEST, operation: "" }, [{ at: 1, ms: 1, operation: "op" }])).toBe(
      "noOperation",
    );
    expect(await partsOf(REQUEST, [{ at: 1, ms: 1, operation: "another" }])).toBe("noRows");
  });

  it("never have a rest below zero, and add up to the duration", async () => {
    const parts = (await partsOf({ ...REQUEST, ms: 0.3 }, [
      { at: 0, ms: 0.1, operation: "op" },
      { at: 0, ms: 0.3, operation: "op" },
    ])) as RequestParts;
    expect(parts.restMs).toBe(0);
    expect(parts.outboundMs).toBeCloseTo(0.3, 9);
  });
});

/** An instance: a first request of 1,000 ms with a call at `offset`, then warm ones of 100 ms. */
function instanceOf(name: string, at: number, offset: number, callMs: number, warm: number, weight = 1) {
  const requests: RequestSpec[] = [
    { at, ms: 1000, instance: name, operation: `${name}-0`, id: `${name}-0` },
    ...Array.from({ length: warm }, (_, i) => ({
      at: at + 10_000 + i * 1000,
      ms: 100,
      instance: name,
      operation: `${name}-${i + 1}`,
      id: `${name}-${i + 1}`,
      itemCount: weight,
    })),
  ];
  const calls: CallSpec[] = requests.map(({ at: start, operation }, i) => ({
    at: start + (i === 0 ? offset : 10),
    ms: i === 0 ? callMs : 30,
    operation: operation!,
    instance: name,
  }));
  return { requests, calls };
}

const only = (result: Anatomy): CohortAnatomy => result.cohorts[0]!;

describe("a cohort", () => {
  it("sets first requests beside later ones of the same route", async () => {
    const a = instanceOf("a", 0, 700, 200, 21);
    const b = instanceOf("b", 1000, 500, 300, 0);
    const c = instanceOf("c", 2000, 600, 100, 0);
    const result = await anatomyOf(
      [
        ...a.requests,
        ...b.requests,
        ...c.requests,
        { at: 60_000, ms: 5, instance: "a", name: "GET /b", operation: "x" },
      ],
      [...a.calls, ...b.calls, ...c.calls],
    );
    const cohort = only(result);
    // The old instance's birth is unknown, so three first requests: rests 800, 700, 900; offsets 700, 500, 600.
    expect(cohort.first).toMatchObject({ n: 3, withCalls: { count: 3, share: 1 }, p50Calls: 1 });
    expect(cohort.first.parts.rest.p50Ms).toBe(800);
    expect(cohort.first.parts.firstCall.p50Ms).toBe(600);
    expect(cohort.first.parts.outbound.p50Ms).toBe(200);
    expect(cohort.first.parts.rest.p50Ci95Ms).toEqual([null, null]);
    // Of a's 21 later ones of the route, orders 11 to 22 are 12; GET /b is no first request's route.
    expect(cohort.routes).toMatchObject([
      { route: "GET /a", basis: "order>10", later: { n: 12, withCalls: 12 } },
    ]);
    expect(cohort.later.parts.rest).toEqual({ p50Ms: 70, p90Ms: 70 });
    expect(cohort.later.parts.firstCall.p50Ms).toBe(10);
    expect(cohort.contention).toBeNull();
  });

  it("takes all later requests where too few are of order over 10, but none beside the first", async () => {
    const a = instanceOf("a", 0, 700, 200, 3, 4);
    const beside: RequestSpec = { at: 500, ms: 1500, instance: "a", operation: "beside", id: "beside" };
    const result = await anatomyOf(
      [...a.requests, beside],
      [...a.calls, { at: 600, ms: 100, operation: "beside", instance: "a" }],
    );
    const { basis, later } = only(result).routes[0]!;
    expect(basis).toBe("after-first");
    expect(later).toMatchObject({ n: 3, estimated: 12, withCalls: 3 });
  });

  it("weighs later requests, and no first one", async () => {
    const a = instanceOf("a", 0, 700, 200, 1, 1);
    const heavy: RequestSpec = { at: 30_000, ms: 500, instance: "a", operation: "h", id: "h", itemCount: 8 };
    const first: RequestSpec = { ...a.requests[0]!, itemCount: 8 };
    const result = await anatomyOf(
      [first, a.requests[1]!, heavy],
      [...a.calls, { at: 30_100, ms: 50, operation: "h", instance: "a" }],
    );
    expect(only(result).later).toMatchObject({ n: 2, estimated: 9, parts: { rest: { p50Ms: 450 } } });
    expect(only(result).first).toMatchObject({ n: 1, withCalls: { count: 1 } });
  });

  it("says why first requests have no calls, each under one reason", async () => {
    const span = 5 * MINUTE;
    const firsts: RequestSpec[] = [
      { at: 0, ms: 10, instance: "with", operation: "with" },
      { at: 1, ms: 10, instance: "noOperation", operation: "" },
      { at: 2, ms: 10, instance: "inside", operation: "inside" },
      { at: 3, ms: 10, instance: "inProc", operation: "inProc" },
      { at: 4, ms: 10, instance: "dropped", operation: "dropped" },
      { at: 5, ms: 10, instance: "silent", operation: "silent", name: "GET /silent" },
      { at: 2 * span, ms: 10, instance: "outside", operation: "outside" },
    ];
    const calls: CallSpec[] = [
      { at: -1000, ms: 1, operation: "nobody" },
      { at: 1, ms: 1, operation: "with", instance: "with" },
      { at: 100, ms: 1, operation: "inside", instance: "inside" },
      { at: 4, ms: 1, operation: "inProc", instance: "inProc", type: "InProc" },
      { at: span, ms: 1, operation: "nobody" },
    ];
    const { first } = only(await anatomyOf(firsts, calls));
    expect(first).toMatchObject({
      n: 7,
      withCalls: { count: 1 },
      without: {
        noOperation: 1,
        noCallInside: 1,
        inProcessOnly: 1,
        routeCalls: 1,
        routeSilent: 1,
        outsideDependencies: 1,
      },
    });
  });

  it("compares two windows side by side", async () => {
    const a = instanceOf("a", 0, 700, 200, 2);
    const b = instanceOf("b", 30 * MINUTE, 100, 200, 2);
    const result = await anatomyOf([...a.requests, ...b.requests], [...a.calls, ...b.calls], {
      deployedAt: instant(15 * MINUTE),
    });
    expect(result.cohorts.map(({ name, first }) => [name, first.n, first.parts.firstCall.p50Ms])).toEqual([
      ["before", 1, 700],
      ["after", 1, 100],
    ]);
  });

  it("tells repeated rows, rows within the process and rows without an operation", async () => {
    const a = instanceOf("a", 0, 700, 200, 0);
    const { dependencies } = await anatomyOf(a.requests, [
      ...a.calls,
      ...a.calls,
      { at: 5, ms: 1, operation: "" },
      { at: 6, ms: 1, operation: "o", type: "InProc" },
    ]);
    expect(dependencies).toMatchObject({ rows: 4, repeated: 1, noOperation: 1, inProcess: 1 });
    expect((await anatomyOf(a.requests, null)).dependencies).toBeNull();
  });
});

describe("contention", () => {
  const start = (replica: string, at: number): string =>
    JSON.stringify({
      TimeStamp: instant(at),
      Type: "Normal",
      ContainerAppName: "app",
      RevisionName: "app--r1",
      ReplicaName: replica,
      Msg: "Started container 'app'",
      Reason: "ContainerStarted",
      EventSource: "ContainerAppController",
      Count: 1,
    });

  it("parts first requests at two minutes after the container's start", async () => {
    const names = ["app--r1-5f6d8c7b9-aaaaa", "app--r1-5f6d8c7b9-bbbbb", "app--r1-5f6d8c7b9-ccccc"];
    const [x, y, z] = names as [string, string, string];
    const near = instanceOf(x, 2 * MINUTE, 800, 100, 0);
    const far = instanceOf(y, 2 * MINUTE + 1, 100, 500, 0);
    const unknown = instanceOf(z, 5 * MINUTE, 1, 1, 0);
    const quick = { ...far.requests[0]!, ms: 700 };
    const { contention } = only(
      await anatomyOf(
        [...near.requests, quick, ...unknown.requests],
        [...near.calls, ...far.calls, ...unknown.calls],
        {},
        `${[start(x, 0), start(y, 0)].join("\n")}\n`,
      ),
    );
    // Exactly two minutes is near. Near: 1,000 ms, rest 900. Far: 700 ms, rest 200.
    expect(contention).toMatchObject({
      near: { n: 1, p50WaitMs: 120_000, duration: { p50Ms: 1000 }, withCalls: 1 },
      far: { n: 1, p50WaitMs: 120_001, duration: { p50Ms: 700 } },
      durationP50DeltaMs: 300,
      restP50DeltaMs: 700,
      startUnknown: 1,
      batchTime: 0,
    });
    expect(contention!.restP50DeltaCi95Ms).toEqual([700, 700]);
  });
});

describe("real system logs and the corpus", () => {
  // By hand, in logs-show-dapr.ndjson: the replica's containers start at 10:28:49.4129391 (daprd, not the app's)
  // and at 10:29:00.3901486 (app). Two minutes later it is 10:31:00.3901486; one tick more is later than that.
  it.each([
    ["10:31:00.3901486", 1, 0, 120_000],
    ["10:31:00.3901487", 0, 1, 120_000.0001],
  ])("a request at %s on the replica of logs-show-dapr.ndjson", async (time, near, far, wait) => {
    const [row] = JSON.parse(requestRows([{ at: 0, ms: 500, operation: "o" }])) as Record<string, unknown>[];
    const request = {
      ...row,
      timestamp: `2026-06-26T${time}Z`,
      cloud_RoleInstance: "ca-labdapr-5nichn--md3mnmx-b779b858-kl4lm",
    };
    const { fleet, detail } = await auditOf({ "rows.json": JSON.stringify([request]) }, {}, [
      join(ROOT, "fixtures/container-apps/logs-show-dapr.ndjson"),
    ]);
    const { contention } = only(anatomy(fleet, detail, 1));
    expect(contention).toMatchObject({ near: { n: near }, far: { n: far }, batchTime: 0, startUnknown: 0 });
    expect(contention![near === 1 ? "near" : "far"].p50WaitMs).toBe(wait);
  });

  it("54: four lives in one replica are four first requests, each within two minutes of its start", async () => {
    // By hand, start of the container and first request after it: 45.3700609 → 45.6, 47.2386781 → 47.5,
    // 49.3854347 → 49.8, 52.5895466 → 52.7: waits of 229.9, 261.3, 414.6 and 110.5 ms. Durations 1,310.2,
    // 1,388.7, 1,502.9 and 1,444.0. The table has no time of the events' own.
    const { fleet, detail } = await auditOf({}, { guard: "0s" }, [
      fixture("54-requests-same-replica.csv"),
      fixture("54-system-oom-loop-same-replica.json"),
    ]);
    const { dependencies, cohorts } = anatomy(fleet, detail, 1);
    expect(dependencies).toBeNull();
    expect(cohorts[0]!.first).toMatchObject({ n: 4, withCalls: { count: 0 }, without: { noOperation: 4 } });
    expect(cohorts[0]!.contention).toMatchObject({
      near: { n: 4, p50WaitMs: 229.9391, duration: { p50Ms: 1388.7 } },
      far: { n: 0, duration: { p50Ms: null } },
      durationP50DeltaMs: null,
      batchTime: 4,
    });
  });
});
