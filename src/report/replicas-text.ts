import { ASCII_SYMBOLS, UNICODE_SYMBOLS } from "./numbers.ts";
import { painter, type Tone } from "./paint.ts";
import { plain, wrap } from "./plain.ts";
import type { ReplicasDocument } from "./replicas-document.ts";
import { asideSentence, birthSentence, failureSentence, LEGEND, logSentence } from "./replicas-sentences.ts";
import { causesTable, phasesTable, serviceTable, slotsTable, survivalTable } from "./replicas-tables.ts";
import { drawTable, type TableModel } from "./table.ts";
import type { TextOptions } from "./text.ts";

const MIN_WIDTH = 60;
const MAX_PROSE = 100;
const INDENT = "  ";
/** Longer lists of days are left to the other formats: the terminal shows the last ones. */
const MOST_DAYS = 31;

/** `coldstart replicas` for a terminal, with a final newline; no line is longer than the width. */
export function renderReplicasText(document: ReplicasDocument, options: TextOptions): string {
  const lines = [...sectionLines(document, options), ...noteLines(document, options)];
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

/** The same without inputs' warnings, as a section of a longer report. */
export function renderReplicasSection(document: ReplicasDocument, options: TextOptions): string {
  return `${sectionLines(document, options)
    .map((line) => line.trimEnd())
    .join("\n")}\n`;
}

function writer(options: TextOptions) {
  const width = Math.max(MIN_WIDTH, Math.floor(options.width));
  const paint = painter(options.color);
  const lines: string[] = [];
  const prose = (text: string, tone: Tone = "plain", indent = INDENT, hang = 0): void => {
    const room = Math.min(width, MAX_PROSE) - indent.length;
    for (const line of wrap(plain(text, options.unicode), room, hang)) lines.push(indent + paint(line, tone));
  };
  const heading = (title: string): void => {
    lines.push("", ...wrap(plain(title, options.unicode), width).map((line) => paint(line, "strong")), "");
  };
  const table = (model: TableModel): void => {
    const safe: TableModel = {
      columns: model.columns.map((column) => ({ ...column, head: plain(column.head, options.unicode) })),
      rows: model.rows.map((row) =>
        row.map((entry) => ({
          ...entry,
          text: (entry.text.startsWith("  ") ? "  " : "") + plain(entry.text, options.unicode),
        })),
      ),
    };
    for (const line of drawTable(safe, width - INDENT.length, options.unicode, paint))
      lines.push(INDENT + line);
  };
  return { lines, prose, heading, table };
}

function sectionLines(document: ReplicasDocument, options: TextOptions): string[] {
  const symbols = options.unicode ? UNICODE_SYMBOLS : ASCII_SYMBOLS;
  const { lines, prose, heading, table } = writer(options);
  prose(
    logSentence(document, symbols, (text) => text),
    "plain",
    "",
  );
  const aside = asideSentence(document, symbols);
  if (aside !== "") prose(aside, "dim", "");
  for (const group of document.groups) {
    const { calendar, phases } = group;
    heading(group.window === "all" ? group.app : `${group.app}, ${group.window}`);
    prose(birthSentence(group, symbols), "strong");
    const failures = failureSentence(group, symbols, (text) => text);
    if (failures !== "") prose(failures, "caution");
    if (group.births === 0) continue;
    lines.push("");
    table(causesTable(group, symbols));
    lines.push("");
    table(serviceTable(group, symbols));
    lines.push("");
    table(survivalTable(group, symbols));
    lines.push("");
    prose("Phases of a new replica's start");
    table(phasesTable(phases.newReplicas, symbols));
    if (group.births > group.newReplicas) {
      lines.push("");
      prose("Phases of a restart inside a replica");
      table(phasesTable(phases.restarts, symbols));
    }
    lines.push("");
    const days = calendar.perDay.slice(-MOST_DAYS);
    const left = calendar.perDay.length - days.length;
    // Days are told by month and day: a first column breaks longer words, and the line names the years.
    prose(
      `Births by day, ${days[0]?.label} to ${days[days.length - 1]?.label}${left > 0 ? `; ${left} earlier days stand in the JSON and CSV forms` : ""}`,
    );
    const short = days.map((day) => ({ ...day, label: day.label.slice(5) }));
    table(slotsTable("day", short, symbols));
    lines.push("");
    table(slotsTable("weekday", calendar.byWeekday, symbols));
    lines.push("");
    table(slotsTable("hour", calendar.byHour, symbols));
  }
  if (document.groups.some(({ births }) => births > 0)) {
    lines.push("");
    prose(LEGEND, "dim");
  }
  if (document.unknown.length > 0) {
    heading("What could not be known");
    for (const line of document.unknown) prose(`- ${line}`, "plain", INDENT, 2);
  }
  return lines;
}

function noteLines(document: ReplicasDocument, options: TextOptions): string[] {
  const { lines, prose, heading } = writer(options);
  const notes = [
    ...document.warnings.map((warning) => ({ where: "", ...warning })),
    ...document.inputs.flatMap(({ path, warnings }) =>
      warnings.map((warning) => ({ where: `${path}: `, ...warning })),
    ),
  ];
  if (notes.length === 0) return lines;
  heading("Warnings");
  notes.forEach(({ where, code, message, count }, index) => {
    const label = `[${index + 1}] `;
    prose(`${label}${where}${message} (${code}: ${count})`, "plain", INDENT, label.length);
  });
  return lines;
}
