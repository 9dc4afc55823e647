import { codeAndCount } from "./footnotes.ts";
import { code, prose } from "./markdown-text.ts";
import { UNICODE_SYMBOLS } from "./numbers.ts";
import type { ProbesDocument } from "./probes-document.ts";
import { accountLines, appTitle, evidenceLines, headSentence, probesTable } from "./probes-sections.ts";

const symbols = UNICODE_SYMBOLS;
const asIs = (text: string): string => text;

/** The document as GitHub-flavoured Markdown for a comment. */
export function renderProbesMarkdown(document: ProbesDocument): string {
  const lines = ["### Which probes run", "", prose(headSentence(document)), ""];
  for (const app of document.apps) {
    const { columns, rows } = probesTable(app, symbols, asIs);
    lines.push(
      `#### ${prose(appTitle(app, asIs))}`,
      "",
      `| ${columns.map(({ head }) => prose(head)).join(" | ")} |`,
      `| ${columns.map(({ align }) => (align === "right" ? "---:" : ":---")).join(" | ")} |`,
      ...rows.map((row) => `| ${row.map(({ text }) => prose(text)).join(" | ")} |`),
      "",
      "<details>",
      "<summary>Evidence</summary>",
      "",
      ...evidenceLines(app).map((line) => `- ${prose(line)}`),
      ...accountLines(app, symbols, asIs).map((line) => `- ${prose(line)}`),
      "",
      "</details>",
      "",
    );
  }
  if (document.expectations.length > 0) {
    lines.push("**Expectations**", "");
    for (const { app, type, handler, result, reason } of document.expectations) {
      lines.push(
        `- **${result}** ${app === "" ? "" : `${prose(app)}: `}${code(`${type}=${handler}`)}: ${prose(reason)}`,
      );
    }
    lines.push("");
  }
  if (document.findings.length > 0) {
    lines.push("**Findings**", "");
    for (const { level, code: name, app, place, message, remedy } of document.findings) {
      const where = `${document.apps.length > 1 ? `${app}, ` : ""}${place}`;
      lines.push(`- **${level}** ${code(name)} at ${code(where)}: ${prose(message)}. ${prose(remedy)}.`);
    }
    lines.push("");
  }
  if (document.unknown.length > 0) {
    lines.push("**Not known**", "", ...document.unknown.map((line) => `- ${prose(line)}`), "");
  }
  const warnings = [...document.warnings, ...document.inputs.flatMap(({ warnings: own }) => own)];
  if (warnings.length > 0) {
    lines.push("**Warnings**", "");
    for (const warning of warnings) {
      lines.push(`- ${prose(warning.message)} (${prose(codeAndCount(warning, symbols))})`);
    }
    lines.push("");
  }
  return `${lines.join("\n").trimEnd()}\n`;
}
