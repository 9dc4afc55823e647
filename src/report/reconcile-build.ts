import type { Reconciliation } from "../figures/reconcile.ts";
import type { Totals } from "../figures/reconcile-totals.ts";
import type { ReportDocument, Warning } from "./document.ts";
import { type ReconcileDocument, reconcileSchema } from "./reconcile-document.ts";

/**
 * The document of a reconciliation, checked against its schema.
 *
 * @param report the report on the same data
 * @param format ISO text of ticks
 */
export function buildReconcile(
  result: Reconciliation,
  report: ReportDocument,
  format: (ticks: number) => string,
): ReconcileDocument {
  const dated = <T extends Totals>(totals: T) => ({
    ...totals,
    from: format(totals.from),
    to: format(totals.to),
  });
  const instant = (ticks: number | null): string | null => (ticks === null ? null : format(ticks));
  const { metric } = result;
  return reconcileSchema.parse({
    schema: "coldstart.reconcile/1",
    settings: report.settings,
    inputs: report.inputs,
    rows: report.rows,
    tolerance: result.tolerance,
    verdict: result.verdict,
    metric: { ...metric, from: instant(metric.from), to: instant(metric.to) },
    uncompared: result.uncompared,
    intervals: result.intervals,
    isBlurred: result.isBlurred,
    total: result.total === null ? null : dated(result.total),
    periods: result.periods.map(dated),
    hours: result.hours.map(dated),
    reasons: result.reasons,
    contents: result.contents,
    warnings: [...report.warnings, ...warningsOf(result)],
    unknown: unknownOf(result, report),
  });
}

function warningsOf({ metric }: Reconciliation): Warning[] {
  return [
    {
      code: "metric-repeated",
      message: "metrics files hold the same requests, split in different ways; they were counted once",
      count: metric.copies > 1 ? metric.copies : 0,
    },
    {
      code: "metric-interval",
      message: "metrics of a coarser interval than the finest one were left out; give files of one interval",
      count: metric.coarser,
    },
  ].filter(({ count }) => count > 0);
}

function unknownOf(
  { metric, contents, total, uncompared, verdict }: Reconciliation,
  report: ReportDocument,
): string[] {
  const unknown: string[] = [];
  if (metric.points === 0) {
    unknown.push("Whether the totals agree: no input holds the ingress metric Requests.");
  } else if (metric.unclear !== null) {
    unknown.push(`Whether the totals agree: ${metric.unclear}.`);
  } else if (contents.rows === 0) {
    unknown.push("Whether the totals agree: no request row lies in the window.");
  } else if (total === null) {
    unknown.push("Whether the totals agree: rows and metric have no time in common.");
  } else if (total.ratio === null) {
    unknown.push("Whether the totals agree: the ingress counted nothing in the time that both cover.");
  } else if (uncompared.isTooMuch) {
    unknown.push(
      `Whether the totals agree: ${percent(uncompared.weightedShare)} of the weighted rows and ${percent(uncompared.ingressShare)} of what the ingress counted have nothing to be compared with; up to 20 % is allowed.`,
    );
  } else if (verdict === "unknown") {
    unknown.push(
      "Whether the totals agree: the ratio lies within the tolerance, but the half width of its sampling interval is more than four times the tolerance.",
    );
  }
  if (uncompared.rows > 0 && total !== null) {
    unknown.push(
      `What the ingress counted for ${count(uncompared.rows)} rows (${count(uncompared.weighted)} weighted): the metric has no value at their time.`,
    );
  }
  if (total !== null) {
    const open = report.settings.to === null && report.settings.from === null;
    for (const [where, amount] of [
      ["before the first", metric.beforeRows],
      ["after the last", metric.afterRows],
    ] as const) {
      if (amount === 0) continue;
      unknown.push(
        `Whether the ${count(amount)} requests that the ingress counted ${where} row are missing: the export may begin or end there.${open ? " Give --from and --to to have them compared." : ""}`,
      );
    }
    unknown.push(
      "What the ingress answered itself (no replica ready, its own time-out): it counts such requests, and no row exists.",
      "What came past the ingress (calls inside the environment to a replica or through a sidecar): rows exist, and it does not count them.",
    );
  }
  if (contents.classes.some((one) => one.class === "synthetic")) {
    unknown.push("Which synthetic sources there are: the rows are told apart, their sources are not kept.");
  }
  return unknown;
}

function percent(share: number | null): string {
  return `${((share ?? 0) * 100).toFixed(share === null || share === 0 || share >= 0.1 ? 0 : 1)} %`;
}

function count(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}
