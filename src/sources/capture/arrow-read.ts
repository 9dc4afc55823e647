import type { Table, Vector } from "apache-arrow";
import { DataFault } from "../../telemetry/fault.ts";
import { EPOCH_NS, loadArrow } from "./arrow.ts";

/** What a column holds: instants, numbers, truth values, texts kept once each, or texts row by row. */
export type ColumnKind = "instant" | "number" | "bool" | "text" | "plain";

const TYPES: Readonly<Record<ColumnKind, RegExp>> = {
  instant: /^Timestamp<NANOSECOND\b/,
  number: /^Float64$/,
  bool: /^Bool$/,
  text: /^Dictionary<Int(?:8|16|32), Utf8>/,
  plain: /^Utf8$/,
};

const REMEDY = "the capture was changed or damaged; pull it again into another folder";

/** @throws DataFault that the capture is not as it was written */
export function damaged(what: string, column?: string): DataFault {
  return new DataFault(what, REMEDY, column === undefined ? {} : { column });
}

/** An Arrow IPC file in memory. @throws DataFault where the bytes are none, or hold another number of rows */
export async function readTable(bytes: Uint8Array, rows: number): Promise<Table> {
  const arrow = await loadArrow();
  let table: Table;
  try {
    // The library takes bytes of no known form for a table without rows.
    if (!isArrow(bytes)) throw new Error("no magic");
    table = arrow.tableFromIPC(bytes);
  } catch {
    throw damaged("is no Arrow file");
  }
  if (table.numRows !== rows) throw damaged(`holds ${table.numRows} rows, not the ${rows} that were written`);
  return table;
}

/** Whether the bytes begin and end as an Arrow IPC file does. */
function isArrow(bytes: Uint8Array): boolean {
  const magic = Buffer.from("ARROW1");
  return magic.equals(bytes.subarray(0, 6)) && magic.equals(bytes.subarray(-6));
}

/** Values as they lie in the file: numbers, numbers of texts, halves of instants, or bits. */
export type RawValues = Float64Array | Int32Array | Int16Array | Int8Array | Uint8Array;

/** Raw values of one column in one record batch. */
export interface RawColumn {
  readonly values: RawValues;
  /** Set bit: there is a value. Null where all rows have one. */
  readonly valid: Uint8Array | null;
  /** No row has a value. */
  readonly isEmpty: boolean;
  /** Texts of a dictionary; empty for other columns. */
  readonly texts: readonly string[];
}

/** The rows of one record batch. */
export interface RawBatch<Name extends string> {
  readonly rows: number;
  readonly columns: Readonly<Record<Name, RawColumn>>;
}

/**
 * The columns of a table, batch by batch, as arrays. Instants are 64-bit numbers in two halves.
 *
 * @throws DataFault where a column is not there, or of another type
 */
export function rawBatches<Name extends string>(
  table: Table,
  kinds: Readonly<Record<Name, ColumnKind>>,
): RawBatch<Name>[] {
  checkColumns(table, kinds);
  const names = Object.keys(kinds) as Name[];
  const places = names.map((name) => table.schema.fields.findIndex((field) => field.name === name));
  return table.batches.map((batch) => {
    const columns = names.map((name, i) => {
      const { values, nullBitmap, nullCount, dictionary } = batch.data.children[places[i]!]!;
      const raw = values as BigInt64Array | RawValues;
      const isWide = raw instanceof BigInt64Array;
      const column: RawColumn = {
        values: isWide ? new Int32Array(raw.buffer, raw.byteOffset, raw.byteLength / 4) : raw,
        valid: nullCount > 0 ? nullBitmap : null,
        isEmpty: nullCount === batch.numRows,
        texts: dictionary === undefined ? [] : textsOf(dictionary),
      };
      return [name, column];
    });
    return { rows: batch.numRows, columns: Object.fromEntries(columns) as Record<Name, RawColumn> };
  });
}

/** @throws DataFault where a column is not there, or of another type */
export function checkColumns(table: Table, kinds: Readonly<Record<string, ColumnKind>>): void {
  for (const [name, kind] of Object.entries(kinds)) {
    const type = table.schema.fields.find((field) => field.name === name)?.type;
    if (type === undefined) throw damaged("lacks a column of a capture", name);
    if (!TYPES[kind].test(String(type)))
      throw damaged(`holds ${type} where a capture has another type`, name);
  }
}

function textsOf(dictionary: Vector): string[] {
  return Array.from({ length: dictionary.length }, (_, i) => String(dictionary.get(i)));
}

/** One of a row of bits. */
export function bitAt(bits: RawValues, i: number): boolean {
  return ((bits[i >> 3]! >> (i & 7)) & 1) === 1;
}

/** Whether row `i` has a value. */
export function hasValue({ valid }: RawColumn, i: number): boolean {
  return valid === null || bitAt(valid, i);
}

const EPOCH_HIGH = Number(EPOCH_NS >> 32n);
const EPOCH_LOW = Number(EPOCH_NS & 0xffffffffn);

/**
 * Ticks of row `i` of a column of instants in nanoseconds. In parts, because neither the nanoseconds nor
 * their distance from the epoch fit into a double; nanoseconds are multiples of 100, so all parts are exact.
 */
export function ticksAt(halves: RawValues, i: number): number {
  const high = halves[2 * i + 1]! - EPOCH_HIGH;
  const low = (halves[2 * i]! >>> 0) - EPOCH_LOW;
  return high * 42_949_672 + (high * 96 + low) / 100;
}
