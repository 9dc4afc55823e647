import { describe, expect, it } from "vitest";
import { kindOf } from "./kinds.ts";
import { oracleReport } from "./oracle.ts";
import { weightOf } from "./rows.ts";
import { medianInterval, quantile, survival, wilson } from "./stats.ts";
import type { OracleCohort, OracleEvent, OracleRow, OracleSettings } from "./types.ts";

/** Ticks at so many seconds after Wednesday 1 July 2026, 00:00 UTC. */
const MIDNIGHT = BigInt(Date.UTC(2026, 6, 1)) * 10_000n;
const at = (seconds: number): bigint => MIDNIGHT + BigInt(Math.round(seconds * 10_000_000));
const HOUR = 3600;

let ids = 0;
function user(
  instance: string,
  seconds: number,
  durationMs: number,
  more: Partial<OracleRow> = {},
): OracleRow {
  ids += 1;
  const id = `id${String(ids).padStart(6, "0")}`;
  return { start: at(seconds), durationMs, id, instance, name: "GET /", resultCode: "200", ...more };
}
/** A row of nobody that moves the data's start to midnight, so that later births are known. */
const early: OracleRow = { start: at(0), durationMs: 1, name: "GET /" };

function started(
  replica: string,
  seconds: number,
  container = "app",
  more: Partial<OracleEvent> = {},
): OracleEvent {
  return {
    time: at(seconds),
    reason: "ContainerStarted",
    replica,
    text: `Started container '${container}'`,
    ...more,
  };
}
function terminated(replica: string, seconds: number, container = "app"): OracleEvent {
  const text = `Container '${container}' was terminated with exit code '' and reason 'ManuallyStopped'`;
  return { time: at(seconds), reason: "ContainerTerminated", replica, text };
}
function only(
  rows: OracleRow[],
  events: OracleEvent[] | null = null,
  settings: OracleSettings = {},
): OracleCohort {
  return oracleReport(rows, events, settings).cohorts[0]!;
}

describe("the worked example", () => {
  const rows = [early, user("a", HOUR, 7000), user("a", HOUR + 1, 6500), user("a", HOUR + 8, 300)];
  const cohort = only(rows);

  it("ranks, overlaps and counts the exposure as the definitions say", () => {
    expect(cohort.instances).toEqual({
      total: 1,
      weekday: 1,
      weekend: 0,
      idle: null,
      excluded: { alreadyRunning: 0, birthUnknown: 0 },
      warmedBy: { nothing: 1, probe: 0, synthetic: 0, consumer: 0, other: 0 },
    });
    expect(cohort.firstRequest.p50Ms).toBe(7000);
    expect(cohort.firstRequest.overThreshold.count).toBe(1);
    expect(cohort.second.overlapping).toEqual({ n: 1, p50Ms: 6500, p90Ms: 6500, overThresholdShare: 1 });
    expect(cohort.second.sequential).toEqual({ n: 0, p50Ms: null, p90Ms: null, overThresholdShare: null });
    expect(cohort.overlap).toEqual({ n: 1, perInstance: 1, p50Ms: 6500 });
    expect(cohort.afterFirst).toEqual({ n: 1, p50Ms: 300 });
    expect(cohort.slowEarlyPerInstance).toBe(2);
    expect(cohort.arrivals).toEqual({ firstTenSecondsPerSecond: 0.25, laterPerSecond: null });
    // 3600 to 3608.3 s
    expect(cohort.lifetime.p50Minutes).toBeCloseTo(8.3 / 60, 12);
    expect(cohort.lifetime).toMatchObject({ source: "requests", n: 1, censored: 0, within10MinutesShare: 1 });
  });

  it("gives null for everything when there is no instance", () => {
    const empty = only([]);
    expect(empty.firstRequest).toEqual({
      n: 0,
      p50Ms: null,
      p90Ms: null,
      p99Ms: null,
      p50Ci95Ms: [null, null],
      overThreshold: { count: 0, share: null, ci95: [null, null] },
      failed: { count: null, share: null },
      certainOrder: { count: 0, share: null },
    });
    expect(empty.byOrder.map((bucket) => bucket.estimated)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    expect(empty.overlap.perInstance).toBeNull();
    expect(empty.slowEarlyPerInstance).toBeNull();
    expect(empty.lifetime.within10MinutesShare).toBeNull();
  });

  it("counts starts over ten seconds after the first by their own exposure", () => {
    const rows2 = [early, user("a", HOUR, 1), user("a", HOUR + 10, 1), user("a", HOUR + 30, 1)];
    expect(only(rows2).arrivals).toEqual({ firstTenSecondsPerSecond: 0.1, laterPerSecond: 0.05 });
  });
});

describe("weights", () => {
  const rate = (value: string): Partial<OracleRow> => ({ dimensions: { "microsoft.sample_rate": value } });
  const cases: [string, Partial<OracleRow>, auto: number, itemCount: number][] = [
    ["both absent", {}, 1, 1],
    ["count 1, no rate", { itemCount: 1 }, 1, 1],
    ["count over 1, no rate", { itemCount: 8 }, 8, 8],
    ["count as text", { itemCount: "8" }, 8, 8],
    ["no count, rate", rate("25"), 4, 4],
    ["count 1, rate", { itemCount: 1, ...rate("25") }, 4, 4],
    ["count that agrees", { itemCount: 4, ...rate("25") }, 4, 4],
    ["count one away", { itemCount: 5, ...rate("25") }, 4, 4],
    ["count far away", { itemCount: 6, ...rate("25") }, 4, 6],
    ["count against a rate of 100", { itemCount: 8, ...rate("100") }, 1, 8],
    ["99.99 is all", rate("99.99"), 1, 1],
    ["99.98 is not", rate("99.98"), 100 / 99.98, 100 / 99.98],
    ["below 1 percent", rate("0.5"), 200, 200],
    ["rate 0", { itemCount: 3, ...rate("0") }, 3, 3],
    ["rate over 100", { itemCount: 3, ...rate("100.5") }, 3, 3],
    ["rate no number", { itemCount: 3, ...rate("None") }, 3, 3],
    ["count 0", { itemCount: 0 }, 1, 1],
    ["count -1 with a rate", { itemCount: -1, ...rate("50") }, 2, 2],
    ["count no number", { itemCount: "1,000" }, 1, 1],
    ["count blank", { itemCount: " " }, 1, 1],
    ["keys in any case", { dimensions: { "_ms.SAMPLERATE": "50" } }, 2, 2],
    ["measurements", { measurements: { sampleRate: 20 } }, 5, 5],
    [
      "dimensions first",
      { dimensions: { sampleRate: "50" }, measurements: { "microsoft.sample_rate": 20 } },
      2,
      2,
    ],
    ["first valid key", { dimensions: { "microsoft.sample_rate": "0", sampleRate: "10" } }, 10, 10],
  ];
  it.each(cases)("%s", (_, fields, auto, itemCount) => {
    const row: OracleRow = { start: 0n, durationMs: 1, ...fields };
    expect(weightOf(row, "auto")).toBe(auto);
    expect(weightOf(row, "sample-rate")).toBe(auto);
    expect(weightOf(row, "item-count")).toBe(itemCount);
  });

  it("adds them up into requests, orders and certain orders", () => {
    const rows = [early, user("a", HOUR, 10, { itemCount: 3 }), user("a", HOUR + 1, 20, { itemCount: 4 })];
    const report = oracleReport(rows, null, {});
    expect(report.requests).toEqual({ observed: 3, estimated: 8 });
    const cohort = report.cohorts[0]!;
    expect(cohort.firstRequest.certainOrder).toEqual({ count: 0, share: 0 });
    // the second arrives at order 1 + 3
    const filled = cohort.byOrder.filter((bucket) => bucket.observed > 0);
    expect(filled.map((bucket) => [bucket.label, bucket.observed, bucket.estimated])).toEqual([
      ["1", 1, 1],
      ["4-5", 1, 4],
    ]);
    expect(cohort.afterFirst).toEqual({ n: 1, p50Ms: 20 });
  });
});

describe("arrival order", () => {
  const bucketOfSecond = (weight: number): string => {
    const rows = [early, user("a", HOUR, 1, { itemCount: weight }), user("a", HOUR + 1, 2)];
    return only(rows).byOrder.findLast((bucket) => bucket.observed > 0)!.label;
  };

  it("rounds half up, with slack", () => {
    expect(bucketOfSecond(2.49)).toBe("3"); // order 3.49
    expect(bucketOfSecond(2.5)).toBe("4-5"); // order 3.5
    expect(bucketOfSecond(2.4999999999)).toBe("4-5"); // within 1e-9 of a half
    expect(bucketOfSecond(9.4)).toBe("6-10"); // order 10.4
    expect(bucketOfSecond(9.5)).toBe("11-20");
    expect(bucketOfSecond(99.5)).toBe(">100");
  });

  it("does not round where it says order ≤ 10", () => {
    const early10 = (weight: number): number =>
      only([early, user("a", HOUR, 1, { itemCount: weight }), user("a", HOUR + 1, 5000)]).afterFirst.n;
    expect(early10(9)).toBe(1);
    expect(early10(9 + 1e-9)).toBe(1);
    expect(early10(9.1)).toBe(0);
  });

  it("is over the threshold strictly", () => {
    const seconds = (thresholdMs: number): number | null =>
      only([early, user("a", HOUR, 1), user("a", HOUR + 1, 500)], null, { thresholdMs }).second.sequential
        .overThresholdShare;
    expect(seconds(500)).toBe(0);
    expect(seconds(499.9)).toBe(1);
  });

  it("breaks ties by id, then by the longer duration", () => {
    const first = (one: Partial<OracleRow>, other: Partial<OracleRow>): number | null =>
      only([early, user("a", HOUR, 10, one), user("a", HOUR, 20, other)]).firstRequest.p50Ms;
    expect(first({ id: "a" }, { id: "b" })).toBe(10);
    expect(first({ id: "b" }, { id: "a" })).toBe(20);
    expect(first({ id: "" }, { id: "" })).toBe(20);
    expect(first({ id: "x", operationId: "1" }, { id: "x", operationId: "2" })).toBe(20);
    expect(first({ id: "b" }, { id: "" })).toBe(20);
  });

  it("overlaps strictly before the first one's end, to a thousandth of a tick", () => {
    const overlaps = (durationMs: number): number =>
      only([early, user("a", HOUR, durationMs), user("a", HOUR + 0.3, 1)]).overlap.n;
    expect(overlaps(300)).toBe(0);
    expect(overlaps(100.1 + 200.2 - 0.3)).toBe(0); // 300 and some float dust
    expect(overlaps(300.0000001)).toBe(1);
  });

  it("counts the slow early ones by weight, the first as one", () => {
    const rows = [
      early,
      user("a", HOUR, 9000, { itemCount: 5 }), // order 1
      user("a", HOUR + 1, 8000, { itemCount: 4 }), // order 6, overlapping
      user("a", HOUR + 20, 7000), // order 10
      user("a", HOUR + 21, 6000), // order 11
      user("b", HOUR, 2000), // not over
    ];
    const cohort = only(rows);
    expect(cohort.slowEarlyPerInstance).toBe((1 + 4 + 1) / 2);
    expect(cohort.overlap).toEqual({ n: 1, perInstance: 2, p50Ms: 8000 });
    expect(cohort.afterFirst).toEqual({ n: 1, p50Ms: 7000 });
    expect(cohort.firstRequest.overThreshold).toMatchObject({ count: 1, share: 0.5 });
  });
});

describe("kinds", () => {
  const cases: [string, Partial<OracleRow>, string][] = [
    ["http url", { url: "HTTPS://h/x", resultCode: "0" }, "http"],
    ["url with a slash", { url: "/x" }, "http"],
    ["method in the name", { name: "CONNECT x" }, "http"],
    ["HttpMethod", { dimensions: { httpmethod: "GET", Category: "Host.Results" } }, "http"],
    ["upgrade", { name: "GET /ws", resultCode: "101" }, "other"],
    ["timer function", { name: "Tick", resultCode: "0", sdkVersion: "azurefunctions: 4" }, "other"],
    ["queue function", { name: "Q.ProcessMessage", dimensions: { Category: "Host.Results" } }, "consumer"],
    [
      "queue function with a status",
      { name: "Q.ProcessMessage", resultCode: "200", dimensions: { Category: "Host.Results" } },
      "other",
    ],
    ["function with an empty name", { resultCode: "0", sdkVersion: "azurefunctions: 4" }, "other"],
    ["rpc dimension", { name: "any", dimensions: { "RPC.System": "grpc" } }, "http"],
    ["grpc name", { name: "grpc x.Y/Z", url: "grpc x.Y/Z", resultCode: "2" }, "http"],
    ["grpc name with a status of http", { name: "grpc x.Y/Z", resultCode: "200" }, "other"],
    ["service/method 16", { name: "pkg.Service/Method", resultCode: "16" }, "http"],
    ["service/method absent", { name: "a.b.Service/Method" }, "http"],
    ["service/method 17", { name: "pkg.Service/Method", resultCode: "17" }, "other"],
    ["service without a dot", { name: "Service/Method", resultCode: "0" }, "other"],
    ["amqp url", { name: "q", url: "amqp://h/q", resultCode: "0" }, "consumer"],
    ["amqp url, another code", { name: "q", url: "amqp://h/q", resultCode: "5" }, "other"],
    ["bare host/dest", { name: "q", url: "h.servicebus.windows.net/q" }, "consumer"],
    ["source host/dest", { name: "q", source: "h/q" }, "consumer"],
    ["source app id", { name: "q", source: "cid-v1:1" }, "other"],
    ["source service bus", { name: "q", source: "type:Azure Service Bus | name:q" }, "consumer"],
    ["messaging dimension", { name: "q", dimensions: { "Messaging.operation": "x" } }, "consumer"],
    ["enqueued", { name: "q", measurements: { TimeSinceEnqueued: 3 } }, "consumer"],
    ["links", { name: "q", dimensions: { "_MS.links": "[]" } }, "consumer"],
    ["process", { name: "mytopic process", resultCode: "0" }, "consumer"],
    ["receive", { name: "q receive", resultCode: "0" }, "consumer"],
    ["session", { name: "P.ProcessSessionMessage" }, "consumer"],
    ["event", { name: "P.ProcessEvent" }, "consumer"],
    ["JS consumer", { resultCode: "0" }, "consumer"],
    ["nothing at all", {}, "other"],
    ["background", { name: "Nightly", resultCode: "0" }, "other"],
  ];
  it.each(cases)("%s", (_, fields, kind) => {
    expect(kindOf({ start: 0n, durationMs: 1, ...fields })).toBe(kind);
  });
});

describe("row counts", () => {
  it("gives each row its first ending", () => {
    const good = user("a", HOUR, 5, { id: "same", role: "r", operationId: "op" });
    const rows: OracleRow[] = [
      { ...good, start: null },
      { ...good, durationMs: null },
      { ...good, durationMs: -1 },
      { ...good, durationMs: Number.NaN },
      good,
      { ...good, durationMs: 9, name: "" },
      { ...good, operationId: "another" },
      { ...good, instance: "b" },
      { ...good, role: "s" },
      { ...good, role: "s" }, // a duplicate of the row before, although of another role
      { start: at(HOUR), durationMs: 5, name: "GET /" }, // no role
      { ...good, start: at(2 * HOUR) }, // at `to`
      { ...good, id: "c", name: "q process", resultCode: "0", syntheticSource: "Bot" },
      { ...good, id: "o", name: "Nightly" },
      { ...good, id: "s", syntheticSource: "Bot", name: "GET /health" },
      { ...good, id: "p", name: "GET /Health/" },
      { ...good, id: "", instance: "" },
      { ...good, id: "", instance: "" }, // never a duplicate
    ];
    const report = oracleReport(rows, null, { role: "r", from: at(HOUR), to: at(2 * HOUR) });
    expect(report.rows).toEqual({
      read: 18,
      malformed: 4,
      duplicate: 2,
      otherRole: 2,
      outsideWindow: 1,
      consumer: 1,
      other: 1,
      synthetic: 1,
      probe: 1,
      user: 5,
      noInstance: 2,
    });
  });

  it.each([
    ["https://h:1/healthz?x=/y", "GET", 1],
    ["https://h/READYZ/", "GET", 1],
    ["https://h/readyz//", "GET", 0],
    ["https://h/x/healthz", "GET /healthz", 0],
    ["", "GET /actuator/health/liveness#f", 1],
    ["", "GET /healthz2", 0],
  ])("probe %s %s", (url, name, probes) => {
    expect(oracleReport([{ start: at(0), durationMs: 1, url, name }], null, {}).rows.probe).toBe(probes);
  });

  it("takes the configured probe paths instead", () => {
    const rows = [user("a", 0, 1, { name: "GET /health" }), user("a", 0, 1, { name: "GET /up" })];
    expect(oracleReport(rows, null, { probePaths: ["/UP/"] }).rows).toMatchObject({ probe: 1, user: 1 });
  });
});

describe("births", () => {
  it("excludes what ran before the window, then what has no known birth", () => {
    const rows = [
      user("old", HOUR - 1, 1),
      user("old", HOUR, 1),
      user("unseen", HOUR - 1, 1), // no request in the window
      user("fresh", HOUR, 1),
      user("later", 2 * HOUR, 1),
    ];
    const settings = { from: at(HOUR), to: at(2 * HOUR), guardMinutes: 0 };
    const cohort = only(rows, null, settings);
    expect(cohort.instances.total).toBe(1);
    expect(cohort.instances.excluded).toEqual({ alreadyRunning: 1, birthUnknown: 0 });

    // data start is one second before the window; the guard of ten minutes covers `fresh`
    const guarded = only(rows, null, { from: at(HOUR), to: at(2 * HOUR) });
    expect(guarded.instances.total).toBe(0);
    expect(guarded.instances.excluded).toEqual({ alreadyRunning: 1, birthUnknown: 1 });
  });

  it("counts an instance that a container start puts at or after the window's end nowhere", () => {
    const window = { from: at(HOUR), to: at(2 * HOUR) };
    const rows = [early, user("a", 2 * HOUR - 0.5, 1)];
    const late = only(rows, [started("a", 2 * HOUR)], window);
    expect(late.instances.total).toBe(0);
    expect(late.instances.excluded).toEqual({ alreadyRunning: 0, birthUnknown: 0 });
    expect(only(rows, [started("a", 2 * HOUR - 0.1)], window).instances.total).toBe(1);
  });

  it("knows the birth from data start + guard on", () => {
    expect(only([early, user("a", 600, 1)]).instances.total).toBe(1);
    expect(only([early, user("a", 599.9999999, 1)]).instances.total).toBe(0);
    expect(only([early, user("a", 599, 1)]).instances.excluded.birthUnknown).toBe(1);
  });

  it("reads the data's start from other roles and duplicates, not from malformed rows", () => {
    const total = (first: OracleRow): number =>
      only([first, user("a", 700, 1, { role: "r" })], null, { role: "r" }).instances.total;
    expect(total({ ...early, role: "other" })).toBe(1);
    expect(total({ ...early, role: "other", durationMs: null })).toBe(0);
  });

  it("lets rows of any kind, but of no other role, give the birth", () => {
    const settings = { role: "r", from: at(HOUR) };
    const first = user("a", HOUR + 1, 1, { role: "r" });
    const elsewhere = user("b", HOUR + 1, 1, { role: "s" });
    expect(only([early, first, elsewhere], null, settings).instances.total).toBe(1);
    expect(only([early, first, elsewhere], null, { from: at(HOUR) }).instances.total).toBe(2);
    expect(only([early, user("a", HOUR - 1, 1, { role: "s" }), first], null, settings).instances.total).toBe(
      1,
    );
    const probe = user("a", HOUR - 1, 1, { role: "r", name: "GET /health" });
    expect(only([early, probe, first], null, settings).instances.excluded.alreadyRunning).toBe(1);
  });

  it("uses the requests after the window's end too", () => {
    const rows = [early, user("a", HOUR, 1, { name: "GET /health" }), user("a", 3 * HOUR, 7)];
    const report = oracleReport(rows, null, { to: at(2 * HOUR) });
    expect(report.requests.observed).toBe(1);
    expect(report.cohorts[0]!.firstRequest.p50Ms).toBe(7);
    expect(report.cohorts[0]!.instances.warmedBy.probe).toBe(1);
  });

  it("says what warmed the process, strictly before its first user request", () => {
    const warm = (seconds: number, name: string, more: Partial<OracleRow> = {}): OracleRow =>
      user("a", HOUR + seconds, 1, { name, ...more });
    const by = (...rows: OracleRow[]) => only([early, warm(5, "GET /"), ...rows]).instances.warmedBy;
    expect(by(warm(5, "GET /health"))).toMatchObject({ nothing: 1, probe: 0 });
    expect(by(warm(4, "GET /health"), warm(3, "Timer"))).toMatchObject({ other: 1, probe: 0 });
    expect(by(warm(3, "GET /", { syntheticSource: "Bot" }), warm(4, "q process"))).toMatchObject({
      synthetic: 1,
    });
    expect(by(warm(3, "q process", { resultCode: "0" }))).toMatchObject({ consumer: 1 });
  });

  it("tells weekends and holidays in the configured zone, and can leave them out", () => {
    const saturday = 3 * 86_400; // 4 July 2026, 00:00 UTC
    const rows = [
      early,
      user("fri", saturday - 1800, 1),
      user("sat", saturday + 1800, 2),
      user("mon", 5 * 86_400, 3),
    ];
    expect(only(rows).instances).toMatchObject({ total: 3, weekday: 2, weekend: 1 });
    expect(only(rows, null, { timezone: "Europe/Vienna" }).instances).toMatchObject({
      weekday: 1,
      weekend: 2,
    });
    expect(only(rows, null, { timezone: "America/New_York" }).instances).toMatchObject({
      weekday: 2,
      weekend: 1,
    });
    const worked = only(rows, null, { days: "weekdays", holidays: ["2026-07-06"] });
    expect(worked.instances).toMatchObject({ total: 1, weekday: 1, weekend: 0 });
    expect(worked.firstRequest.p50Ms).toBe(1);
  });
});

describe("container starts", () => {
  const R = "shop--r1-abc-1";
  it("splits a replica's rows at each start, with one second of tolerance", () => {
    const rows = [
      early,
      user(R, HOUR + 1, 10), // before the first known start: a life of its own
      user(R, 2 * HOUR - 1, 20), // one second before a start: belongs to it
      user(R, 3 * HOUR - 1.0000001, 30), // still the life before
      user(R, 3 * HOUR + 5, 40),
    ];
    const cohort = only(rows, [started(R, 2 * HOUR), started(R, 3 * HOUR)]);
    expect(cohort.instances.total).toBe(3);
    expect(cohort.firstRequest.p50Ms).toBe(20);
    expect(cohort.firstRequest.p99Ms).toBe(40);
    expect(cohort.second.sequential).toMatchObject({ n: 1, p50Ms: 30 });
  });

  it("takes the birth from the log, even at the data's start", () => {
    const rows = [user(R, 5, 10)];
    expect(only(rows).instances.excluded.birthUnknown).toBe(1);
    expect(only(rows, [started(R, 1)]).instances.total).toBe(1);
    const cohort = only(rows, [started(R, 1)], { from: at(2) });
    expect(cohort.instances.excluded).toEqual({ alreadyRunning: 1, birthUnknown: 0 });
  });

  const lives = (events: OracleEvent[], settings: OracleSettings = {}): number =>
    only(
      [early, ...events.map((event) => user(R, Number(event.time - MIDNIGHT) / 1e7 + 100, 1))],
      events,
      settings,
    ).instances.total;

  /** How many starts the log holds, all of them idle. */
  const startsIn = (...events: OracleEvent[]): number | null => only([user(R, 0, 1)], events).instances.idle;

  it("merges different containers within 60 s, but never one with itself", () => {
    expect(startsIn(started(R, 1000), started(R, 1060, "sidecar"))).toBe(1);
    expect(startsIn(started(R, 1000), started(R, 1060.0000001, "sidecar"))).toBe(2);
    expect(startsIn(started(R, 1000), started(R, 1030, "b"), started(R, 1061, "c"))).toBe(2);
    expect(startsIn(started(R, 1000), started(R, 1030))).toBe(2);
    // the second app start opens a group that `b` then joins
    expect(startsIn(started(R, 1000), started(R, 1050), started(R, 1070, "b"))).toBe(2);
    const between = [early, user(R, 1010, 1), user(R, 1100, 1)];
    expect(only(between, [started(R, 1000), started(R, 1030)]).instances.total).toBe(2);
    expect(only(between, [started(R, 1000), started(R, 1030, "b")]).instances.total).toBe(2); // 1 before the start
  });

  it("knows the platform's containers, Dapr's and the configured one", () => {
    const events = [
      started(R, 1000),
      started(R, 2000, "daprd"),
      started(R, 3000, "k8se-envoy"),
      started(R, 4000, "b"),
    ];
    expect(lives(events)).toBe(2);
    expect(lives(events, { container: "daprd" })).toBe(2); // the rows before its start, and those after
    expect(lives([started(R, 1000, "x", { text: "Started container app" })], { container: "app" })).toBe(1);
  });

  it("drops repeats within one second of the last kept one", () => {
    expect(startsIn(started(R, 1000), started(R, 1001))).toBe(1);
    expect(startsIn(started(R, 1000), started(R, 1000.6), started(R, 1001.2))).toBe(2);
    expect(startsIn(started(R, 1000, "app", { count: 1 }), started(R, 1001, "app", { count: 2 }))).toBe(2);
    expect(startsIn(started(R, 1000, "app", { count: 1 }), started(R, 1001))).toBe(1);
    expect(startsIn(started(R, 1000, "app", { text: "Started container app" }), started(R, 1000.5))).toBe(2);
  });

  it("counts idle starts of the joined apps only, and only in the window", () => {
    const rows = [early, user(R, 1000, 1), user("shop--r1-abc-2", 1000, 1, { name: "GET /health" })];
    const events = [
      started(R, 990),
      started("shop--r1-abc-2", 990), // probes only
      started("shop--r2-xyz-9", 1500), // no rows
      started("shop--r2-xyz-9", 9000), // after the window
      started("cart--r1-abc-1", 1500), // nobody of this app is joined
      started("odd-name", 1500, "app", { app: "shop" }),
    ];
    expect(only(rows, events, { to: at(5000) }).instances.idle).toBe(3);
    expect(only(rows, null).instances.idle).toBeNull();
    expect(only([user("guid", 1000, 1)], events).instances.idle).toBeNull();
    // without any instance no app can be told from the others
    expect(only([], events, { to: at(5000) }).instances.idle).toBe(5);
    expect(only(rows, [{ time: at(1), reason: "PullingImage", replica: R, text: "" }]).instances.idle).toBe(
      0,
    );
    // a user request after the window's end still counts as use
    expect(only([...rows, user("shop--r2-xyz-9", 8000, 1)], events, { to: at(5000) }).instances.idle).toBe(2);
  });
});

describe("lifetimes", () => {
  it("follows Kaplan and Meier by hand", () => {
    const start = 1000;
    const rows = ["a", "b", "c", "d"].map((name) => user(name, start + 1, 5));
    const events = [
      ...["a", "b", "c", "d"].map((name) => started(name, start)),
      terminated("a", start + 3 * 60),
      started("b", start + 8 * 60), // ends b's life by a restart
      terminated("b", start + 9 * 60),
      { time: at(start + 20 * 60), reason: "x", replica: "", text: "" },
    ];
    // ends at 3 and 8 min, two censored at 20: S = 3/4, then 3/4 × 2/3
    expect(only([early, ...rows], events).lifetime).toEqual({
      source: "system-logs",
      n: 4,
      censored: 2,
      p50Minutes: 8,
      within10MinutesShare: 0.5,
    });
  });

  it("gives survival with censoring between the ends", () => {
    const lives = [
      { ticks: 3n, censored: false },
      { ticks: 5n, censored: true },
      { ticks: 8n, censored: false },
      { ticks: 8n, censored: true },
    ];
    expect(survival(lives, 2n)).toBe(1);
    expect(survival(lives, 7n)).toBe(0.75);
    expect(survival(lives, 8n)).toBe(0.375);
  });

  it("has no share within ten minutes when nobody was watched for that long", () => {
    const rows = [early, user("a", 1001, 5), user("b", 1001, 5)];
    const events = [started("a", 1000), started("b", 1000), terminated("a", 1060)];
    expect(only(rows, events).lifetime).toEqual({
      source: "system-logs",
      n: 2,
      censored: 1,
      p50Minutes: 1,
      within10MinutesShare: null,
    });
    const all = only(rows, [...events, terminated("b", 1120)]).lifetime;
    expect(all).toMatchObject({ censored: 0, p50Minutes: 1, within10MinutesShare: 1 });
  });

  it("ignores an init container's end, and another replica's", () => {
    const rows = [early, user("a", 1020, 5)];
    const events = [
      started("a", 1000, "migrate"),
      terminated("a", 1009, "migrate"),
      started("a", 1010, "app"),
      terminated("a", 1011, "migrate"), // its echo
      terminated("b", 1012, "app"),
      terminated("a", 1070, "app"),
    ];
    expect(only(rows, events).lifetime).toMatchObject({ n: 1, censored: 0, p50Minutes: 1 });
  });

  it("does not take the end of the life before for an init container's", () => {
    const rows = [early, user("a", 1520, 5)];
    const events = [
      started("a", 1000, "app"),
      started("a", 1001, "side"),
      terminated("a", 1500, "app"),
      started("a", 1510, "app"),
      started("a", 1511, "side"),
      terminated("a", 1631, "app"),
    ];
    expect(only(rows, events).lifetime).toMatchObject({ n: 1, censored: 0, p50Minutes: 2 });
  });

  it("falls back on the requests where no new instance has a start", () => {
    const rows = [
      early,
      user("a", 1000, 60_000),
      user("a", 1030, 10),
      user("b", 1000, 600_000),
      user("c", 1000, 600_001),
    ];
    expect(only(rows, [started("z", 1000)]).lifetime).toEqual({
      source: "requests",
      n: 3,
      censored: 0,
      p50Minutes: 10,
      within10MinutesShare: 2 / 3,
    });
  });
});

describe("statistics", () => {
  it("takes weighted quantiles as the inverse of the distribution", () => {
    const items = [
      { value: 3, weight: 1 },
      { value: 1, weight: 5 },
      { value: 2, weight: 4 },
    ];
    expect(quantile(items, 0.5)).toBe(1);
    expect(quantile(items, 0.51)).toBe(2);
    expect(quantile(items, 0.9)).toBe(2);
    expect(quantile(items, 0.91)).toBe(3);
    // one in seven, eight times: four of them fall a float's breadth short of half of all
    const sevenths = Array.from({ length: 8 }, (_, index) => ({ value: index + 1, weight: 100 / 7 }));
    expect(quantile(sevenths, 0.5)).toBe(4);
    expect(quantile([], 0.5)).toBeNull();
  });

  it("takes the median's interval from the binomial", () => {
    const upTo = (n: number): number[] => Array.from({ length: n }, (_, index) => n - index);
    expect(medianInterval(upTo(5))).toEqual([null, null]);
    expect(medianInterval(upTo(6))).toEqual([1, 6]);
    expect(medianInterval(upTo(10))).toEqual([2, 9]);
    expect(medianInterval(upTo(100))).toEqual([40, 61]);
  });

  it("takes Wilson's interval", () => {
    const [low, high] = wilson(1, 4);
    expect(low).toBeCloseTo(0.0456, 4);
    expect(high).toBeCloseTo(0.6994, 4);
    expect(wilson(0, 3)[0]).toBe(0);
  });

  it("counts failures over all first requests, unknown ones as not failed", () => {
    const firsts = [user("a", HOUR, 1, { success: false }), user("b", HOUR, 1), user("c", HOUR, 1)];
    expect(only([early, ...firsts]).firstRequest.failed).toEqual({ count: 1, share: 1 / 3 });
    expect(only([early, ...firsts.slice(1)]).firstRequest.failed).toEqual({ count: null, share: null });
  });
});

describe("comparison", () => {
  const settings = { deployedAt: at(10 * HOUR) };
  /** `n` instances at an hour, the first `uncertain` of them sampled, the first `probed` warmed. */
  function fleet(hour: number, n: number, uncertain: number, probed: number, durationMs = 10): OracleRow[] {
    return Array.from({ length: n }, (_, index) => {
      const name = `h${hour}-${index}`;
      const first = user(
        name,
        hour * HOUR + 10,
        durationMs + index,
        index < uncertain ? { itemCount: 2 } : {},
      );
      const probe = user(name, hour * HOUR, 1, { name: "GET /health" });
      return index < probed ? [probe, first] : [first];
    }).flat();
  }
  const compared = (before: OracleRow[], after: OracleRow[]) =>
    oracleReport([early, ...before, ...after], null, settings).comparison!;

  it("is null without a split", () => {
    expect(oracleReport([early], null, {}).comparison).toBeNull();
  });

  it("compares the first requests", () => {
    // 10, 11, 12 before and 11, 12 after: of six pairs one is faster, two tie
    expect(compared(fleet(5, 3, 0, 0), fleet(12, 2, 0, 0, 11))).toEqual({
      firstRequest: { p50DeltaMs: 0, p50Ratio: 1, probabilityFaster: 2 / 6 },
      comparable: true,
      reasons: [],
    });
  });

  it("lets exactly ten points pass, for certain orders and for probes", () => {
    expect(compared(fleet(5, 10, 3, 0), fleet(12, 10, 2, 0)).comparable).toBe(true);
    expect(compared(fleet(5, 10, 0, 3), fleet(12, 10, 0, 2)).comparable).toBe(true);
    expect(compared(fleet(5, 100, 30, 0), fleet(12, 100, 19, 0)).comparable).toBe(false);
    expect(compared(fleet(5, 100, 0, 30), fleet(12, 100, 0, 19)).comparable).toBe(false);
  });

  it("wants half of the orders certain, and both cohorts filled", () => {
    expect(compared(fleet(5, 10, 5, 0), fleet(12, 10, 5, 0)).comparable).toBe(true);
    expect(compared(fleet(5, 10, 6, 0), fleet(12, 10, 5, 0)).comparable).toBe(false);
    expect(compared(fleet(5, 10, 5, 0), fleet(12, 10, 6, 0)).comparable).toBe(false);
    const empty = compared(fleet(5, 3, 0, 0), []);
    expect(empty.comparable).toBe(false);
    expect(empty.firstRequest).toEqual({ p50DeltaMs: null, p50Ratio: null, probabilityFaster: null });
  });

  it("puts instances that cross the deployment in the cohort of their birth", () => {
    const rows = [early, user("a", 9 * HOUR, 5), user("a", 11 * HOUR, 5)];
    const [before, after] = oracleReport(rows, null, settings).cohorts;
    expect(before!.instances.total).toBe(1);
    expect(after!.instances).toMatchObject({ total: 0, excluded: { alreadyRunning: 1, birthUnknown: 0 } });
  });

  it("takes pairs of windows, and counts the rows in either", () => {
    const rows = [user("a", 0, 5), user("b", HOUR, 5), user("c", 2 * HOUR, 5), user("d", 3 * HOUR, 5)];
    const report = oracleReport(rows, null, {
      before: [at(HOUR), at(HOUR + 1)],
      after: [at(2 * HOUR), at(3 * HOUR)],
    });
    expect(report.rows).toMatchObject({ outsideWindow: 2, user: 2 });
    expect(report.cohorts.map((cohort) => [cohort.name, cohort.instances.total])).toEqual([
      ["before", 1],
      ["after", 1],
    ]);
  });
});
