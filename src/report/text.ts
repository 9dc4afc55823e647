import { comparisonTable } from "./comparison.ts";
import type { CohortDocument, ReportResult } from "./document.ts";
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
import { ASCII_SYMBOLS, UNICODE_SYMBOLS } from "./numbers.ts";
import { painter, type Tone } from "./paint.ts";
import { plain, wrap } from "./plain.ts";
import { arrivalsTable, curveTable, instancesTable, rowsTable, secondTable } from "./sections.ts";
import { comparisonLegend, comparisonSentences } from "./sentences.ts";
import { renderStrip } from "./strip.ts";
import { drawTable, fits, naturalWidth, splitLastColumn, type TableModel } from "./table.ts";

export interface TextOptions {
  /** Columns of the terminal; less than 60 counts as 60. */
  readonly width: number;
  /** ANSI colours; the text says everything without them. */
  readonly color: boolean;
  /** False restricts the report to ASCII. */
  readonly unicode: boolean;
}

const MIN_WIDTH = 60;
/** Prose longer than this is hard to read, however wide the terminal. */
const MAX_PROSE = 100;
const INDENT = "  ";

/** The report for a terminal, with a final newline; no line is longer than the width. */
export function renderText(result: ReportResult, options: TextOptions): string {
  const { document } = result;
  const { cohorts, settings } = document;
  const { unicode } = options;
  const width = Math.max(MIN_WIDTH, Math.floor(options.width));
  const inner = width - INDENT.length;
  const symbols = unicode ? UNICODE_SYMBOLS : ASCII_SYMBOLS;
  const paint = painter(options.color);
  const quote = (text: string): string => plain(text, unicode);
  const notes = footnotesOf(document);
  const lines: string[] = [];

  const prose = (text: string, tone: Tone = "plain", indent = INDENT, hang = 0): void => {
    const room = Math.min(width, MAX_PROSE) - indent.length;
    for (const line of wrap(quote(text), room, hang)) lines.push(indent + paint(line, tone));
  };
  const heading = (title: string, section: SectionKey): void => {
    const markers = markersFor(section, notes);
    lines.push("");
    const [first = "", ...rest] = wrap(markers === "" ? title : `${title}  ${markers}`, width);
    lines.push(paint(first, "strong"), ...rest, "");
  };
  const table = (model: TableModel): void => {
    for (const line of drawTable(model, inner, unicode, paint)) lines.push(INDENT + line);
  };
  /** One table of all cohorts where it fits unwrapped, otherwise one below the other. */
  const perCohort = (build: (cohorts: readonly CohortDocument[]) => TableModel): void => {
    const together = build(cohorts);
    if (cohorts.length < 2 || naturalWidth(together) <= inner) {
      table(together);
      return;
    }
    for (const [index, cohort] of cohorts.entries()) {
      lines.push(...(index > 0 ? [""] : []), INDENT + paint(cohort.name, "strong"));
      table(build([cohort]));
    }
  };

  const markers = markersFor("summary", notes);
  prose(`${scope(document, symbols, quote)}${markers === "" ? "" : ` ${markers}`}`, "plain", "");
  prose(`${requestsSeen(document, symbols)} ${inputsLine(document, symbols)}`, "plain", "");
  const partial = partialLine(document, symbols);
  if (partial !== null) prose(partial, "caution", "");

  heading(cohorts.length > 1 ? "First requests, before and after" : "First requests", "first");
  const compared = comparisonTable(document, symbols);
  if (cohorts.length < 2 || fits(compared, inner)) {
    table(compared);
  } else {
    const [values, changes] = splitLastColumn(compared);
    table(values);
    lines.push("");
    table(changes);
  }
  const sentences = comparisonSentences(document, symbols);
  if (sentences.length > 0) lines.push("");
  for (const { text, tone } of sentences) prose(text, tone);
  lines.push("");
  prose(comparisonLegend(document, symbols), "dim");

  lines.push("");
  const strip = cohorts.map((cohort) => ({
    name: cohort.name,
    n: cohort.firstRequest.n,
    p50Ms: cohort.firstRequest.p50Ms,
    values: result.firstRequestMs[cohort.name] ?? [],
  }));
  const { thresholdMs } = settings;
  for (const line of renderStrip(strip, { width: inner, unicode, symbols, thresholdMs, paint })) {
    lines.push(INDENT + line);
  }

  heading("By order of arrival", "curve");
  perCohort((some) => curveTable(some, thresholdMs, symbols));

  heading("Second requests, overlap and what follows", "second");
  perCohort((some) => secondTable(some, thresholdMs, symbols));

  heading("Arrivals and lifetimes", "arrivals");
  table(arrivalsTable(cohorts, symbols));

  heading("Instances", "instances");
  table(instancesTable(cohorts, symbols));

  heading("Where every row ended", "rows");
  table(rowsTable(document, symbols));
  lines.push("");
  prose(noInstanceLine(document, symbols));
  for (const line of inputLines(document, symbols, quote)) prose(line, "dim", INDENT, 2);
  prose(settingsLine(document, symbols, quote), "dim", INDENT, 2);

  if (notes.length > 0) {
    lines.push("", paint("Warnings", "strong"), "");
    for (const { number, path, warning } of notes) {
      const label = `[${number}] `;
      const where = path === null ? "" : `${quote(path)}: `;
      prose(
        `${label}${where}${warning.message} (${codeAndCount(warning, symbols)})`,
        "plain",
        INDENT,
        label.length,
      );
    }
  }
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}
