import { join } from "node:path";
import { expect } from "vitest";
import type { ReportDocument, RowsDocument } from "../../src/report/document.ts";
import { readExport } from "../../src/sources/files/read-file.ts";
import { RequestBuilder } from "../../src/telemetry/builder.ts";
import type { SystemEvent } from "../../src/telemetry/events.ts";
import { DEFAULT_PROBE_PATHS } from "../../src/telemetry/path.ts";
import { RequestTable } from "../../src/telemetry/table.ts";
import { formatTicks, TICKS_PER_SECOND } from "../../src/telemetry/time.ts";
import { type ReportOutcome, ROOT, runReportJson, type WorldOptions } from "../cli/world.ts";

/** Each case is small and begins where its story begins, so births are not doubted. */
export const NO_GUARD = ["--guard", "0s"] as const;

export function fixture(name: string, folder = "corpus"): string {
  return join(ROOT, "fixtures", folder, name);
}

/** The report on files of the corpus; births are not doubted unless a guard is given. */
export function reportOn(
  names: readonly string[],
  flags: readonly string[] = NO_GUARD,
  options: WorldOptions = {},
): Promise<ReportOutcome> {
  return runReportJson([...names.flatMap((name) => ["--data", fixture(name)]), ...flags], options);
}

/** The document of a report that must have printed one. */
export function documentOf({ document, stderr }: ReportOutcome): ReportDocument {
  if (document === null) throw new Error(`no document was printed: ${stderr}`);
  return document;
}

/** Expects these row counts, and 0 for every class not named. */
export function expectRows(outcome: ReportOutcome, counts: Partial<RowsDocument>): void {
  const zero: RowsDocument = {
    read: 0,
    malformed: 0,
    duplicate: 0,
    otherRole: 0,
    outsideWindow: 0,
    consumer: 0,
    other: 0,
    synthetic: 0,
    probe: 0,
    user: 0,
    noInstance: 0,
  };
  expect(documentOf(outcome).rows).toEqual({ ...zero, ...counts });
}

/** The counts of all warnings, of the report and of its inputs, by code. */
export function warningCounts(document: ReportDocument): Record<string, number> {
  const all = [...document.warnings, ...document.inputs.flatMap(({ warnings }) => warnings)];
  return Object.fromEntries(all.map(({ code, count }) => [code, count]));
}

/** The non-empty buckets of the first cohort as `label: [observed, estimated, p50Ms]`. */
export function buckets(document: ReportDocument): Record<string, readonly (number | null)[]> {
  const rows = document.cohorts[0]!.byOrder.filter(({ observed }) => observed > 0);
  return Object.fromEntries(
    rows.map(({ label, observed, estimated, p50Ms }) => [label, [observed, estimated, p50Ms]]),
  );
}

export interface ReadEvents {
  readonly events: readonly SystemEvent[];
  readonly form: string;
  readonly otherRows: number;
  readonly warnings: readonly string[];
}

/** The system events of one file, as the reader hands them on. */
export async function eventsOf(path: string): Promise<ReadEvents> {
  const builder = new RequestBuilder(new RequestTable(), { weight: "auto", probePaths: DEFAULT_PROBE_PATHS });
  const sink = { builder, events: [] as SystemEvent[], metrics: [] };
  const input = await readExport(path, sink, (async function* () {})());
  if (input === null) throw new Error(`${path}: of no known form`);
  const { form, otherRows, warnings } = input.summary();
  return { events: sink.events, form, otherRows, warnings: warnings.map(({ code }) => code) };
}

/** Seconds between two events of a replica, the first of each reason. */
export function secondsBetween(
  events: readonly SystemEvent[],
  replica: string,
  from: string,
  to: string,
): number {
  const at = (reason: string): number => {
    const event = events.find((candidate) => candidate.replica === replica && candidate.reason === reason);
    if (event === undefined) throw new Error(`${replica} has no event ${reason}`);
    return event.ticks;
  };
  return (at(to) - at(from)) / TICKS_PER_SECOND;
}

/** An event's time as ISO text. */
export function timeOf(event: { readonly ticks: number }): string {
  return formatTicks(event.ticks);
}
