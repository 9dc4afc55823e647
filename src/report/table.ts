import Table from "cli-table3";
import type { Paint, Tone } from "./paint.ts";
import { displayWidth, unbrokenWidth, wrap } from "./plain.ts";

export interface Cell {
  readonly text: string;
  readonly tone?: Tone;
}

export interface Column {
  readonly head: string;
  /** The heading over this column and those after it, up to the next group. */
  readonly group?: string;
  readonly align: "left" | "right";
}

/** A table as data: the text and the Markdown report draw the same ones. */
export interface TableModel {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
}

/** Builds a cell; the empty string is a cell that does not apply. */
export function cell(text: string, tone: Tone = "plain"): Cell {
  return { text, tone };
}

const GAP = 2;

function heads(table: TableModel): string[][] {
  const grouped = table.columns.some((column) => column.group !== undefined);
  return table.columns.map((column) => (grouped ? [column.group ?? "", column.head] : [column.head]));
}

/** The columns' widths when no cell is wrapped. */
function naturalWidths(table: TableModel): number[] {
  return heads(table).map((lines, index) =>
    Math.max(...lines.map(displayWidth), ...table.rows.map((row) => displayWidth(row[index]?.text ?? ""))),
  );
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + GAP * (widths.length - 1);
}

/** Columns that the table takes when no cell is wrapped. */
export function naturalWidth(table: TableModel): number {
  return total(naturalWidths(table));
}

/** The columns' widths below which words and intervals are broken apart. */
function unbrokenWidths(table: TableModel): number[] {
  return heads(table).map((lines, index) =>
    Math.max(...lines.map(unbrokenWidth), ...table.rows.map((row) => unbrokenWidth(row[index]?.text ?? ""))),
  );
}

/** Whether the table can be drawn in `width` columns with every word and interval whole. */
export function fits(table: TableModel, width: number): boolean {
  return total(unbrokenWidths(table)) <= width;
}

/** Narrows the widest column, one step at a time, until the table fits; words are kept whole as long as that goes. */
function narrow(table: TableModel, width: number): number[] {
  const widths = naturalWidths(table);
  for (const floors of [unbrokenWidths(table), widths.map(() => 1)]) {
    while (total(widths) > width) {
      const slack = widths.map((column, index) => (column > floors[index]! ? column : 0));
      const widest = slack.indexOf(Math.max(...slack));
      if (slack[widest] === 0) break;
      widths[widest] = widths[widest]! - 1;
    }
  }
  return widths;
}

/** Lines of the table, none longer than `width`: a rule under the head and no other lines. */
export function drawTable(table: TableModel, width: number, unicode: boolean, paint: Paint): string[] {
  const widths = narrow(table, width);
  const rule = unicode ? "─" : "-";
  const lay = (lines: readonly string[], index: number, tone: Tone): string => {
    const column = widths[index]!;
    const hang = index === 0 && column > 8 ? 2 : 0;
    return lines
      .flatMap((line) => wrap(line, column, hang))
      .map((line) => paint(line, tone))
      .join("\n");
  };
  const drawn = new Table({
    head: heads(table).map((lines, index) => lay(lines, index, "dim")),
    colAligns: table.columns.map((column) => column.align),
    style: { head: [], border: [], compact: true, "padding-left": 0, "padding-right": 0 },
    chars: {
      top: "",
      "top-mid": "",
      "top-left": "",
      "top-right": "",
      bottom: "",
      "bottom-mid": "",
      "bottom-left": "",
      "bottom-right": "",
      left: "",
      "left-mid": "",
      mid: rule,
      "mid-mid": rule.repeat(GAP),
      right: "",
      "right-mid": "",
      middle: " ".repeat(GAP),
    },
  });
  for (const row of table.rows) {
    drawn.push(
      table.columns.map((_, index) => lay([row[index]?.text ?? ""], index, row[index]?.tone ?? "plain")),
    );
  }
  return drawn
    .toString()
    .split("\n")
    .map((line) => line.replace(/ +$/, ""));
}

/** The table without its last column, and that column beside the row labels, its empty cells left out. */
export function splitLastColumn({ columns, rows }: TableModel): readonly [TableModel, TableModel] {
  const last = columns.length - 1;
  return [
    { columns: columns.slice(0, last), rows: rows.map((row) => row.slice(0, last)) },
    {
      columns: [columns[0]!, columns[last]!],
      rows: rows.filter((row) => row[last]?.text !== "").map((row) => [row[0]!, row[last]!]),
    },
  ];
}
