import type { Analysis } from "../figures/analysis.ts";
import type { CohortFigures } from "../figures/cohort.ts";
import {
  type InputDocument,
  type ReportResult,
  reportSchema,
  type SettingsDocument,
  type Warning,
} from "./document.ts";

/** What a document says besides its figures. */
export interface DocumentContext {
  readonly settings: SettingsDocument;
  readonly inputs: readonly InputDocument[];
  /** Remarks that do not come from the figures. */
  readonly warnings: readonly Warning[];
  /** ISO text of ticks. */
  readonly format: (ticks: number) => string;
}

/** The report document of an analysis. It is checked against its schema: a fault of ours must not be printed. */
export function buildReport(analysis: Analysis, context: DocumentContext): ReportResult {
  const { rows, requests, cohorts, comparison } = analysis;
  const document = reportSchema.parse({
    schema: "coldstart.report/1",
    settings: context.settings,
    inputs: context.inputs,
    rows: {
      read: rows.read,
      malformed: rows.malformed,
      duplicate: rows.duplicate,
      otherRole: rows.otherRole,
      outsideWindow: rows.outsideWindow,
      consumer: rows.consumer,
      other: rows.other,
      synthetic: rows.synthetic,
      probe: rows.probe,
      user: rows.user,
      noInstance: rows.noInstance,
    },
    requests,
    cohorts: cohorts.map((cohort) => cohortDocument(cohort, context.format)),
    comparison,
    warnings: [...analysis.warnings, ...context.warnings],
  });
  const firstRequestMs = Object.fromEntries(cohorts.map(({ name, firstMs }) => [name, Array.from(firstMs)]));
  return { document, firstRequestMs };
}

function cohortDocument(cohort: CohortFigures, format: (ticks: number) => string): object {
  const { from, to, firstMs: _values, name, instances, firstRequest, byOrder, second, ...rest } = cohort;
  const bound = (ticks: number): string | null => (Number.isFinite(ticks) ? format(ticks) : null);
  return { name, from: bound(from), to: bound(to), instances, firstRequest, byOrder, second, ...rest };
}
