import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { seededFleet } from "../../forms/random.ts";
import { iso7 } from "../../forms/times.ts";
import { describeKql, type EngineAnswer } from "./engine.ts";
import { systemLogClRows } from "./event-rows.ts";
import * as faults from "./faults.ts";
import type { IngressRow } from "./ingress.ts";
import { metricSchema, systemLogClSchema } from "./schemas.ts";
import { type QueryServer, startServer } from "./server.ts";
import { loadTables, metricRows, toMicroseconds } from "./tables.ts";

const WORKSPACE = "/v1/workspaces/00000000-0000-0000-0000-000000000001/query";
const RESOURCE = "/subscriptions/s/resourceGroups/g/providers/Microsoft.App/containerApps/a";
const INGRESS: readonly IngressRow[] = [
  { at: "2026-09-21T06:00:00Z", total: 5, statusCodeCategory: "2xx" },
  { at: "2026-09-21T06:00:00Z", total: 2, statusCodeCategory: "5xx" },
  { at: "2026-09-21T06:01:00Z", total: 7, statusCodeCategory: "2xx" },
];

interface Failure {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly innererror?: { readonly code: string };
  };
}

describeKql("the loopback query service", (engine) => {
  const fleet = toMicroseconds(seededFleet(7, { replicas: 5 }));
  const TICKS = 5_000n;
  const first = {
    ...fleet.rows[0]!,
    startTicks: 17_900_000_001_234_560n,
    instance: "first",
    durationTicks: 5_001,
  };
  const rows = [first, ...fleet.rows];
  let server: QueryServer;
  let small: QueryServer;

  beforeAll(async () => {
    const at = (n: number) => ({
      timeTicks: first.startTicks + TICKS * 2n * BigInt(n),
      role: "r",
      instance: "i",
    });
    await loadTables(engine, {
      requests: rows,
      events: fleet.events,
      dependencies: [
        {
          ...at(1),
          durationTicks: 15_000,
          name: "GET /x",
          target: "h",
          type: "Http",
          success: false,
          itemCount: 2,
        },
      ],
      traces: [{ ...at(2), message: "ready", itemCount: 1, dimensions: { "a.b": "c" } }],
      metrics: [{ ...at(3), name: "m", count: 4, sum: 2.5 }],
    });
    server = await startServer({ engine, ingress: INGRESS });
    small = await startServer({ engine, maxRows: 3 });
  });

  afterAll(async () => {
    await server.close();
    await small.close();
  });

  afterEach(() => {
    server.faults.clear();
    server.requests.length = 0;
  });

  const ask = (path: string, body?: unknown, to = server, authorization = "Bearer t") =>
    fetch(`${to.url}${path}`, {
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      headers: { authorization, "content-type": "application/json" },
    });
  const tableOf = async (response: Response): Promise<EngineAnswer> =>
    ((await response.json()) as { tables: EngineAnswer[] }).tables[0]!;
  const query = async (text: string, path = WORKSPACE) => tableOf(await ask(path, { query: text }));
  const failure = async (response: Response): Promise<Failure["error"]> =>
    ((await response.json()) as Failure).error;
  const count = { query: "requests | count" };

  it.each([WORKSPACE, "/v1/apps/a1/query", "/v1/subscriptions/s/resourceGroups/g/providers/x/y/z/query"])(
    "runs the KQL at %s",
    async (path) => {
      expect(await query("requests | count", path)).toEqual({
        name: "PrimaryResult",
        columns: [{ name: "Count", type: "long" }],
        rows: [[rows.length]],
      });
    },
  );

  it("gives the rows as they were loaded, digit for digit, in both namings", async () => {
    const classic = await query(
      "requests | where cloud_RoleInstance == 'first' | project timestamp, duration, success, customDimensions, t = tolong(timestamp - datetime(1970-01-01))",
    );
    const workspace = await query(
      "AppRequests | where AppRoleInstance == 'first' | project TimeGenerated, DurationMs, Success, Properties, ItemCount",
    );
    const dimensions = classic.rows[0]![3] as string | null;
    expect(classic.columns.map(({ type }) => type)).toEqual([
      "datetime",
      "real",
      "string",
      "dynamic",
      "long",
    ]);
    expect(workspace.columns.map(({ type }) => type)).toEqual(["datetime", "real", "bool", "dynamic", "int"]);
    const text = first.success ? "True" : "False";
    expect(classic.rows).toEqual([
      [iso7(first.startTicks), 0.5001, text, dimensions, Number(first.startTicks)],
    ]);
    expect(workspace.rows).toEqual([
      [iso7(first.startTicks), 0.5001, first.success, dimensions, first.itemCount],
    ]);
  });

  it("holds every other table in both namings", async () => {
    const time = (n: bigint) => iso7(first.startTicks + TICKS * 2n * n);
    expect(
      (await query("dependencies | project timestamp, duration, success, type, itemCount")).rows,
    ).toEqual([[time(1n), 1.5, "False", "Http", 2]]);
    expect((await query("AppDependencies | project DurationMs, Success, DependencyType")).rows).toEqual([
      [1.5, false, "Http"],
    ]);
    expect(
      (await query("traces | project timestamp, message, tostring(customDimensions['a.b'])")).rows,
    ).toEqual([[time(2n), "ready", "c"]]);
    expect((await query("AppTraces | project Message, Properties")).rows).toEqual([["ready", '{"a.b":"c"}']]);
    expect((await query("customMetrics | project timestamp, valueCount, valueSum")).rows).toEqual([
      [time(3n), 4, 2.5],
    ]);
    expect((await query("AppMetrics | project ItemCount, Sum")).rows).toEqual([[4, 2.5]]);
    const events = fleet.events.length;
    expect((await query("ContainerAppSystemLogs_CL | where time_t < TimeGenerated | count")).rows).toEqual([
      [events],
    ]);
    expect((await query("ContainerAppSystemLogs | where isnotempty(Reason) | count")).rows).toEqual([
      [events],
    ]);
  });

  it("writes values as the service does", async () => {
    const text =
      "print a = real(nan), b = 1.5s, c = datetime(null), d = dynamic({'k':[1]}), e = 9007199254740991, f = true";
    const { columns, rows: values } = await query(text);
    expect(columns.map(({ type }) => type)).toEqual([
      "real",
      "timespan",
      "datetime",
      "dynamic",
      "long",
      "bool",
    ]);
    expect(values).toEqual([["NaN", "00:00:01.5000000", null, '{"k":[1]}', 9007199254740991, true]]);
    const sorted = await query("range i from 1 to 100000 step 1 | sort by i desc");
    expect(sorted.rows.every(([i], at) => i === 100_000 - at)).toBe(true);
  });

  it("cuts an answer that has too many rows", async () => {
    const answer = (await (await ask(WORKSPACE, { query: "range i from 1 to 4 step 1" }, small)).json()) as {
      tables: EngineAnswer[];
      error: Failure["error"] & {
        details: { code: string; innererror: { code: string; message: string } }[];
      };
    };
    expect(answer.tables[0]!.rows).toEqual([[1], [2], [3]]);
    expect(answer.error.code).toBe("PartialError");
    expect(answer.error.details[0]).toMatchObject({
      code: "EngineError",
      innererror: { code: "-2133196797" },
    });
    const whole = (await (
      await ask(WORKSPACE, { query: "range i from 1 to 3 step 1" }, small)
    ).json()) as object;
    expect(whole).not.toHaveProperty("error");
  });

  it("says what is wrong with a query", async () => {
    const wrong = async (body: unknown) => {
      const response = await ask(WORKSPACE, body);
      const { code, innererror } = await failure(response);
      return [response.status, code, innererror?.code];
    };
    expect(await wrong({ query: "requests | where (" })).toEqual([400, "BadArgumentError", "SyntaxError"]);
    expect(await wrong({ query: "requests | where nope == 1" })).toEqual([
      400,
      "BadArgumentError",
      "SemanticError",
    ]);
    expect(await wrong({ query: "nothere | count" })).toEqual([400, "BadArgumentError", "SemanticError"]);
    const bad = [400, "BadArgumentError", "BadArgumentError"];
    expect(await wrong({})).toEqual(bad);
    expect(await wrong({ ...count, workspaces: "w" })).toEqual(bad);
    for (const timespan of ["P", "yesterday", "2026-09-02/2026-09-01", "P1D/P1D", 3]) {
      expect(await wrong({ ...count, timespan })).toEqual(bad);
    }
    for (const timespan of [
      "P1D",
      "PT12H",
      "2026-09-01T00:00:00.000Z/2026-09-02T00:00:00Z",
      "2026-09-01/P1D",
    ]) {
      expect((await ask(WORKSPACE, { ...count, timespan, workspaces: [] })).status).toBe(200);
    }
  });

  it("knows nobody without a token, and no other path", async () => {
    for (const path of [WORKSPACE, `${RESOURCE}/providers/Microsoft.Insights/metrics`, "/v2/rest/query"]) {
      const response = await ask(path, path.endsWith("metrics") ? undefined : count, server, "");
      expect(response.status).toBe(401);
      expect((await failure(response)).code).toMatch(/^Auth/);
    }
    for (const path of ["/v1//subscriptions/s/g/query", "/workspaces/w/query", "/v1/workspaces/query"]) {
      const response = await ask(path, count);
      expect([response.status, (await failure(response)).code]).toEqual([404, "PathNotFoundError"]);
    }
    expect((await ask(WORKSPACE)).status).toBe(404);
  });

  it("speaks both versions of a cluster's protocol", async () => {
    const metadata = await ask("/v1/rest/auth/metadata", undefined, server, "");
    expect(await metadata.json()).toMatchObject({ AzureAD: { LoginMfaRequired: false } });
    const csl = "print a = dynamic({'k':1}), b = 2";
    const frames = (await (await ask("/v2/rest/query", { db: "d", csl })).json()) as Record<
      string,
      unknown
    >[];
    expect(frames.map(({ FrameType }) => FrameType)).toEqual([
      "DataSetHeader",
      "DataTable",
      "DataSetCompletion",
    ]);
    expect(frames[1]).toMatchObject({ TableKind: "PrimaryResult", Rows: [[{ k: 1 }, 2]] });
    expect(frames[2]).toMatchObject({ HasErrors: false });
    const { Tables } = (await (await ask("/v1/rest/query", { db: "d", csl })).json()) as { Tables: object[] };
    expect(Tables[0]).toMatchObject({
      Columns: [
        { ColumnName: "a", DataType: "Object", ColumnType: "dynamic" },
        { ColumnName: "b", DataType: "Int64", ColumnType: "long" },
      ],
      Rows: [['{"k":1}', 2]],
    });
    const many = { db: "d", csl: "range i from 1 to 4 step 1" };
    const cut = (await (await ask("/v2/rest/query", many, small)).json()) as {
      Rows: unknown[];
      HasErrors: boolean;
    }[];
    expect(cut[1]!.Rows.filter(Array.isArray)).toHaveLength(3);
    expect(cut[1]!.Rows.at(-1)).toHaveProperty("OneApiErrors");
    expect(cut[2]!.HasErrors).toBe(true);
    expect(JSON.stringify(cut[2])).toContain("E_QUERY_RESULT_SET_TOO_LARGE");
    const old = (await (await ask("/v1/rest/query", many, small)).json()) as { Exceptions: string[] };
    expect(old.Exceptions[0]).toContain("E_QUERY_RESULT_SET_TOO_LARGE");
    const bad = await ask("/v2/rest/query", { db: "d", csl: "requests | where (" });
    expect([bad.status, (await failure(bad)).code]).toEqual([400, "General_BadRequest"]);
    expect((await ask("/v2/rest/query", { csl })).status).toBe(400);
  });

  const seriesOf = (value: unknown): unknown =>
    (value as { value: { timeseries: unknown }[] }).value[0]!.timeseries;
  const data = (...totals: (readonly [minute: string, total: number])[]) =>
    totals.map(([minute, total]) => ({ timeStamp: `2026-09-21T06:${minute}:00.000Z`, total }));

  it("gives the ingress metric of a resource, split where it is asked to", async () => {
    const timespan = "2026-09-21T06:00:00Z/2026-09-21T06:02:00Z";
    const metrics = (more: Record<string, string>) => {
      const asked = { timespan, metricnames: "Requests", aggregation: "Total", interval: "PT1M", ...more };
      return ask(`${RESOURCE}/providers/Microsoft.Insights/metrics?${new URLSearchParams(asked)}`);
    };
    const plain = await (await metrics({})).json();
    expect(seriesOf(plain)).toEqual([{ metadatavalues: [], data: data(["00", 7], ["01", 7]) }]);
    const hourly = await (await metrics({ interval: "PT1H" })).json();
    expect(seriesOf(hourly)).toEqual([{ metadatavalues: [], data: data(["00", 14]) }]);
    const split = await (await metrics({ $filter: "statusCodeCategory eq '*'" })).json();
    expect(seriesOf(split)).toMatchObject([
      { metadatavalues: [{ value: "2xx" }], data: data(["00", 5], ["01", 7]) },
      { metadatavalues: [{ value: "5xx" }], data: data(["00", 2]) },
    ]);
    const one = await (await metrics({ $filter: "statusCodeCategory eq '5xx'" })).json();
    expect(seriesOf(one)).toMatchObject([{ data: data(["00", 2]) }]);
    const early = await (await metrics({ timespan: "2026-09-21T06:00:00Z/2026-09-21T06:01:00Z" })).json();
    expect(seriesOf(early)).toEqual([{ metadatavalues: [], data: data(["00", 7]) }]);
    for (const wrong of [
      { metricnames: "Nope" },
      { timespan: "P1D" },
      { interval: "PT7M" },
      { $filter: "x" },
    ]) {
      expect((await metrics(wrong)).status).toBe(400);
    }
  });

  it("gives the same to the regional metrics service", async () => {
    const asked = new URLSearchParams({
      starttime: "2026-09-21T06:00:00Z",
      endtime: "2026-09-21T06:02:00Z",
      interval: "PT1M",
      metricnames: "Requests",
      aggregation: "total",
    });
    const response = await ask(`/subscriptions/s/metrics:getBatch?${asked}`, { resourceids: [RESOURCE] });
    const { values } = (await response.json()) as { values: { resourceid: string }[] };
    expect(values[0]!.resourceid).toBe(RESOURCE);
    expect(seriesOf(values[0])).toEqual([{ metadatavalues: [], data: data(["00", 7], ["01", 7]) }]);
    expect((await ask(`/subscriptions/s/metrics:getBatch?${asked}`, {})).status).toBe(400);
  });

  it.each([
    ["429", faults.throttled(7), 429, "ThrottledError"],
    ["403", faults.insufficientAccess(), 403, "InsufficientAccessError"],
    ["404 of a path", faults.pathNotFound(), 404, "PathNotFoundError"],
    ["404 of a resource", faults.resourceNotFound(), 404, "ResourceNotFoundError"],
    ["504", faults.gatewayTimeout(), 504, "GatewayTimeout"],
    ["500", faults.serverError(), 500, "InternalServerError"],
    ["401 of an expired token", faults.expiredToken(), 401, "InvalidTokenError"],
  ])("fails once with %s, and then answers", async (_, fault, status, code) => {
    server.faults.next(fault);
    const response = await ask(WORKSPACE, count);
    expect([response.status, (await failure(response)).code]).toEqual([status, code]);
    expect(response.headers.get("retry-after")).toBe(status === 429 ? "7" : null);
    expect((await ask(WORKSPACE, count)).status).toBe(200);
    expect(server.requests.map((entry) => entry.status)).toEqual([status, 200]);
  });

  it("fails by where a request goes, so many times", async () => {
    server.faults.when(({ query: text }) => text?.includes("traces") === true, faults.serverError(), 2);
    const asked = ["traces", "requests | count", "traces", "traces"];
    for (const text of asked) await ask(WORKSPACE, { query: text });
    expect(server.requests.map(({ status }) => status)).toEqual([500, 200, 500, 200]);
    server.faults.when(() => true, faults.serverError());
    server.faults.next(null, faults.gatewayTimeout());
    for (const text of asked.slice(0, 3)) await ask(WORKSPACE, { query: text });
    expect(server.requests.slice(4).map(({ status }) => status)).toEqual([200, 504, 500]);
  });

  it("breaks connections and bodies", async () => {
    server.faults.next({ kind: "drop" }, { kind: "truncate", share: 0.5 });
    await expect(ask(WORKSPACE, count)).rejects.toThrow("fetch failed");
    const broken = await ask(WORKSPACE, count);
    expect(Number(broken.headers.get("content-length"))).toBeGreaterThan(50);
    await expect(broken.text()).rejects.toThrow("terminated");
    expect(server.requests.map(({ status }) => status)).toEqual([null, 200]);
  });

  it("answers slowly, and the whole of it", async () => {
    const whole = await (await ask(WORKSPACE, count)).text();
    server.faults.next({ kind: "slow", bytes: 10, everyMs: 5 });
    const began = performance.now();
    const response = await ask(WORKSPACE, count);
    expect(await response.text()).toBe(whole);
    expect(performance.now() - began).toBeGreaterThan((whole.length / 10 - 2) * 5);
  });

  it("answers with nothing, with a page, in part, and with NaN", async () => {
    server.faults.next(
      { kind: "no-content" },
      { kind: "html" },
      { kind: "partial", rows: 1 },
      { kind: "nan" },
    );
    const empty = await ask(WORKSPACE, count);
    expect([empty.status, await empty.text()]).toEqual([204, ""]);
    const page = await ask(WORKSPACE, count);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html"]);
    expect(await page.text()).toMatch(/^<!DOCTYPE html>/);
    const part = await (await ask(WORKSPACE, { query: "range i from 1 to 3 step 1" })).json();
    expect(part).toMatchObject({ tables: [{ rows: [[1]] }], error: { code: "PartialError" } });
    expect((await query("print a = 1.5, b = 2")).rows).toEqual([["NaN", 2]]);
  });

  it("hangs until it is closed", async () => {
    const own = await startServer({ engine });
    own.faults.next({ kind: "hang" });
    const hanging = ask(WORKSPACE, count, own).then(
      () => "answered",
      () => "closed",
    );
    await expect.poll(() => own.requests.length).toBe(1);
    const pause = new Promise<string>((resolve) => setTimeout(() => resolve("hanging"), 100));
    expect(await Promise.race([hanging, pause])).toBe("hanging");
    await own.close();
    expect(await hanging).toBe("closed");
    expect(own.requests[0]!.status).toBeNull();
  });

  it("logs when each request came and what it asked", async () => {
    await ask(WORKSPACE, count);
    await ask("/v2/rest/query", { db: "d", csl: "print 1" });
    await ask("/v1/rest/auth/metadata");
    const { requests } = server;
    expect(requests.map((entry) => entry.query)).toEqual(["requests | count", "print 1", null]);
    expect(requests.map(({ path }) => path)).toEqual([WORKSPACE, "/v2/rest/query", "/v1/rest/auth/metadata"]);
    expect(requests[0]!.at).toBeLessThan(requests[1]!.at);
  });

  it("answers many at once, each with its own", async () => {
    const numbers = Array.from({ length: 20 }, (_, i) => i);
    const answers = await Promise.all(numbers.map((i) => query(`print ${i}`)));
    expect(answers.map((answer) => answer.rows[0]![0])).toEqual(numbers);
  });

  it("has the tables with other spellings, and without an event's own clocks", async () => {
    const metrics = [{ timeTicks: first.startTicks, role: "r", name: "m", count: 4, sum: 2.5 }];
    await engine.load(
      "OtherMetrics",
      metricSchema("workspace", "ValueSum"),
      metricRows(metrics, "workspace", "ValueSum"),
    );
    expect((await query("OtherMetrics | project ValueCount, ValueSum")).rows).toEqual([[4, 2.5]]);
    expect((await ask(WORKSPACE, { query: "OtherMetrics | project Sum" })).status).toBe(400);
    const clocks = { timeStamp: false, time: false };
    await engine.load("Clockless", systemLogClSchema(clocks), systemLogClRows(fleet.events, clocks));
    expect((await query("Clockless | where isnotempty(TimeGenerated) | count")).rows).toEqual([
      [fleet.events.length],
    ]);
    for (const name of ["TimeStamp_s", "time_t"]) {
      expect((await ask(WORKSPACE, { query: `Clockless | project ${name}` })).status).toBe(400);
    }
  });

  it("refuses what the engine would change, and columns that no table has", async () => {
    const schema = [["t", "datetime"]] as const;
    const fine = engine.load("fine", schema, [{ t: "2026-09-21T06:00:00.1234567Z" }]);
    await expect(fine).rejects.toThrow("digits below the microsecond");
    await expect(engine.load("fine", schema, [{ u: 1 }])).rejects.toThrow("fine has no column u");
    expect(await engine.load("fine", schema, [{ t: "2026-09-21T06:00:00.1234560Z" }])).toBe(1);
  });
});
