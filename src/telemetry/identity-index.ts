import { type ByteRow, Tag } from "./byte-row.ts";
import { Field } from "./fields.ts";

const FIELDS = [Field.role, Field.instance, Field.version] as const;

interface Entry {
  readonly key: Uint8Array;
  readonly identity: number;
}

/**
 * Finds the identity of a row from its bytes, without making strings: a hash narrows, the bytes decide.
 */
export class IdentityIndex {
  readonly #entries = new Map<number, Entry[]>();
  #last: Entry | null = null;
  readonly #make: (row: ByteRow) => number;

  /** @param make makes the identity of a row that was not seen before */
  constructor(make: (row: ByteRow) => number) {
    this.#make = make;
  }

  find(row: ByteRow): number {
    if (this.#last !== null && matches(row, this.#last.key)) return this.#last.identity;
    const hash = hashRow(row);
    let entries = this.#entries.get(hash);
    if (entries === undefined) {
      entries = [];
      this.#entries.set(hash, entries);
    }
    let entry = entries.find((candidate) => matches(row, candidate.key));
    if (entry === undefined) {
      entry = { key: keyOf(row), identity: this.#make(row) };
      entries.push(entry);
    }
    this.#last = entry;
    return entry.identity;
  }
}

function hashRow(row: ByteRow): number {
  const { bytes } = row;
  let hash = 0;
  for (const field of FIELDS) {
    hash = Math.imul(hash, 31) + row.tag[field]!;
    if (row.tag[field] === Tag.absent) continue;
    for (let i = row.from[field]!, to = row.to[field]!; i < to; i++)
      hash = (Math.imul(hash, 31) + bytes[i]!) | 0;
  }
  // Kept within 30 bits, so that the map's keys stay small integers.
  return hash & 0x3fffffff;
}

function keyOf(row: ByteRow): Uint8Array {
  const parts: number[] = [];
  for (const field of FIELDS) {
    const length = row.tag[field] === Tag.absent ? 0 : row.to[field]! - row.from[field]!;
    parts.push(row.tag[field]!, length & 255, length >>> 8);
    for (let i = 0; i < length; i++) parts.push(row.bytes[row.from[field]! + i]!);
  }
  return Uint8Array.from(parts);
}

function matches(row: ByteRow, key: Uint8Array): boolean {
  const { bytes } = row;
  let at = 0;
  for (const field of FIELDS) {
    const length = row.tag[field] === Tag.absent ? 0 : row.to[field]! - row.from[field]!;
    if (key[at] !== row.tag[field] || key[at + 1] !== (length & 255) || key[at + 2] !== length >>> 8)
      return false;
    at += 3;
    for (let i = row.from[field]!, to = i + length; i < to; i++, at++) if (key[at] !== bytes[i]) return false;
  }
  return at === key.length;
}
