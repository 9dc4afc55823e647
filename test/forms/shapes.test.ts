import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { eventForms } from "./events.ts";
import { seededFleet } from "./random.ts";
import { requestForms } from "./requests.ts";
import { splitCsv, splitLines, splitPretty, textOf } from "./splitters.ts";
import type { FormRow } from "./types.ts";

type Flat = Record<string, unknown>;

const sample = (path: string): string =>
  readFileSync(new URL(`../../fixtures/${path}`, import.meta.url), "utf8");
const fleet = seededFleet(3, { milliseconds: true });
const written = (name: string): string =>
  textOf(requestForms.find((form) => form.name === name)!.write(fleet.rows));
const writtenEvents = (name: string): string =>
  textOf(eventForms.find((form) => form.name === name)!.write(fleet.events));

/** Paths of all keys below a value; items of an array count as one. */
function paths(value: unknown, at = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => paths(item, `${at}[]`));
  if (value === null || typeof value !== "object") return [at];
  return Object.entries(value).flatMap(([key, item]) => [`${at}.${key}`, ...paths(item, `${at}.${key}`)]);
}
const missing = (real: unknown, made: unknown, except: RegExp): string[] => {
  const have = new Set(paths(made));
  return [...new Set(paths(real))].filter((path) => !have.has(path) && !except.test(path));
};

test("the CLI's answer has the capture's keys in the capture's order", () => {
  const real = JSON.parse(sample("container-apps/app-insights-query-requests.json")) as { tables: Flat[] };
  const made = JSON.parse(written("app-insights-cli")) as { tables: Flat[] };
  expect(Object.keys(made.tables[0]!)).toEqual(Object.keys(real.tables[0]!));
  expect(made.tables[0]!.columns).toEqual(expect.arrayContaining(real.tables[0]!.columns as Flat[]));
  expect(written("app-insights-cli").slice(0, 60)).toBe(
    sample("container-apps/app-insights-query-requests.json").slice(0, 60),
  );
});

test("log-analytics rows are text alone, keys sorted, a missing value the word None", () => {
  const real = JSON.parse(sample("corpus/03-la-query-cli-all-strings.json")) as Flat[];
  const made = JSON.parse(written("log-analytics-cli")) as Flat[];
  for (const row of made) {
    expect(Object.keys(row)).toEqual(Object.keys(row).sort());
    expect(Object.values(row).filter((value) => typeof value !== "string")).toEqual([]);
  }
  expect(missing(real, made, /^$/)).toEqual([]);
  expect(made.some((row) => row.AppRoleInstance === "None" || row.Url === "None")).toBe(true);
  const events = JSON.parse(sample("container-apps/log-analytics-query-crash-loop.json")) as Flat[];
  expect(missing(events, JSON.parse(writtenEvents("log-analytics-cli-cl")), /^$/)).toEqual([]);
});

test("Kusto answers have the samples' frames and tables", () => {
  const outline = (text: string): unknown =>
    (JSON.parse(text) as Flat[]).map((frame) => [Object.keys(frame), frame.TableKind, frame.TableName]);
  expect(outline(written("kusto-v2"))).toEqual(outline(sample("corpus/08-kusto-v2-frames.json")));
  const v1 = (text: string): unknown =>
    (JSON.parse(text) as { Tables: { TableName: string; Columns: Flat[] }[] }).Tables.map((table) => [
      table.TableName,
      table.TableName === "Table_0" ? Object.keys(table.Columns[0]!) : table.Columns,
    ]);
  expect(v1(written("kusto-v1"))).toEqual(v1(sample("corpus/14-kusto-v1-status-table-truncated.json")));
  const kinds = (JSON.parse(written("kusto-v2-progressive")) as Flat[]).map((frame) => frame.FrameType);
  expect(kinds).toEqual(
    expect.arrayContaining(["TableHeader", "TableFragment", "TableProgress", "TableCompletion"]),
  );
});

test("diagnostic records, continuous export and envelopes have every key of the samples", () => {
  const hub = JSON.parse(sample("corpus/20-eventhub-records-apprequests.json")) as unknown;
  expect(missing(hub, JSON.parse(written("eventhub-records")), /\.Properties\./)).toEqual([]);
  expect(missing(hub, { records: splitLines(written("storage-records")) }, /\.Properties\./)).toEqual([]);
  const exported = splitLines(sample("corpus/22-continuous-export-requests.ndjson"));
  expect(missing(exported, splitLines(written("continuous-export")), /dimensions\[\]/)).toEqual([]);
  expect(written("continuous-export")).toMatch(/"durationMetric":\{"value":\d+\.0,"count":1\.0,/);
  const envelopes = splitLines(sample("corpus/36-breeze-java-sample-rates.ndjson"));
  expect(missing(envelopes, splitLines(written("breeze-ndjson")), /properties\./)).toEqual([]);
  const debug = splitLines(sample("corpus/30-dotnet-debug-prefixed-envelopes.txt")) as Flat[];
  const made = splitLines(written("breeze-prefixed"));
  const other = /properties\.|location|nodeName/;
  expect(missing(debug.slice(1), made, other)).toEqual([]);
  expect(written("breeze-prefixed")).toMatch(/^Application Insights Telemetry \(unconfigured\): \{"name"/);
});

test("the portal's files: byte order mark, CRLF, zone in the header, JSON over several lines", () => {
  for (const [name, delimiter] of [
    ["portal-csv-en-us", ","],
    ["portal-csv-de", ";"],
  ] as const) {
    const text = written(name);
    expect(text.startsWith(`\uFEFF"timestamp [UTC]"${delimiter}id${delimiter}`)).toBe(true);
    expect(text.endsWith("\r\n")).toBe(true);
  }
  expect(written("portal-csv-en-us")).toContain('"{\n  ""');
  expect(written("portal-csv-de")).toMatch(/;\d+,\d+;/);
  const [header] = splitCsv(sample("corpus/16-portal-csv-system-de-at-doubled.csv"), ",");
  expect(splitCsv(writtenEvents("portal-csv-cl"), ",")[0]).toEqual(expect.arrayContaining(header!));
});

test("streamed events have the captures' keys, opening lines and spellings of time", () => {
  const real = splitLines(sample("container-apps/logs-show-dapr.ndjson")) as Flat[];
  const made = splitLines(writtenEvents("logs-show")) as Flat[];
  const head = (lines: readonly Flat[]): unknown =>
    lines.slice(0, 2).map((line) => ({ ...line, TimeStamp: String(line.TimeStamp).replace(/\d/g, "0") }));
  expect(head(made)).toEqual(head(real));
  for (const line of made) expect(Object.keys(line)).toEqual(Object.keys(real[0]!));
  const shapes = new Set(made.map((line) => String(line.TimeStamp).replace(/\d+/g, "0")));
  expect([...shapes].sort()).toEqual(
    ["0-0-0 0:0:0 +0 UTC", "0-0-0 0:0:0.0 +0 UTC", "0-0-0T0:0:0.0+0:0", "0-0-0T0:0:0Z"].sort(),
  );
  const pretty = splitPretty(sample("corpus/52-system-cli-pretty-concatenated.txt")) as Flat[];
  const mine = splitPretty(writtenEvents("logs-show-pretty-concatenated")) as Flat[];
  expect(Object.keys(mine[0]!)).toEqual(Object.keys(pretty[0]!));
  expect(splitLines(writtenEvents("logs-show-escaped"))).toEqual(made);
  expect(writtenEvents("logs-show-escaped")).not.toMatch(/'|\\"/);
});

test("the table without _CL has the sample's columns", () => {
  const columns = (text: string): unknown =>
    (JSON.parse(text) as { tables: { columns: Flat[] }[] }).tables[0]!.columns;
  expect(columns(writtenEvents("rest-resource-specific"))).toEqual(
    columns(sample("corpus/64-system-rest-non-cl.json")),
  );
});

test("a batch's TimeGenerated is later than the event and shared", () => {
  const rows = JSON.parse(writtenEvents("log-analytics-cli-cl")) as {
    TimeGenerated: string;
    TimeStamp_s: string;
  }[];
  expect(new Set(rows.map((row) => row.TimeGenerated)).size).toBeLessThan(rows.length);
  for (const row of rows) {
    expect(Date.parse(row.TimeGenerated)).toBeGreaterThan(
      Date.parse(row.TimeStamp_s.replace(" +0000 UTC", "Z")),
    );
  }
});

test("PowerShell's redirection is UTF-16 LE with a byte order mark", () => {
  const bytes = requestForms.find((form) => form.name === "ndjson-classic-utf16")!.write(fleet.rows);
  expect([...bytes.slice(0, 4)]).toEqual([0xff, 0xfe, "{".charCodeAt(0), 0]);
});

test("a fleet is the same for the same seed and has every kind of row over a few seeds", () => {
  expect(seededFleet(11)).toEqual(seededFleet(11));
  expect(seededFleet(11)).not.toEqual(seededFleet(12));
  const fleets = Array.from({ length: 20 }, (_, seed) => seededFleet(seed));
  const rows = fleets.flatMap((item) => item.rows);
  const events = fleets.flatMap((item) => item.events);
  const some = (test: (row: FormRow) => boolean): number => rows.filter(test).length;
  const counts = {
    sampled: some((row) => row.itemCount > 1 && row.sampleRate === undefined),
    agreeing: some((row) => row.itemCount > 1 && Math.round(100 / (row.sampleRate ?? 100)) === row.itemCount),
    alone: some((row) => row.itemCount === 1 && (row.sampleRate ?? 100) < 100),
    ambiguous: some((row) => row.sampleRate !== undefined && row.itemCount > 2 * (100 / row.sampleRate)),
    probes: some((row) => /health/i.test(row.url ?? "")),
    synthetic: some((row) => row.syntheticSource !== undefined),
    empty: some((row) => row.name === "" && row.resultCode === "0"),
    dotnet: some((row) => row.name.endsWith(".ProcessMessage")),
    java: some((row) => row.name.endsWith(" process")),
    grpc: some((row) => row.dimensions?.["rpc.system"] === "grpc"),
    sockets: some((row) => row.resultCode === "101"),
    noInstance: some((row) => row.instance === undefined),
    noId: some((row) => row.id === undefined),
    minutes: some((row) => row.durationTicks > 60e7 && row.resultCode === "200"),
    quotedStarts: events.filter((event) => /^Started container '/.test(event.text)).length,
    plainStarts: events.filter((event) => /^Started container \w/.test(event.text)).length,
    dapr: events.filter((event) => /^Started container '?daprd/.test(event.text)).length,
    platform: events.filter((event) => /^Started container '?k8se/.test(event.text)).length,
    restarts: events.filter((event) => event.reason === "ContainerStarted" && (event.count ?? 0) > 1).length,
  };
  expect(Object.entries(counts).filter(([, count]) => count < 3)).toEqual([]);
});

test("ids repeat only in exact copies, and equal starts have different ids", () => {
  let copies = 0;
  let equalStarts = 0;
  for (let seed = 0; seed < 20; seed++) {
    const byId = new Map<string, FormRow>();
    const starts = new Set<string>();
    for (const row of seededFleet(seed).rows) {
      if (row.id === undefined) continue;
      const earlier = byId.get(row.id);
      if (earlier !== undefined) {
        expect(row).toEqual(earlier);
        copies++;
        continue;
      }
      byId.set(row.id, row);
      const start = `${row.instance} ${row.startTicks}`;
      if (starts.has(start)) equalStarts++;
      starts.add(start);
    }
  }
  expect([copies > 5, equalStarts > 5]).toEqual([true, true]);
});

test("a fleet to the millisecond has no finer instants, in rows and events", () => {
  const finer = [...fleet.rows.map((row) => row.startTicks), ...fleet.events.map((event) => event.timeTicks)];
  expect(finer.filter((ticks) => ticks % 10_000n !== 0n)).toEqual([]);
  expect(seededFleet(3).rows.some((row) => row.startTicks % 10_000n !== 0n)).toBe(true);
});
