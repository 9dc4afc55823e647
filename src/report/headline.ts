import type { CohortDocument, ReportDocument } from "./document.ts";
import { formatCount, formatEstimate, formatInstant, formatThreshold, type Symbols } from "./numbers.ts";

/** The sentences at the head and the foot of a report, without layout. `quote` marks outside text. */
type Quote = (text: string) => string;

function period(from: string | null, to: string | null, symbols: Symbols): string {
  if (from === null && to === null) return "all of the data";
  if (from === null) return `up to ${formatInstant(to, symbols)} UTC`;
  if (to === null) return `from ${formatInstant(from, symbols)} UTC on`;
  return `${formatInstant(from, symbols)} to ${formatInstant(to, symbols)} UTC`;
}

function cohortPeriod({ name, from, to }: CohortDocument, symbols: Symbols): string {
  return `${name}: ${period(from, to, symbols)}`;
}

/** What was looked at: role, window, cohorts, days, threshold. */
export function scope(document: ReportDocument, symbols: Symbols, quote: Quote): string {
  const { settings, cohorts } = document;
  const role = settings.role === null ? "all roles" : quote(settings.role);
  const revision = settings.revision === null ? "" : `, revision ${quote(settings.revision)}`;
  const container = settings.container === null ? "" : `, container ${quote(settings.container)}`;
  const windows =
    cohorts.length > 1
      ? cohorts.map((cohort) => cohortPeriod(cohort, symbols)).join("; ")
      : period(settings.from, settings.to, symbols);
  const split = cohorts.some((cohort) => cohort.from === settings.deployedAt);
  const deployed =
    settings.deployedAt === null || split
      ? ""
      : ` Deployed at ${formatInstant(settings.deployedAt, symbols)} UTC.`;
  const days = settings.days === "weekdays" ? "weekdays only" : "all days";
  return [
    `Cold starts of ${role}${revision}${container}; ${windows}.${deployed}`,
    `Time zone ${quote(settings.timezone)}, ${days}; threshold ${formatThreshold(settings.thresholdMs, symbols)}.`,
  ].join(" ");
}

/** How many user requests the window holds. */
export function requestsSeen({ requests }: ReportDocument, symbols: Symbols): string {
  return `${formatCount(requests.observed, symbols)} user requests seen in the window, ${formatEstimate(requests.estimated, symbols)} estimated with sampling undone.`;
}

const plural = (n: number, one: string, symbols: Symbols): string =>
  `${formatCount(n, symbols)} ${one}${n === 1 ? "" : "s"}`;

/** The inputs in one line. */
export function inputsLine({ inputs }: ReportDocument, symbols: Symbols): string {
  const rows = inputs.reduce((sum, input) => sum + input.rows, 0);
  const other = inputs.reduce((sum, input) => sum + input.otherRows, 0);
  const unused = other === 0 ? "" : `, ${formatCount(other, symbols)} more of other tables not used`;
  return `Read from ${plural(inputs.length, "input", symbols)}: ${plural(rows, "row", symbols)}${unused}.`;
}

/** Said at the head, because no figure below is what it seems: the data is not all there. */
export function partialLine({ inputs }: ReportDocument, symbols: Symbols): string | null {
  const partial = inputs.filter((input) => input.partial).length;
  if (partial === 0) return null;
  return `${formatCount(partial, symbols)} of ${plural(inputs.length, "input", symbols)} ${partial === 1 ? "is" : "are"} partial: rows are missing, and every figure below may be off.`;
}

/** One line an input, for the foot of the report. */
export function inputLines({ inputs }: ReportDocument, symbols: Symbols, quote: Quote): string[] {
  return inputs.map(({ path, form, rows, otherRows, partial }) => {
    const other = otherRows === 0 ? "" : `, ${formatCount(otherRows, symbols)} of other tables`;
    return `${quote(path)} (${quote(form)}): ${plural(rows, "row", symbols)}${other}${partial ? ", partial" : ""}`;
  });
}

/** User rows that no instance can claim. */
export function noInstanceLine({ rows }: ReportDocument, symbols: Symbols): string {
  if (rows.noInstance === 0) return "Every user request names its instance.";
  return `${formatCount(rows.noInstance, symbols)} of the user requests name no instance: counted here, in no other figure.`;
}

/** What is needed to compute the same figures again. */
export function settingsLine({ settings }: ReportDocument, symbols: Symbols, quote: Quote): string {
  const holidays =
    settings.holidays.length === 0 ? "no holidays" : `holidays ${settings.holidays.map(quote).join(", ")}`;
  const probes =
    settings.probePaths.length === 0 ? "none" : settings.probePaths.map((path) => quote(path)).join(", ");
  return [
    `Settings: guard ${formatCount(settings.guardMinutes, symbols)} min, weight ${settings.weight}`,
    `${formatCount(settings.resamples, symbols)} resamples, seed ${settings.seed}`,
    `quantiles ${settings.quantileDefinition}`,
    holidays,
    `probe paths ${probes}.`,
  ].join("; ");
}
