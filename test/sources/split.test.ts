import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CsvFile } from "../../src/sources/files/csv-file.ts";
import { Input } from "../../src/sources/files/input.ts";
import { NdjsonFile } from "../../src/sources/files/ndjson-file.ts";
import { RecordReader } from "../../src/sources/files/record-reader.ts";
import type { Splittable } from "../../src/sources/files/split.ts";
import { RequestBuilder } from "../../src/telemetry/builder.ts";
import { RequestTable } from "../../src/telemetry/table.ts";
import { dump } from "../telemetry/table-dump.ts";
import { COLUMNS, csvRow, lasting, ndjsonRow, type Row, requestRow } from "./rows.ts";

type Split = typeof import("../../src/sources/files/split.ts");

const OPTIONS = { weight: "auto", probePaths: ["/healthz"] } as const;
const CSV: Splittable = { kind: "csv", delimiter: ",", columns: COLUMNS, skip: 0 };
const NDJSON: Splittable = { kind: "ndjson", flat: true, prefixed: false, form: null };
/** Sampled with a fixed seed: each case starts threads. */
const RUNS = 8;

let folder = "";
let split: Split;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "split-"));
  // A thread runs the build: the sources need a compiler.
  const built = new URL("../../dist/sources/files/split.js", import.meta.url).href;
  split = (await import(built)) as Split;
});
afterAll(() => rm(folder, { recursive: true }));

function newInput(path: string): Input {
  const builder = new RequestBuilder(new RequestTable(), OPTIONS);
  return new Input(path, { builder, events: [], metrics: [] });
}

function stateOf(input: Input): unknown {
  const { builder } = input.sink;
  const { requestRows, otherRows, notes, fault } = input;
  return {
    ...dump(builder),
    examples: builder.malformedExamples,
    fields: [...input.fields].sort((a, b) => a - b),
    ...{ requestRows, otherRows, notes, fault: fault?.message ?? null },
  };
}

function inSequence(path: string, bytes: Uint8Array, detected: Splittable): unknown {
  const input = newInput(path);
  const reader =
    detected.kind === "csv"
      ? new CsvFile(input, detected.columns, detected.delimiter)
      : new NdjsonFile(input, new RecordReader(input), detected);
  reader.push(bytes);
  reader.end();
  return stateOf(input);
}

/** Rows in file order, with the offset behind each. */
function laidOut(rows: readonly Row[], write: (row: Row) => string): { text: string; ends: number[] } {
  let text = "";
  const ends: number[] = [];
  for (const row of rows) {
    text += `${write(row)}\n`;
    ends.push(Buffer.byteLength(text));
  }
  return { text, ends };
}

function sampled(size: number): Row[][] {
  return fc.sample(fc.array(requestRow, { minLength: size, maxLength: size }), { numRuns: RUNS, seed: 20 });
}

const FORMS = [
  ["CSV", CSV, csvRow],
  ["NDJSON", NDJSON, ndjsonRow],
] as const;

describe.each(FORMS)("a %s file read in parts", (name, detected, write) => {
  test("is what it is in sequence", async () => {
    for (const [run, rows] of sampled(60).entries()) {
      const { text, ends } = laidOut(rows, write);
      const path = join(folder, `${name}-${run}`);
      await writeFile(path, text);
      const cuts = [0, ends[run]!, ends[run + 20]!, ends[ends.length - 1]!];
      const input = newInput(path);
      expect(await split.readSplit(input, detected, cuts, OPTIONS)).toBe(true);
      expect(stateOf(input)).toEqual(inSequence(path, Buffer.from(text), detected));
    }
  });

  test("adds nothing where numbers in one part meet time spans in another", async () => {
    const rows = sampled(5)[0]!;
    const numbers = lasting(rows, "12.5");
    const spans = lasting(rows, "00:00:01.5");
    const { text, ends } = laidOut([...numbers, ...spans], write);
    const path = join(folder, `${name}-units`);
    await writeFile(path, text);
    const input = newInput(path);
    expect(
      await split.readSplit(input, detected, [0, ends[numbers.length - 1]!, ends[ends.length - 1]!], OPTIONS),
    ).toBe(false);
    expect(input.sink.builder.table.length).toBe(0);
  });
});

describe("cuts", () => {
  test("at a newline inside quotes are found out, and nothing is added", async () => {
    const rows = sampled(40)[0]!.filter((row) => !("broken" in row));
    const quoted = rows.findIndex((row, i) => i > 3 && csvRow(row).includes("two\nlines"));
    const { text, ends } = laidOut(rows, csvRow);
    const inside = ends[quoted - 1]! + Buffer.byteLength(csvRow(rows[quoted]!).split("two\n")[0]!) + 4;
    expect(Buffer.from(text)[inside - 1]).toBe(10);
    const path = join(folder, "inside");
    await writeFile(path, text);
    const input = newInput(path);
    // The last part is sound, so that only what the first one leaves over can tell.
    const cuts = [0, inside, ends[quoted + 1]!, Buffer.byteLength(text)];
    expect(await split.readSplit(input, CSV, cuts, OPTIONS)).toBe(false);
    expect(input.sink.builder.table.length).toBe(0);
    expect(input.requestRows).toBe(0);
  });

  test("lie behind newlines, begin at the first row and end with the file", async () => {
    const { text } = laidOut(sampled(300)[0]!, ndjsonRow);
    const path = join(folder, "cuts");
    await writeFile(path, text);
    const bytes = Buffer.from(text);
    const cuts = await split.cutFile(path, 10, 1000);
    expect(cuts.length).toBeGreaterThan(2);
    expect(cuts[0]).toBe(10);
    expect(cuts[cuts.length - 1]).toBe(bytes.length);
    for (const cut of cuts.slice(1)) expect(bytes[cut - 1]).toBe(10);
    expect(cuts).toEqual([...cuts].sort((a, b) => a - b));
  });

  test("are not made in a file below the least size", async () => {
    const path = join(folder, "small");
    await writeFile(path, "a\nb\n");
    expect(await split.cutFile(path, 0, 5)).toEqual([]);
  });
});
