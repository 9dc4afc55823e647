import { formatCount, formatInstant, type Symbols } from "./numbers.ts";
import { type Cell, cell, type TableModel } from "./table.ts";
import type { JudgedCondition, VerdictDocument } from "./verdict-document.ts";
import { formatBar, formatEValue, formatInterval, formatValue } from "./verdict-values.ts";
import {
  barOf,
  barWords,
  excludedWords,
  guardTone,
  marked,
  methodWords,
  metricTitle,
  metricWords,
  registrationWords,
  resultWord,
  shortDigest,
  toneOf,
} from "./verdict-words.ts";

/** The tables of a judgement; the text and the Markdown rendering draw the same ones. */

const left = (head: string): TableModel["columns"][number] => ({ head, align: "left" });

/** All conditions at a glance, one a row. */
export function summaryTable(document: VerdictDocument, symbols: Symbols): TableModel {
  return {
    columns: [
      left(marked("condition", document)),
      left("bar"),
      { head: "estimate", align: "right" },
      left("result"),
    ],
    rows: document.bars.map((condition, index) => [
      cell(`${index + 1}. ${metricTitle(condition.metric)}`),
      cell(barWords(condition, symbols)),
      cell(formatValue(condition.estimate, condition.unit, barOf(condition), symbols)),
      cell(resultWord(condition.verdict), toneOf(condition.verdict)),
    ]),
  };
}

/** Everything that the judgement of one condition rests on. */
export function conditionTable(document: VerdictDocument, index: number, symbols: Symbols): TableModel {
  const condition = document.bars[index]!;
  const { unit, lowerBound, upperBound } = condition;
  const value = (figure: number | null): string => formatValue(figure, unit, barOf(condition), symbols);
  const sided =
    condition.confidence === null
      ? "one-sided"
      : `one-sided ${formatBar(condition.confidence, "share", symbols)}`;
  const total = document.bars.length;
  const rows: [string, string][] = [
    ["metric", metricWords(condition.metric)],
    ["bar", barWords(condition, symbols)],
    ["estimate", value(condition.estimate)],
    ["95 % interval", formatInterval(condition.ci95, unit, barOf(condition), symbols)],
    [`lower bound, ${sided}`, value(lowerBound)],
    [`upper bound, ${sided}`, value(upperBound)],
    ["method", methodWords(condition, document, symbols)],
    [
      "values",
      `n ${formatCount(condition.n, symbols)}, at least ${formatCount(condition.minimum, symbols)} needed`,
    ],
    ...countRows(condition, symbols),
    ["instances left out", excludedWords(condition, symbols)],
  ];
  return {
    columns: [
      left(total === 1 ? "condition" : `condition ${index + 1} of ${total}`),
      left(marked(resultWord(condition.verdict), document)),
    ],
    rows: [
      ...rows.map(([label, text]) => [cell(label), cell(text)]),
      ...condition.reasons.map((reason) => [cell("reason"), cell(reason, toneOf(condition.verdict))]),
    ],
  };
}

/** `59 of 100 needed, 71 seen`; `71 of 100 seen` where the method needs no number. */
export function countWords({ needed, seen, n }: JudgedCondition, symbols: Symbols): string | null {
  const all = formatCount(n, symbols);
  if (needed === null) return seen === null ? null : `${formatCount(seen, symbols)} of ${all} seen`;
  const found = seen === null ? "" : `, ${formatCount(seen, symbols)} seen`;
  return `${formatCount(needed, symbols)} of ${all} needed${found}`;
}

/** `E = 34.2, 20 needed`. */
export function eValueWords({ eValue, eNeeded }: JudgedCondition, symbols: Symbols): string | null {
  if (eValue === null && eNeeded === null) return null;
  const needed = eNeeded === null ? "" : `, ${formatBar(eNeeded, "ratio", symbols)} needed`;
  return `E = ${formatEValue(eValue, eNeeded, symbols)}${needed}`;
}

function countRows(condition: JudgedCondition, symbols: Symbols): [string, string][] {
  const counted = countWords(condition, symbols);
  const evidence = eValueWords(condition, symbols);
  return [
    ...(counted === null ? [] : [["on the right side", counted] satisfies [string, string]]),
    ...(evidence === null ? [] : [["e-value", evidence] satisfies [string, string]]),
  ];
}

/** When and how the bar was declared. */
export function registrationTable(document: VerdictDocument, symbols: Symbols): TableModel {
  const { registration } = document;
  const at = (instant: string | null): string =>
    instant === null ? symbols.none : `${formatInstant(instant, symbols)} UTC`;
  const tone = registration.status === "registered" ? "better" : "caution";
  const rows: [string, string][] = [
    ["bar frozen at", at(registration.frozenAt)],
    ["newest data at the freeze", at(registration.newestDataAtFreeze)],
    ["commit", registration.commit ?? symbols.none],
    ["committed at", at(registration.committedAt)],
    ["deployed at", at(registration.deployedAt)],
    ["digest", shortDigest(registration.digest)],
    ["analysis version", formatCount(registration.analysisVersion, symbols)],
  ];
  return {
    columns: [left("registration"), left(marked(registration.status, document))],
    rows: [
      [cell("status"), cell(registrationWords(registration), tone)],
      ...rows.map(([label, text]) => [cell(label), cell(text)]),
      ...registration.reasons.map((reason) => [cell("reason"), cell(reason, tone)]),
    ],
  };
}

/** What would have made the judgement worthless. */
export function guardsTable(document: VerdictDocument): TableModel {
  return {
    columns: [left("guard"), left("status"), left(marked("detail", document))],
    rows: document.guards.map((guard): Cell[] => [
      cell(guard.name),
      cell(guard.status, guardTone(guard)),
      cell(guard.detail),
    ]),
  };
}

/** The bar in full, and the bars before it. `quote` marks outside text. */
export function digestLines(
  { registration }: VerdictDocument,
  symbols: Symbols,
  quote: (text: string) => string,
): string[] {
  return [
    `SHA-256 of the bar: ${quote(registration.digest)}`,
    ...registration.supersedes.map(
      ({ digest, frozenAt, reason }) =>
        `Supersedes the bar frozen at ${quote(formatInstant(frozenAt, symbols))} UTC, because: ${quote(reason.replace(/[.\s]+$/, ""))}. Its SHA-256: ${quote(digest)}`,
    ),
  ];
}

/** The file that holds what was judged. */
export function valuesLine(
  { values }: VerdictDocument,
  symbols: Symbols,
  quote: (text: string) => string,
): string {
  if (values === null) return "The values that were judged were not written to a file.";
  return `The values that were judged: ${quote(values.path)}, ${formatCount(values.rows, symbols)} ${values.rows === 1 ? "row" : "rows"}, SHA-256 ${quote(values.sha256)}`;
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The command that prints every other figure of the same data. */
export function reportCommand({ report, registration }: VerdictDocument): string {
  const data =
    report === null || report.inputs.length === 0 ? ["PATH"] : report.inputs.map(({ path }) => path);
  const deployedAt = report?.settings.deployedAt ?? registration.deployedAt;
  const role = report?.settings.role ?? null;
  return [
    "coldstart report",
    ...data.map((path) => `--data ${shellWord(path)}`),
    ...(deployedAt === null ? [] : [`--deployed-at ${shellWord(deployedAt)}`]),
    ...(role === null ? [] : [`--role ${shellWord(role)}`]),
  ].join(" ");
}
