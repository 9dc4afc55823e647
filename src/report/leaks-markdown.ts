import { codeAndCount } from "./footnotes.ts";
import type { LeaksDocument } from "./leaks-document.ts";
import { leaksHeadline, leaksScope, leaksSections } from "./leaks-sections.ts";
import { code, prose } from "./markdown-text.ts";
import { UNICODE_SYMBOLS } from "./numbers.ts";
import type { TableModel } from "./table.ts";

const symbols = UNICODE_SYMBOLS;

function table({ columns, rows }: TableModel): string[] {
  return [
    `| ${columns.map(({ head }) => prose(head)).join(" | ")} |`,
    `| ${columns.map(({ align }) => (align === "right" ? "---:" : ":---")).join(" | ")} |`,
    ...rows.map((row) => `| ${row.map(({ text }) => prose(text)).join(" | ")} |`),
    "",
  ];
}

/** The audit as GitHub-flavoured Markdown, with a final newline. */
export function renderLeaksMarkdown(document: LeaksDocument): string {
  const lines = [`### ${prose(leaksHeadline(document))}`, "", prose(leaksScope(document, symbols)), ""];
  if (document.reasons.length > 0) lines.push(...document.reasons.map(({ text }) => `- ${prose(text)}`), "");
  for (const section of leaksSections(document, symbols)) {
    lines.push(`#### ${prose(section.title)}`, "");
    if (section.table !== null) lines.push(...table(section.table));
    for (const sentence of section.sentences) lines.push(prose(sentence), "");
  }
  if (document.unknown.length > 0) {
    lines.push("#### Not known", "", ...document.unknown.map((text) => `- ${prose(text)}`), "");
  }
  const warnings = [
    ...document.warnings.map((warning) => ({ where: "", warning })),
    ...document.inputs.flatMap(({ path, warnings: some }) =>
      some.map((warning) => ({ where: `${code(path)}: `, warning })),
    ),
  ];
  if (warnings.length > 0) {
    lines.push("#### Warnings", "");
    for (const { where, warning } of warnings) {
      lines.push(`- ${where}${prose(`${warning.message} (${codeAndCount(warning, symbols)})`)}`);
    }
  }
  return `${lines.join("\n").trimEnd()}\n`;
}
