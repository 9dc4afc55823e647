import { firstOf, fourOf, isSame, placeOf, viewOf } from "../../telemetry/byte-find.ts";
import { type ByteRow, Tag } from "../../telemetry/byte-row.ts";
import { requestField } from "../../telemetry/fields.ts";
import { textOf } from "./json-splitter.ts";

interface Key {
  /** The name with its closing quote and a colon. */
  readonly token: DataView;
  readonly length: number;
  readonly field: number;
  /** The key that followed this one last time. */
  next: Key | null;
}

const QUOTE = 34;
const BACKSLASH = 92;
const COLON = 58;
const QUOTES = fourOf(QUOTE);
const BACKSLASHES = fourOf(BACKSLASH);
const NO_BYTES = new Uint8Array(0);

/**
 * Finds the request fields in a line that holds one flat JSON object. Records of an export carry their
 * keys in one order, so each key is first compared with the one that followed its forerunner last time.
 */
export class LineScanner {
  /** Stands before the first key of a line. */
  readonly #head: Key = { token: viewOf(NO_BYTES), length: 0, field: -1, next: null };
  /** Known keys by length and outer letters. */
  readonly #known: Key[][] = Array.from({ length: 256 }, () => []);

  /**
   * @param row where the ranges go
   * @param seen collects the fields for which a key was found
   */
  constructor(
    readonly row: ByteRow,
    readonly seen: Set<number>,
  ) {}

  /**
   * False where the line is not one flat JSON object in ordinary spelling.
   *
   * @param bytes must hold a quote, and four bytes behind it, somewhere behind the line
   */
  scan(bytes: Uint8Array, from: number, to: number): boolean {
    const { row } = this;
    row.bytes = bytes;
    row.clear();
    const { view } = row;
    let at = skipBlanks(bytes, from, to);
    if (bytes[at] !== 123) return false;
    at = skipBlanks(bytes, at + 1, to);
    if (bytes[at] === 125) return skipBlanks(bytes, at + 1, to) === to;
    let key = this.#head;
    for (;;) {
      if (bytes[at] !== QUOTE || at >= to) return false;
      at++;
      let next = key.next;
      if (next !== null && at + next.length < to && isSame(view, at, next.token, 0, next.length)) {
        at += next.length;
      } else {
        next = this.#lookUp(bytes, at, to);
        if (next === null) return false;
        key.next = next;
        at = skipBlanks(bytes, at + next.length - 1, to);
        if (bytes[at] !== COLON || at >= to) return false;
        at++;
      }
      key = next;
      at = this.#value(bytes, skipBlanks(bytes, at, to), to, key.field);
      if (at === -1) return false;
      at = skipBlanks(bytes, at, to);
      if (at >= to) return false;
      if (bytes[at] === 125) return skipBlanks(bytes, at + 1, to) === to;
      if (bytes[at] !== 44) return false;
      at = skipBlanks(bytes, at + 1, to);
    }
  }

  /** Records a value's range; returns the place after it, or -1. */
  #value(bytes: Uint8Array, at: number, to: number, field: number): number {
    if (at >= to) return -1;
    // The same field once more, under this or another spelling of its key.
    if (field >= 0 && this.row.tag[field] !== Tag.absent) return -1;
    const first = bytes[at]!;
    if (first === QUOTE) {
      const { view } = this.row;
      const start = at + 1;
      if (field < 0) return endOfText(bytes, view, start, to);
      let end = firstOf(view, start, QUOTES, BACKSLASHES);
      const tag = bytes[end] === QUOTE ? Tag.plain : Tag.escaped;
      while (end < to && bytes[end] === BACKSLASH) end = firstOf(view, end + 2, QUOTES, BACKSLASHES);
      if (end >= to) return -1;
      this.row.set(field, start, end, start === end ? Tag.absent : tag);
      return end + 1;
    }
    if (first === 123 || first === 91) {
      const end = endOfContainer(bytes, this.row.view, at, to);
      if (end !== -1 && field >= 0) this.row.set(field, at, end, Tag.nested);
      return end;
    }
    const start = at;
    while (at < to && bytes[at] !== 44 && bytes[at] !== 125 && bytes[at]! > 32) at++;
    if (at === start) return -1;
    const isNull = first === 110 && at - start === 4;
    if (field >= 0) this.row.set(field, start, at, isNull ? Tag.absent : Tag.bare);
    return at;
  }

  /** The key at `from`, learnt on first sight; null where it is not closed or holds escapes. */
  #lookUp(bytes: Uint8Array, from: number, to: number): Key | null {
    let end = from;
    while (end < to && bytes[end] !== QUOTE) {
      if (bytes[end] === BACKSLASH) return null;
      end++;
    }
    if (end >= to) return null;
    const bucket = this.#known[((end - from) * 31 + bytes[from]! * 7 + bytes[end - 1]!) & 255]!;
    const { view } = this.row;
    for (const key of bucket) {
      if (key.length === end - from + 2 && isSame(view, from, key.token, 0, end - from)) return key;
    }
    const field = requestField(textOf(bytes, from, end)) ?? -1;
    if (field >= 0) this.seen.add(field);
    const token = new Uint8Array(end - from + 2);
    token.set(bytes.subarray(from, end));
    token.set([QUOTE, COLON], end - from);
    const key: Key = { token: viewOf(token), length: token.length, field, next: null };
    // A file of ever new keys must not fill the memory.
    if (bucket.length < 64) bucket.push(key);
    return key;
  }
}

/** The place after the text that begins at `start`, or -1 where it does not end before `to`. */
function endOfText(bytes: Uint8Array, view: DataView, start: number, to: number): number {
  for (let end = placeOf(view, start, QUOTES); end < to; end = placeOf(view, end + 1, QUOTES)) {
    let slash = end;
    while (slash > start && bytes[slash - 1] === BACKSLASH) slash--;
    if ((end - slash) % 2 === 0) return end + 1;
  }
  return -1;
}

/** The place after the object or array at `at`, or -1. */
function endOfContainer(bytes: Uint8Array, view: DataView, at: number, to: number): number {
  let depth = 0;
  for (; at < to; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      at = endOfText(bytes, view, at + 1, to) - 1;
      if (at < 0) return -1;
    } else if (byte === 123 || byte === 91) depth++;
    else if ((byte === 125 || byte === 93) && --depth === 0) return at + 1;
  }
  return -1;
}

function skipBlanks(bytes: Uint8Array, at: number, to: number): number {
  while (at < to && bytes[at]! <= 32) at++;
  return at;
}
