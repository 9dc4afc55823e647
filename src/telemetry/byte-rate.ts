import { decimalAt, startsWithFolded } from "./byte-row.ts";

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);

const SAMPLE = ascii("sample");
const RATE = ascii("rate");
const PREFIXES = ["", "microsoft.", "_ms.", "applicationinsights.internal."].map(ascii);
const QUOTE = 34;
const BACKSLASH = 92;

/** Horspool shifts of "sample" in either case. */
const SHIFT = new Uint8Array(256).fill(SAMPLE.length);
for (let i = 0; i < SAMPLE.length - 1; i++) {
  SHIFT[SAMPLE[i]!] = SAMPLE.length - 1 - i;
  SHIFT[SAMPLE[i]! - 32] = SAMPLE.length - 1 - i;
}

/** The first place of "sample" in any case, or -1. */
export function findSample(bytes: Uint8Array, from: number, to: number): number {
  const last = SAMPLE.length - 1;
  for (let i = from; i + last < to; i += SHIFT[bytes[i + last]!]!) {
    if (startsWithFolded(bytes, i, to, SAMPLE)) return i;
  }
  return -1;
}

/**
 * The sample rate that stands in a bag of JSON text, where `at` is its only "sample"; -1 where the
 * bytes have any form but the usual one, so that the bag must be parsed.
 */
export function rateAt(bytes: Uint8Array, from: number, to: number, at: number): number {
  let i = at + SAMPLE.length;
  if (bytes[i] === 95) i++;
  if (!startsWithFolded(bytes, i, to, RATE) || !hasKeyStart(bytes, from, at)) return -1;
  i = skipQuote(bytes, i + RATE.length);
  if (i === -1) return -1;
  while (bytes[i] === 32) i++;
  if (bytes[i] !== 58) return -1;
  i++;
  while (bytes[i] === 32) i++;
  const quoted = skipQuote(bytes, i);
  const start = quoted === -1 ? i : quoted;
  let end = start;
  while (end < to && (bytes[end] === 46 || (bytes[end]! >= 48 && bytes[end]! <= 57))) end++;
  const after = bytes[end];
  const closed = quoted === -1 ? after === 44 || after === 125 : skipQuote(bytes, end) !== -1;
  if (end >= to || !closed) return -1;
  const rate = decimalAt(bytes, start, end);
  return rate > 0 && rate <= 100 ? rate : -1;
}

/** Past a quote in any of its three spellings (`"`, `""`, `\"`), or -1. */
function skipQuote(bytes: Uint8Array, at: number): number {
  if (bytes[at] === BACKSLASH) return bytes[at + 1] === QUOTE ? at + 2 : -1;
  if (bytes[at] !== QUOTE) return -1;
  return bytes[at + 1] === QUOTE ? at + 2 : at + 1;
}

/**
 * Whether "sample" at `at` belongs to a known key of the bag's own level: no second brace before it, and
 * the key's quote spelt as the bag's first one (a deeper quote carries one more escape).
 */
function hasKeyStart(bytes: Uint8Array, from: number, at: number): boolean {
  const prefix = PREFIXES.find((candidate) => {
    const start = at - candidate.length;
    return start > from && startsWithFolded(bytes, start, at, candidate) && bytes[start - 1] === QUOTE;
  });
  if (prefix === undefined) return false;
  let first = -1;
  let braces = 0;
  for (let i = from; i < at; i++) {
    if (bytes[i] === 123 && ++braces > 1) return false;
    if (first === -1 && braces === 1 && (bytes[i] === QUOTE || bytes[i] === BACKSLASH)) first = i;
  }
  if (first === -1) return false;
  const firstStyle = bytes[first] === BACKSLASH ? BACKSLASH : bytes[first + 1] === QUOTE ? QUOTE : 0;
  const quote = at - prefix.length - 1;
  const before = bytes[quote - 1];
  const style = before === BACKSLASH || before === QUOTE ? before : 0;
  return style === firstStyle && (style === 0 || bytes[quote - 2] !== BACKSLASH);
}
