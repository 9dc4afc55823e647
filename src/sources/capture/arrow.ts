import type { Table, Vector } from "apache-arrow";
import { DataFault } from "../../telemetry/fault.ts";
import { EPOCH_MS } from "../../telemetry/time.ts";
import type { NumberColumn, TextColumn } from "./buffers.ts";

type Arrow = typeof import("apache-arrow");

/** The library, loaded when a capture is first read or written. */
export function loadArrow(): Promise<Arrow> {
  return import("apache-arrow");
}

/** Nanoseconds from 1970 to the epoch of ticks. */
const EPOCH_NS = BigInt(EPOCH_MS) * 1_000_000n;
const EPOCH_HIGH = Number(EPOCH_NS >> 32n);
const EPOCH_LOW = Number(EPOCH_NS & 0xffffffffn);

/** Makes the columns of an Arrow table out of chosen rows of growing columns. */
export class ColumnMaker {
  /** @param rows positions in the growing columns, in the order of the table */
  constructor(
    readonly arrow: Arrow,
    readonly rows: Uint32Array,
  ) {}

  get length(): number {
    return this.rows.length;
  }

  /** Instants given in ticks. */
  instants(column: NumberColumn): Vector {
    const { arrow, length } = this;
    const data = new BigInt64Array(length);
    for (let i = 0; i < length; i++) data[i] = BigInt(column.values[this.rows[i]!]!) * 100n + EPOCH_NS;
    return arrow.makeVector(arrow.makeData({ type: new arrow.TimestampNanosecond("UTC"), length, data }));
  }

  /** Numbers; NaN stands for null. */
  numbers(column: NumberColumn): Vector {
    const { arrow, length } = this;
    const data = new Float64Array(length);
    const nullBitmap = new Uint8Array((length + 7) >> 3);
    let nullCount = 0;
    for (let i = 0; i < length; i++) {
      const value = column.values[this.rows[i]!]!;
      if (Number.isNaN(value)) nullCount++;
      else {
        data[i] = value;
        nullBitmap[i >> 3]! |= 1 << (i & 7);
      }
    }
    const nulls = nullCount === 0 ? {} : { nullCount, nullBitmap };
    return arrow.makeVector(arrow.makeData({ type: new arrow.Float64(), length, data, ...nulls }));
  }

  /** Truth values: 1 true, 0 false, NaN null. */
  bools(column: NumberColumn): Vector {
    const { arrow, length } = this;
    const data = new Uint8Array((length + 7) >> 3);
    const nullBitmap = new Uint8Array((length + 7) >> 3);
    let nullCount = 0;
    for (let i = 0; i < length; i++) {
      const value = column.values[this.rows[i]!]!;
      if (Number.isNaN(value)) nullCount++;
      else nullBitmap[i >> 3]! |= 1 << (i & 7);
      if (value === 1) data[i >> 3]! |= 1 << (i & 7);
    }
    const nulls = nullCount === 0 ? {} : { nullCount, nullBitmap };
    return arrow.makeVector(arrow.makeData({ type: new arrow.Bool(), length, data, ...nulls }));
  }

  /** Texts of which many are the same: each once, and a number a row. Only those in use are kept. */
  codes(column: TextColumn): Vector {
    const { arrow, length } = this;
    const data = new Int32Array(length);
    const own = new Map<number, number>();
    const texts: string[] = [];
    for (let i = 0; i < length; i++) {
      const code = column.codes.values[this.rows[i]!]!;
      let index = own.get(code);
      if (index === undefined) {
        index = texts.push(column.texts[code]!) - 1;
        own.set(code, index);
      }
      data[i] = index;
    }
    const type = new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32());
    return arrow.makeVector(arrow.makeData({ type, length, data, dictionary: this.#texts(texts) }));
  }

  /** Texts of which nearly all differ. */
  texts(column: readonly string[]): Vector {
    return this.#texts(Array.from(this.rows, (row) => column[row]!));
  }

  #texts(texts: readonly string[]): Vector {
    const { arrow } = this;
    const parts = texts.map((text) => Buffer.from(text, "utf8"));
    const valueOffsets = new Int32Array(texts.length + 1);
    parts.forEach((part, i) => {
      valueOffsets[i + 1] = valueOffsets[i]! + part.length;
    });
    const data = Buffer.concat(parts);
    return arrow.makeVector(
      arrow.makeData({ type: new arrow.Utf8(), length: texts.length, valueOffsets, data }),
    );
  }

  /** The table as the bytes of an Arrow IPC file, with a JSON value beside the columns. */
  file(columns: Readonly<Record<string, Vector>>, metadata: unknown): Uint8Array {
    const table = new this.arrow.Table(columns);
    table.schema.metadata.set("coldstart", JSON.stringify(metadata));
    return this.arrow.tableToIPC(table, "file");
  }
}

/** An Arrow IPC file in memory. @throws DataFault where the bytes are none, or hold another number of rows */
export async function readTable(bytes: Uint8Array, rows: number): Promise<Table> {
  const arrow = await loadArrow();
  let table: Table;
  try {
    table = arrow.tableFromIPC(bytes);
  } catch {
    throw new DataFault("is no Arrow file", "pull it again");
  }
  if (table.numRows !== rows) {
    throw new DataFault(`holds ${table.numRows} rows, not the ${rows} of its slice`, "pull it again");
  }
  return table;
}

/** Raw values of one column in one record batch. */
export interface RawColumn {
  readonly values: ArrayLike<number>;
  /** Set bit: there is a value. Null where all rows have one. */
  readonly valid: Uint8Array | null;
  /** Texts of a dictionary; empty for other columns. */
  readonly texts: readonly string[];
}

/** The columns of a table, batch by batch, as arrays. Instants are 64-bit numbers in two halves. */
export function rawBatches(
  table: Table,
  names: readonly string[],
): { readonly rows: number; readonly columns: RawColumn[] }[] {
  const places = names.map((name) => {
    const place = table.schema.fields.findIndex((field) => field.name === name);
    if (place === -1) throw new DataFault("lacks a column of a capture", "pull it again", { column: name });
    return place;
  });
  return table.batches.map((batch) => ({
    rows: batch.numRows,
    columns: places.map((place) => {
      const { values, nullBitmap, nullCount, dictionary } = batch.data.children[place]!;
      const raw = values as ArrayBufferView & ArrayLike<number>;
      const isWide = values instanceof BigInt64Array;
      return {
        values: isWide ? new Int32Array(raw.buffer, raw.byteOffset, raw.byteLength / 4) : raw,
        valid: nullCount > 0 ? nullBitmap : null,
        texts: dictionary === undefined ? [] : textsOf(dictionary),
      };
    }),
  }));
}

function textsOf(dictionary: Vector): string[] {
  return Array.from({ length: dictionary.length }, (_, i) => String(dictionary.get(i)));
}

/**
 * Ticks of row `i` of a column of instants in nanoseconds. In parts, because neither the nanoseconds nor
 * their distance from the epoch fit into a double; nanoseconds are multiples of 100, so all parts are exact.
 */
export function ticksAt(halves: ArrayLike<number>, i: number): number {
  const high = halves[2 * i + 1]! - EPOCH_HIGH;
  const low = (halves[2 * i]! >>> 0) - EPOCH_LOW;
  return high * 42_949_672 + (high * 96 + low) / 100;
}
