import { type Block, markdownOf, remarkBlocks, textOf } from "./audit-blocks.ts";
import { formatCount, formatEstimate, formatFixed, formatInstant, type Symbols } from "./numbers.ts";
import type { ReconcileDocument } from "./reconcile-document.ts";
import { contentTables, formatRatio, hoursTable, reasonsTable, totalTable } from "./reconcile-tables.ts";
import type { TextOptions } from "./text.ts";

/** More hours than this are not shown to a reader, but only those that differ most. */
const MOST_HOURS = 48;
const WORST_HOURS = 24;

/** `coldstart reconcile` for a terminal, with a final newline. */
export function renderReconcileText(document: ReconcileDocument, options: TextOptions): string {
  return textOf((symbols) => [...blocks(document, symbols), ...remarkBlocks(document, symbols)], options);
}

/** The same as a section of a longer report: without the warnings, which the report has. */
export function renderReconcileSection(document: ReconcileDocument, options: TextOptions): string {
  const { unknown } = document;
  return textOf(
    (symbols) => [
      ...blocks(document, symbols),
      ...remarkBlocks({ warnings: [], inputs: [], unknown }, symbols),
    ],
    options,
  );
}

/** `coldstart reconcile` as GitHub-flavoured Markdown. */
export function renderReconcileMarkdown(document: ReconcileDocument): string {
  return markdownOf((symbols) => [...blocks(document, symbols), ...remarkBlocks(document, symbols)]);
}

/** `coldstart reconcile` as JSON, indented by two, with a final newline. */
export function renderReconcileJson(document: ReconcileDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

function blocks(document: ReconcileDocument, symbols: Symbols): Block[] {
  const { total, reasons, contents } = document;
  const result: Block[] = [
    { kind: "heading", text: "Weighted rows against the ingress metric" },
    {
      kind: "prose",
      text: verdictSentence(document, symbols),
      tone: document.verdict === "within" ? "strong" : "caution",
    },
    { kind: "prose", text: metricSentence(document, symbols) },
  ];
  if (total !== null) {
    result.push(
      { kind: "table", table: totalTable(document, symbols) },
      { kind: "prose", text: LEGEND, tone: "dim" },
      { kind: "prose", text: intervalSentence(document, symbols), tone: "dim" },
      ...hourBlocks(document, symbols),
    );
  }
  if (reasons.length > 0) {
    result.push(
      { kind: "heading", text: "The usual reasons, each tried alone" },
      { kind: "table", table: reasonsTable(document, symbols) },
      {
        kind: "list",
        items: reasons.filter(({ ratio }) => ratio !== null).map(({ id, detail }) => `${id}: ${detail}`),
      },
    );
  }
  result.push({ kind: "heading", text: "What else is in here" });
  if (contents.rows === 0) result.push({ kind: "prose", text: "No request row lies in the window." });
  else {
    result.push({
      kind: "prose",
      text: `${formatCount(contents.rows, symbols)} rows of the table of requests in the window stand for ${formatEstimate(contents.weighted, symbols)}, duplicates left out, whatever their role.`,
    });
    for (const table of contentTables(document, symbols)) result.push({ kind: "table", table });
    if (contents.moreNames > 0) {
      result.push({
        kind: "prose",
        text: `${formatCount(contents.moreNames, symbols)} more names are not shown.`,
        tone: "dim",
      });
    }
  }
  return result;
}

const LEGEND =
  "Weighted: the requests that the rows stand for, without probes, with synthetic callers. The ratio is weighted over ingress. Probes of the platform go past the ingress.";

function hourBlocks(document: ReconcileDocument, symbols: Symbols): Block[] {
  const { hours } = document;
  const busy = hours.filter(({ withProbes, ingress }) => withProbes > 0 || ingress > 0);
  const difference = ({ weighted, ingress }: (typeof hours)[number]): number => Math.abs(weighted - ingress);
  const worst = new Set([...busy].sort((a, b) => difference(b) - difference(a)).slice(0, WORST_HOURS));
  const shown = busy.length <= MOST_HOURS ? busy : busy.filter((hour) => worst.has(hour));
  const notes: string[] = [];
  if (shown.length < busy.length) {
    notes.push(
      `The ${shown.length} of ${formatCount(busy.length, symbols)} hours that differ most; the JSON and CSV output have all.`,
    );
  }
  if (busy.length < hours.length) {
    notes.push(
      `${formatCount(hours.length - busy.length, symbols)} hours without a request on either side are not shown.`,
    );
  }
  const blocks: Block[] = [{ kind: "heading", text: "By hour" }];
  if (notes.length > 0) blocks.push({ kind: "prose", text: notes.join(" "), tone: "dim" });
  if (shown.length > 0) blocks.push({ kind: "table", table: hoursTable(shown, document, symbols) });
  return blocks;
}

function verdictSentence(
  { verdict, total, periods, hours, tolerance, unknown }: ReconcileDocument,
  symbols: Symbols,
): string {
  const allowed = `${formatFixed(tolerance * 100, Number.isInteger(tolerance * 100) ? 0 : 1, symbols)} %`;
  if (total === null || total.ratio === null) return `Cannot tell. ${unknown[0] ?? ""}`.trim();
  const figures = `${formatEstimate(total.weighted, symbols)} weighted, ${formatCount(total.ingress, symbols)} at the ingress, ratio ${formatRatio(total.ratio, tolerance, symbols)} (n ${formatCount(total.rows, symbols)} rows)${hoursOutside(hours, symbols)}`;
  if (verdict === "unknown") return `Cannot tell. ${unknown[0] ?? ""} ${capital(figures)}.`;
  if (verdict === "within") return `The totals agree within ${allowed}: ${figures}.`;
  if (total.isWithin !== false) {
    const outside = periods.filter(({ isWithin }) => isWithin === false).map(({ name }) => name);
    return `In total they agree within ${allowed}, but not in the window ${outside.join(" and ")}: ${figures}.`;
  }
  return `The totals do not agree within ${allowed}: ${figures}.`;
}

/** Hours may make up for each other in total; a request where the ingress has none is outside as well. */
function hoursOutside(hours: ReconcileDocument["hours"], symbols: Symbols): string {
  const busy = hours.filter(({ weighted, ingress }) => weighted > 0 || ingress > 0);
  const outside = busy.filter(({ isWithin }) => isWithin !== true);
  if (outside.length === 0) return "";
  return `; ${formatCount(outside.length, symbols)} of ${formatCount(busy.length, symbols)} ${busy.length === 1 ? "hour" : "hours"} outside`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function metricSentence({ metric, settings }: ReconcileDocument, symbols: Symbols): string {
  const role = settings.role === null ? "all roles" : settings.role;
  const revision = settings.revision === null ? "" : `, revision ${settings.revision}`;
  if (metric.from === null)
    return `Rows of ${role}${revision}. ${metric.points === 0 ? "No ingress metric." : "The metrics files cannot be put together."}`;
  return `Rows of ${role}${revision}. The metric counts ${formatCount(metric.total, symbols)} requests from ${formatInstant(metric.from, symbols)} to ${formatInstant(metric.to, symbols)} UTC, in ${formatCount(metric.points, symbols)} points of ${formatCount(metric.intervalMinutes, symbols)} min.`;
}

function intervalSentence(
  { total, tolerance, intervals, metric }: ReconcileDocument,
  symbols: Symbols,
): string {
  if (total === null) return "";
  const when = `Compared: the ${formatCount(intervals, symbols)} ${intervals === 1 ? "interval" : "intervals"} of ${formatCount(metric.intervalMinutes, symbols)} min that both cover, between ${formatInstant(total.from, symbols)} and ${formatInstant(total.to, symbols)} UTC.`;
  const [low, high] = total.ratioCi95;
  if (low === null || high === null) return when;
  if (low === high) return `${when} No row was dropped by sampling, so the ratio has no sampling error.`;
  return `${when} By the chance of sampling alone the ratio may lie in [${formatRatio(low, tolerance, symbols)}, ${formatRatio(high, tolerance, symbols)}] (95 %).`;
}
