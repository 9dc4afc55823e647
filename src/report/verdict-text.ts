import { codeAndCount } from "./footnotes.ts";
import { ASCII_SYMBOLS, UNICODE_SYMBOLS } from "./numbers.ts";
import { painter, type Tone } from "./paint.ts";
import { plain, wrap } from "./plain.ts";
import { drawTable, type TableModel } from "./table.ts";
import type { TextOptions } from "./text.ts";
import type { VerdictDocument } from "./verdict-document.ts";
import {
  conditionTable,
  digestLines,
  guardsTable,
  registrationTable,
  reportCommand,
  summaryTable,
  valuesLine,
} from "./verdict-sections.ts";
import { headline, marked, meaning, toneOf, warningsOf } from "./verdict-words.ts";

const MIN_WIDTH = 60;
/** Text longer than this is hard to read, however wide the terminal. */
const MAX_PROSE = 100;
const INDENT = "  ";

/** The judgement for a terminal, with a final newline; no line is longer than the width (at least 60). */
export function renderVerdictText(document: VerdictDocument, options: TextOptions): string {
  const { unicode } = options;
  const width = Math.max(MIN_WIDTH, Math.floor(options.width));
  const prosaic = Math.min(width, MAX_PROSE);
  const symbols = unicode ? UNICODE_SYMBOLS : ASCII_SYMBOLS;
  const paint = painter(options.color);
  const quote = (text: string): string => plain(text, unicode);
  const notes = warningsOf(document);
  const lines: string[] = [];

  const prose = (text: string, tone: Tone = "plain", indent = "", hang = 0): void => {
    for (const line of wrap(quote(text), prosaic - indent.length, hang))
      lines.push(indent + paint(line, tone));
  };
  const heading = (title: string): void => {
    lines.push("", paint(marked(title, document), "strong"), "");
  };
  const table = ({ columns, rows }: TableModel): void => {
    // Reasons, names and details come from outside.
    const safe = {
      columns,
      rows: rows.map((row) => row.map((item) => ({ ...item, text: quote(item.text) }))),
    };
    for (const line of drawTable(safe, prosaic - INDENT.length, unicode, paint)) lines.push(INDENT + line);
  };

  const tone = document.retrospective && document.verdict === "pass" ? "caution" : toneOf(document.verdict);
  prose(headline(document), tone);
  lines.push("");
  const markers = notes.map((_, index) => `[${index + 1}]`).join(" ");
  prose(markers === "" ? meaning(document) : `${meaning(document)} Warnings: ${markers}.`);
  for (const reason of document.reasons) prose(`- ${reason}`, tone, "", 2);
  if (document.hypothesis !== "") {
    lines.push("");
    prose(`Hypothesis: ${document.hypothesis}`, "plain", "", 2);
  }

  if (document.bars.length > 0) heading(document.bars.length === 1 ? "Condition" : "Conditions");
  if (document.bars.length > 1) {
    table(summaryTable(document, symbols));
    lines.push("");
  }
  for (const index of document.bars.keys()) {
    if (index > 0) lines.push("");
    table(conditionTable(document, index, symbols));
  }

  heading("Registration");
  table(registrationTable(document, symbols));
  lines.push("");
  for (const line of digestLines(document, symbols, quote)) prose(line, "plain", INDENT, 2);

  if (document.guards.length > 0) {
    heading("Guards");
    table(guardsTable(document));
  }

  if (notes.length > 0) {
    heading("Warnings");
    for (const [index, { path, warning }] of notes.entries()) {
      const label = `[${index + 1}] `;
      const where = path === null ? "" : `${path}: `;
      const text = `${label}${where}${warning.message} (${codeAndCount(warning, symbols)})`;
      prose(text, "plain", INDENT, label.length);
    }
  }
  lines.push("");
  prose(valuesLine(document, symbols, quote), "plain", "", 2);
  prose(`The full report: ${reportCommand(document)}`, "dim", "", 2);
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}
