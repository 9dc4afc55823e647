import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { valuesOf } from "../../src/cli/pull-queries.ts";
import type { BoundValue } from "../../src/sources/azure/literal.ts";
import { bindQuery, countByHour } from "../../src/sources/azure/query-file.ts";
import type { KqlEngine } from "../azure/engine.ts";
import { APP, runAgainst, temporaryFolder, WORKSPACE as WORKSPACE_ID } from "../azure/pulled.ts";
import { AzureServer } from "../azure/server.ts";
import { ROOT } from "../cli/world.ts";
import { checkQuery, type Tables } from "./kusto.ts";
import { APP_METRICS, CLASSIC, SYSTEM_LOGS, SYSTEM_LOGS_CL_FORMS, WORKSPACE } from "./schemas.ts";

const WHO = ["cloud_RoleName: string", "cloud_RoleInstance: string"];
const EVENTS = [
  "ticks: long, own_ticks: long, TimeStamp: string, Time: string, Reason: string, Log: string, Type: string",
  "Count: real, EventSource: string, ContainerAppName: string, RevisionName: string, ReplicaName: string",
  "JobName: string",
].join(", ");
const REQUESTS = [
  "ticks: long, duration: real, id: string, operation_Id: string, name: string, url: string, success: string",
  "resultCode: string, itemCount: int, dimensions: dynamic, measurements: dynamic, source: string",
  "synthetic: string, sdkVersion: string, application_Version: string",
  ...WHO,
].join(", ");
/** Columns of each query's answer; a workspace's query (`app-…`) has those of the classic one. */
const COLUMNS: Readonly<Record<string, string>> = {
  requests: REQUESTS,
  "requests-early": REQUESTS,
  dependencies: [
    "ticks: long, duration: real, operation_Id: string, operation_ParentId: string, name: string",
    "target: string, type: string, itemCount: int, dimensions: dynamic",
    ...WHO,
  ].join(", "),
  traces: [
    "ticks: long, message: string, operation_Id: string, itemCount: int, dimensions: dynamic",
    ...WHO,
  ].join(", "),
  metrics: ["ticks: long, name: string, count: int, sum: real, dimensions: dynamic", ...WHO].join(", "),
  "doctor-requests": [
    "role: string, rows: long, first_ticks: long, last_ticks: long, instances: long, examples: dynamic",
    "noInstance: long, noId: long, counted: long, rated: long, ratedAlone: long, contradicting: long",
  ].join(", "),
  "doctor-delay": "rows: long, p50: real, p99: real, early: long",
  "requests-hours": [
    WHO.join(", "),
    "application_Version: string, hour_ticks: long, first_ticks: long, last_end_ticks: long, rows: long",
    "weight: real, over: real",
  ].join(", "),
  "system-logs-cl": EVENTS,
  "system-logs": EVENTS,
};

const NAMES = readdirSync(join(ROOT, "queries")).map((file) => file.replace(/\.kql$/, ""));
const SCOPES = [
  { roles: [], app: "", keepQuery: false, warmedMessage: "warm-up finished" },
  { roles: ["quotes", 'a "b"'], app: "quotes-api", keepQuery: true, warmedMessage: "ready\n" },
];
const BIRTHS: BoundValue = {
  type: "datatable",
  columns: { cloud_RoleInstance: "string", begin_ticks: "long", end_ticks: "long" },
  rows: [
    [
      { type: "string", value: "a\n" },
      { type: "long", value: -1 },
      { type: "long", value: 1 },
    ],
  ],
};
const SLICE = { from: -36_000_000_001, to: 2_120_000_000_000_001 };

/** Every form in which a query's tables are published. */
const ENVIRONMENTS = Object.entries(APP_METRICS).flatMap(([spelling, AppMetrics]) =>
  Object.entries(SYSTEM_LOGS_CL_FORMS).map(([form, logs]): readonly [string, Tables] => [
    `AppMetrics with ${spelling}, ContainerAppSystemLogs_CL with ${form}`,
    { ...CLASSIC, ...WORKSPACE, ...SYSTEM_LOGS, ...logs, AppMetrics },
  ]),
);

const columnsOf = (name: string): string => COLUMNS[name.replace(/^app-/, "")]!;
const textOf = (name: string): string => readFileSync(join(ROOT, "queries", `${name}.kql`), "utf8");
const bound = (name: string, scope = SCOPES[1]!): string =>
  bindQuery(textOf(name), {
    ...valuesOf(textOf(name), SLICE, scope),
    ...(name.endsWith("-hours") ? { overMs: { type: "real", value: 500 } } : {}),
    ...(name.endsWith("-early") ? { births: BIRTHS } : {}),
  });
const check = (query: string, tables: Tables): unknown => {
  const { diagnostics, columns } = checkQuery(query, tables);
  return { diagnostics, columns: columns.join(", ") };
};

it("has a classic query for every one of a workspace, and no others than the listed", () => {
  const twins = NAMES.filter((name) => name.startsWith("app-")).map((name) => name.slice(4));
  expect(NAMES.filter((name) => twins.includes(name)).sort()).toEqual(twins.sort());
  expect(NAMES.filter((name) => !name.startsWith("app-")).sort()).toEqual(Object.keys(COLUMNS).sort());
});

describe.each(ENVIRONMENTS)("%s", (_, tables) => {
  const folder = temporaryFolder();

  it.each(NAMES)("%s is right, and its columns are the listed", (name) => {
    for (const scope of SCOPES) {
      expect(check(bound(name, scope), tables)).toEqual({ diagnostics: [], columns: columnsOf(name) });
    }
  });

  it.each(NAMES.filter((name) => !/doctor|hours/.test(name)))("%s can be counted by the hour", (name) => {
    expect(check(countByHour(bound(name)), tables)).toEqual({
      diagnostics: [],
      columns: "hour_ticks: long, rows: long",
    });
  });

  it("lets the doctor ask nothing that is wrong", async () => {
    // Answers with one row of the right columns, so that the doctor goes on to its next question.
    const query: KqlEngine["query"] = async (text) => {
      const columns = checkQuery(text, tables).columns.map((column) => {
        const [name, type] = column.split(": ");
        return { name: name!, type: type! };
      });
      const value = (type: string): unknown => (type === "dynamic" ? "[]" : type === "string" ? "a" : 1);
      return { columns, rows: [columns.map(({ type }) => value(type))] };
    };
    const server = await AzureServer.start({ query } as KqlEngine);
    const seen = new Set<string>();
    for (const source of [[], ["--app-resource", APP]]) {
      const args = ["doctor", ...source, "--workspace", WORKSPACE_ID];
      await runAgainst(server, folder, [...args, "--from", "2026-09-01", "--to", "2026-09-08"]);
    }
    await server.close();
    for (const { query } of server.asked) {
      const { diagnostics, columns } = checkQuery(query, tables);
      expect(diagnostics, query).toEqual([]);
      seen.add(columns.join(", "));
    }
    expect([...seen].sort()).toEqual(
      [
        "rows: long, first_ticks: long, last_ticks: long",
        "ReplicaName: string",
        columnsOf("doctor-requests"),
        columnsOf("doctor-delay"),
      ].sort(),
    );
    // Five tables (the log in two forms), requests, delay, and the replicas of both forms; twice.
    expect(server.asked.length).toBe(2 * 10);
  });
});

describe("a table that is not there", () => {
  it.each([
    ["system-logs-cl", "ContainerAppSystemLogs_CL"],
    ["system-logs", "ContainerAppSystemLogs"],
  ])("%s says no more than that %s is unknown", (name, table) => {
    const { diagnostics } = checkQuery(bound(name), {});
    const unknown = `The fuzzy name '${table}' does not refer to any known or currently accessible table.`;
    expect(diagnostics).toEqual([`Warning: ${unknown}`]);
  });
});

describe("the check itself", () => {
  const tables = ENVIRONMENTS[0]![1];

  it.each([
    ["an unknown column", "duration = duration", "duration = durations"],
    ["an unknown bag", 'customDimensions["HttpMethod"]', 'customDimension["HttpMethod"]'],
    ["an unknown function", "tostring(success)", "totext(success)"],
    ["a comparison of two types", "timestamp >= since", "timestamp >= 1"],
    ["a value that nobody declared", "< upto", "< until"],
    ["an open bracket", "array_length(roles)", "array_length(roles"],
  ])("finds %s", (_, right, wrong) => {
    const query = bound("requests");
    expect(query).toContain(right);
    expect(checkQuery(query.replace(right, wrong), tables).diagnostics).not.toEqual([]);
  });

  it("finds columns of one name and two types in a union, which Kusto gives two names", () => {
    const query = bound("app-metrics").replaceAll("ItemCount: int", "ItemCount: long");
    expect(checkQuery(query, tables).diagnostics).not.toEqual([]);
  });

  it("finds values of two types in coalesce", () => {
    const query = bound("app-metrics").replace("coalesce(Sum, ValueSum)", "coalesce(Sum, Name)");
    expect(checkQuery(query, tables).diagnostics).not.toEqual([]);
  });
});
