import { type ByteRow, Tag } from "../../telemetry/byte-row.ts";

const QUOTE = 34;
const LF = 10;
const CR = 13;

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
  #rest: Uint8Array = new Uint8Array(0);
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
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const used = this.#scan(bytes, false);
    this.#rest = new Uint8Array(bytes.subarray(used));
  }

  /** Bytes of a row that has begun and not ended. */
  get pending(): number {
    return this.#rest.length;
  }

  end(): void {
    if (this.#rest.length === 0) return;
    this.#scan(this.#rest, true);
    this.#rest = new Uint8Array(0);
  }

  #scan(bytes: Uint8Array, last: boolean): number {
    const { row, handler } = this;
    row.bytes = bytes;
    let at = 0;
    while (at < bytes.length) {
      if (bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] === LF)) {
        at += bytes[at] === LF ? 1 : 2;
        continue;
      }
      row.clear();
      const next = this.#scanRow(bytes, at, last);
      if (next === -1) return at;
      handler.row(row, this.#fields);
      at = next;
    }
    return at;
  }

  #scanRow(bytes: Uint8Array, at: number, last: boolean): number {
    const { delimiter, slots, row } = this;
    const end = bytes.length;
    let column = 0;
    for (;;) {
      let from = at;
      let to: number;
      let tag: number = Tag.bare;
      if (at < end && bytes[at] === QUOTE) {
        from = ++at;
        tag = Tag.plain;
        for (;;) {
          while (at < end && bytes[at] !== QUOTE) at++;
          if (at + 1 >= end) {
            if (!last) return -1;
            if (at >= end) this.openQuote = true;
            break;
          }
          if (bytes[at + 1] !== QUOTE) break;
          tag = Tag.escaped;
          at += 2;
        }
        to = Math.min(at, end);
        at = to + 1;
        while (at < end && bytes[at] !== delimiter && bytes[at] !== LF) at++;
      } else {
        let byte = 0;
        while (at < end) {
          byte = bytes[at]!;
          if (byte === delimiter || byte === LF) break;
          at++;
        }
        to = at;
        if (to > from && bytes[to - 1] === CR && (at >= end || byte === LF)) to--;
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
