import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Table } from "apache-arrow";
import { z } from "zod";
import type { RequestBuilder } from "../../telemetry/builder.ts";
import type { SystemEvent } from "../../telemetry/events.ts";
import { DataFault } from "../../telemetry/fault.ts";
import type { MetricPoint } from "../../telemetry/metric-point.ts";
import { parseInstant } from "../../telemetry/time.ts";
import { readTable } from "./arrow.ts";
import { dependencyCodec, eventCodec, ingressCodec, metricCodec, traceCodec } from "./codecs.ts";
import {
  type CaptureFile,
  type CaptureSlice,
  type CaptureTable,
  type Manifest,
  readManifest,
} from "./manifest.ts";
import { addDetailedRequests, addRequests } from "./request-read.ts";
import { decodeRows } from "./row-codec.ts";

/** Where the rows of a capture go. */
export interface CaptureSink {
  readonly builder: RequestBuilder;
  readonly events: SystemEvent[];
  readonly metrics: MetricPoint[];
}

/** What a capture says of itself. */
export interface CaptureAccount {
  readonly manifest: Manifest;
  readonly rows: Readonly<Record<CaptureTable, number>>;
  /** Request columns that the source had, by field. */
  readonly fields: ReadonlySet<number>;
  /** Ticks from which on the source was read; null where that is not known. */
  readonly dataFrom: number | null;
}

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
  fields: z.array(count),
});

/**
 * Reads a capture into a sink. Tables that nobody asks for are not read.
 *
 * @param withIds rows are read with their ids: other rows beside the capture may repeat them
 * @throws DataFault where a file is missing, cut, changed, or no Arrow file
 */
export async function readCapture(
  folder: string,
  sink: CaptureSink,
  withIds: boolean,
): Promise<CaptureAccount> {
  const manifest = await readManifest(folder);
  const { builder } = sink;
  const { detail } = builder;
  const isDetailed = withIds || detail !== null;
  const rows = { requests: 0, "system-events": 0, dependencies: 0, traces: 0, metrics: 0, ingress: 0 };
  const fields = new Set<number>();
  if (!isDetailed) builder.table.isInOrder = true;
  for (const slice of inTime(manifest.slices)) {
    rows[slice.table] += slice.rows;
    const only = async <Row>(codec: Parameters<typeof decodeRows<Row>>[1], into: Row[]): Promise<void> => {
      for (const file of slice.files) {
        for (const row of decodeRows(await open(folder, file), codec)) into.push(row);
      }
    };
    switch (slice.table) {
      case "requests":
        await addSlice(folder, slice, builder, isDetailed, fields);
        break;
      case "system-events":
        await only(eventCodec, sink.events);
        break;
      case "ingress":
        await only(ingressCodec, sink.metrics);
        break;
      default:
        if (detail === null) break;
        detail.tables.add(slice.table);
        detail.malformed += slice.malformed;
        if (slice.table === "dependencies") await only(dependencyCodec, detail.dependencies);
        else if (slice.table === "traces") await only(traceCodec, detail.traces);
        else await only(metricCodec, detail.metrics);
    }
  }
  const { dataFrom } = manifest.asked;
  return {
    manifest,
    rows,
    fields,
    dataFrom: dataFrom === null ? null : (parseInstant(dataFrom)?.ticks ?? null),
  };
}

/** Slices in the order of time, those of export files as they were written. */
function inTime(slices: readonly CaptureSlice[]): CaptureSlice[] {
  const at = ({ from }: CaptureSlice): number => (from === null ? 0 : (parseInstant(from)?.ticks ?? 0));
  return [...slices].sort((a, b) => at(a) - at(b));
}

async function addSlice(
  folder: string,
  slice: CaptureSlice,
  builder: RequestBuilder,
  isDetailed: boolean,
  fields: Set<number>,
): Promise<void> {
  const details = slice.files.filter(({ path }) => path.startsWith("request-details/"));
  for (const [i, file] of slice.files.filter(({ path }) => path.startsWith("requests/")).entries()) {
    const table = await open(folder, file);
    if (isDetailed) addDetailedRequests(table, await open(folder, details[i]!), builder);
    else addRequests(table, builder);
    if (i > 0) continue;
    const notes = notesSchema.parse(JSON.parse(table.schema.metadata.get("coldstart") ?? "null"));
    for (const key of Object.keys(notes.tallies) as (keyof typeof notes.tallies)[]) {
      builder.tallies[key] += notes.tallies[key];
    }
    builder.malformed += notes.malformed;
    builder.malformedExamples.push(...notes.examples.slice(0, 5 - builder.malformedExamples.length));
    builder.table.duplicatesLeftOut += notes.duplicates;
    for (const field of notes.fields) fields.add(field);
  }
}

async function open(folder: string, file: CaptureFile): Promise<Table> {
  const path = join(folder, file.path);
  const again = "the capture was changed or damaged; pull it again into another folder";
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new DataFault(`a file of the capture cannot be read (${error.code})`, again, { path });
  });
  if (bytes.length !== file.bytes) {
    throw new DataFault(`holds ${bytes.length} bytes, not the ${file.bytes} that were written`, again, {
      path,
    });
  }
  if (createHash("sha256").update(bytes).digest("hex") !== file.sha256) {
    throw new DataFault("is not what was written: its digest differs", again, { path });
  }
  try {
    return await readTable(bytes, file.rows);
  } catch (error) {
    throw error instanceof DataFault ? error.at({ path }) : error;
  }
}
