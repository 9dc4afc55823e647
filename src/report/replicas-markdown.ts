import { details, table } from "./markdown-table.ts";
import { code, prose } from "./markdown-text.ts";
import { UNICODE_SYMBOLS } from "./numbers.ts";
import type { ReplicasDocument } from "./replicas-document.ts";
import { asideSentence, birthSentence, failureSentence, LEGEND, logSentence } from "./replicas-sentences.ts";
import { causesTable, phasesTable, serviceTable, slotsTable, survivalTable } from "./replicas-tables.ts";

const symbols = UNICODE_SYMBOLS;

/** `coldstart replicas` as GitHub-flavoured Markdown: causes and figures first, the rest folded away. */
export function renderReplicasMarkdown(document: ReplicasDocument): string {
  const lines = [logSentence(document, symbols, code), ""];
  const aside = asideSentence(document, symbols);
  if (aside !== "") lines.push(prose(aside), "");
  for (const group of document.groups) {
    const { calendar, phases } = group;
    lines.push(
      `### Replicas of ${code(group.app)}${group.window === "all" ? "" : `, ${group.window}`}`,
      "",
      `**${prose(birthSentence(group, symbols))}**`,
      "",
    );
    const failures = failureSentence(group, symbols, code);
    if (failures !== "") lines.push(failures, "");
    if (group.births === 0) continue;
    lines.push(...table(causesTable(group, symbols)), "", ...table(serviceTable(group, symbols)), "");
    lines.push(
      ...details("Survival", table(survivalTable(group, symbols))),
      ...details("Phases of a new replica's start", table(phasesTable(phases.newReplicas, symbols))),
    );
    if (group.births > group.newReplicas) {
      const restarts = table(phasesTable(phases.restarts, symbols));
      lines.push(...details("Phases of a restart inside a replica", restarts));
    }
    lines.push(
      ...details("By day", table(slotsTable("day", calendar.perDay, symbols))),
      ...details("By weekday", table(slotsTable("weekday", calendar.byWeekday, symbols))),
      ...details("By hour", table(slotsTable("hour", calendar.byHour, symbols))),
    );
  }
  if (document.groups.some(({ births }) => births > 0)) lines.push(`<sub>${prose(LEGEND)}</sub>`, "");
  if (document.unknown.length > 0) {
    lines.push("**What could not be known**", "", ...document.unknown.map((line) => `- ${prose(line)}`), "");
  }
  const notes = [
    ...document.warnings.map((warning) => ({ where: "", ...warning })),
    ...document.inputs.flatMap(({ path, warnings }) =>
      warnings.map((warning) => ({ where: `${code(path)}: `, ...warning })),
    ),
  ];
  if (notes.length > 0) {
    lines.push("**Warnings**", "");
    notes.forEach(({ where, code: name, message, count }, index) => {
      lines.push(`- [${index + 1}] ${where}${prose(message)} (${prose(`${name}: ${count}`)})`);
    });
  }
  return `${lines.join("\n").trimEnd()}\n`;
}
