import { jsonText } from "../forms/text.ts";
import { COLUMNS, type TextRow } from "./byte-cells.ts";

/** Which cells of CSV stand in quotes: those that must, those with outer blanks as well, or all. */
export type Quoting = "must" | "blanks" | "all";

/** The rows as CSV. */
export function csvOf(rows: readonly TextRow[], quoting: Quoting): string {
  const cell = (text: string): string => {
    const plain = !/[",\r\n]/.test(text) && (quoting === "must" || text.trim() === text);
    return plain && quoting !== "all" ? text : `"${text.replaceAll('"', '""')}"`;
  };
  const lines = [[...COLUMNS], ...rows.map((row) => COLUMNS.map((column) => row[column]))];
  return `${lines.map((line) => line.map(cell).join(",")).join("\n")}\n`;
}

/** How values are spelt in JSON. */
export interface JsonSpelling {
  /** Numbers, booleans and bags as values of their own, or everything as text. */
  readonly typed: boolean;
  /** Quotes and letters outside ASCII as `\\u` escapes, slashes behind a backslash. */
  readonly escaped: boolean;
  /** Blanks after colons and commas. */
  readonly spaced: boolean;
  /** What stands for an empty cell; the time, the duration and the name are never left out. */
  readonly empty: "null" | "text" | "none";
}

const ALWAYS: ReadonlySet<string> = new Set(["timestamp", "duration", "name"]);
const TYPED: ReadonlySet<string> = new Set([
  "duration",
  "success",
  "resultCode",
  "itemCount",
  "customDimensions",
  "customMeasurements",
]);

/** The row as one line of JSON. */
export function jsonOf(row: TextRow, spelling: JsonSpelling): string {
  const members = COLUMNS.flatMap((column) => {
    const text = row[column];
    if (text !== "") return [`"${column}":${spelling.spaced ? " " : ""}${spelt(column, text, spelling)}`];
    if (spelling.empty === "none" && !ALWAYS.has(column)) return [];
    return [`"${column}":${spelling.empty === "text" ? '""' : "null"}`];
  });
  return `{${members.join(spelling.spaced ? ", " : ",")}}`;
}

function spelt(column: string, text: string, spelling: JsonSpelling): string {
  if (spelling.typed && TYPED.has(column)) {
    const value = typedValue(text);
    if (value !== undefined) return value;
  }
  return jsonText(text, spelling.escaped ? { escape: escapes } : {});
}

/** The text itself where it is a JSON value but no string. */
function typedValue(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(
      text.toLowerCase() === "true" || /^false$/i.test(text) ? text.toLowerCase() : text,
    );
    if (typeof value === "string") return undefined;
    return typeof value === "boolean" ? String(value) : text.trim().replaceAll("\n", " ");
  } catch {
    return undefined;
  }
}

function escapes(quoted: string): string {
  const unicode = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const inner = quoted
    .slice(1, -1)
    .replace(/\\(.)/g, (pair, char: string) => (char === '"' ? unicode(char) : pair));
  return `"${inner.replaceAll("/", "\\/").replace(/[^\x20-\x7e]/g, unicode)}"`;
}
