import { stringify } from "csv-stringify/sync";
import type { AppProbesDocument, ProbesDocument } from "./probes-document.ts";

type Value = string | number | boolean | null;

interface CsvRow {
  readonly app: string;
  readonly probe: string;
  readonly figure: string;
  readonly label: string;
  readonly value: Value;
  readonly unit: string;
  readonly n: number | null;
}

const COLUMNS = ["app", "probe", "figure", "label", "value", "unit", "n"] as const;

type Add = (figure: string, value: Value, unit: string, n?: number | null, label?: string) => void;

/** Texts from outside must not be formulas where a spreadsheet opens the file. */
function safe<T extends Value>(value: T): T | string {
  return typeof value === "string" && /^[=+\-@\t\r]./s.test(value) ? `'${value}` : value;
}

/** The document in long form: a row a figure. What is not known is an empty cell. */
export function renderProbesCsv(document: ProbesDocument): string {
  const rows: CsvRow[] = [];
  const adder =
    (app: string, probe: string): Add =>
    (figure, value, unit, n = null, label = "") => {
      rows.push({ app: safe(app), probe, figure, label: safe(label), value: safe(value), unit, n });
    };
  for (const app of document.apps) appRows(app, adder);
  for (const { app, type, handler, result } of document.expectations) {
    adder(app, type)("expectation", result, "", null, handler);
  }
  for (const { app, code, level, place } of document.findings) {
    adder(app, "")(`finding.${code}`, level, "", null, place);
  }
  for (const line of document.unknown) adder("", "")("unknown", null, "", null, line);
  const warnings = [...document.warnings, ...document.inputs.flatMap(({ warnings: own }) => own)];
  for (const { code, count } of warnings) adder("", "")("warnings", count, "rows", null, code);
  return stringify(rows, { header: true, columns: [...COLUMNS] });
}

function appRows(app: AppProbesDocument, adder: (app: string, probe: string) => Add): void {
  for (const { type, declared, inferred, confidence, refusals, expectedRows } of app.probes) {
    const add = adder(app.app, type);
    add("declared.origin", declared.origin, "");
    add("declared.handler", declared.handler, "");
    add("declared.path", declared.path, "");
    add("declared.port", declared.port, "");
    add("declared.budgetSeconds", declared.budgetSeconds, "s");
    add("inferred.handler", inferred.handler, "");
    add("inferred.path", inferred.path, "");
    add("inferred.port", inferred.port, "");
    add("inferred.periodSeconds", inferred.periodSeconds, "s");
    add("inferred.failureThreshold", inferred.failureThreshold, "refusals");
    add("confidence", confidence, "");
    if (refusals !== null) {
      const n = refusals.perStart.n;
      add("refusals.count", refusals.count, "refusals", n);
      for (const { status, count } of refusals.byStatus) {
        add("refusals.byStatus", count, "refusals", refusals.count, status);
      }
      add("refusals.perStart.p50", refusals.perStart.p50, "refusals per start", n);
      add("refusals.perStart.max", refusals.perStart.max, "refusals per start", n);
      add("refusals.periodSeconds.p50", refusals.periodSeconds.p50, "s", refusals.periodSeconds.n);
      add("refusals.kills", refusals.kills, "containers", n);
    }
    if (expectedRows !== null) {
      add("expectedRows.expected", expectedRows.expected, "requests", null, expectedRows.path);
      add("expectedRows.seen", expectedRows.seen, "requests", null, expectedRows.path);
    }
  }
  const add = adder(app.app, "");
  if (app.starts !== null) {
    const { starts, killed, silent, lastRefusal, firstRow } = app.starts;
    add("starts.killed", killed, "starts", starts);
    add("starts.silent", silent, "starts", starts);
    add("starts.lastRefusal.p50Seconds", lastRefusal.p50Seconds, "s", lastRefusal.n);
    add("starts.lastRefusal.maxSeconds", lastRefusal.maxSeconds, "s", lastRefusal.n);
    add("starts.firstRow.p50Seconds", firstRow.p50Seconds, "s", firstRow.n);
    add("starts.firstRow.maxSeconds", firstRow.maxSeconds, "s", firstRow.n);
  }
  for (const [reason, count] of Object.entries(app.log?.excluded ?? {})) {
    add("log.excluded", count, "refusals", null, reason);
  }
  for (const { path, rows, estimated } of app.rows?.paths ?? []) {
    add("rows.estimated", estimated, "requests", rows, path);
  }
}
