import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { timeOrder } from "../../../src/fleet/arrival.ts";
import { CaptureFolder, type SliceFile } from "../../../src/sources/capture/folder.ts";
import type { Asked, CaptureSlice, Manifest } from "../../../src/sources/capture/manifest.ts";
import { readCapture } from "../../../src/sources/capture/read-capture.ts";
import { RequestColumns } from "../../../src/sources/capture/request-columns.ts";
import { type BuildOptions, RequestBuilder } from "../../../src/telemetry/builder.ts";
import { Detail } from "../../../src/telemetry/detail.ts";
import type { SystemEvent } from "../../../src/telemetry/events.ts";
import type { MetricPoint } from "../../../src/telemetry/metric-point.ts";
import type { ParsedRequest } from "../../../src/telemetry/parsed-request.ts";
import { RequestTable } from "../../../src/telemetry/table.ts";
import { parseInstant } from "../../../src/telemetry/time.ts";
import { ROOT } from "../../cli/world.ts";

export const asked: Asked = {
  source: "workspace",
  target: "here",
  from: "2026-09-01T00:00:00Z",
  to: "2026-09-02T00:00:00Z",
  dataFrom: "2026-08-31T00:00:00Z",
  roles: [],
  app: null,
  tables: ["requests"],
  logs: null,
  metrics: null,
  include: [],
  files: [],
};

/** A folder that is gone after the tests of the file; each call names another place in it. */
export function newFolders(): () => string {
  const root = mkdtempSync(join(tmpdir(), "coldstart-capture-"));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  let next = 0;
  return () => join(root, `capture-${next++}`);
}

export function openFolder(path: string, changes: Partial<Asked> = {}): Promise<CaptureFolder> {
  return CaptureFolder.open(
    path,
    { ...asked, ...changes },
    { program: "0", node: "node", now: () => new Date("2026-09-03T00:00:00Z") },
  );
}

/** Start of hour `n` of the capture of the tests. */
export function hour(n: number): string {
  return `2026-09-01T${String(n).padStart(2, "0")}:00:00Z`;
}

export function window(n: number): { readonly from: string; readonly to: string } {
  return { from: hour(n), to: hour(n + 1) };
}

/** A request at a second of an hour. */
export function request(n: number, second: number, changes: Partial<ParsedRequest> = {}): ParsedRequest {
  return {
    start: parseInstant(hour(n))!.ticks + second * 10_000_000,
    durationMs: 12.5,
    kind: "http",
    isSynthetic: false,
    success: 1,
    itemCount: 1,
    rate: null,
    name: "GET /a",
    url: "https://x/a",
    path: "/a",
    resultCode: "200",
    id: `${n}-${second}`,
    operationId: `o${n}-${second}`,
    role: "app",
    instance: "i",
    version: "",
    ...changes,
  };
}

const OPTIONS: BuildOptions = { weight: "auto", probePaths: [] };

/** The files of a slice of these rows, and how many of them repeat another one. */
export async function filesOf(rows: readonly ParsedRequest[]): Promise<{
  readonly files: SliceFile[];
  readonly counts: { readonly rows: number; readonly duplicates: number; readonly malformed: number };
}> {
  const columns = new RequestColumns();
  const builder = new RequestBuilder(new RequestTable(), OPTIONS, null, columns);
  for (const row of rows) builder.addParsed(row);
  const { order, duplicates } = timeOrder(builder.table);
  const files = await columns.files(order, {
    tallies: builder.tallies,
    malformed: 0,
    examples: [],
    duplicates,
    fields: [0],
  });
  return { files, counts: { rows: order.length, duplicates, malformed: 0 } };
}

/** Adds an hour with these rows. */
export async function addHour(
  folder: CaptureFolder,
  n: number,
  rows: readonly ParsedRequest[],
  bounds: { readonly from: string | null; readonly to: string | null } = window(n),
): Promise<CaptureSlice> {
  const { files, counts } = await filesOf(rows);
  return folder.addSlice("requests", bounds, files, counts);
}

export interface ReadBack {
  readonly builder: RequestBuilder;
  readonly events: SystemEvent[];
  readonly metrics: MetricPoint[];
  readonly manifest: Manifest;
}

/** A capture as a report reads it, or as an audit does. */
export async function read(
  path: string,
  { withIds = false, isDetailed = false, metrics = [] as MetricPoint[] } = {},
): Promise<ReadBack> {
  const builder = new RequestBuilder(new RequestTable(), OPTIONS, isDetailed ? new Detail() : null);
  const sink = { builder, events: [], metrics };
  const { manifest } = await readCapture(path, sink, withIds);
  return { ...sink, manifest };
}

/** Starts of the rows, in the order of the table. */
export function startsOf({ table }: RequestBuilder): number[] {
  const starts: number[] = [];
  table.forEach((row) => void starts.push(table.start(row)));
  return starts;
}

/** Changes a file's text. */
export function edit(path: string, change: (text: string) => string): void {
  const before = readFileSync(path, "utf8");
  const after = change(before);
  if (after === before) throw new Error(`${path} stays as it is`);
  writeFileSync(path, after);
}

/** A module of the built program, for child processes. @throws where it was not built */
export function built(module: string): string {
  const path = join(ROOT, "dist", module);
  if (!existsSync(path)) throw new Error(`${path} is missing: run \`npm run build\` before this test`);
  return path;
}
