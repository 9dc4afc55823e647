import type { Table, Vector } from "apache-arrow";
import { ColumnMaker, loadArrow, rawBatches, ticksAt } from "./arrow.ts";
import { NumberColumn, TextColumn } from "./buffers.ts";
import type { SliceFile } from "./folder.ts";

/** A value of a column: an instant in ticks, a number, a truth value, a text. Only numbers may be null. */
export type Cell = number | string | boolean | null;
export type ColumnKind = "instant" | "number" | "bool" | "text";

/** How rows of one kind are kept: its columns, and the way there and back. */
export interface RowCodec<Row> {
  readonly columns: Readonly<Record<string, ColumnKind>>;
  encode(row: Row): readonly Cell[];
  decode(cells: readonly Cell[]): Row;
}

/** The rows as one Arrow file; for tables that are small beside the requests. */
export async function encodeRows<Row>(
  folder: string,
  rows: readonly Row[],
  codec: RowCodec<Row>,
  notes: unknown = null,
): Promise<SliceFile> {
  const kinds = Object.values(codec.columns);
  const columns = kinds.map((kind) => (kind === "text" ? new TextColumn() : new NumberColumn()));
  for (const row of rows) {
    codec.encode(row).forEach((cell, i) => {
      const column = columns[i]!;
      if (column instanceof TextColumn) column.push(String(cell ?? ""));
      else column.push(cell === null ? Number.NaN : Number(cell));
    });
  }
  const order = Uint32Array.from(rows.keys());
  const make = new ColumnMaker(await loadArrow(), order);
  const vectors = kinds.map((kind, i) => vectorOf(make, kind, columns[i]!));
  const named = Object.fromEntries(Object.keys(codec.columns).map((name, i) => [name, vectors[i]!]));
  return { folder, rows: rows.length, bytes: make.file(named, notes) };
}

function vectorOf(make: ColumnMaker, kind: ColumnKind, column: NumberColumn | TextColumn): Vector {
  if (column instanceof TextColumn) return make.codes(column);
  if (kind === "instant") return make.instants(column);
  return kind === "bool" ? make.bools(column) : make.numbers(column);
}

/** The rows of an Arrow file that {@link encodeRows} made. */
export function decodeRows<Row>(table: Table, codec: RowCodec<Row>): Row[] {
  const kinds = Object.values(codec.columns);
  const rows: Row[] = [];
  for (const { rows: count, columns } of rawBatches(table, Object.keys(codec.columns))) {
    for (let i = 0; i < count; i++) {
      rows.push(
        codec.decode(
          columns.map(({ values, valid, texts }, column) => {
            const isNull = valid !== null && ((valid[i >> 3]! >> (i & 7)) & 1) === 0;
            switch (kinds[column]!) {
              case "instant":
                return ticksAt(values, i);
              case "number":
                return isNull ? null : values[i]!;
              case "bool":
                return ((values[i >> 3]! >> (i & 7)) & 1) === 1;
              default:
                return texts[values[i]!]!;
            }
          }),
        ),
      );
    }
  }
  return rows;
}
