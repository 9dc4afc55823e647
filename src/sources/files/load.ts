import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { RequestBuilder } from "../../telemetry/builder.ts";
import type { SystemEvent } from "../../telemetry/events.ts";
import { DataFault, OtherContent } from "../../telemetry/fault.ts";
import { Field } from "../../telemetry/fields.ts";
import type { MetricPoint } from "../../telemetry/metric-point.ts";
import { isCapture } from "../capture/manifest.ts";
import { addCapture } from "./capture-input.ts";
import { Input, type Sink } from "./input.ts";
import { readExport } from "./read-file.ts";
import type { InputSummary } from "./types.ts";

/** All inputs of a report, read. */
export interface Loaded {
  /** Null where no input is a system log. */
  readonly events: SystemEvent[] | null;
  /** Values of the ingress metric `Requests`, where an input holds them. */
  readonly metrics: MetricPoint[];
  readonly inputs: InputSummary[];
  /** Files of a folder that are of no known form. */
  readonly ignored: string[];
  /** One fault for each input that is incomplete. */
  readonly faults: DataFault[];
  /** Ticks from which on captures cover their source; null where no input is a capture that knows. */
  readonly dataFrom: number | null;
  readonly requestRows: number;
  readonly malformedEvents: number;
  /** Request columns that any input has, by field. */
  readonly fields: ReadonlySet<number>;
}

/**
 * Reads every path (file, folder, or `-` for standard input) into the builder's table.
 *
 * @param options `needsInstance: false` for a question that asks of no instance
 * @throws DataFault where an input cannot be read, or no input has the role instance column although needed
 */
export async function loadFiles(
  paths: readonly string[],
  builder: RequestBuilder,
  stdin: AsyncIterable<Uint8Array>,
  { needsInstance = true }: { readonly needsInstance?: boolean } = {},
): Promise<Loaded> {
  const sink: Sink = { builder, events: [], metrics: [] };
  const inputs: Input[] = [];
  const ignored: string[] = [];
  let dataFrom: number | null = null;
  for (const path of paths) {
    if (path !== "-" && (await isCapture(path))) {
      // Rows of another input may repeat the capture's, which only ids can tell.
      const input = new Input(path, sink);
      const from = await addCapture(input, paths.length > 1);
      if (from !== null) dataFrom = Math.min(dataFrom ?? from, from);
      inputs.push(input);
      continue;
    }
    const files = await filesOf(path);
    for (const file of files) {
      const input = await readExport(file, sink, stdin).catch((error: unknown) => {
        if (file === path || !(error instanceof OtherContent)) throw error;
        return null;
      });
      if (input !== null) inputs.push(input);
      else if (file === path) throw unknownForm(path);
      else ignored.push(file);
    }
  }
  if (inputs.length === 0) {
    throw new DataFault(
      "no export of a known form in the folder",
      "give request rows or system logs as JSON, NDJSON or CSV (see docs/inputs.md)",
      { path: paths.join(", ") },
    );
  }
  if (needsInstance) requireInstance(inputs);
  return {
    events: inputs.some((input) => input.holdsEvents) ? sink.events : null,
    metrics: sink.metrics,
    inputs: inputs.map((input) => input.summary()),
    ignored,
    faults: inputs.flatMap((input) => (input.fault === null ? [] : [input.fault])),
    dataFrom,
    requestRows: inputs.reduce((sum, input) => sum + input.requestRows, 0),
    malformedEvents: inputs.reduce((sum, input) => sum + input.malformedEvents, 0),
    fields: new Set(inputs.flatMap((input) => [...input.fields])),
  };
}

function unknownForm(path: string): DataFault {
  return new DataFault(
    "not an export of a known form",
    "give request rows or system logs as JSON, NDJSON or CSV (see docs/inputs.md)",
    { path },
  );
}

/** Without the column no request can be given to a process, so no figure per instance exists. */
function requireInstance(inputs: readonly Input[]): void {
  const withRows = inputs.filter((input) => input.requestRows > 0);
  if (withRows.length === 0 || withRows.some((input) => input.fields.has(Field.instance))) return;
  throw new DataFault(
    "request rows without the column cloud_RoleInstance (AppRoleInstance), so requests cannot be given to instances",
    "add it to the query's project and export again",
    { path: withRows[0]!.path, column: "cloud_RoleInstance" },
  );
}

async function filesOf(path: string): Promise<string[]> {
  if (path === "-") return [path];
  const isFolder = await stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  if (!isFolder) return [path];
  const files: string[] = [];
  for (const entry of (await readdir(path, { withFileTypes: true })).sort(byName)) {
    if (entry.name.startsWith(".")) continue;
    const child = join(path, entry.name);
    if (entry.isDirectory()) files.push(...(await filesOf(child)));
    // Prose beside the data, such as README.md or LICENSE, is nobody's export.
    // A pipe or a device in a folder would be waited for without end.
    else if (!entry.isFile() && !entry.isSymbolicLink()) continue;
    else if (!/\.md$|^(?:README|LICENSE|NOTICE)(?:\.txt)?$/i.test(entry.name)) files.push(child);
  }
  return files;
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}
