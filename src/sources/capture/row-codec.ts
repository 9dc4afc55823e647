import type { Table, Vector } from "apache-arrow";
import { ColumnMaker, loadArrow } from "./arrow.ts";
import { bitAt, hasValue, type RawColumn, rawBatches, ticksAt } from "./arrow-read.ts";
import { NumberColumn, TextColumn } from "./buffers.ts";
import type { SliceFile } from "./folder.ts";

/** A value of a column: an instant in ticks, a number, a truth value, a text. Only numbers may be null. */
export type Cell = number | string | boolean | null;
export type CellKind = "instant" | "number" | "bool" | "text";

/** How rows of one kind are kept: its columns, and the way there and back. */
export interface RowCodec<Row> {
  readonly columns: Readonly<Record<string, CellKind>>;
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

function vectorOf(make: ColumnMaker, kind: CellKind, column: NumberColumn | TextColumn): Vector {
  if (column instanceof TextColumn) return make.codes(column);
  if (kind === "instant") return make.instants(column);
  return kind === "bool" ? make.bools(column) : make.numbers(column);
}

/** The rows of an Arrow file that {@link encodeRows} made. @throws DataFault where it holds other columns */
export function decodeRows<Row>(table: Table, codec: RowCodec<Row>): Row[] {
  const names = Object.keys(codec.columns);
  const rows: Row[] = [];
  for (const batch of rawBatches(table, codec.columns)) {
    const columns = names.map((name) => reader(codec.columns[name]!, batch.columns[name]!));
    for (let i = 0; i < batch.rows; i++) rows.push(codec.decode(columns.map((cell) => cell(i))));
  }
  return rows;
}

function reader(kind: CellKind, column: RawColumn): (i: number) => Cell {
  const { values, texts } = column;
  switch (kind) {
    case "instant":
      return (i) => ticksAt(values, i);
    case "number":
      return (i) => (hasValue(column, i) ? values[i]! : null);
    case "bool":
      return (i) => bitAt(values, i);
    case "text":
      return (i) => texts[values[i]!]!;
  }
}
