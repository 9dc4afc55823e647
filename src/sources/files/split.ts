import { closeSync, openSync, readSync } from "node:fs";
import { open } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import {
  type BuildOptions,
  type MalformedExample,
  RequestBuilder,
  type Tallies,
} from "../../telemetry/builder.ts";
import { DataFault } from "../../telemetry/fault.ts";
import { type Block, type Identity, RequestTable } from "../../telemetry/table.ts";
import { CsvFile } from "./csv-file.ts";
import type { Detected } from "./detect.ts";
import { Input } from "./input.ts";
import { NdjsonFile } from "./ndjson-file.ts";
import type { PartAccount, PartReader } from "./part.ts";
import { noteZoneless, RecordReader } from "./record-reader.ts";

/** Files below this size are read by one thread: starting another would cost more than it saves. */
const LEAST_BYTES = 48 << 20;
const MOST_PARTS = 4;
const CHUNK = 1 << 18;
/** How far around a cut a newline is looked for. */
const WINDOW = 1 << 16;

/** What a thread is given. */
export interface PartTask {
  readonly path: string;
  readonly detected: Splittable;
  readonly from: number;
  readonly to: number;
  readonly isLast: boolean;
  readonly options: BuildOptions;
}

/** What it gives back; null where the part must be read in sequence with the rest. */
export type PartResult = {
  readonly account: PartAccount;
  readonly blocks: Block[];
  readonly length: number;
  readonly identities: Identity[];
  readonly malformed: number;
  readonly examples: MalformedExample[];
  readonly tallies: Tallies;
  readonly requestRows: number;
  readonly otherRows: number;
  readonly fields: number[];
} | null;

export type Splittable = Extract<Detected, { kind: "csv" | "ndjson" }>;

/** Whether a file's form lets several threads read it: rows of requests, one after another. */
export function isSplittable(detected: Detected): detected is Splittable {
  return (
    (detected.kind === "ndjson" && detected.flat) || (detected.kind === "csv" && detected.delimiter !== ";")
  );
}

/**
 * Offsets at which a plain file may be cut into parts that begin after a newline, with its end as the
 * last; empty where one thread should read it all.
 *
 * @param skip offset of the first row
 */
export async function cutFile(path: string, skip: number, leastBytes = LEAST_BYTES): Promise<number[]> {
  // The sources, unlike the build, cannot be run by a thread as they are.
  if (import.meta.url.endsWith(".ts")) return [];
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const parts = Math.min(MOST_PARTS, availableParallelism());
    if (size < leastBytes || parts < 2) return [];
    const cuts = [skip];
    const buffer = Buffer.allocUnsafe(WINDOW);
    for (let part = 1; part < parts; part++) {
      const at = Math.floor((size * part) / parts);
      const { bytesRead } = await file.read(buffer, 0, WINDOW, at);
      const newline = buffer.subarray(0, bytesRead).indexOf(10);
      if (newline === -1) return [];
      cuts.push(at + newline + 1);
    }
    cuts.push(size);
    return cuts;
  } finally {
    await file.close();
  }
}

/**
 * Feeds the bytes of a range to a reader. The thread has nothing else to do, so it waits for each piece
 * instead of paying for a promise.
 */
function readRange(path: string, from: number, to: number, reader: PartReader): void {
  const { window } = reader;
  const file = openSync(path, "r");
  try {
    for (let at = from; at < to; ) {
      const room = window.room(CHUNK);
      const length = readSync(file, room, 0, Math.min(room.length, to - at), at);
      if (length === 0) return;
      window.took(length);
      reader.scan();
      at += length;
    }
  } finally {
    closeSync(file);
  }
}

/** Reads one part by itself; null where it cannot stand alone, so that the file must be read in sequence. */
export function readPart(task: PartTask): PartResult {
  const builder = new RequestBuilder(new RequestTable(), task.options);
  const input = new Input(task.path, { builder, events: [], metrics: [] });
  try {
    const reader = partReader(task.detected, input);
    readRange(task.path, task.from, task.to, reader);
    if (task.isLast) reader.end();
    const account = reader.account();
    if (input.eventRows > 0 || input.fault !== null || account.localeDates > 0) return null;
    if (!task.isLast && account.pending > 0) return null;
    return {
      account,
      blocks: builder.table.blocks,
      length: builder.table.length,
      identities: builder.table.identities,
      malformed: builder.malformed,
      examples: builder.malformedExamples,
      tallies: builder.tallies,
      requestRows: input.requestRows,
      otherRows: input.otherRows,
      fields: [...input.fields],
    };
  } catch (error) {
    // Read in sequence, the same fault is found again with the right row number.
    if (error instanceof DataFault) return null;
    throw error;
  }
}

function partReader(detected: Splittable, input: Input): PartReader {
  return detected.kind === "csv"
    ? new CsvFile(input, detected.columns, detected.delimiter)
    : new NdjsonFile(input, new RecordReader(input), detected);
}

/**
 * Reads a large file with several threads, this one among them.
 *
 * @returns false where nothing was added and the file must be read in sequence
 */
export async function readSplit(
  input: Input,
  detected: Splittable,
  cuts: readonly number[],
  options: BuildOptions,
): Promise<boolean> {
  const tasks = cuts.slice(0, -1).map(
    (from, i): PartTask => ({
      path: input.path,
      detected,
      from,
      to: cuts[i + 1]!,
      isLast: i === cuts.length - 2,
      options,
    }),
  );
  const others = tasks.slice(1).map(startPart);
  const results = [readPart(tasks[0]!), ...(await Promise.all(others))];
  const parts = results.filter((part) => part !== null);
  return parts.length === results.length && joinParts(input, parts);
}

function startPart(task: PartTask): Promise<PartResult> {
  const worker = new Worker(new URL("./part-worker.js", import.meta.url), { workerData: task });
  return new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
}

/**
 * Puts the parts one behind the other. Each cut was proved right by the part before it, which began at a
 * true row and ended without an unfinished one.
 */
function joinParts(input: Input, parts: readonly Exclude<PartResult, null>[]): boolean {
  const total = (key: keyof PartAccount): number => parts.reduce((sum, { account }) => sum + account[key], 0);
  // One part in milliseconds and another in time spans: the refusal is left to the reading in sequence.
  if (total("numericDurations") > 0 && total("timespanDurations") > 0) return false;
  let rows = 0;
  for (const part of parts) {
    const table = new RequestTable();
    table.blocks = part.blocks;
    table.length = part.length;
    table.identities.push(...part.identities);
    const examples = part.examples.map((example) => ({ ...example, row: example.row + rows }));
    input.sink.builder.merge(table, part.malformed, examples, part.tallies);
    input.requestRows += part.requestRows;
    input.otherRows += part.otherRows;
    for (const field of part.fields) input.fields.add(field);
    rows += part.account.rows;
  }
  if (total("zoneless") > 0) noteZoneless(input, total("zoneless"));
  return true;
}
