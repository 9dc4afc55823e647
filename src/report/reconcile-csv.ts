import { type CsvFigure, csvOf } from "./audit-csv.ts";
import type { ReconcileDocument, ReconcileTotals } from "./reconcile-document.ts";

/** `coldstart reconcile` in tidy long form: figures have the names of the JSON document, hours are labels. */
export function renderReconcileCsv(document: ReconcileDocument): string {
  const { total, periods, hours, reasons, contents, metric, warnings, inputs, unknown } = document;
  const figures: CsvFigure[] = [];
  if (total !== null) figures.push(...totalFigures("total", "", "", total));
  for (const period of periods) figures.push(...totalFigures("periods", period.name, "", period));
  for (const hour of hours) figures.push(...totalFigures("hours", hour.window, hour.from, hour));
  for (const { id, tried, ratio, explains } of reasons) {
    figures.push(
      { figure: `reasons.${id}.ratio`, label: tried, value: ratio, unit: "ratio" },
      { figure: `reasons.${id}.explains`, label: tried, value: explains ? 1 : 0, unit: "boolean" },
    );
  }
  for (const key of [
    "points",
    "copies",
    "coarser",
    "intervalMinutes",
    "total",
    "beforeRows",
    "afterRows",
  ] as const) {
    figures.push({ figure: `metric.${key}`, value: metric[key], unit: UNITS[key] });
  }
  const { uncompared } = document;
  for (const [key, unit] of [
    ["rows", "rows"],
    ["weighted", "requests"],
    ["weightedShare", "share"],
    ["ingress", "requests"],
    ["ingressShare", "share"],
  ] as const) {
    figures.push({ figure: `uncompared.${key}`, value: uncompared[key], unit });
  }
  figures.push(
    { figure: "uncompared.isTooMuch", value: Number(uncompared.isTooMuch), unit: "boolean" },
    { figure: "intervals", value: document.intervals, unit: "intervals" },
    { figure: "isBlurred", value: Number(document.isBlurred), unit: "boolean" },
  );
  const content = (figure: string, label: string, rows: number, weighted: number): void => {
    figures.push({ figure: `contents.${figure}`, label, value: weighted, unit: "requests", n: rows });
  };
  content("all", "", contents.rows, contents.weighted);
  for (const one of contents.classes) content("classes", one.class, one.rows, one.weighted);
  for (const one of contents.roles) content("roles", one.role, one.rows, one.weighted);
  for (const one of contents.names) content(`names.${one.class}`, one.name, one.rows, one.weighted);
  for (const one of contents.resultCodes)
    content(`resultCodes.${one.class}`, one.resultCode, one.rows, one.weighted);
  figures.push({ figure: "contents.moreNames", value: contents.moreNames, unit: "names" });
  figures.push({ figure: "tolerance", value: document.tolerance, unit: "share" });
  figures.push({ figure: "verdict", label: document.verdict, value: null, unit: "" });
  for (const { code, count } of [...warnings, ...inputs.flatMap((input) => input.warnings)]) {
    figures.push({ figure: "warnings", label: code, value: count, unit: "rows" });
  }
  for (const text of unknown) figures.push({ figure: "unknown", label: text, value: null, unit: "" });
  return csvOf(figures);
}

const UNITS = {
  points: "points",
  copies: "copies",
  coarser: "points",
  intervalMinutes: "min",
  total: "requests",
  beforeRows: "requests",
  afterRows: "requests",
} as const;

function totalFigures(prefix: string, cohort: string, label: string, totals: ReconcileTotals): CsvFigure[] {
  const n = totals.rows;
  const figure = (name: string, value: number | null, unit: string): CsvFigure => ({
    cohort,
    figure: `${prefix}.${name}`,
    label,
    value,
    unit,
    n,
  });
  return [
    figure("weighted", totals.weighted, "requests"),
    figure("users", totals.users, "requests"),
    figure("withProbes", totals.withProbes, "requests"),
    figure("ingress", totals.ingress, "requests"),
    { ...figure("ratio", totals.ratio, "ratio"), ci95: totals.ratioCi95 },
    figure("ratioWithProbes", totals.ratioWithProbes, "ratio"),
    figure("isWithin", totals.isWithin === null ? null : Number(totals.isWithin), "boolean"),
  ];
}
