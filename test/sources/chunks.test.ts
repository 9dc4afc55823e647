import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CsvFile } from "../../src/sources/files/csv-file.ts";
import { CsvScanner, csvText } from "../../src/sources/files/csv-scanner.ts";
import { Input } from "../../src/sources/files/input.ts";
import { NdjsonFile } from "../../src/sources/files/ndjson-file.ts";
import type { Reader } from "../../src/sources/files/part.ts";
import { RecordReader } from "../../src/sources/files/record-reader.ts";
import { RequestBuilder } from "../../src/telemetry/builder.ts";
import { ByteRow } from "../../src/telemetry/byte-row.ts";
import { RequestTable } from "../../src/telemetry/table.ts";
import { dump } from "../telemetry/table-dump.ts";
import { COLUMNS, csvRow, ndjsonRow, requestRow } from "./rows.ts";

const encoder = new TextEncoder();
const sizes = fc.array(fc.integer({ min: 1, max: 64 }), { minLength: 1, maxLength: 40 });

/** Cuts bytes into chunks of the sizes, again and again. Each chunk is gone when the next one comes. */
function feed(bytes: Uint8Array, chunkSizes: readonly number[], reader: Reader): void {
  const buffer = new Uint8Array(64);
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const chunk = bytes.subarray(at, at + chunkSizes[i % chunkSizes.length]!);
    buffer.fill(63).set(chunk);
    reader.push(buffer.subarray(0, chunk.length));
    at += chunk.length;
  }
  reader.end();
}

function feedWhole(bytes: Uint8Array, reader: Reader): void {
  reader.push(bytes);
  reader.end();
}

/** Everything that a scanner says of a text. */
function scanned(bytes: Uint8Array, read: (bytes: Uint8Array, reader: Reader) => void): unknown {
  const rows: unknown[] = [];
  const slots = Int16Array.from([0, -1, 1, 2]);
  const scanner = new CsvScanner(44, slots, new ByteRow(), {
    row: (row, fields) => rows.push([fields, csvText(row, 0), csvText(row, 1), csvText(row, 2)]),
  });
  read(bytes, scanner);
  return { rows, openQuote: scanner.openQuote, unterminated: scanner.unterminated };
}

function inputOf(): Input {
  const builder = new RequestBuilder(new RequestTable(), { weight: "auto", probePaths: ["/healthz"] });
  return new Input("x", { builder, events: [], metrics: [] });
}

function tableOf(
  bytes: Uint8Array,
  make: (input: Input) => Reader,
  read: (bytes: Uint8Array, reader: Reader) => void,
): unknown {
  const input = inputOf();
  read(bytes, make(input));
  const { builder } = input.sink;
  return { ...dump(builder), examples: builder.malformedExamples, summary: input.summary() };
}

describe("the same bytes in any chunks", () => {
  test("give the same CSV rows, whatever the bytes are", () => {
    const text = fc
      .array(fc.constantFrom('"', '""', ",", "\n", "\r\n", "\r", "a", "é", "long text without an end"), {
        maxLength: 80,
      })
      .map((parts) => encoder.encode(parts.join("")));
    fc.assert(
      fc.property(text, sizes, (bytes, chunkSizes) => {
        const inChunks = scanned(bytes, (all, reader) => feed(all, chunkSizes, reader));
        expect(inChunks).toEqual(scanned(bytes, feedWhole));
      }),
      { numRuns: 1500 },
    );
  });

  test("give the same table, from CSV", () => {
    const make = (input: Input): Reader => new CsvFile(input, COLUMNS, ",");
    fc.assert(
      fc.property(fc.array(requestRow, { maxLength: 12 }), sizes, fc.boolean(), (rows, chunkSizes, ends) => {
        const text = rows.map(csvRow).join("\n") + (ends ? "\n" : "");
        const bytes = encoder.encode(text);
        const inChunks = tableOf(bytes, make, (all, reader) => feed(all, chunkSizes, reader));
        expect(inChunks).toEqual(tableOf(bytes, make, feedWhole));
      }),
      { numRuns: 300 },
    );
  });

  test("give the same table, from NDJSON", () => {
    const make = (input: Input): Reader =>
      new NdjsonFile(input, new RecordReader(input), { flat: true, prefixed: false });
    fc.assert(
      fc.property(fc.array(requestRow, { maxLength: 12 }), sizes, fc.boolean(), (rows, chunkSizes, ends) => {
        const text = rows.map(ndjsonRow).join("\n") + (ends ? "\n" : "");
        const bytes = encoder.encode(text);
        const inChunks = tableOf(bytes, make, (all, reader) => feed(all, chunkSizes, reader));
        expect(inChunks).toEqual(tableOf(bytes, make, feedWhole));
      }),
      { numRuns: 300 },
    );
  });
});
