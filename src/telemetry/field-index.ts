import { isSame, viewOf } from "./byte-find.ts";
import { type ByteRow, Tag } from "./byte-row.ts";

interface Entry<T> {
  /** For each field its length, with its tag in the lowest bits. */
  readonly shapes: Int32Array;
  /** The fields' bytes, one behind the other. */
  readonly bytes: DataView;
  readonly value: T;
}

/**
 * Keeps a value for the bytes of some fields of a row, and finds it without making strings: a hash
 * narrows, the bytes decide.
 */
export class FieldIndex<T> {
  readonly #entries = new Map<number, Entry<T>[]>();
  #last: Entry<T> | null = null;
  #size = 0;

  /**
   * @param make makes the value of a row whose bytes were not seen before
   * @param most how many values are kept; more are made again each time
   */
  constructor(
    readonly fields: readonly number[],
    readonly make: (row: ByteRow) => T,
    readonly most = Number.POSITIVE_INFINITY,
  ) {}

  find(row: ByteRow): T {
    if (this.#last !== null && this.#matches(row, this.#last)) return this.#last.value;
    const hash = this.#hash(row);
    let entries = this.#entries.get(hash);
    if (entries !== undefined) {
      for (const entry of entries) {
        if (!this.#matches(row, entry)) continue;
        this.#last = entry;
        return entry.value;
      }
    }
    const value = this.make(row);
    if (this.#size === this.most) return value;
    this.#size++;
    if (entries === undefined) {
      entries = [];
      this.#entries.set(hash, entries);
    }
    entries.push(this.#entryOf(row, value));
    return value;
  }

  #hash(row: ByteRow): number {
    const { view, from } = row;
    let hash = 0;
    for (let i = 0; i < this.fields.length; i++) {
      const field = this.fields[i]!;
      const shape = shapeOf(row, field);
      hash = Math.imul(hash ^ shape, 0x01000193);
      let at = from[field]!;
      const to = at + (shape >>> 3);
      for (; at + 4 <= to; at += 4) hash = mix(hash ^ view.getInt32(at, true));
      for (; at < to; at++) hash = mix(hash ^ view.getUint8(at));
    }
    // Kept within 30 bits, so that the map's keys stay small integers.
    return (hash ^ (hash >>> 15)) & 0x3fffffff;
  }

  #matches(row: ByteRow, entry: Entry<T>): boolean {
    const { fields } = this;
    const { shapes, bytes } = entry;
    for (let i = 0; i < fields.length; i++) if (shapes[i] !== shapeOf(row, fields[i]!)) return false;
    let at = 0;
    for (let i = 0; i < fields.length; i++) {
      const length = shapes[i]! >>> 3;
      if (!isSame(row.view, row.from[fields[i]!]!, bytes, at, length)) return false;
      at += length;
    }
    return true;
  }

  #entryOf(row: ByteRow, value: T): Entry<T> {
    const shapes = Int32Array.from(this.fields, (field) => shapeOf(row, field));
    const bytes = new Uint8Array(shapes.reduce((sum, shape) => sum + (shape >>> 3), 0));
    let at = 0;
    for (let i = 0; i < shapes.length; i++) {
      const from = row.from[this.fields[i]!]!;
      bytes.set(row.bytes.subarray(from, from + (shapes[i]! >>> 3)), at);
      at += shapes[i]! >>> 3;
    }
    return { shapes, bytes: viewOf(bytes), value };
  }
}

function shapeOf(row: ByteRow, field: number): number {
  const tag = row.tag[field]!;
  return tag === Tag.absent ? 0 : ((row.to[field]! - row.from[field]!) << 3) | tag;
}

function mix(hash: number): number {
  const product = Math.imul(hash, 0x9e3779b1);
  return product ^ (product >>> 15);
}
