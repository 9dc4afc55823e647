import { codeAndCount } from "./footnotes.ts";
import { code, prose } from "./markdown-text.ts";
import { UNICODE_SYMBOLS } from "./numbers.ts";
import type { TableModel } from "./table.ts";
import type { VerdictDocument } from "./verdict-document.ts";
import {
  conditionTable,
  digestLines,
  guardsTable,
  registrationTable,
  summaryTable,
  valuesLine,
} from "./verdict-sections.ts";
import { headline, marked, meaning, warningsOf } from "./verdict-words.ts";

const symbols = UNICODE_SYMBOLS;

function table({ columns, rows }: TableModel): string[] {
  return [
    `| ${columns.map(({ head }) => prose(head)).join(" | ")} |`,
    `| ${columns.map(({ align }) => (align === "right" ? "---:" : ":---")).join(" | ")} |`,
    ...rows.map((row) => `| ${row.map(({ text }) => prose(text)).join(" | ")} |`),
    "",
  ];
}

/**
 * The judgement as GitHub-flavoured Markdown for a step summary or a comment. Nothing is folded away:
 * a reviewer sees as much of a pass as of a fail.
 */
export function renderVerdictMarkdown(document: VerdictDocument): string {
  const notes = warningsOf(document);
  const heading = (title: string): string[] => [`#### ${prose(marked(title, document))}`, ""];
  const markers = notes.map((_, index) => `[${index + 1}]`).join(" ");
  const lines = [
    `### ${prose(headline(document))}`,
    "",
    markers === "" ? prose(meaning(document)) : `${prose(meaning(document))} Warnings: ${prose(markers)}.`,
    "",
    ...document.reasons.map((reason) => `- ${prose(reason)}`),
    ...(document.reasons.length > 0 ? [""] : []),
    ...(document.hypothesis === "" ? [] : [`> Hypothesis: ${prose(document.hypothesis)}`, ""]),
  ];
  if (document.bars.length > 0)
    lines.push(...heading(document.bars.length === 1 ? "Condition" : "Conditions"));
  if (document.bars.length > 1) lines.push(...table(summaryTable(document, symbols)));
  for (const index of document.bars.keys()) lines.push(...table(conditionTable(document, index, symbols)));
  lines.push(...heading("Registration"), ...table(registrationTable(document, symbols)));
  lines.push(...digestLines(document, symbols, code).map((line) => `- ${line}`), "");
  if (document.guards.length > 0) lines.push(...heading("Guards"), ...table(guardsTable(document)));
  if (notes.length > 0) {
    lines.push(...heading("Warnings"));
    for (const [index, { path, warning }] of notes.entries()) {
      const where = path === null ? "" : `${code(path)}: `;
      const counted = prose(codeAndCount(warning, symbols));
      lines.push(`- ${prose(`[${index + 1}]`)} ${where}${prose(warning.message)} (${counted})`);
    }
    lines.push("");
  }
  lines.push(valuesLine(document, symbols, code));
  return `${lines.join("\n").trimEnd()}\n`;
}
