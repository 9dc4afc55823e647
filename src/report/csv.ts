import { stringify } from "csv-stringify/sync";
import type { CohortDocument, ReportDocument, ReportResult } from "./document.ts";

type Figure = number | null;
type Interval = readonly [Figure, Figure];

interface CsvRow {
  readonly cohort: string;
  readonly figure: string;
  readonly label: string;
  readonly value: Figure;
  readonly unit: string;
  readonly n: Figure;
  readonly ci95Low: Figure;
  readonly ci95High: Figure;
}

const COLUMNS = ["cohort", "figure", "label", "value", "unit", "n", "ci95Low", "ci95High"] as const;

/** Rows of one cohort, or of the whole report under the empty name. */
function collector(cohort: string, rows: CsvRow[]) {
  return (
    figure: string,
    value: Figure,
    unit: string,
    n: Figure,
    label = "",
    ci95: Interval = [null, null],
  ): void => {
    // A label from outside (a path, a reason) must not be a formula where a spreadsheet opens the file.
    const safe = /^[=+\-@\t\r]./s.test(label) ? `'${label}` : label;
    rows.push({ cohort, figure, label: safe, value, unit, n, ci95Low: ci95[0], ci95High: ci95[1] });
  };
}

function instanceRows({ name, instances }: CohortDocument, rows: CsvRow[]): void {
  const add = collector(name, rows);
  const n = instances.total;
  add("instances.total", n, "instances", n);
  add("instances.weekday", instances.weekday, "instances", n);
  add("instances.weekend", instances.weekend, "instances", n);
  add("instances.idle", instances.idle, "instances", null);
  for (const [reason, value] of Object.entries(instances.excluded)) {
    add("instances.excluded", value, "instances", null, reason);
  }
  for (const [cause, value] of Object.entries(instances.warmedBy)) {
    add("instances.warmedBy", value, "instances", n, cause);
  }
}

function firstRequestRows({ name, firstRequest }: CohortDocument, rows: CsvRow[]): void {
  const add = collector(name, rows);
  const { n, overThreshold, failed, certainOrder } = firstRequest;
  add("firstRequest.p50Ms", firstRequest.p50Ms, "ms", n, "", firstRequest.p50Ci95Ms);
  add("firstRequest.p90Ms", firstRequest.p90Ms, "ms", n);
  add("firstRequest.p99Ms", firstRequest.p99Ms, "ms", n);
  add("firstRequest.overThreshold.count", overThreshold.count, "instances", n);
  add("firstRequest.overThreshold.share", overThreshold.share, "share", n, "", overThreshold.ci95);
  add("firstRequest.failed.count", failed.count, "instances", n);
  add("firstRequest.failed.share", failed.share, "share", n);
  add("firstRequest.certainOrder.count", certainOrder.count, "instances", n);
  add("firstRequest.certainOrder.share", certainOrder.share, "share", n);
}

function laterRows(cohort: CohortDocument, rows: CsvRow[]): void {
  const add = collector(cohort.name, rows);
  for (const bucket of cohort.byOrder) {
    const { label, observed: n } = bucket;
    add("byOrder.observed", n, "rows", n, label);
    add("byOrder.estimated", bucket.estimated, "requests", n, label);
    add("byOrder.p50Ms", bucket.p50Ms, "ms", n, label);
    add("byOrder.p90Ms", bucket.p90Ms, "ms", n, label);
    add("byOrder.overThresholdShare", bucket.overThresholdShare, "share", n, label);
  }
  for (const kind of ["sequential", "overlapping"] as const) {
    const { n, p50Ms, p90Ms, overThresholdShare } = cohort.second[kind];
    add("second.p50Ms", p50Ms, "ms", n, kind);
    add("second.p90Ms", p90Ms, "ms", n, kind);
    add("second.overThresholdShare", overThresholdShare, "share", n, kind);
  }
  const instances = cohort.instances.total;
  const { overlap, afterFirst, arrivals, lifetime } = cohort;
  add("overlap.perInstance", overlap.perInstance, "requests per instance", instances);
  add("overlap.p50Ms", overlap.p50Ms, "ms", overlap.n);
  add("afterFirst.p50Ms", afterFirst.p50Ms, "ms", afterFirst.n);
  add("slowEarlyPerInstance", cohort.slowEarlyPerInstance, "requests per instance", instances);
  add("arrivals.firstTenSecondsPerSecond", arrivals.firstTenSecondsPerSecond, "per second", instances);
  add("arrivals.laterPerSecond", arrivals.laterPerSecond, "per second", instances);
  add("lifetime.p50Minutes", lifetime.p50Minutes, "min", lifetime.n, lifetime.source);
  add("lifetime.within10MinutesShare", lifetime.within10MinutesShare, "share", lifetime.n, lifetime.source);
  add("lifetime.censored", lifetime.censored, "instances", lifetime.n, lifetime.source);
}

function comparisonRows({ comparison, cohorts }: ReportDocument, rows: CsvRow[]): void {
  if (comparison === null) return;
  const add = collector("", rows);
  const n = cohorts.reduce((sum, cohort) => sum + cohort.firstRequest.n, 0);
  const { p50DeltaMs, p50Ratio, p50DeltaCi95Ms, probabilityFaster } = comparison.firstRequest;
  add("comparison.firstRequest.p50DeltaMs", p50DeltaMs, "ms", n, "", p50DeltaCi95Ms);
  add("comparison.firstRequest.p50Ratio", p50Ratio, "ratio", n);
  add("comparison.firstRequest.probabilityFaster", probabilityFaster, "probability", n);
  add("comparison.comparable", comparison.comparable ? 1 : 0, "boolean", n);
  for (const reason of comparison.reasons) add("comparison.reason", null, "", n, reason);
}

function countRows(document: ReportDocument, rows: CsvRow[]): void {
  const add = collector("", rows);
  const { settings, requests } = document;
  add("settings.thresholdMs", settings.thresholdMs, "ms", null);
  add("settings.guardMinutes", settings.guardMinutes, "min", null);
  add("settings.resamples", settings.resamples, "resamples", null);
  add("settings.seed", settings.seed, "seed", null);
  for (const { path, rows: read, otherRows } of document.inputs) {
    add("inputs.rows", read, "rows", null, path);
    add("inputs.otherRows", otherRows, "rows", null, path);
  }
  for (const [name, value] of Object.entries(document.rows)) add(`rows.${name}`, value, "rows", null);
  add("requests.observed", requests.observed, "requests", requests.observed);
  add("requests.estimated", requests.estimated, "requests", requests.observed);
  for (const { code, count } of [
    ...document.warnings,
    ...document.inputs.flatMap((input) => input.warnings),
  ]) {
    add("warnings", count, "rows", null, code);
  }
}

/**
 * The report in tidy long form: a row a figure, with its unit, the n it rests on and its 95 % interval.
 * Figures have the names of the JSON document; numbers keep their full precision, shares are 0..1, and
 * what cannot be computed is an empty cell. What concerns no single cohort has an empty cohort; the n
 * of the comparison is the instances of both.
 */
export function renderCsv(result: ReportResult): string {
  const { document } = result;
  const rows: CsvRow[] = [];
  for (const cohort of document.cohorts) {
    instanceRows(cohort, rows);
    firstRequestRows(cohort, rows);
    laterRows(cohort, rows);
  }
  comparisonRows(document, rows);
  countRows(document, rows);
  return stringify(rows, { header: true, columns: [...COLUMNS] });
}
