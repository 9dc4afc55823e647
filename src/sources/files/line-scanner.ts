import { type ByteRow, Tag } from "../../telemetry/byte-row.ts";
import { requestField } from "../../telemetry/fields.ts";
import { endOfValue, textOf } from "./json-splitter.ts";

interface Key {
  readonly bytes: Uint8Array;
  readonly field: number;
  /** The key that followed this one last time. */
  next: Key | null;
}

const QUOTE = 34;
const BACKSLASH = 92;

/**
 * Finds the request fields in a line that holds one flat JSON object. Records of an export carry their
 * keys in one order, so each key is first compared with the one that followed its forerunner last time.
 */
export class LineScanner {
  /** Stands before the first key of a line. */
  readonly #head: Key = { bytes: new Uint8Array(0), field: -1, next: null };
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

  /** False where the line is not one flat JSON object in ordinary spelling. */
  scan(bytes: Uint8Array, from: number, to: number): boolean {
    const { row } = this;
    row.bytes = bytes;
    row.clear();
    let at = skipBlanks(bytes, from, to);
    if (bytes[at] !== 123) return false;
    at = skipBlanks(bytes, at + 1, to);
    if (bytes[at] === 125) return skipBlanks(bytes, at + 1, to) === to;
    let key = this.#head;
    for (;;) {
      if (bytes[at] !== QUOTE) return false;
      let next = key.next;
      if (next === null || !isKey(bytes, at + 1, next.bytes)) {
        next = this.#lookUp(bytes, at + 1, to);
        if (next === null) return false;
        key.next = next;
      }
      key = next;
      at += key.bytes.length + 2;
      at = skipBlanks(bytes, at, to);
      if (bytes[at] !== 58) return false;
      at = this.#value(bytes, skipBlanks(bytes, at + 1, to), to, key.field);
      if (at === -1) return false;
      at = skipBlanks(bytes, at, to);
      if (bytes[at] === 125) return skipBlanks(bytes, at + 1, to) === to;
      if (bytes[at] !== 44) return false;
      at = skipBlanks(bytes, at + 1, to);
    }
  }

  /** Records a value's range; returns the place after it, or -1. */
  #value(bytes: Uint8Array, at: number, to: number, field: number): number {
    const first = bytes[at]!;
    if (first === QUOTE) {
      const start = ++at;
      let tag: number = Tag.plain;
      let byte = bytes[at];
      while (at < to && byte !== QUOTE) {
        if (byte === BACKSLASH) {
          tag = Tag.escaped;
          at++;
        }
        byte = bytes[++at];
      }
      if (at >= to) return -1;
      if (field >= 0) this.row.set(field, start, at, start === at ? Tag.absent : tag);
      return at + 1;
    }
    if (first === 123 || first === 91) {
      const end = endOfValue(bytes.subarray(0, to), at, true);
      if (end === -1) return -1;
      if (field >= 0) this.row.set(field, at, end, Tag.nested);
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
    for (const key of bucket) {
      if (key.bytes.length === end - from && isKey(bytes, from, key.bytes)) return key;
    }
    const field = requestField(textOf(bytes, from, end)) ?? -1;
    if (field >= 0) this.seen.add(field);
    const key: Key = { bytes: new Uint8Array(bytes.subarray(from, end)), field, next: null };
    // A file of ever new keys must not fill the memory.
    if (bucket.length < 64) bucket.push(key);
    return key;
  }
}

function isKey(bytes: Uint8Array, at: number, key: Uint8Array): boolean {
  for (let i = 0; i < key.length; i++) if (bytes[at + i] !== key[i]) return false;
  return bytes[at + key.length] === QUOTE;
}

function skipBlanks(bytes: Uint8Array, at: number, to: number): number {
  while (at < to && bytes[at]! <= 32) at++;
  return at;
}
