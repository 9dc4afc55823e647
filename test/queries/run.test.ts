import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type QueryScope, valuesOf } from "../../src/cli/pull-queries.ts";
import { bindQuery, countByHour } from "../../src/sources/azure/query-file.ts";
import { parseInstant } from "../../src/telemetry/time.ts";
import { describeWithEngine, KqlEngine } from "../azure/engine.ts";
import { ROOT } from "../cli/world.ts";
import * as sample from "./sample-rows.ts";
import { APP_METRICS, CLASSIC, SYSTEM_LOGS, SYSTEM_LOGS_CL_FORMS, WORKSPACE } from "./schemas.ts";
import { loadTable, type Row, workspaceRows } from "./tables.ts";

const SCOPE: QueryScope = { roles: [], app: "", keepQuery: false, warmedMessage: "Warm-up finished" };
const SLICE = { from: parseInstant(sample.SINCE)!.ticks, to: parseInstant(sample.UPTO)!.ticks };
/** Ticks since 2020 of the window's begin, and of the last microsecond before its end. */
const FIRST = 2_121_408_000_000_000;
const LAST = 2_121_443_999_999_990;
const BAGS = ["dimensions", "measurements", "examples"];

const QUOTES = { cloud_RoleName: "quotes", cloud_RoleInstance: "quotes--a1-5d5f-x" };
const ORDERS = { cloud_RoleName: "orders", cloud_RoleInstance: "" };
const NO_MORE = { source: "", synthetic: "", sdkVersion: "", application_Version: "" };
const NO_KEYS = { "_MS.links": "", "rpc.": "", "messaging.": "" };

const REQUESTS = [
  {
    ...QUOTES,
    ticks: FIRST,
    duration: 1234.5678,
    id: "r1",
    operation_Id: "op1",
    name: "GET /quotes",
    url: "https://quotes.example/quotes/7",
    success: "True",
    resultCode: "200",
    itemCount: 8,
    dimensions: {
      "microsoft.sample_rate": "12.5",
      HttpMethod: "GET",
      Category: "Host.Results",
      ...NO_KEYS,
      "_MS.links": "1",
    },
    measurements: { timeSinceEnqueued: 15 },
    source: "cid-v1:other",
    synthetic: "bot",
    sdkVersion: "dotnet:1",
    application_Version: "quotes--a1",
  },
  {
    ...QUOTES,
    ...NO_MORE,
    ticks: 2_121_415_541_234_560,
    duration: 0.1,
    id: "r2",
    operation_Id: "op2",
    name: "POST /quotes/{id?}",
    url: "https://quotes.example/quotes",
    success: "False",
    resultCode: "503",
    itemCount: 1,
    dimensions: { "_MS.sampleRate": "25", ...NO_KEYS, "rpc.": "1" },
    measurements: {},
  },
  {
    ...ORDERS,
    ...NO_MORE,
    ticks: LAST,
    duration: 17,
    id: "",
    operation_Id: "op3",
    name: "orders process",
    url: "",
    success: "True",
    resultCode: "0",
    itemCount: 3,
    dimensions: { ...NO_KEYS, "messaging.": "1" },
    measurements: {},
  },
];

const DEPENDENCIES = [
  {
    ...QUOTES,
    ticks: FIRST,
    duration: 2.25,
    operation_Id: "op1",
    operation_ParentId: "parent-1",
    name: "SQL: quotes",
    target: "sql.example | quotes",
    type: "SQL",
    itemCount: 4,
    dimensions: { sampleRate: "25" },
  },
  {
    ...ORDERS,
    ticks: LAST,
    duration: 3,
    operation_Id: "op3",
    operation_ParentId: "",
    name: "GET /rates",
    target: "api.example",
    type: "HTTP",
    itemCount: 1,
    dimensions: {},
  },
];

const TRACES = [
  {
    ...QUOTES,
    ticks: FIRST,
    message: "auto-Warm-up FINISHED_after 812 ms",
    operation_Id: "",
    itemCount: 1,
    dimensions: { outcome: "ok", path: "/health", status: "200", ms: "812" },
  },
  {
    ...QUOTES,
    ticks: FIRST + 10,
    message: "",
    operation_Id: "op1",
    itemCount: 2,
    dimensions: { "microsoft.sample_rate": "50" },
  },
  { ...ORDERS, ticks: LAST, message: "", operation_Id: "op3", itemCount: 1, dimensions: {} },
];

const METRICS = [
  {
    ...QUOTES,
    ticks: FIRST,
    name: "http.server.request.duration",
    count: 12,
    sum: 3.0625,
    dimensions: { "http.route": "/quotes/{id}", "http.request.method": "GET" },
  },
  {
    ...ORDERS,
    ticks: LAST,
    name: "requests/duration",
    count: 5,
    sum: 1250.5,
    dimensions: { "cloud/roleInstance": "orders--b2-7c7d-y" },
  },
];

const ROLES = [
  {
    role: "quotes",
    rows: 2,
    first_ticks: FIRST,
    last_ticks: 2_121_415_541_234_560,
    instances: 1,
    examples: ["quotes--a1-5d5f-x"],
    noInstance: 0,
    noId: 0,
    counted: 1,
    rated: 2,
    ratedAlone: 1,
    contradicting: 0,
  },
  {
    role: "orders",
    rows: 1,
    first_ticks: LAST,
    last_ticks: LAST,
    instances: 0,
    examples: [""],
    noInstance: 1,
    noId: 1,
    counted: 1,
    rated: 0,
    ratedAlone: 0,
    contradicting: 0,
  },
];

const EVENTS = [
  {
    ticks: FIRST,
    own_ticks: null,
    TimeStamp: "",
    Time: "",
    Reason: "AssigningReplica",
    Log: "Replica 'quotes--a1-5d5f-x' has been scheduled to run on a node.",
    Type: "Normal",
    Count: 0,
    EventSource: "ContainerAppController",
    ContainerAppName: "quotes",
    RevisionName: "quotes--a1",
    ReplicaName: "quotes--a1-5d5f-x",
    JobName: "",
  },
  {
    ticks: LAST,
    own_ticks: null,
    TimeStamp: "",
    Time: "",
    Reason: "KEDAScalersStarted",
    Log: "KEDA is starting a watch",
    Type: "Normal",
    Count: null,
    EventSource: "KEDA",
    ContainerAppName: "orders",
    RevisionName: "",
    ReplicaName: "",
    JobName: "",
  },
];

/** An engine spells what a custom log never filled as null, Kusto as an empty text. */
const OPTIONAL_TEXTS = ["TimeStamp", "Time", "JobName"];

describeWithEngine("the queries, run", () => {
  let engine: KqlEngine;

  beforeAll(async () => {
    engine = new KqlEngine();
    const pairs = [
      ["requests", "AppRequests", sample.REQUESTS],
      ["dependencies", "AppDependencies", sample.DEPENDENCIES],
      ["traces", "AppTraces", sample.TRACES],
    ] as const;
    for (const [classic, workspace, rows] of pairs) {
      await loadTable(engine, classic, CLASSIC[classic]!, rows);
      await loadTable(engine, workspace, WORKSPACE[workspace]!, workspaceRows(rows));
    }
    await loadTable(engine, "customMetrics", CLASSIC.customMetrics!, sample.METRICS);
    await loadAppMetrics("Sum");
  });
  afterAll(() => engine.close());

  const loadAppMetrics = (spelling: string): Promise<void> => {
    const names = { valueSum: spelling, valueCount: spelling === "Sum" ? "ItemCount" : "ValueCount" };
    const rows = sample.METRICS.map(({ valueSum, valueCount, ...row }) => ({
      ...workspaceRows([row])[0]!,
      [names.valueSum]: valueSum,
      [names.valueCount]: valueCount,
    }));
    return loadTable(engine, "AppMetrics", APP_METRICS[spelling]!, rows);
  };
  const bound = (name: string, scope: Partial<QueryScope>): string => {
    const text = readFileSync(join(ROOT, "queries", `${name}.kql`), "utf8");
    return bindQuery(text, valuesOf(text, SLICE, { ...SCOPE, ...scope }));
  };
  /** The rows of an answer as objects; of a bag the keys that have a value. */
  const run = async (query: string): Promise<Row[]> => {
    const { columns, rows } = await engine.query(query);
    const value = (name: string, cell: unknown): unknown => {
      if (!BAGS.includes(name)) return cell;
      const bag: unknown = JSON.parse(cell as string);
      if (Array.isArray(bag)) return bag;
      return Object.fromEntries(Object.entries(bag as Row).filter(([, item]) => item !== null));
    };
    return rows.map((row) => Object.fromEntries(columns.map(({ name }, i) => [name, value(name, row[i])])));
  };
  const ask = (name: string, scope: Partial<QueryScope> = {}): Promise<Row[]> => run(bound(name, scope));

  const tables: readonly (readonly [string, readonly Row[]])[] = [
    ["requests", REQUESTS],
    ["dependencies", DEPENDENCIES],
    ["traces", TRACES],
    ["metrics", METRICS],
  ];

  describe.each(tables)("%s", (name, expected) => {
    it.each([name, `app-${name}`])("%s gives the rows of the window, digit for digit", async (query) => {
      expect(await ask(query)).toEqual(expected);
    });

    it.each([name, `app-${name}`])("%s gives the rows of the roles that are asked for", async (query) => {
      const of = (...roles: string[]) =>
        expected.filter((row) => roles.includes(row.cloud_RoleName as string));
      expect(await ask(query, { roles: ["orders"] })).toEqual(of("orders"));
      expect(await ask(query, { roles: ["orders", "quotes"] })).toEqual(expected);
      expect(await ask(query, { roles: ["Orders", "quote"] })).toEqual([]);
    });

    it.each([name, `app-${name}`])("%s is counted by the hour", async (query) => {
      expect(await run(countByHour(bound(query, {})))).toEqual([
        { hour_ticks: FIRST, rows: expected.length },
      ]);
    });
  });

  it("reads the other spelling of AppMetrics", async () => {
    await loadAppMetrics("ValueSum");
    const rows = await ask("app-metrics");
    await loadAppMetrics("Sum");
    expect(rows).toEqual(METRICS);
  });

  it.each(["doctor-requests", "app-doctor-requests"])("%s counts by the role", async (query) => {
    expect(await ask(query)).toEqual(ROLES);
    expect(await ask(query, { roles: ["orders"] })).toEqual([ROLES[1]]);
  });

  describe("what is personal", () => {
    const queries = [...tables.map(([name]) => name), "doctor-requests"].flatMap((name) => [
      name,
      `app-${name}`,
    ]);

    it.each(queries)("is in no answer of %s", async (query) => {
      const { rows } = await engine.query(bound(query, {}));
      expect(rows.length).toBeGreaterThan(0);
      expect(JSON.stringify(rows)).not.toMatch(/secret|203\.0\.113|4711/);
    });

    it.each(["requests", "app-requests"])(
      "is in %s the query string alone, where it is asked for",
      async (query) => {
        const rows = await ask(query, { keepQuery: true });
        const [first, second] = sample.REQUESTS;
        const urls = [first!.url, second!.url, ""];
        const names = [first!.name, second!.name, "orders process"];
        expect(rows).toEqual(REQUESTS.map((row, i) => ({ ...row, url: urls[i], name: names[i] })));
        expect(JSON.stringify(rows)).not.toMatch(/secret-(?!token|fragment)|203\.0\.113|4711/);
      },
    );

    it.each(["traces", "app-traces"])("is in %s no text where no word is asked for", async (query) => {
      const rows = await ask(query, { warmedMessage: "" });
      expect(rows.map(({ message }) => message)).toEqual(["", ""]);
    });
  });

  const expectEvents = async (query: string, expected: readonly Row[]): Promise<void> => {
    const rows = await ask(query);
    const filled = rows.map((row) => {
      const texts = OPTIONAL_TEXTS.map((name) => [name, row[name] ?? ""]);
      return { ...row, ...Object.fromEntries(texts) };
    });
    expect(filled).toEqual(expected);
    const quotes = await ask(query, { app: "quotes" });
    expect(quotes).toEqual(rows.filter((row) => row.ContainerAppName === "quotes"));
    expect(await ask(query, { app: "quote" })).toEqual([]);
  };

  it("gives no events and no error where a system log's table is missing", async () => {
    await engine.sql("DROP TABLE IF EXISTS ContainerAppSystemLogs_CL");
    await engine.sql("DROP TABLE IF EXISTS ContainerAppSystemLogs");
    expect(await ask("system-logs-cl")).toEqual([]);
    expect(await ask("system-logs")).toEqual([]);
  });

  it.each(Object.entries(SYSTEM_LOGS_CL_FORMS))(
    "gives the events of a custom log with %s",
    async (form, schema) => {
      const [first, ...others] = sample.SYSTEM_EVENTS_CL;
      const isFull = form === "all columns";
      const rows = [isFull ? { ...first, ...sample.OPTIONAL_CL } : first!, ...others];
      await loadTable(engine, "ContainerAppSystemLogs_CL", schema.ContainerAppSystemLogs_CL!, rows);
      const own = {
        own_ticks: FIRST - 14_999_990,
        TimeStamp: "2026-09-21 07:59:58.5000012 +0000 UTC",
        Time: "2026-09-21T07:59:58Z",
        JobName: "job",
      };
      await expectEvents("system-logs-cl", [{ ...EVENTS[0], ...(isFull ? own : {}) }, EVENTS[1]!]);
    },
  );

  it("gives the same events of the diagnostic settings' table", async () => {
    await loadTable(
      engine,
      "ContainerAppSystemLogs",
      SYSTEM_LOGS.ContainerAppSystemLogs!,
      sample.SYSTEM_EVENTS,
    );
    await expectEvents("system-logs", EVENTS);
  });
});
