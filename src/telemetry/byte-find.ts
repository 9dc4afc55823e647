import { startsWithFolded } from "./byte-row.ts";

/** Finds one ASCII text in bytes, in any case. */
export type Finder = (bytes: Uint8Array, from: number, to: number) => number;

/**
 * A finder by Horspool's rule: it looks at one byte in `text.length` where the text does not occur.
 *
 * @param text lower case
 * @returns a function that gives the first place, or -1
 */
export function finder(text: string): Finder {
  const wanted = new TextEncoder().encode(text);
  const last = wanted.length - 1;
  const shift = new Uint8Array(256).fill(wanted.length);
  for (let i = 0; i < last; i++) {
    const byte = wanted[i]!;
    shift[byte] = last - i;
    if (byte >= 97 && byte <= 122) shift[byte - 32] = last - i;
  }
  return (bytes, from, to) => {
    for (let i = from; i + last < to; i += shift[bytes[i + last]!]!) {
      if (startsWithFolded(bytes, i, to, wanted)) return i;
    }
    return -1;
  };
}

const ONES = 0x01010101;
const HIGHS = 0x80808080;

/** A byte four times over, as {@link firstOf} wants it. */
export function fourOf(byte: number): number {
  return byte * ONES;
}

/**
 * The first place at or after `at` of one of two bytes, four at a time. One of them must stand there, with
 * three more bytes behind it. Words that hold a zero byte are told by the carry that it causes (Mycroft's
 * test), of which the lowest is always right.
 *
 * @param a the first byte as {@link fourOf} gives it
 */
export function firstOf(view: DataView, at: number, a: number, b: number): number {
  for (; ; at += 4) {
    const word = view.getInt32(at, true);
    const x = word ^ a;
    const y = word ^ b;
    const found = (((x - ONES) & ~x) | ((y - ONES) & ~y)) & HIGHS;
    if (found !== 0) return at + ((31 - Math.clz32(found & -found)) >>> 3);
  }
}

/** As {@link firstOf}, of one byte. */
export function placeOf(view: DataView, at: number, a: number): number {
  for (; ; at += 4) {
    const x = view.getInt32(at, true) ^ a;
    const found = (x - ONES) & ~x & HIGHS;
    if (found !== 0) return at + ((31 - Math.clz32(found & -found)) >>> 3);
  }
}

/** Whether `length` bytes are the same in two places, all of which must exist. */
export function isSame(a: DataView, i: number, b: DataView, j: number, length: number): boolean {
  if (length < 4) {
    for (let k = 0; k < length; k++) if (a.getUint8(i + k) !== b.getUint8(j + k)) return false;
    return true;
  }
  // The last four bytes may overlap the ones before: each byte is looked at, some twice.
  const last = length - 4;
  if (a.getInt32(i + last, true) !== b.getInt32(j + last, true)) return false;
  for (let k = 0; k < last; k += 4) {
    if (a.getInt32(i + k, true) !== b.getInt32(j + k, true)) return false;
  }
  return true;
}

/** A view of the bytes of an array. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
