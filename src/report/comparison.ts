import type { CohortDocument, ComparisonDocument, ReportDocument } from "./document.ts";
import {
  formatCount,
  formatDecimal,
  formatDelta,
  formatMs,
  formatMsDelta,
  formatMsInterval,
  formatPoints,
  formatShare,
  formatShareInterval,
  formatSpeedup,
  formatThreshold,
  type Symbols,
} from "./numbers.ts";
import type { Tone } from "./paint.ts";
import { type Cell, cell, type TableModel } from "./table.ts";

type Figure = number | null;

function ratio(before: Figure, after: Figure): Figure {
  return before === null || after === null || after <= 0 ? null : before / after;
}

function difference(before: Figure, after: Figure): Figure {
  return before === null || after === null ? null : after - before;
}

/** Colour needs evidence: comparable cohorts, and an interval that excludes no change. */
function deltaTone(comparison: ComparisonDocument | null): Tone {
  if (comparison === null || !comparison.comparable) return "plain";
  const [low, high] = comparison.firstRequest.p50DeltaCi95Ms;
  if (high !== null && high < 0) return "better";
  if (low !== null && low > 0) return "worse";
  return "plain";
}

function shareTone(
  before: CohortDocument,
  after: CohortDocument,
  comparison: ComparisonDocument | null,
): Tone {
  if (comparison === null || !comparison.comparable) return "plain";
  const [beforeLow, beforeHigh] = before.firstRequest.overThreshold.ci95;
  const [afterLow, afterHigh] = after.firstRequest.overThreshold.ci95;
  if (afterHigh !== null && beforeLow !== null && afterHigh < beforeLow) return "better";
  if (afterLow !== null && beforeHigh !== null && afterLow > beforeHigh) return "worse";
  return "plain";
}

/**
 * The figures that answer "how do first requests behave": one column a cohort, and with two cohorts
 * a column of changes. Differences that the document does not carry are plain subtractions of the
 * figures beside them, so they have no interval.
 */
export function comparisonTable(document: ReportDocument, symbols: Symbols): TableModel {
  const { cohorts, comparison } = document;
  const { thresholdMs } = document.settings;
  const threshold = formatThreshold(thresholdMs, symbols);
  const [before, after] = cohorts;
  const rows: Cell[][] = [];
  const row = (
    label: string,
    value: (cohort: CohortDocument) => string,
    change?: (before: CohortDocument, after: CohortDocument) => string,
    tone: Tone = "plain",
    changeTone: Tone = "plain",
  ): void => {
    const cells = [cell(label, tone), ...cohorts.map((cohort) => cell(value(cohort), tone))];
    if (before !== undefined && after !== undefined) {
      cells.push(cell(change === undefined ? "" : change(before, after), changeTone));
    }
    rows.push(cells);
  };
  const ms = (value: Figure): string => formatMs(value, symbols, thresholdMs);
  const second = (kind: "sequential" | "overlapping"): void => {
    row(
      `second ${kind} p50`,
      ({ second }) => `${ms(second[kind].p50Ms)} (n ${formatCount(second[kind].n, symbols)})`,
      (a, b) => formatSpeedup(ratio(a.second[kind].p50Ms, b.second[kind].p50Ms), symbols),
    );
  };
  const speedup = (key: "p90Ms" | "p99Ms") => (a: CohortDocument, b: CohortDocument) =>
    formatSpeedup(ratio(a.firstRequest[key], b.firstRequest[key]), symbols);
  const delta = comparison?.firstRequest;
  const tone = deltaTone(comparison);

  row("new instances (n)", (cohort) => formatCount(cohort.firstRequest.n, symbols));
  row(
    "first request p50",
    (cohort) => ms(cohort.firstRequest.p50Ms),
    () => formatSpeedup(delta?.p50Ratio ?? null, symbols),
    "strong",
    tone,
  );
  row(
    "  95 % interval",
    ({ firstRequest }) => formatMsInterval(firstRequest.p50Ms, firstRequest.p50Ci95Ms, symbols, thresholdMs),
    () => {
      if (delta === undefined || delta.p50DeltaMs === null) return symbols.none;
      const interval = formatMsInterval(delta.p50DeltaMs, delta.p50DeltaCi95Ms, symbols, 0);
      return `${formatMsDelta(delta.p50DeltaMs, symbols)} ${interval}`;
    },
    "dim",
    tone,
  );
  row("first request p90", (cohort) => ms(cohort.firstRequest.p90Ms), speedup("p90Ms"));
  row("first request p99", (cohort) => ms(cohort.firstRequest.p99Ms), speedup("p99Ms"));
  row(
    `over ${threshold}`,
    ({ firstRequest: { n, overThreshold } }) => ofTotal(overThreshold, n, symbols),
    (a, b) => points(a.firstRequest.overThreshold.share, b.firstRequest.overThreshold.share, symbols),
    "strong",
    before !== undefined && after !== undefined ? shareTone(before, after, comparison) : "plain",
  );
  row(
    "  95 % interval",
    ({ firstRequest }) => {
      const interval = formatShareInterval(firstRequest.overThreshold.ci95, symbols);
      return interval === symbols.none ? interval : `${interval} %`;
    },
    undefined,
    "dim",
  );
  row(
    "failed",
    ({ firstRequest: { n, failed } }) => ofTotal(failed, n, symbols),
    (a, b) => points(a.firstRequest.failed.share, b.firstRequest.failed.share, symbols),
  );
  row(
    "slow early / instance",
    (cohort) => formatDecimal(cohort.slowEarlyPerInstance, symbols),
    (a, b) => formatDelta(difference(a.slowEarlyPerInstance, b.slowEarlyPerInstance), symbols),
  );
  row(
    "overlap / instance",
    (cohort) => formatDecimal(cohort.overlap.perInstance, symbols),
    (a, b) => formatDelta(difference(a.overlap.perInstance, b.overlap.perInstance), symbols),
  );
  second("sequential");
  second("overlapping");

  const columns: TableModel["columns"] = [
    { head: "", align: "left" },
    ...cohorts.map((cohort) => ({ head: cohort.name, align: "right" as const })),
    ...(before !== undefined && after !== undefined ? [{ head: "change", align: "left" as const }] : []),
  ];
  return { columns, rows };
}

/** `42 of 44, 95.5 %`. */
export function ofTotal(part: { count: Figure; share: Figure }, n: number, symbols: Symbols): string {
  if (part.count === null) return symbols.none;
  const of = `${formatCount(part.count, symbols)} of ${formatCount(n, symbols)}`;
  return part.share === null ? of : `${of}, ${formatShare(part.share, symbols)}`;
}

function points(before: Figure, after: Figure, symbols: Symbols): string {
  return formatPoints(difference(before, after), symbols);
}
