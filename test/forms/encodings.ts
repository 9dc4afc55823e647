import type { Encoding, Naming } from "./columns.ts";
import { type JsonObject, jsonText, Real } from "./text.ts";
import { iso7, isoMs, isoTrimmed } from "./times.ts";

const trueFalse = (value: boolean): string => (value ? "True" : "False");
const compact = (value: JsonObject | undefined): string | null =>
  value === undefined ? null : jsonText(value);

const query = {
  time: isoTrimmed,
  real: (value: number) => value,
  int: (value: number) => value,
  dynamic: compact,
};

/** The query service on classic names: no null strings, `success` as text, dynamic as JSON text. */
export const queryClassic: Encoding = { ...query, text: (text) => text ?? "", bool: trueFalse };

/** The query service on workspace names: a missing string comes as "" or as null. */
export const queryWorkspace: Encoding = {
  ...query,
  text: (text, index) => text ?? (index % 2 === 0 ? "" : null),
  bool: (value) => value,
};

/** `az monitor log-analytics query`: Python's text of every value; a missing one is "" or "None". */
export const azureCliText: Encoding = {
  time: isoTrimmed,
  text: (text, index) => text ?? (index % 2 === 0 ? "None" : ""),
  real: String,
  int: String,
  bool: trueFalse,
  dynamic: (value) => (value === undefined ? "None" : jsonText(value, { spaced: true })),
};

/** `JSON.stringify` of the JavaScript client's answer: dates to the millisecond, dynamic parsed. */
export const sdkDump: Encoding = {
  time: isoMs,
  text: (text) => text ?? null,
  real: (value) => value,
  int: (value) => value,
  bool: (value) => value,
  dynamic: (value) => value ?? null,
};

/** Kusto v1: reals with a decimal, dynamic as JSON text. */
export const kustoV1: Encoding = { ...queryClassic, real: (value) => new Real(value) };

/** Kusto v2: as v1, but dynamic as JSON values. */
export const kustoV2: Encoding = {
  ...kustoV1,
  bool: (value) => value,
  dynamic: (value) => value ?? null,
};

/** Flat objects whose missing values are null in one row and left out in the next. */
export const flatObjects: Encoding = {
  time: isoTrimmed,
  text: (text, index) => text ?? (index % 2 === 0 ? null : undefined),
  real: (value) => value,
  int: (value) => value,
  bool: trueFalse,
  dynamic: (value, index) => value ?? (index % 2 === 0 ? null : undefined),
};

/** Flat objects of text alone, custom dimensions as JSON text. */
export const flatText: Encoding = {
  time: isoTrimmed,
  text: (text) => text ?? "",
  real: String,
  int: String,
  bool: trueFalse,
  dynamic: (value) => compact(value) ?? "",
};

/** Diagnostic settings: typed values, seven digits, missing ones left out. */
export const diagnostics: Encoding = {
  time: iso7,
  text: (text) => text,
  real: (value) => value,
  int: (value) => value,
  bool: (value) => value,
  dynamic: (value) => value,
};

/** Workspace data export: as the diagnostic settings, with empty strings. */
export const workspaceExport: Encoding = { ...diagnostics, text: (text) => text ?? "" };

/** CSV cells: everything text, `success` as the naming's own type prints. */
export function csvCells(naming: Naming, options: Partial<Encoding> = {}): Encoding {
  const bool = naming === "classic" ? trueFalse : String;
  return { ...flatText, bool, ...options };
}
