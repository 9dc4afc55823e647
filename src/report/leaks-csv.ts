import { stringify } from "csv-stringify/sync";
import type { LeaksDocument, LeaksRequests, LeaksSurplus } from "./leaks-document.ts";

type Figure = number | null;

const COLUMNS = ["period", "figure", "label", "value", "unit", "n", "ci95Low", "ci95High"] as const;

/**
 * The audit in tidy long form: a row a figure, with its unit, the n it rests on and its 95 % interval. The
 * verdict and its reasons stand in the labels. Numbers keep their full precision; what cannot be computed
 * is an empty cell.
 */
export function renderLeaksCsv(document: LeaksDocument): string {
  const rows: Record<(typeof COLUMNS)[number], string | Figure>[] = [];
  const add = (
    period: string,
    figure: string,
    value: Figure,
    unit: string,
    n: Figure,
    label = "",
    ci95: readonly [Figure, Figure] = [null, null],
  ): void => {
    // A label from outside must not be a formula where a spreadsheet opens the file.
    const safe = /^[=+\-@\t\r]./s.test(label) ? `'${label}` : label;
    rows.push({ period, figure, label: safe, value, unit, n, ci95Low: ci95[0], ci95High: ci95[1] });
  };
  const counted = (
    period: string,
    figure: string,
    { count, share, ci95 }: LeaksRequests["withPath"],
    n: number,
    label = "",
  ): void => {
    add(period, `${figure}.count`, count, "starts", n, label);
    add(period, `${figure}.share`, share, "share", n, label, ci95);
  };

  const { warmUp, requests, operations, metrics, zero, starts } = document;
  add("", "verdict", null, "", null, document.verdict);
  for (const { code } of document.reasons) add("", "reason", null, "", null, code);
  counted("since", "warmUp.logged", warmUp.logged, warmUp.starts);
  add("since", "warmUp.ran", warmUp.ran, "starts", warmUp.logged.count);
  add("since", "warmUp.succeeded", warmUp.succeeded, "starts", warmUp.starts);
  add("since", "warmUp.covered", warmUp.covered, "starts", warmUp.starts);
  for (const { outcome, starts: count } of warmUp.outcomes) {
    add("since", "warmUp.outcomes", count, "starts", warmUp.logged.count, outcome);
  }
  add("since", "warmUp.p50Ms", warmUp.p50Ms, "ms", warmUp.timed, "", warmUp.p50Ci95Ms);
  add("", "warmUp.linesWithoutInstance", warmUp.linesWithoutInstance, "lines", null);

  const period = (name: string, figures: LeaksRequests): void => {
    const n = figures.starts;
    add(name, "requests.starts", n, "starts", n);
    counted(name, "requests.withPath", figures.withPath, n);
    counted(name, "requests.firstIsPath", figures.firstIsPath, n);
    add(name, "requests.rows.observed", figures.rows.observed, "rows", n);
    add(name, "requests.rows.estimated", figures.rows.estimated, "requests", figures.rows.observed);
    add(name, "requests.inside.rows", figures.inside.rows, "rows", figures.rows.observed);
    add(name, "requests.inside.byLine", figures.inside.byLine, "rows", figures.rows.observed);
    add(name, "requests.inside.byRefusal", figures.inside.byRefusal, "rows", figures.rows.observed);
    add(name, "requests.inside.starts", figures.inside.starts, "starts", n);
    add(name, "requests.outsideStarts", figures.outsideStarts, "starts", n);
    add(name, "requests.undecidedStarts", figures.undecidedStarts, "starts", n);
  };
  if (requests.before !== null) period("before", requests.before);
  period("since", requests.since);
  if (requests.baseline !== null) {
    const { from, n, ...baseline } = requests.baseline;
    add("since", "requests.baseline.withPath", baseline.withPath, "", n, from);
    add("since", "requests.baseline.share", baseline.share, "share", n, from);
    add("since", "requests.baseline.expectedStarts", baseline.expectedStarts, "starts", n, from);
    add("since", "requests.baseline.excessStarts", baseline.excessStarts, "starts", n, from);
    add("since", "requests.baseline.p", baseline.p, "probability", n, from);
    add("since", "requests.baseline.jumpP", baseline.jumpP, "probability", n, from);
    add("since", "requests.baseline.firstExcessStarts", baseline.firstExcessStarts, "starts", n, from);
    add("since", "requests.baseline.firstRiseP", baseline.firstRiseP, "probability", n, from);
  }
  for (const name of ["othersBeforeLine", "withoutInstance", "withoutPath"] as const) {
    add("since", `requests.${name}`, requests[name], "rows", null);
  }

  if (operations !== null) {
    for (const group of ["sameOperation", "during"] as const) {
      for (const [name, value] of Object.entries(operations[group])) {
        add("since", `operations.${group}.${name}`, value, /starts$/i.test(name) ? "starts" : "rows", null);
      }
    }
    for (const name of ["earlier", "earlierAsRoute", "undated", "stray"] as const) {
      add("since", `operations.${name}`, operations[name], "rows", null);
    }
    add("", "operations.knownCalls", operations.knownCalls, "calls", null);
  }
  for (const metric of metrics) {
    const label = `${metric.name} (${metric.scope})`;
    const surplus = (name: string, figures: LeaksSurplus): void => {
      add(name, "metrics.counted", figures.counted, "requests", figures.starts, label);
      add(name, "metrics.explained", figures.explained, "requests", figures.starts, label);
      add(
        name,
        "metrics.surplusPerStart",
        figures.surplusPerStart,
        "requests per start",
        figures.starts,
        label,
      );
      counted(name, "metrics.withSurplus", figures.withSurplus, figures.starts, label);
      add(name, "metrics.withDeficit", figures.withDeficit, "starts", figures.starts, label);
      add(name, "metrics.beyondError", figures.beyondError ? 1 : 0, "", figures.starts, label);
    };
    if (metric.before !== null) surplus("before", metric.before);
    surplus("since", metric.since);
    add("since", "metrics.p", metric.p, "probability", metric.since.starts, label);
    add("", "metrics.unusable", metric.unusable, "values", null, label);
    add("since", "metrics.strayCount", metric.strayCount, "requests", null, label);
  }
  add("since", "zero.rate", zero.rate, "share", zero.rateN, zero.rateFrom);
  add("since", "zero.everyStartUnseen", zero.everyStartUnseen, "probability", zero.n);
  add("since", "zero.oneInTenUnseen", zero.oneInTenUnseen, "probability", zero.n);
  for (const [name, value] of Object.entries(starts)) add("since", `starts.${name}`, value, "starts", null);
  for (const text of document.unknown) add("", "unknown", null, "", null, text);
  for (const { code, count } of [
    ...document.warnings,
    ...document.inputs.flatMap(({ warnings }) => warnings),
  ]) {
    add("", "warnings", count, "rows", null, code);
  }
  return stringify(rows, { header: true, columns: [...COLUMNS] });
}
