import { FIELD_COUNT } from "./fields.ts";

/** How a field's bytes are to be read. */
export const Tag = {
  absent: 0,
  /** A bare number or literal, or an unquoted CSV field. */
  bare: 1,
  /** Quoted, without escapes. */
  plain: 2,
  /** Quoted, with escapes or doubled quotes. */
  escaped: 3,
  /** A JSON object or array. */
  nested: 4,
} as const;

/** One row as byte ranges of a buffer, by field; valid until the next row is scanned. */
export class ByteRow {
  #bytes: Uint8Array = new Uint8Array(0);
  #view: DataView = new DataView(new ArrayBuffer(0));
  readonly from = new Int32Array(FIELD_COUNT);
  readonly to = new Int32Array(FIELD_COUNT);
  readonly tag = new Uint8Array(FIELD_COUNT);

  get bytes(): Uint8Array {
    return this.#bytes;
  }

  set bytes(bytes: Uint8Array) {
    if (bytes === this.#bytes) return;
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** The same bytes as {@link bytes}. */
  get view(): DataView {
    return this.#view;
  }

  set(field: number, from: number, to: number, tag: number): void {
    this.from[field] = from;
    this.to[field] = to;
    this.tag[field] = tag;
  }

  clear(): void {
    this.tag.fill(Tag.absent);
  }
}

const POWERS = Array.from({ length: 16 }, (_, i) => 10 ** i);

/**
 * A plain decimal of at most 15 digits, exactly as `Number` reads it (the mantissa and the power of
 * ten are both exact, so the quotient is rounded once); -1 for anything else.
 */
export function decimalAt(bytes: Uint8Array, from: number, to: number): number {
  const length = to - from;
  if (length === 0 || length > 16) return -1;
  let mantissa = 0;
  let decimals = -1;
  for (let i = from; i < to; i++) {
    const digit = bytes[i]! - 48;
    if (digit >= 0 && digit <= 9) {
      mantissa = mantissa * 10 + digit;
      if (decimals >= 0) decimals++;
    } else if (digit === -2 && decimals < 0 && i > from && i < to - 1) decimals = 0;
    else return -1;
  }
  if (length - (decimals >= 0 ? 1 : 0) > 15) return -1;
  return decimals > 0 ? mantissa / POWERS[decimals]! : mantissa;
}

/** Digits of fixed width as a number; -1 where a byte is no digit. */
export function digitsAt(bytes: Uint8Array, from: number, count: number): number {
  let value = 0;
  for (let i = from; i < from + count; i++) {
    const digit = bytes[i]! - 48;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

/** Whether the bytes at `from` are the ASCII text, whose letters are given in lower case, in any case. */
export function startsWithFolded(bytes: Uint8Array, from: number, to: number, lower: Uint8Array): boolean {
  if (to - from < lower.length) return false;
  for (let i = 0; i < lower.length; i++) {
    const byte = bytes[from + i]!;
    if ((byte >= 65 && byte <= 90 ? byte + 32 : byte) !== lower[i]) return false;
  }
  return true;
}
