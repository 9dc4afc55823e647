import type { Vector } from "apache-arrow";
import { EPOCH_MS } from "../../telemetry/time.ts";
import type { NumberColumn, TextColumn } from "./buffers.ts";

type Arrow = typeof import("apache-arrow");

/** The library, loaded when a capture is first read or written. */
export function loadArrow(): Promise<Arrow> {
  return import("apache-arrow");
}

/** Nanoseconds from 1970 to the epoch of ticks. */
export const EPOCH_NS = BigInt(EPOCH_MS) * 1_000_000n;

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
    const dictionary = this.#texts(texts);
    // As few bytes a row as the texts let: they are read, and their digest taken, whenever one asks.
    const [Index, narrow] =
      texts.length <= 0x80
        ? [arrow.Int8, Int8Array.from(data)]
        : texts.length <= 0x8000
          ? [arrow.Int16, Int16Array.from(data)]
          : [arrow.Int32, data];
    const type = new arrow.Dictionary(new arrow.Utf8(), new Index());
    return arrow.makeVector(arrow.makeData({ type, length, data: narrow, dictionary }));
  }

  /** Texts of which nearly all differ. */
  texts(column: readonly string[]): Vector {
    return this.#texts(Array.from(this.rows, (row) => column[row]!));
  }

  #texts(texts: readonly string[]): Vector {
    const { arrow } = this;
    // Arrow's texts are UTF-8, which has no lone surrogates: such a one, which only a text that was cut in
    // the middle of a character has, becomes U+FFFD for good.
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
