import { firstOf, fourOf, placeOf } from "../../telemetry/byte-find.ts";
import { type ByteRow, Tag } from "../../telemetry/byte-row.ts";
import { RowWindow } from "./row-window.ts";

const QUOTE = 34;
const LF = 10;
const CR = 13;
const QUOTES = fourOf(QUOTE);
const NEWLINES = fourOf(LF);

/** What happens to the rows of a CSV file. */
export interface CsvHandler {
  /** A complete row; `fields` is its number of fields. */
  row(row: ByteRow, fields: number): void;
}

/**
 * Splits CSV into rows and records the byte ranges of the wanted columns only. Fields may be quoted and
 * hold delimiters, newlines and doubled quotes.
 */
export class CsvScanner {
  /** Whether the last row ended at the end of the file instead of a newline. */
  unterminated = false;
  /** Whether the file ended inside quotes. */
  openQuote = false;
  /** What {@link scan} reads. */
  readonly window = new RowWindow();
  #fields = 0;

  /**
   * @param slots for each column the place in the row where its range goes, -1 for unwanted ones
   */
  constructor(
    readonly delimiter: number,
    readonly slots: Int16Array,
    readonly row: ByteRow,
    readonly handler: CsvHandler,
  ) {}

  push(chunk: Uint8Array): void {
    this.window.push(chunk);
    this.scan();
  }

  /** Reads the rows of the window that have ended. */
  scan(): void {
    this.#scan(false);
  }

  end(): void {
    this.#scan(true);
  }

  #scan(last: boolean): void {
    const { row, handler, window } = this;
    const { bytes, to } = window;
    row.bytes = bytes;
    while (window.from < to) {
      const at = window.from;
      if (bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] === LF && at + 1 < to)) {
        window.from += bytes[at] === LF ? 1 : 2;
        continue;
      }
      row.clear();
      const next = this.#scanRow(bytes, at, to, last);
      if (next === -1) return;
      window.from = next;
      handler.row(row, this.#fields);
    }
  }

  /** The place after the row at `at`, or -1 where it has not ended. A newline stands at `end`. */
  #scanRow(bytes: Uint8Array, at: number, end: number, last: boolean): number {
    const { delimiter, slots, row } = this;
    const { view } = row;
    const four = fourOf(delimiter);
    let column = 0;
    for (;;) {
      let from = at;
      let to: number;
      let tag: number = Tag.bare;
      let byte = bytes[at]!;
      if (byte === QUOTE) {
        from = ++at;
        tag = Tag.plain;
        at = placeOf(view, at, QUOTES);
        while (at + 1 < end && bytes[at + 1] === QUOTE) {
          tag = Tag.escaped;
          at = placeOf(view, at + 2, QUOTES);
        }
        if (at + 1 >= end) {
          if (!last) return -1;
          if (at >= end) this.openQuote = true;
        }
        to = Math.min(at, end);
        at = to + 1;
        byte = bytes[at]!;
        if (byte !== delimiter && byte !== LF && at < end) at = firstOf(view, at, four, NEWLINES);
      } else {
        if (byte !== delimiter && byte !== LF) at = firstOf(view, at, four, NEWLINES);
        to = at;
        if (to > from && bytes[to - 1] === CR && bytes[at] === LF) to--;
      }
      if (at >= end && !last) return -1;
      const slot = column < slots.length ? slots[column]! : -1;
      if (slot >= 0 && to > from) row.set(slot, from, to, tag);
      column++;
      if (at >= end) {
        this.#fields = column;
        this.unterminated = true;
        return end;
      }
      if (bytes[at++] === LF) {
        this.#fields = column;
        return at;
      }
    }
  }
}

/** A CSV field as text. */
export function csvText(row: ByteRow, field: number): string | undefined {
  const tag = row.tag[field]!;
  if (tag === Tag.absent) return undefined;
  const { bytes } = row;
  const from = row.from[field]!;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + from, row.to[field]! - from).toString("utf8");
  return tag === Tag.escaped ? text.replaceAll('""', '"') : text;
}

/** The column names of a header line, whose names may be quoted. */
export function splitHeader(line: string, delimiter: string): string[] {
  const names: string[] = [];
  let name = "";
  let quoted = false;
  for (let i = 0; i < line.length; i++) {
    const char = line[i]!;
    if (char === '"') {
      if (quoted && line[i + 1] === '"') name += line[i++];
      else quoted = !quoted;
    } else if (char === delimiter && !quoted) {
      names.push(name);
      name = "";
    } else name += char;
  }
  names.push(name);
  return names;
}
