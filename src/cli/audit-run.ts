import type { Fleet } from "../fleet/fleet.ts";
import type { ReportDocument } from "../report/document.ts";
import { Detail } from "../telemetry/detail.ts";
import type { DataFault } from "../telemetry/fault.ts";
import type { MetricPoint } from "../telemetry/metric-point.ts";
import { type AnalysisFlags, analysisSettings } from "./analysis-options.ts";
import { type DataFlags, dataFor, reachOf } from "./data.ts";
import { type ReportRun, runReport } from "./report-run.ts";
import type { World } from "./world.ts";

/** What an audit looks at. */
export interface AuditInput {
  readonly fleet: Fleet;
  readonly detail: Detail;
  /** Values of the ingress metric `Requests`. */
  readonly metrics: readonly MetricPoint[];
  /** The report on the same data: settings, inputs, row counts, warnings. */
  readonly report: ReportDocument;
  /** Inputs that are incomplete. */
  readonly faults: readonly DataFault[];
  /** The report's run, for a report that includes the audits. */
  readonly run: ReportRun;
}

/**
 * Reads the data for an audit, with the rows that a report leaves aside.
 *
 * @param options `needsInstance: false` takes rows without their instance as well
 * @throws UsageError for flags that make no sense, DataFault for data that cannot be read
 */
export async function runAudit(
  flags: AnalysisFlags & DataFlags,
  world: World,
  options: { readonly needsInstance?: boolean } = {},
): Promise<AuditInput> {
  const settings = await analysisSettings(flags);
  const paths = await dataFor(flags, reachOf(settings), flags, world);
  const detail = new Detail();
  const run = await runReport(paths, settings, world.stdin, { detail, ...options });
  return {
    fleet: run.fleet,
    detail,
    metrics: run.metrics,
    report: run.result.document,
    faults: run.faults,
    run,
  };
}
