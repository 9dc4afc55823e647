import { readExport } from "../../src/sources/files/read-file.ts";
import { RequestBuilder } from "../../src/telemetry/builder.ts";
import { DateReader } from "../../src/telemetry/dates.ts";
import { DataFault } from "../../src/telemetry/fault.ts";
import { type Cells, FIELD_COUNT, requestField } from "../../src/telemetry/fields.ts";
import { startFile } from "../../src/telemetry/file-state.ts";
import { RequestTable } from "../../src/telemetry/table.ts";
import { splitCsv } from "../forms/splitters.ts";
import { utf8 } from "../forms/text.ts";
import { type Dump, dump } from "./table-dump.ts";

export const PROBE_PATHS = ["/health", "/healthz", "/livez", "/ready", "/Prüfung", "/"];

function newBuilder(): RequestBuilder {
  return new RequestBuilder(new RequestTable(), { weight: "auto", probePaths: PROBE_PATHS });
}

/** What became of a text: its rows, or why it was refused. */
export type Outcome = Dump | { readonly refused: string };

/** What the readers of files make of a text: usual rows by their bytes. */
export async function byBytes(text: string): Promise<Outcome> {
  const builder = newBuilder();
  async function* stdin(): AsyncGenerator<Uint8Array> {
    yield utf8(text);
  }
  try {
    await readExport("-", { builder, events: [], metrics: [] }, stdin());
  } catch (error) {
    return refusal(error);
  }
  return dump(builder);
}

function refusal(error: unknown): Outcome {
  if (error instanceof DataFault) return { refused: error.what };
  throw error;
}

function byCells(rows: readonly Cells[]): Outcome {
  const builder = newBuilder();
  const file = startFile("-", new DateReader(false), "column");
  try {
    for (const cells of rows) {
      file.row++;
      builder.add(cells, file);
    }
  } catch (error) {
    return refusal(error);
  }
  return dump(builder);
}

function cellsOf(pairs: Iterable<readonly [string, unknown]>, isEmpty: (value: unknown) => boolean): Cells {
  const cells: Cells = new Array(FIELD_COUNT);
  for (const [column, value] of pairs) {
    const field = requestField(column);
    if (field !== undefined && !isEmpty(value)) cells[field] = value;
  }
  return cells;
}

/** What the builder makes of the cells of a CSV text, split by the tests' own splitter. */
export function csvByCells(text: string): Outcome {
  const [header, ...records] = splitCsv(text, ",");
  const isEmpty = (value: unknown): boolean => String(value).trim() === "";
  return byCells(
    records.map((record) =>
      cellsOf(
        record.map((cell, i) => [header![i]!, cell] as const),
        isEmpty,
      ),
    ),
  );
}

/** What the builder makes of the values of NDJSON, each line parsed as a whole. */
export function ndjsonByCells(text: string): Outcome {
  const isEmpty = (value: unknown): boolean => value === null || value === "";
  const records = text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return byCells(records.map((record) => cellsOf(Object.entries(record), isEmpty)));
}
