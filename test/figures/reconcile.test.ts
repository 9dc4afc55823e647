import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AnalysisFlags } from "../../src/cli/analysis-options.ts";
import { ingressOf } from "../../src/figures/ingress.ts";
import { type Reconciliation, reconcile } from "../../src/figures/reconcile.ts";
import type { Reason } from "../../src/figures/reconcile-reason.ts";
import { createRandom } from "../../src/stats/random.ts";
import { ROOT } from "../cli/world.ts";
import { fixture } from "../corpus/cases.ts";
import { auditOf, instant, metricsAnswer, type RequestSpec, requestRows } from "./audit-input.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

interface Setup {
  readonly rows?: readonly RequestSpec[];
  readonly metrics?: readonly (readonly [at: number, total: number | null])[] | null;
  readonly flags?: AnalysisFlags;
  readonly paths?: readonly string[];
  readonly tolerance?: number;
  readonly extra?: Readonly<Record<string, string>>;
}

async function reconciled(setup: Setup): Promise<Reconciliation> {
  const { rows, metrics = null, flags = {}, paths = [], tolerance = 0.05, extra = {} } = setup;
  const files: Record<string, string> = { ...extra };
  if (rows !== undefined) files["requests.json"] = requestRows(rows);
  if (metrics !== null) files["metrics.json"] = metricsAnswer(metrics);
  const input = await auditOf(files, flags, paths);
  const count = input.report.inputs.filter(({ form }) => form === "metrics").length;
  return reconcile(input.fleet, input.detail, input.metrics, { tolerance, files: count });
}

/** So many requests a minute for some minutes, in seeded places of their minute; each kept row stands for `one`. */
function traffic(minutes: number, perMinute: number, one = 1, from = 0, seed = 1): RequestSpec[] {
  const random = createRandom(seed + from);
  return Array.from({ length: minutes }, (_, minute) =>
    Array.from({ length: Math.round(perMinute / one) }, (_, i) => ({
      at: from + minute * MINUTE + Math.floor(random.float() * MINUTE),
      ms: 20,
      itemCount: one,
      id: `t${from}-${minute}-${i}`,
    })),
  ).flat();
}

function ingress(minutes: number, perMinute: number, from = 0): (readonly [number, number])[] {
  return Array.from({ length: minutes }, (_, minute) => [from + minute * MINUTE, perMinute] as const);
}

const idsThatExplain = (result: Reconciliation): string[] => [
  ...new Set(result.reasons.filter(({ explains }) => explains).map(({ id }) => id)),
];
const reason = (result: Reconciliation, id: string): Reason => result.reasons.find((one) => one.id === id)!;

describe("the real captures", () => {
  const capture = (name: string): string => join(ROOT, "fixtures/container-apps", name);
  const REPLICA = capture("metrics-requests-by-replica.json");
  const STATUS = capture("metrics-requests-by-status.json");

  // By hand, in metrics-requests-by-status.json (`jq '[.value[0].timeseries[0].data[].total] | add'`, then 1 and
  // 2): 2xx 320,686, 5xx 17,803, 4xx 5,354; together 343,843, all of it in the 31 minutes from 23:23 (1,686 +
  // 143 + 54 = 1,883) to 23:53 (4,431 + 261 + 79 = 4,771). The ten replicas of the other file add up to the same
  // (the first two: 35,571 and 35,566).
  it.each([
    ["by replica", REPLICA, 1200],
    ["by status", STATUS, 360],
  ])("%s: 343,843 requests in two hours", async (_, path, points) => {
    const { metrics } = await auditOf({ "requests.json": requestRows([{ at: 0, ms: 1 }]) }, {}, [path]);
    const { spans, ...facts } = ingressOf(metrics);
    expect(facts).toEqual({ points, copies: 1, coarser: 0, unclear: null });
    expect(spans).toHaveLength(120);
    expect(spans.reduce((sum, { total }) => sum + total, 0)).toBe(343_843);
    expect(spans.filter(({ total }) => total > 0)).toHaveLength(31);
    expect(spans.find(({ total }) => total > 0)!.total).toBe(1_883);
    expect(spans.findLast(({ total }) => total > 0)!.total).toBe(4_771);
  });

  it("both files hold the same requests: counted once", async () => {
    const at = Date.UTC(2026, 5, 28, 23, 22) - Date.UTC(2026, 8, 10, 6);
    const rows = [at, at + 40 * MINUTE].map((start, i) => ({ at: start, ms: 1, id: `${i}` }));
    const result = await reconciled({ rows, paths: [REPLICA, STATUS] });
    expect(result.metric).toMatchObject({ points: 1560, copies: 2, total: 343_843 });
    // 23:22 to 00:03: the whole load.
    expect(result.total).toMatchObject({ rows: 2, weighted: 2, ingress: 343_843 });
    expect(result.hours.map(({ ingress: count }) => count)).toEqual([343_843, 0]);
    expect(result.hours[1]!.ratio).toBeNull();
    expect(result.verdict).toBe("outside");
  });
});

describe("the comparison", () => {
  it("takes weighted rows and the metric over the same intervals, by hour and in total", async () => {
    const rows = traffic(90, 20);
    const result = await reconciled({ rows, metrics: ingress(90, 20) });
    expect(result).toMatchObject({ verdict: "within", reasons: [], periods: [] });
    expect(result.total).toMatchObject({
      rows: 1800,
      weighted: 1800,
      ingress: 1800,
      ratio: 1,
      isWithin: true,
    });
    expect(result.total!.ratioCi95).toEqual([1, 1]);
    expect(result.hours.map(({ weighted, ingress: count, ratio }) => [weighted, count, ratio])).toEqual([
      [1200, 1200, 1],
      [600, 600, 1],
    ]);
  });

  it("undoes sampling, and tells its error", async () => {
    const { total, verdict } = await reconciled({ rows: traffic(10, 40, 8), metrics: ingress(10, 40) });
    // 0.26 is more than four times 5 %: agreement is not shown, and with 7 % it is.
    expect(verdict).toBe("unknown");
    const wider = await reconciled({ rows: traffic(10, 40, 8), metrics: ingress(10, 40), tolerance: 0.07 });
    expect(wider).toMatchObject({ verdict: "within", isBlurred: false });
    expect(total).toMatchObject({ rows: 50, weighted: 400, ratio: 1 });
    // Horvitz–Thompson: 50 rows of 8·7 are a variance of 2,800; 1.96·√2800 / 400 = 0.2593.
    expect(total!.ratioCi95[0]).toBeCloseTo(1 - 0.25928, 4);
    expect(total!.ratioCi95[1]).toBeCloseTo(1 + 0.25928, 4);
  });

  it("counts probes apart, and synthetic callers in", async () => {
    const rows: RequestSpec[] = [
      { at: 1000, ms: 1 },
      { at: 2000, ms: 1, synthetic: "availability" },
      { at: 3000, ms: 1, name: "GET /healthz" },
      { at: 4000, ms: 1, name: "Orders process", resultCode: "0" },
    ];
    const { total } = await reconciled({ rows, metrics: [[0, 2]] });
    expect(total).toMatchObject({
      rows: 2,
      users: 1,
      weighted: 2,
      withProbes: 3,
      ratio: 1,
      ratioWithProbes: 1.5,
    });
  });

  it("is on the edge of the tolerance still within", async () => {
    const rows = traffic(1, 95);
    expect((await reconciled({ rows, metrics: [[0, 100]] })).verdict).toBe("within");
    expect((await reconciled({ rows, metrics: [[0, 100]], tolerance: 0.0499 })).verdict).toBe("outside");
    expect((await reconciled({ rows: traffic(1, 105), metrics: [[0, 100]] })).verdict).toBe("within");
    expect((await reconciled({ rows: traffic(1, 106), metrics: [[0, 100]] })).verdict).toBe("outside");
  });

  it("leaves out where only one of them is, and says how much", async () => {
    // Rows from 06:10 to 06:30, metric from 06:00 to 06:20: ten minutes in common.
    const result = await reconciled({ rows: traffic(20, 10, 1, 10 * MINUTE), metrics: ingress(20, 10) });
    expect(result.total).toMatchObject({ weighted: 100, ingress: 100 });
    expect(result.metric).toMatchObject({ total: 200, beforeRows: 100, afterRows: 0 });
    expect(result.uncompared).toEqual({
      rows: 100,
      weighted: 100,
      weightedShare: 0.5,
      ingress: 100,
      ingressShare: 0.5,
      isTooMuch: true,
    });
    expect(result).toMatchObject({ verdict: "unknown", intervals: 10 });
  });

  it("takes a hole of the metric for unknown, not for 0", async () => {
    const metrics = ingress(10, 10).map(([at, total], i) => [at, i === 4 ? null : total] as const);
    const { total, verdict } = await reconciled({ rows: traffic(10, 10), metrics });
    expect(total).toMatchObject({ weighted: 90, ingress: 90 });
    expect(verdict).toBe("within");
  });

  it("leaves up to a fifth of one side aside, and not more", async () => {
    // Ten minutes of rows; the metric lacks the last two, then three.
    const rows = traffic(10, 10);
    const two = await reconciled({ rows, metrics: ingress(8, 10) });
    expect(two).toMatchObject({ verdict: "within", uncompared: { rows: 20, weightedShare: 0.2 } });
    const three = await reconciled({ rows, metrics: ingress(7, 10) });
    expect(three).toMatchObject({ verdict: "unknown", uncompared: { rows: 30, isTooMuch: true } });
  });

  it("trusts a window's bounds: silence inside them is missing rows", async () => {
    const metrics = ingress(240, 10);
    const rows = traffic(120, 10);
    const open = await reconciled({ rows, metrics });
    // Half of what the ingress counted has nothing to be compared with.
    expect(open).toMatchObject({
      verdict: "unknown",
      total: { ratio: 1, isWithin: true },
      metric: { afterRows: 1200 },
      uncompared: { rows: 0, ingress: 1200, ingressShare: 0.5, isTooMuch: true },
    });
    const closed = await reconciled({ rows, metrics, flags: { from: instant(0), to: instant(4 * HOUR) } });
    expect(closed).toMatchObject({ verdict: "outside", total: { ratio: 0.5 } });
  });

  it("judges each window of a split", async () => {
    const rows = [...traffic(30, 12), ...traffic(30, 8, 1, 30 * MINUTE)];
    const flags = { deployedAt: instant(30 * MINUTE) };
    const result = await reconciled({ rows, metrics: ingress(60, 10), flags });
    expect(result.total!.ratio).toBe(1);
    expect(result.periods.map(({ name, ratio }) => [name, ratio])).toEqual([
      ["before", 1.2],
      ["after", 0.8],
    ]);
    expect(result.verdict).toBe("outside");
    expect(result.hours.map(({ window, ratio }) => [window, ratio])).toEqual([
      ["before", 1.2],
      ["after", 0.8],
    ]);
  });

  it("cannot tell without rows, without a metric, without a common time, or where the metric is 0", async () => {
    const rows = traffic(5, 10);
    expect((await reconciled({ rows })).verdict).toBe("unknown");
    expect((await reconciled({ metrics: ingress(5, 10) })).verdict).toBe("unknown");
    expect(await reconciled({ rows, metrics: ingress(5, 10, 5 * HOUR) })).toMatchObject({
      verdict: "unknown",
      total: null,
    });
    expect(await reconciled({ rows, metrics: ingress(5, 0) })).toMatchObject({
      verdict: "unknown",
      total: { ratio: null, weighted: 50 },
    });
  });

  it("takes the finest interval where files have several", async () => {
    const hour = metricsAnswer([[0, 600]], "PT1H");
    const result = await reconciled({
      rows: traffic(60, 10),
      metrics: ingress(60, 10),
      extra: { "hour.json": hour },
    });
    expect(result).toMatchObject({ verdict: "within", metric: { coarser: 1, intervalMinutes: 1 } });
  });

  it("gives rows to an interval that does not begin with the hour", async () => {
    const metrics = metricsAnswer([[-35 * MINUTE, 100]], "PT1H");
    const { total, hours } = await reconciled({ rows: traffic(20, 5), extra: { "m.json": metrics } });
    expect(total).toMatchObject({ weighted: 100, ingress: 100 });
    expect(hours).toHaveLength(1);
  });
});

describe("the reasons", () => {
  it("sampling that the rows do not tell of", async () => {
    const rows = traffic(60, 40, 8).map((row) => ({ ...row, itemCount: 1 }));
    const result = await reconciled({ rows, metrics: ingress(60, 40) });
    expect(result.total!.ratio).toBe(0.125);
    expect(reason(result, "sampling-not-undone")).toMatchObject({ ratio: 1, explains: true });
    expect(reason(result, "sampling-not-undone").detail).toMatch(/one request in 8/);
    expect(result.reasons[0]!.id).toBe("sampling-not-undone");
  });

  it("is no such sampling where rows are missing only half of the time", async () => {
    const rows = [...traffic(30, 40), ...traffic(30, 2, 1, 30 * MINUTE)];
    const result = await reconciled({ rows, metrics: ingress(60, 42) });
    expect(reason(result, "sampling-not-undone")).toMatchObject({ explains: false });
  });

  it("weights that count twice", async () => {
    const rows = traffic(60, 40).map((row) => ({ ...row, itemCount: 8 }));
    const result = await reconciled({ rows, metrics: ingress(60, 40) });
    expect(result.total!.ratio).toBe(8);
    expect(idsThatExplain(result)).toEqual(["weights-too-high"]);
  });

  it("the chance of the sampling", async () => {
    const result = await reconciled({ rows: traffic(1, 32, 8), metrics: [[0, 40]] });
    expect(result.total).toMatchObject({ ratio: 0.8 });
    expect(reason(result, "sampling-error")).toMatchObject({ ratio: 1, explains: true });
  });

  it.each([
    ["probes", { name: "GET /healthz" }, 1],
    ["consumers", { name: "Orders process", resultCode: "0" }, 1],
    ["other-rows", { name: "Nightly", resultCode: "0", url: "" }, 1],
    ["upgrades", { resultCode: "101" }, 1],
    ["synthetic", { synthetic: "availability" }, -1],
    ["no-instance", { instance: "" }, -1],
  ] as const)("%s", async (id, difference, sign) => {
    const rows = [
      ...traffic(10, 20),
      ...traffic(10, 10, 1, 0, 7).map((row) => ({ ...row, ...difference, id: `x${row.id}` })),
    ];
    const result = await reconciled({ rows, metrics: ingress(10, sign === 1 ? 30 : 20) });
    expect(result.total!.ratio).toBeCloseTo(sign === 1 ? 2 / 3 : 1.5, 9);
    expect(idsThatExplain(result)).toContain(id);
    expect(reason(result, id).ratio).toBe(1);
  });

  it("duplicates, with an id and without", async () => {
    const rows = traffic(10, 20).map((row, i) => ({ ...row, operation: `op${i}` }));
    const repeated = await reconciled({ rows: [...rows, ...rows], metrics: ingress(10, 40) });
    // 200 of 400 rows are duplicates and left out; if they were not, the ratio would be 1.
    expect(repeated.total!.ratio).toBe(0.5);
    expect(reason(repeated, "duplicates")).toMatchObject({ ratio: 1, explains: true });
    const nameless = rows.map((row) => ({ ...row, id: "" }));
    const twice = await reconciled({ rows: [...nameless, ...nameless], metrics: ingress(10, 20) });
    expect(twice.total!.ratio).toBe(2);
    expect(reason(twice, "duplicates-without-id")).toMatchObject({ ratio: 1, explains: true });
  });

  it("several roles, and revisions", async () => {
    const worker = traffic(10, 30, 1, 0, 5).map((row) => ({ ...row, role: "worker", id: `w${row.id}` }));
    const rows = [...traffic(10, 20), ...worker];
    const mixed = await reconciled({ rows, metrics: ingress(10, 20) });
    const roles = mixed.reasons.filter(({ id }) => id === "roles");
    expect(roles.map(({ tried, ratio, explains }) => [tried, ratio, explains])).toEqual([
      ['only "app" counts', 1, true],
      ['only "worker" counts', 1.5, false],
    ]);
    const chosen = await reconciled({ rows, metrics: ingress(10, 50), flags: { role: "app" } });
    expect(chosen.total!.ratio).toBe(0.4);
    expect(reason(chosen, "roles")).toMatchObject({ tried: "all roles count", ratio: 1, explains: true });
    const revisions = rows.map((row) => ({
      ...row,
      role: "app",
      instance: `app--${row.role ?? "main"}-5f6d8c7b9-aaaaa`,
    }));
    const asked = await reconciled({
      rows: revisions,
      metrics: ingress(10, 50),
      flags: { revision: "app--main" },
    });
    expect(reason(asked, "revisions")).toMatchObject({ ratio: 1, explains: true });
  });

  it("late data at the end", async () => {
    const rows = [...traffic(45, 20), ...traffic(15, 1, 1, 45 * MINUTE)];
    const result = await reconciled({ rows, metrics: ingress(60, 20) });
    expect(result.total!.ratio).toBeCloseTo(0.7625, 9);
    expect(reason(result, "late-data")).toMatchObject({ ratio: 1, explains: true });
    expect(reason(result, "daily-cap")).toMatchObject({ ratio: null });
  });

  it("a daily cap: from an hour on nothing, then all again", async () => {
    const rows = [...traffic(120, 10), ...traffic(60, 10, 1, 5 * HOUR)];
    const result = await reconciled({ rows, metrics: ingress(360, 10) });
    expect(result.total!.ratio).toBe(0.5);
    expect(idsThatExplain(result)).toEqual(["daily-cap"]);
    expect(reason(result, "daily-cap").detail).toMatch(
      /from 2026-09-10T08:00:00Z to 2026-09-10T11:00:00Z, while the ingress counted 1,800/,
    );
  });

  it("no cap where another role's rows go on, or so few are expected that chance leaves none", async () => {
    const other = traffic(240, 1, 1, 0, 9).map((row) => ({ ...row, role: "worker", id: `w${row.id}` }));
    const rows = [...traffic(60, 10), ...other];
    const lively = await reconciled({ rows, metrics: ingress(240, 10), flags: { role: "app" } });
    expect(reason(lively, "daily-cap").ratio).toBeNull();
    const few = ingress(240, 0).map(([at], i) => [at, i < 60 ? 12 : i % 30 === 0 ? 1 : 0] as const);
    const bounds = { from: instant(0), to: instant(4 * HOUR) };
    const quiet = await reconciled({ rows: traffic(60, 10), metrics: few, flags: bounds });
    expect(reason(quiet, "daily-cap").ratio).toBeNull();
  });

  it("an export that begins and ends within an interval", async () => {
    const cut = traffic(3, 100).filter(({ at }) => at >= 50_000 && at < 2 * MINUTE + 10_000);
    const result = await reconciled({ rows: cut, metrics: ingress(3, 100) });
    expect(result.verdict).toBe("outside");
    expect(reason(result, "edges")).toMatchObject({ ratio: 1, explains: true });
  });

  it("two metrics files that were added up", async () => {
    const extra = Object.fromEntries(
      ["rev1", "rev2"].map((revisionname) => [
        `${revisionname}.json`,
        metricsAnswer(ingress(10, 20), "PT1M", { labels: { revisionname } }),
      ]),
    );
    const result = await reconciled({ rows: traffic(10, 20), extra });
    expect(result.total!.ratio).toBe(0.5);
    expect(result.metric.copies).toBe(1);
    expect(reason(result, "metric-twice")).toMatchObject({ explains: true });
  });

  it("are not tested where all is well, and each says so where it has nothing to try", async () => {
    const result = await reconciled({ rows: traffic(1, 20), metrics: [[0, 40]] });
    for (const { ratio, detail, tried } of result.reasons) {
      expect(detail).not.toBe("");
      expect(tried).not.toBe("");
      expect(ratio === null || Number.isFinite(ratio)).toBe(true);
    }
    expect(result.reasons.map(({ id }) => id).sort()).toEqual([
      "consumers",
      "daily-cap",
      "duplicates",
      "duplicates-without-id",
      "edges",
      "late-data",
      "metric-twice",
      "no-instance",
      "not-covered",
      "other-rows",
      "probes",
      "revisions",
      "roles",
      "sampling-error",
      "sampling-not-undone",
      "synthetic",
      "upgrades",
      "weights-too-high",
    ]);
  });
});

describe("the corpus", () => {
  const from = (text: string): number => Date.parse(text) - Date.UTC(2026, 8, 10, 6);

  it("90: weighted users agree; unweighted, with probes or with consumers they do not", async () => {
    // By hand: POST rows 1 + 6·8 = 49; probes 10·8 = 80; consumers 2·8 = 16; 145 in all.
    const metrics = [[from("2026-09-10T06:00:00Z"), 49]] as const;
    const paths = [fixture("90-requests-sampled-probes-consumers.csv")];
    const result = await reconciled({ metrics, paths });
    expect(result.total).toMatchObject({ rows: 7, weighted: 49, withProbes: 129, ratio: 1 });
    expect(result.contents).toMatchObject({ rows: 19, weighted: 145 });
    expect(result.contents.classes).toEqual([
      { class: "probe", rows: 10, weighted: 80 },
      { class: "user", rows: 7, weighted: 49 },
      { class: "consumer", rows: 2, weighted: 16 },
    ]);
    expect(result.contents.names.map(({ name, rows }) => [name, rows])).toEqual([
      ["GET /health/live", 10],
      ["POST /api/quotes/", 7],
      ["QuoteEventProcessor.ProcessMessage", 2],
    ]);
    expect(result.contents.resultCodes).toContainEqual({
      class: "consumer",
      resultCode: "0",
      rows: 2,
      weighted: 16,
    });
    const all = await reconciled({ metrics: [[from("2026-09-10T06:00:00Z"), 129]], paths });
    expect(idsThatExplain(all)).toContain("probes");
  });

  it("38: the rate counts where the item count is stuck at 1", async () => {
    // 1 + 100/24.87·2 + 4 + 100/33.33 + 1 = 17.04, where the item counts add up to 9.
    const metrics = [[from("2026-05-08T09:00:00Z"), 17]] as const;
    const { total, verdict } = await reconciled({
      metrics,
      paths: [fixture("38-rows-itemcount-1-with-sample-rate.json")],
    });
    expect(total!.weighted).toBeCloseTo(17.042, 3);
    // Seven rows, some of which stand for four: the sampling error is far wider than the tolerance.
    expect(total!.isWithin).toBe(true);
    expect(verdict).toBe("unknown");
  });

  it("104: an export that stopped at 30,000 rows reconciles up to there only", async () => {
    const at = Date.UTC(2026, 8, 10, 6);
    const lines = Array.from(
      { length: 30_000 },
      (_, i) => `${new Date(at + i).toISOString()},GET /,10,True,200,1,i-${i % 3}`,
    );
    const csv = `timestamp,name,duration,success,resultCode,itemCount,cloud_RoleInstance\n${lines.join("\n")}\n`;
    const metrics = [
      [0, 60_000],
      [MINUTE, 60_000],
    ] as const;
    const result = await reconciled({ metrics, extra: { "requests.csv": csv } });
    // The rows break off in the middle of the first minute, and the second one is not covered.
    expect(result.total).toMatchObject({ rows: 30_000, ingress: 60_000, ratio: 0.5 });
    expect(result.metric.afterRows).toBe(60_000);
    expect(result).toMatchObject({ verdict: "unknown", uncompared: { ingressShare: 0.5 } });
  });
});
