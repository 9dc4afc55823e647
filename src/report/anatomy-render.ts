import type { AnatomyDocument } from "./anatomy-document.ts";
import { contentionTable, coverageTable, partsTable, routesTable } from "./anatomy-tables.ts";
import { type Block, markdownOf, remarkBlocks, textOf } from "./audit-blocks.ts";
import { formatCount, formatInstant, formatMs, type Symbols } from "./numbers.ts";
import type { TextOptions } from "./text.ts";

/** So many routes are shown to a reader; the JSON and CSV have all. */
const MOST_ROUTES = 12;

/** `coldstart anatomy` for a terminal, with a final newline. */
export function renderAnatomyText(document: AnatomyDocument, options: TextOptions): string {
  return textOf((symbols) => [...blocks(document, symbols), ...remarkBlocks(document, symbols)], options);
}

/** The same as a section of a longer report: without the inputs' warnings and those of the report itself. */
export function renderAnatomySection(document: AnatomyDocument, options: TextOptions): string {
  return textOf((symbols) => [...blocks(document, symbols), ...ownRemarks(document, symbols)], options);
}

/** `coldstart anatomy` as GitHub-flavoured Markdown. */
export function renderAnatomyMarkdown(document: AnatomyDocument): string {
  return markdownOf((symbols) => [...blocks(document, symbols), ...remarkBlocks(document, symbols)]);
}

/** `coldstart anatomy` as JSON, indented by two, with a final newline. */
export function renderAnatomyJson(document: AnatomyDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

function ownRemarks({ unknown }: AnatomyDocument, symbols: Symbols): Block[] {
  return remarkBlocks({ warnings: [], inputs: [], unknown }, symbols);
}

function blocks(document: AnatomyDocument, symbols: Symbols): Block[] {
  const { cohorts, dependencies } = document;
  const names = cohorts.map(({ name }) => name);
  const pick = (indexes: readonly number[]) => indexes.map((i) => cohorts[i]!);
  const result: Block[] = [
    { kind: "heading", text: "Where the time of first requests goes" },
    { kind: "prose", text: scope(document, symbols) },
  ];
  if (dependencies === null) return result;
  result.push(
    ...cohorts.map((cohort): Block => ({ kind: "prose", text: sentence(cohort, symbols), tone: "strong" })),
    { kind: "cohorts", names, build: (indexes) => partsTable(pick(indexes), symbols) },
    { kind: "prose", text: LEGEND, tone: "dim" },
    { kind: "prose", text: basisSentence(document), tone: "dim" },
    { kind: "heading", text: "How many could be looked into" },
    { kind: "table", table: coverageTable(cohorts, symbols) },
  );
  for (const cohort of cohorts) {
    const more = cohort.routes.length - MOST_ROUTES;
    result.push({ kind: "heading", text: cohorts.length > 1 ? `By route, ${cohort.name}` : "By route" });
    if (cohort.routes.length === 0) result.push({ kind: "prose", text: "No first request." });
    else result.push({ kind: "table", table: routesTable(cohort, MOST_ROUTES, symbols) });
    if (more > 0) {
      result.push({
        kind: "prose",
        text: `${more} more routes stand in the JSON and CSV output.`,
        tone: "dim",
      });
    }
  }
  result.push({ kind: "heading", text: "Soon after the container's start, or later" });
  result.push(
    cohorts.every(({ contention }) => contention === null)
      ? { kind: "prose", text: "Not known: no input is a system log." }
      : { kind: "cohorts", names, build: (indexes) => contentionTable(pick(indexes), symbols) },
  );
  return result;
}

const LEGEND =
  "Of the requests with outbound calls. Union: time with at least one call under way; sum: the calls' durations added up. Rest: the whole request without the union. First requests are one value an instance, unweighted; later ones are weighted.";

function basisSentence({ cohorts }: AnatomyDocument): string {
  const routes = cohorts.flatMap((cohort) => cohort.routes);
  const rare = routes.filter(({ basis }) => basis === "after-first").length;
  const rule = "Later: requests of the same routes and cohort of order over 10";
  if (rare === 0) return `${rule}.`;
  return `${rule}; on ${rare} of ${routes.length} routes (marked *) fewer than 10 of these have calls, so all that start after their instance's first request ended.`;
}

function scope({ settings, dependencies }: AnatomyDocument, symbols: Symbols): string {
  const role = settings.role === null ? "all roles" : settings.role;
  if (dependencies === null) return `First requests of ${role}. The input holds no dependencies.`;
  const { rows, from, to, inProcess } = dependencies;
  const when =
    from === null ? "" : ` from ${formatInstant(from, symbols)} to ${formatInstant(to, symbols)} UTC`;
  const spans =
    inProcess === 0 ? "" : `, of which ${formatCount(inProcess, symbols)} spans within the process, no calls`;
  return `First requests of ${role}. ${formatCount(rows, symbols)} dependency rows${when}${spans}.`;
}

/** The answer in one sentence a cohort. */
function sentence({ name, first, later }: AnatomyDocument["cohorts"][number], symbols: Symbols): string {
  const cohort = name === "all" ? "" : `${name}: `;
  if (first.withCalls.count === 0) {
    return `${cohort}none of ${formatCount(first.n, symbols)} first requests has an outbound call in the data.`;
  }
  const { duration, outbound, rest } = first.parts;
  const against =
    later.withCalls === 0
      ? "; no later request of these routes has calls"
      : `; later requests: ${formatMs(later.parts.outbound.p50Ms, symbols)} and ${formatMs(later.parts.rest.p50Ms, symbols)} of ${formatMs(later.parts.duration.p50Ms, symbols)} (n ${formatCount(later.withCalls, symbols)})`;
  return `${cohort}the median first request takes ${formatMs(duration.p50Ms, symbols)}: outbound ${formatMs(outbound.p50Ms, symbols)}, in-process rest ${formatMs(rest.p50Ms, symbols)}, medians each (n ${formatCount(first.withCalls.count, symbols)})${against}.`;
}
