import { formatCount, formatEstimate, formatInstant, type Symbols } from "./numbers.ts";
import type { ReconcileDocument, ReconcileTotals } from "./reconcile-document.ts";
import { type Cell, type Column, cell, type TableModel } from "./table.ts";

const right = (head: string): Column => ({ head, align: "right" });
const left = (head: string): Column => ({ head, align: "left" });

/** `0.953`: three decimals, and more where rounding would put it onto 1 or across the tolerance. */
export function formatRatio(ratio: number | null, tolerance: number, symbols: Symbols): string {
  if (ratio === null) return symbols.none;
  const isWithin = (value: number): boolean => Math.abs(value - 1) <= tolerance + 1e-12;
  for (let decimals = 3; decimals < 9; decimals++) {
    const text = ratio.toFixed(decimals);
    const shown = Number(text);
    if (isWithin(shown) === isWithin(ratio) && (shown === 1) === (ratio === 1)) return text;
  }
  return String(ratio);
}

function totalCells(totals: ReconcileTotals, tolerance: number, symbols: Symbols): Cell[] {
  const tone = totals.isWithin === false ? "worse" : "plain";
  return [
    cell(formatCount(totals.rows, symbols)),
    cell(formatEstimate(totals.weighted, symbols)),
    cell(formatEstimate(totals.withProbes, symbols)),
    cell(formatCount(totals.ingress, symbols)),
    cell(formatRatio(totals.ratio, tolerance, symbols), tone),
    cell(formatRatio(totals.ratioWithProbes, tolerance, symbols)),
    cell(totals.isWithin === false ? "outside" : totals.isWithin === true ? "within" : symbols.none, tone),
  ];
}

const HEADS = ["rows (n)", "weighted", "with probes", "ingress", "ratio", "with probes", ""].map(right);

/** The total and each window. */
export function totalTable({ total, periods, tolerance }: ReconcileDocument, symbols: Symbols): TableModel {
  const all = total === null ? [] : [{ name: "all", totals: total }];
  return {
    columns: [left(""), ...HEADS],
    rows: [...all, ...periods.map((period) => ({ name: period.name, totals: period }))].map(
      ({ name, totals }) => [cell(name), ...totalCells(totals, tolerance, symbols)],
    ),
  };
}

/** Hours, or the metric's own intervals where these are longer. */
export function hoursTable(
  hours: ReconcileDocument["hours"],
  { tolerance }: ReconcileDocument,
  symbols: Symbols,
): TableModel {
  return {
    columns: [left("from (UTC)"), ...HEADS],
    rows: hours.map((hour) => [
      cell(formatInstant(hour.from, symbols)),
      ...totalCells(hour, tolerance, symbols),
    ]),
  };
}

/** What each usual reason would leave. */
export function reasonsTable({ reasons, tolerance }: ReconcileDocument, symbols: Symbols): TableModel {
  return {
    columns: [left("reason"), left("tried"), right("ratio"), left("")],
    rows: reasons.map(({ id, tried, ratio, explains }) => [
      cell(id, explains ? "strong" : "plain"),
      cell(tried),
      cell(formatRatio(ratio, tolerance, symbols), explains ? "strong" : "plain"),
      cell(
        explains ? "would explain it" : ratio === null ? "nothing to try" : "no",
        explains ? "strong" : "dim",
      ),
    ]),
  };
}

function contentTable(
  head: string,
  rows: readonly { readonly label: readonly string[]; readonly rows: number; readonly weighted: number }[],
  symbols: Symbols,
): TableModel {
  const labels = Math.max(1, ...rows.map(({ label }) => label.length));
  return {
    columns: [
      ...Array.from({ length: labels }, (_, i) => left(i === 0 ? head : "")),
      right("rows (n)"),
      right("weighted"),
    ],
    rows: rows.map(({ label, rows: count, weighted }) => [
      ...Array.from({ length: labels }, (_, i) => cell(label[i] ?? "")),
      cell(formatCount(count, symbols)),
      cell(formatEstimate(weighted, symbols)),
    ]),
  };
}

const named = (text: string): string => (text === "" ? "(none)" : text);

/** What else is in the table: classes, roles, names, result codes. */
export function contentTables({ contents }: ReconcileDocument, symbols: Symbols): TableModel[] {
  const { classes, roles, names, resultCodes } = contents;
  return [
    contentTable(
      "class",
      classes.map((one) => ({ ...one, label: [one.class] })),
      symbols,
    ),
    contentTable(
      "role",
      roles.map((one) => ({ ...one, label: [named(one.role), one.isCounted ? "" : "not counted"] })),
      symbols,
    ),
    contentTable(
      "name",
      names.map((one) => ({ ...one, label: [named(one.name), one.class] })),
      symbols,
    ),
    contentTable(
      "result code",
      resultCodes.map((one) => ({ ...one, label: [named(one.resultCode), one.class] })),
      symbols,
    ),
  ];
}
