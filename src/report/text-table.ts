import { painter } from "./paint.ts";
import { plain } from "./plain.ts";
import { cell, drawTable } from "./table.ts";

/** A small table of text, in 80 columns and without colour: the first column to the left, the others to the right. */
export function textTable(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const columns = heads.map((head, i) => ({ head, align: i === 0 ? "left" : "right" }) as const);
  const cells = rows.map((row) => row.map((text) => cell(plain(text, true))));
  return drawTable({ columns, rows: cells }, 80, true, painter(false));
}
