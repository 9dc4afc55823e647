import type { ReportDocument } from "../../src/report/document.ts";
import type { FormEvent, FormRow, RequestForm } from "../forms/types.ts";

const TICKS_PER_MS = 10_000n;

/** The rows with only what a form has a place for. */
export function asFormKeeps(form: RequestForm, rows: readonly FormRow[]): FormRow[] {
  return rows.map((row) => {
    const kept: FormRow = { ...row };
    if (form.millisecondsOnly === true) kept.startTicks -= kept.startTicks % TICKS_PER_MS;
    for (const field of form.lacks ?? []) delete kept[field];
    if (form.syntheticFlagOnly === true && kept.syntheticSource !== undefined) kept.syntheticSource = "True";
    return kept;
  });
}

/** The events with their clock to the millisecond. */
export function toMilliseconds(events: readonly FormEvent[]): FormEvent[] {
  return events.map((event) => ({ ...event, timeTicks: event.timeTicks - (event.timeTicks % TICKS_PER_MS) }));
}

/**
 * Remarks about an input that its form makes inevitable, by the name of the form:
 * - `truncation-invisible`: the Azure CLI's command drops the error that tells of cut results.
 */
export const INEVITABLE: Readonly<Record<string, readonly string[]>> = {
  "log-analytics-cli": ["truncation-invisible"],
  "log-analytics-cli-cl": ["truncation-invisible"],
};

/** Codes of the remarks about the inputs that the form does not explain. */
export function unexplainedNotes(document: ReportDocument, form: string): string[] {
  const expected = INEVITABLE[form] ?? [];
  return document.inputs.flatMap(({ warnings }) =>
    warnings.map(({ code }) => code).filter((code) => !expected.includes(code)),
  );
}
