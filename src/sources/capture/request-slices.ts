import type { Table } from "apache-arrow";
import { z } from "zod";
import type { RequestBuilder } from "../../telemetry/builder.ts";
import { parseInstant } from "../../telemetry/time.ts";
import { damaged } from "./arrow-read.ts";
import { openFile, openInTurn, within } from "./capture-file.ts";
import type { CaptureFile, CaptureSlice } from "./manifest.ts";
import { addRequests } from "./request-read.ts";
import { addDetailedRequests, checkDetails } from "./request-read-detailed.ts";

const count = z.number();
const notesSchema = z.object({
  tallies: z.object({
    invalidRate: count,
    invalidItemCount: count,
    fractionalItemCount: count,
    noItemCount: count,
    noId: count,
    functionsHost: count,
    notFunctionsHost: count,
  }),
  malformed: count,
  examples: z.array(z.object({ path: z.string(), row: count, reason: z.string() })),
  duplicates: count,
  copies: z.array(z.object({ itemCount: count.nullable(), rate: count.nullable(), rows: count })),
  fields: z.array(count),
});

/**
 * Reads the requests of a capture into a builder.
 *
 * @param slices those of the requests, in the order of time
 * @param isDetailed rows are read with their ids and details
 * @returns request columns that the source had, by field
 * @throws DataFault where a file is missing, cut, changed, or does not hold requests
 */
export async function readRequests(
  folder: string,
  slices: readonly CaptureSlice[],
  builder: RequestBuilder,
  isDetailed: boolean,
): Promise<ReadonlySet<number>> {
  const fields = new Set<number>();
  const detailsOf = new Map(slices.flatMap((slice) => pairsOf(folder, slice)));
  const first = new Set(slices.map((slice) => requestFiles(slice)[0]));
  for await (const { file, path, table } of openInTurn(folder, [...detailsOf.keys()])) {
    if (!isDetailed) await within(path, () => addRequests(table, builder));
    else {
      const details = await openFile(folder, detailsOf.get(file)!);
      await within(details.path, () => checkDetails(details.table));
      await within(path, () => addDetailedRequests(table, details.table, builder));
    }
    if (first.has(file)) await within(path, () => addNotes(table, builder, fields));
  }
  return fields;
}

/**
 * Whether rows that are read slice by slice stand in the order of time, and none can repeat another one:
 * repeated rows were left out in each slice, and begin at the same instant.
 *
 * @param slices those of the requests, in the order of time
 */
export function areInOrder(slices: readonly CaptureSlice[]): boolean {
  const filled = slices.filter(({ rows }) => rows > 0);
  return filled.every(({ from, to }, i) => {
    const next = filled[i + 1];
    return next === undefined ? from !== null || i === 0 : to !== null && ticksOf(to) <= ticksOf(next.from);
  });
}

/** Slices in the order of time, those of export files as they were written. */
export function inTime(slices: readonly CaptureSlice[]): CaptureSlice[] {
  return [...slices].sort((a, b) => Math.sign(ticksOf(a.from) - ticksOf(b.from)) || 0);
}

/** Ticks of a slice's bound; one without a bound begins before all others. */
function ticksOf(instant: string | null): number {
  return instant === null ? Number.NEGATIVE_INFINITY : parseInstant(instant)!.ticks;
}

function requestFiles({ files }: CaptureSlice): CaptureFile[] {
  return files.filter(({ path }) => path.startsWith("requests/"));
}

/** The slice's files, each with that of its details. */
function pairsOf(folder: string, slice: CaptureSlice): [CaptureFile, CaptureFile][] {
  const byPath = new Map(slice.files.map((file) => [file.path, file]));
  return requestFiles(slice).map((file) => {
    const path = file.path.replace(/^requests/, "request-details");
    const details = byPath.get(path);
    const place = { path: `${folder}/${path}` };
    if (details === undefined) throw damaged("is named nowhere, though requests need it").at(place);
    if (details.rows !== file.rows) {
      throw damaged(`holds the details of ${details.rows} rows, where there are ${file.rows}`).at(place);
    }
    return [file, details];
  });
}

function addNotes(table: Table, builder: RequestBuilder, fields: Set<number>): void {
  const text = table.schema.metadata.get("coldstart");
  const notes = notesSchema.safeParse(text === undefined ? null : parsed(text)).data;
  if (notes === undefined) throw damaged("lacks what was noted when it was written (coldstart)");
  for (const key of Object.keys(notes.tallies) as (keyof typeof notes.tallies)[]) {
    builder.tallies[key] += notes.tallies[key];
  }
  builder.malformed += notes.malformed;
  builder.malformedExamples.push(...notes.examples.slice(0, 5 - builder.malformedExamples.length));
  for (const { itemCount, rate, rows } of notes.copies) builder.weighRow(itemCount, rate, rows);
  builder.table.duplicatesLeftOut += notes.duplicates;
  for (const field of notes.fields) fields.add(field);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
