import { Buffer } from "node:buffer";

/** 100 ns ticks in one second. */
export const TICKS_PER_SECOND = 10_000_000n;
/** 100 ns ticks in one millisecond. */
export const TICKS_PER_MS = 10_000n;

/** A number that is printed with at least one decimal, as .NET prints a double: `3140.0`. */
export class Real {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
  toString(): string {
    return Number.isInteger(this.value) ? `${this.value}.0` : String(this.value);
  }
}

export type Json = null | boolean | number | string | Real | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

export interface JsonStyle {
  /** Text of one indentation step: one value a line. */
  readonly indent?: string;
  /** On one line, with a blank after commas and colons, as Python prints it. */
  readonly spaced?: boolean;
  /** Applied to the quoted text of each string. */
  readonly escape?: (quoted: string) => string;
}

/** JSON text of a value. Properties that are undefined are left out; order is kept. */
export function jsonText(value: Json, style: JsonStyle = {}, depth = 0): string {
  if (value instanceof Real) return value.toString();
  if (typeof value === "string") {
    const quoted = JSON.stringify(value);
    return style.escape === undefined ? quoted : style.escape(quoted);
  }
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const inner = (item: Json) => jsonText(item, style, depth + 1);
  if (Array.isArray(value)) {
    return wrap("[", value.map(inner), "]", style, depth);
  }
  const colon = style.indent !== undefined || style.spaced ? ": " : ":";
  const parts = Object.entries(value as JsonObject).flatMap(([key, item]) =>
    item === undefined ? [] : [`${jsonText(key, style)}${colon}${inner(item)}`],
  );
  return wrap("{", parts, "}", style, depth);
}

function wrap(
  open: string,
  parts: readonly string[],
  close: string,
  style: JsonStyle,
  depth: number,
): string {
  if (style.indent === undefined || parts.length === 0) {
    return open + parts.join(style.spaced ? ", " : ",") + close;
  }
  const pad = `\n${style.indent.repeat(depth + 1)}`;
  return `${open}${pad}${parts.join(`,${pad}`)}\n${style.indent.repeat(depth)}${close}`;
}

/** The same value with the keys of each object in code point order, as the Azure CLI prints them. */
export function sortKeys(value: Json): Json {
  if (value === null || typeof value !== "object" || value instanceof Real) return value;
  if (Array.isArray(value)) return value.map(sortKeys);
  const object = value as JsonObject;
  const keys = Object.keys(object).sort();
  return Object.fromEntries(keys.map((key) => [key, sortKeys(object[key] ?? null)]));
}

export type CsvQuoting = "needed" | "portal";

/**
 * One line of CSV without its end. `needed` quotes as RFC 4180 asks; `portal` quotes every cell that
 * holds more than letters, digits, `_` and `.`, as the Azure portal does; a decimal comma is no reason.
 */
export function csvLine(cells: readonly string[], delimiter: string, quoting: CsvQuoting): string {
  return cells
    .map((cell) => {
      const plain =
        quoting === "portal"
          ? /^[\w.]*$/.test(cell) || /^-?\d+,\d+$/.test(cell)
          : !/["\r\n]/.test(cell) && cell.trim() === cell;
      return plain && !cell.includes(delimiter) ? cell : `"${cell.replaceAll('"', '""')}"`;
    })
    .join(delimiter);
}

/** UTF-8 bytes, with a byte order mark if asked for. */
export function utf8(text: string, bom = false): Uint8Array {
  return new Uint8Array(Buffer.from((bom ? "\uFEFF" : "") + text, "utf8"));
}

/** UTF-16 LE bytes with their byte order mark, as Windows PowerShell's `>` writes. */
export function utf16le(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(`\uFEFF${text}`, "utf16le"));
}
