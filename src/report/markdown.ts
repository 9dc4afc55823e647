import { comparisonTable } from "./comparison.ts";
import type { ReportResult } from "./document.ts";
import { codeAndCount, footnotesOf, markersFor, type SectionKey } from "./footnotes.ts";
import {
  inputLines,
  inputsLine,
  noInstanceLine,
  partialLine,
  requestsSeen,
  scope,
  settingsLine,
} from "./headline.ts";
import { details, table } from "./markdown-table.ts";
import { code, prose } from "./markdown-text.ts";
import { formatSpeedup, UNICODE_SYMBOLS } from "./numbers.ts";
import { painter } from "./paint.ts";
import { arrivalsTable, curveTable, instancesTable, rowsTable, secondTable } from "./sections.ts";
import { comparisonLegend, comparisonSentences } from "./sentences.ts";
import { renderStrip } from "./strip.ts";

const STRIP_WIDTH = 80;
const symbols = UNICODE_SYMBOLS;

/** The report as GitHub-flavoured Markdown for a comment: the comparison first, the rest folded away. */
export function renderMarkdown(result: ReportResult): string {
  const { document } = result;
  const { cohorts, comparison, settings } = document;
  const { thresholdMs } = settings;
  const notes = footnotesOf(document);
  const marked = (title: string, section: SectionKey): string => {
    const markers = markersFor(section, notes);
    return markers === "" ? title : `${title} ${markers}`;
  };
  const ratio = comparison?.comparable === true ? comparison.firstRequest.p50Ratio : null;
  const outcome =
    ratio !== null
      ? `: first requests ${formatSpeedup(ratio, symbols)}`
      : comparison !== null && !comparison.comparable
        ? ": not comparable"
        : "";
  const role = settings.role === null ? "all roles" : code(settings.role);
  const partial = partialLine(document, symbols);
  const sentences = comparisonSentences(document, symbols);
  const strip = renderStrip(
    cohorts.map((cohort) => ({
      name: cohort.name,
      n: cohort.firstRequest.n,
      p50Ms: cohort.firstRequest.p50Ms,
      values: result.firstRequestMs[cohort.name] ?? [],
    })),
    { width: STRIP_WIDTH, unicode: true, symbols, thresholdMs, paint: painter(false) },
  );

  const lines = [
    `### Cold starts of ${role}${outcome}${markersFor("first", notes) === "" ? "" : ` ${markersFor("first", notes)}`}`,
    "",
    ...(partial === null ? [] : [`> **${prose(partial)}**`, ""]),
    ...table(comparisonTable(document, symbols)),
    "",
    ...sentences.flatMap(({ text, tone }) => [tone === "caution" ? `**${prose(text)}**` : prose(text), ""]),
    `<sub>${prose(comparisonLegend(document, symbols))}</sub>`,
    "",
    marked(scope(document, symbols, code), "summary"),
    "",
    prose(`${requestsSeen(document, symbols)} ${inputsLine(document, symbols)}`),
    "",
    ...details("Distribution of first requests", ["```text", ...strip, "```"]),
    ...details(marked("By order of arrival", "curve"), table(curveTable(cohorts, thresholdMs, symbols))),
    ...details(
      marked("Second requests, overlap and what follows", "second"),
      table(secondTable(cohorts, thresholdMs, symbols)),
    ),
    ...details(marked("Arrivals and lifetimes", "arrivals"), table(arrivalsTable(cohorts, symbols))),
    ...details(marked("Instances", "instances"), table(instancesTable(cohorts, symbols))),
    ...details(marked("Where every row ended", "rows"), [
      ...table(rowsTable(document, symbols)),
      "",
      noInstanceLine(document, symbols),
      "",
      ...inputLines(document, symbols, code).map((line) => `- ${line}`),
      "",
      settingsLine(document, symbols, code),
    ]),
  ];
  if (notes.length > 0) {
    lines.push(`**Warnings**`, "");
    for (const { number, path, warning } of notes) {
      const where = path === null ? "" : `${code(path)}: `;
      lines.push(
        `- [${number}] ${where}${prose(warning.message)} (${prose(codeAndCount(warning, symbols))})`,
      );
    }
    lines.push("");
  }
  return `${lines.join("\n").trimEnd()}\n`;
}
