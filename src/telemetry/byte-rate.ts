import { finder, firstOf, fourOf } from "./byte-find.ts";
import { type ByteRow, decimalAt, startsWithFolded } from "./byte-row.ts";

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);

const SAMPLE = ascii("sample");
const RATE = ascii("rate");
/** What stands before "sample" in a key of the rate, by whether "rate" follows behind a low line. */
const PREFIXES = ["", "_ms."].map(ascii);
const LINED_PREFIXES = ["microsoft.", "applicationinsights.internal."].map(ascii);
/** No rate that is computed has more digits. */
const LONGEST = 24;
const QUOTE = 34;
const BACKSLASH = 92;
const QUOTES = fourOf(QUOTE);
const BACKSLASHES = fourOf(BACKSLASH);

/** The first place of "sample" in any case, or -1. */
export const findSample = finder("sample");

/**
 * The sample rate that stands in a bag of JSON text, where `at` is its only "sample"; -1 where the
 * bytes have any form but the usual one, so that the bag must be parsed.
 */
export function rateAt(row: ByteRow, from: number, to: number, at: number): number {
  const { bytes } = row;
  // A bag that is cut off is no bag.
  if (bytes[to - 1] !== 125) return -1;
  let i = at + SAMPLE.length;
  const prefixes = bytes[i] === 95 ? LINED_PREFIXES : PREFIXES;
  if (bytes[i] === 95) i++;
  if (!startsWithFolded(bytes, i, to, RATE) || !hasKeyStart(row, from, at, prefixes)) return -1;
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
  if (end >= to || !closed || end - start > LONGEST) return -1;
  const short = decimalAt(bytes, start, end);
  // 100 / 3 is written with more digits than that.
  const rate = short >= 0 ? short : Number(String.fromCharCode(...bytes.subarray(start, end)));
  return rate > 0 && rate <= 100 ? rate : -1;
}

/** Past a quote in any of its three spellings (`"`, `""`, `\"`), or -1. */
function skipQuote(bytes: Uint8Array, at: number): number {
  if (bytes[at] === BACKSLASH) return bytes[at + 1] === QUOTE ? at + 2 : -1;
  if (bytes[at] !== QUOTE) return -1;
  return bytes[at + 1] === QUOTE ? at + 2 : at + 1;
}

/** Whether "sample" at `at` stands in a known key of the bag's own level, not deeper and not in a text. */
function hasKeyStart(row: ByteRow, from: number, at: number, prefixes: readonly Uint8Array[]): boolean {
  const { bytes, view } = row;
  const prefix = prefixes.find((candidate) => {
    const start = at - candidate.length;
    return start > from && startsWithFolded(bytes, start, at, candidate) && bytes[start - 1] === QUOTE;
  });
  if (prefix === undefined) return false;
  // A quote is spelt `"`, `""` in CSV, or `\"` in JSON text inside JSON; the bag's first one tells.
  let i = from;
  while (i < at && bytes[i] !== QUOTE && bytes[i] !== BACKSLASH) i++;
  const style = bytes[i] === BACKSLASH ? BACKSLASH : bytes[i + 1] === QUOTE ? QUOTE : 0;
  const width = style === 0 ? 1 : 2;
  const key = at - prefix.length - width;
  let depth = 0;
  let inText = false;
  for (i = from; i < key; ) {
    const byte = bytes[i]!;
    if (byte === BACKSLASH && !(style === BACKSLASH && bytes[i + 1] === QUOTE))
      i = pastEscape(bytes, i, style);
    else if (byte === QUOTE || byte === BACKSLASH) {
      inText = !inText;
      i += width;
    } else if (inText) i = firstOf(view, i, QUOTES, BACKSLASHES);
    else {
      if (byte === 123 || byte === 91) depth++;
      else if (byte === 125 || byte === 93) depth--;
      i++;
    }
  }
  return i === key && depth === 1 && !inText;
}

/** Past an escape inside a text of the bag, in the spelling of its style. */
function pastEscape(bytes: Uint8Array, at: number, style: number): number {
  if (style === BACKSLASH) return bytes[at + 2] === BACKSLASH ? at + 4 : at + 3;
  return style === QUOTE && bytes[at + 1] === QUOTE ? at + 3 : at + 2;
}
