import { type Analysis, analyse, RESAMPLES } from "../figures/analysis.ts";
import { buildFleet, type Fleet } from "../fleet/fleet.ts";
import { buildReport } from "../report/build.ts";
import type { ReportResult, SettingsDocument, Warning } from "../report/document.ts";
import { loadFiles } from "../sources/files/load.ts";
import { type MalformedExample, RequestBuilder } from "../telemetry/builder.ts";
import type { Detail } from "../telemetry/detail.ts";
import type { DataFault } from "../telemetry/fault.ts";
import type { MetricPoint } from "../telemetry/metric-point.ts";
import { RequestTable } from "../telemetry/table.ts";
import { formatTicks } from "../telemetry/time.ts";
import type { AnalysisSettings } from "./analysis-options.ts";

/** A report, with what is to be said of it on standard error. */
export interface ReportRun {
  readonly result: ReportResult;
  readonly analysis: Analysis;
  readonly fleet: Fleet;
  /** Values of the ingress metric `Requests`, where an input holds them. */
  readonly metrics: readonly MetricPoint[];
  /** Inputs that are incomplete, each with its one line. */
  readonly faults: readonly DataFault[];
  readonly malformed: readonly MalformedExample[];
}

/**
 * Reads the inputs and computes the report.
 *
 * @param options rows of `markedPath` are marked in the fleet's table; `detail` takes what audits need;
 *   `needsInstance: false` takes rows without their instance as well
 * @throws DataFault where an input cannot be read or does not fit the question
 */
export async function runReport(
  paths: readonly string[],
  settings: AnalysisSettings,
  stdin: AsyncIterable<Uint8Array>,
  options: {
    readonly markedPath?: string;
    readonly detail?: Detail;
    readonly needsInstance?: boolean;
  } = {},
): Promise<ReportRun> {
  const { markedPath, detail = null, needsInstance = true } = options;
  const builder = new RequestBuilder(
    new RequestTable(),
    {
      weight: settings.weight,
      probePaths: settings.probePaths,
      keepVersion: settings.fleet.revision !== null,
      ...(markedPath === undefined ? {} : { markedPath }),
    },
    detail,
  );
  const loaded = await loadFiles(paths, builder, stdin, { needsInstance });
  const fleet = buildFleet(builder.table, loaded.events, settings.fleet, loaded.dataFrom);
  const analysis = analyse(fleet, builder, settings);
  const result = buildReport(analysis, {
    settings: settingsDocument(settings),
    inputs: loaded.inputs,
    warnings: ignoredWarnings(loaded.ignored),
    format: formatTicks,
  });
  return {
    result,
    analysis,
    fleet,
    metrics: loaded.metrics,
    faults: loaded.faults,
    malformed: builder.malformedExamples,
  };
}

function ignoredWarnings(ignored: readonly string[]): Warning[] {
  if (ignored.length === 0) return [];
  return [
    {
      code: "ignored-files",
      message: `files of no known form were left out: ${ignored.join(", ")}`,
      count: ignored.length,
    },
  ];
}

function settingsDocument(settings: AnalysisSettings): SettingsDocument {
  const { fleet } = settings;
  const instant = (ticks: number | null): string | null => (ticks === null ? null : formatTicks(ticks));
  return {
    from: instant(settings.from),
    to: instant(settings.to),
    deployedAt: instant(settings.deployedAt),
    role: fleet.role,
    revision: fleet.revision,
    container: fleet.container,
    timezone: fleet.timezone,
    days: fleet.days,
    holidays: [...fleet.holidays],
    thresholdMs: settings.thresholdMs,
    guardMinutes: settings.guardMs / 60_000,
    probePaths: [...settings.probePaths],
    weight: settings.weight,
    seed: settings.seed,
    resamples: RESAMPLES,
    quantileDefinition: "inverse-ecdf",
  };
}
