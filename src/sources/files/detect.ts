import { DataFault, OtherContent } from "../../telemetry/fault.ts";
import { eventField, requestField } from "../../telemetry/fields.ts";
import { splitHeader } from "./csv-scanner.ts";
import { isBag } from "./envelopes.ts";
import type { JsonLayout } from "./json-file.ts";
import { endOfValue, isBlank, SplitError, textOf } from "./json-splitter.ts";
import { describeError } from "./kusto.ts";

/** What the beginning of a file shows it to be. */
export type Detected =
  | {
      readonly kind: "json";
      readonly layout: JsonLayout;
      readonly skip: number;
      readonly form: string | null;
    }
  | {
      readonly kind: "ndjson";
      readonly flat: boolean;
      readonly prefixed: boolean;
      readonly form: string | null;
    }
  | { readonly kind: "csv"; readonly delimiter: string; readonly columns: string[]; readonly skip: number }
  | { readonly kind: "metrics" }
  | { readonly kind: "unknown" };

const DELIMITERS = [",", ";", "\t", "|"];
const AGAIN = "run the export again and look at its error output";

/**
 * Tells a file's form from its first bytes.
 *
 * @throws DataFault for what is plainly no export: empty, HTML, a CLI's error output, a text table
 */
export function detect(head: Uint8Array): Detected {
  const text = textOf(head, 0, head.length);
  if (text.trim() === "")
    throw new DataFault("the file is empty", "run the export again: an empty file is not an empty result");
  refuseBinary(head);
  refuseText(text);
  const skip = skipWarnings(text);
  const start = firstByte(head, Buffer.byteLength(text.slice(0, skip)));
  if (head[start] === 123 || head[start] === 91) return detectJson(head, start);
  if (isPrefixed(text)) return { kind: "ndjson", flat: false, prefixed: true, form: null };
  return detectCsv(text);
}

function refuseBinary(head: Uint8Array): void {
  const magic = textOf(head, 0, Math.min(6, head.length));
  if (magic.startsWith("PK\u0003\u0004")) {
    throw new DataFault("an Excel workbook or zip archive", "export CSV, or unpack the archive first");
  }
  if (magic.startsWith("PAR1"))
    throw new DataFault("a Parquet file", "export JSON or CSV; Parquet is not read");
  if (head.subarray(0, 4096).includes(0)) throw new DataFault("binary data", "give an export in JSON or CSV");
}

function refuseText(text: string): void {
  const head = text.trimStart();
  if (/^<\?xml|^<testsuites/i.test(head) && !/<html/i.test(head)) {
    throw new OtherContent(
      "an XML document, not an export",
      "give request rows or system logs as JSON, NDJSON or CSV",
    );
  }
  if (/^<(?:!doctype|html|\?xml|[a-z]+[\s>])/i.test(head)) {
    throw new DataFault(
      "an HTML or XML page, not an export",
      "sign in and export again: this is probably a login or error page",
    );
  }
  if (/^Traceback \(most recent call last\)/m.test(head.slice(0, 4000))) {
    throw new DataFault("the traceback of a command, not its result", AGAIN);
  }
  const line = head.split("\n", 1)[0]!.trim();
  if (
    /^(?:ERROR:|az: error|usage: az|\(\d{3}\)|The request timed out|An error occurred|Please run 'az login'|The command failed|\(\w+(?:Error|Failed|NotFound|Denied)\))/i.test(
      line,
    )
  ) {
    throw new DataFault(`the error message of a command ("${line.slice(0, 80)}")`, AGAIN);
  }
  const lines = head.split("\n", 3);
  if (/^-{3,}(?:\s+-{3,})*\s*$/.test(lines[1]?.trimEnd() ?? "")) {
    throw new DataFault("a text table (`-o table`), in which values are cut off", "export with `-o json`");
  }
  if (
    !/[,;\t{]/.test(lines[0] ?? "") &&
    /\S {2,}\S/.test(lines[0] ?? "") &&
    /\S {2,}\S/.test(lines[1] ?? "")
  ) {
    throw new DataFault(
      "a text table with blanks between its columns",
      "export with `-o json`, or CSV from the portal",
    );
  }
}

/** Warnings that a command line mixed into its output before the JSON begins. */
function skipWarnings(text: string): number {
  const match = /^(?:\s*(?:WARNING:|Command group |This command |The installed extension )[^\n]*\n)+/.exec(
    text,
  );
  return match === null ? 0 : match[0].length;
}

function firstByte(head: Uint8Array, from: number): number {
  let at = from;
  while (at < head.length && isBlank(head[at]!)) at++;
  return at;
}

function isPrefixed(text: string): boolean {
  return /^[^{\n]*\{[^\n]*"baseType"\s*:/m.test(text);
}

function detectJson(head: Uint8Array, start: number): Detected {
  if (head[start] === 91) {
    const first = firstByte(head, start + 1);
    const keys = head[first] === 123 ? topKeys(head, first) : new Map<string, number>();
    const frames = keys.has("FrameType");
    return {
      kind: "json",
      layout: frames ? "frames" : "array",
      skip: start,
      form: frames ? "kusto-v2" : null,
    };
  }
  const keys = topKeys(head, start);
  const isArray = (key: string): boolean => head[keys.get(key) ?? -1] === 91;
  if (isArray("Tables")) return { kind: "json", layout: "tables", skip: start, form: "kusto-v1" };
  if (isArray("tables") || isArray("partialTables")) {
    const sdk = textOf(head, start, Math.min(head.length, start + 65_536)).includes('"columnDescriptors"');
    return { kind: "json", layout: "tables", skip: start, form: sdk ? "sdk-tables" : "query-tables" };
  }
  if (isArray("value") && keys.has("interval") && keys.has("timespan")) return { kind: "metrics" };
  refuseErrorAnswer(head, start);
  const lineEnd = head.indexOf(10, start);
  const line = parseLine(head, start, lineEnd === -1 ? head.length : lineEnd);
  if (line !== undefined && !isArray("records")) {
    return { kind: "ndjson", flat: isFlatRequest(line), prefixed: false, form: null };
  }
  if (isArray("records") || isArray("items")) {
    return { kind: "json", layout: "records", skip: start, form: "diagnostic-records" };
  }
  return { kind: "json", layout: "sequence", skip: start, form: null };
}

/** The keys of the object at `at` that the head shows, with the place of each one's value. */
function topKeys(head: Uint8Array, at: number): Map<string, number> {
  const keys = new Map<string, number>();
  let i = at + 1;
  try {
    for (;;) {
      i = firstByte(head, i);
      if (head[i] !== 34) return keys;
      const end = endOfValue(head, i, false);
      if (end === -1) return keys;
      const colon = firstByte(head, end);
      const value = firstByte(head, colon + 1);
      if (head[colon] !== 58 || value >= head.length) return keys;
      keys.set(textOf(head, i + 1, end - 1), value);
      const next = endOfValue(head, value, false);
      if (next === -1) return keys;
      i = firstByte(head, next);
      if (head[i] !== 44) return keys;
      i++;
    }
  } catch (error) {
    if (error instanceof SplitError) return keys;
    throw error;
  }
}

function parseLine(head: Uint8Array, from: number, to: number): unknown {
  try {
    return JSON.parse(textOf(head, from, to));
  } catch {
    return undefined;
  }
}

function isFlatRequest(line: unknown): boolean {
  if (!isBag(line) || "TableName" in line) return false;
  if (isBag(line.data) && "baseType" in line.data) return false;
  return Object.keys(line).some((key) => /^duration(?:ms)?$/i.test(key));
}

function refuseErrorAnswer(head: Uint8Array, start: number): void {
  const end = endOfValue(head, start, true);
  const value = parseLine(head, start, end === -1 ? head.length : end);
  if (!isBag(value) || !(isBag(value.error) || typeof value.error === "string")) return;
  throw new DataFault(
    `an error answer, not rows (${describeError(value.error)})`,
    "sign in or mend the query, then export again",
  );
}

function detectCsv(text: string): Detected {
  const marked = /^sep=.\r?\n/i.exec(text)?.[0] ?? "";
  const end = text.indexOf("\n", marked.length);
  const line = (end === -1 ? text.slice(marked.length) : text.slice(marked.length, end)).replace(/\r$/, "");
  let best: { delimiter: string; columns: string[]; known: number } | null = null;
  for (const delimiter of DELIMITERS) {
    const columns = splitHeader(line, delimiter);
    const known = columns.filter(
      (name) => requestField(name) !== undefined || eventField(name) !== undefined,
    ).length;
    if (best === null || known > best.known) best = { delimiter, columns, known };
  }
  if (
    best === null ||
    best.columns.length < 2 ||
    (best.known === 0 && !/count_|avg_|percentile_/i.test(line))
  ) {
    return { kind: "unknown" };
  }
  const skip = Buffer.byteLength(text.slice(0, end === -1 ? text.length : end + 1));
  return { kind: "csv", delimiter: best.delimiter, columns: best.columns, skip };
}
