import { formatCount, formatShare, type Symbols } from "./numbers.ts";
import type { Column, TableModel } from "./table.ts";

/** A part of the document as both the text and the Markdown show it. */
export interface LeaksSection {
  readonly title: string;
  readonly table: TableModel | null;
  readonly sentences: readonly string[];
}

interface Counted {
  readonly count: number;
  readonly share: number | null;
  readonly ci95: readonly [number | null, number | null];
}

/** `13 (65.0 %)`. */
export function counted({ count, share }: Counted, symbols: Symbols): string {
  return share === null
    ? formatCount(count, symbols)
    : `${formatCount(count, symbols)} (${formatShare(share, symbols)})`;
}

export const left = (head: string): Column => ({ head, align: "left" });
export const right = (head: string): Column => ({ head, align: "right" });
