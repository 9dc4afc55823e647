import { codeAndCount } from "./footnotes.ts";
import type { LeaksDocument } from "./leaks-document.ts";
import { leaksHeadline, leaksScope, leaksSections } from "./leaks-sections.ts";
import { ASCII_SYMBOLS, UNICODE_SYMBOLS } from "./numbers.ts";
import { painter, type Tone } from "./paint.ts";
import { plain, wrap } from "./plain.ts";
import { drawTable } from "./table.ts";
import type { TextOptions } from "./text.ts";

const MIN_WIDTH = 60;
/** Text longer than this is hard to read, however wide the terminal. */
const MAX_PROSE = 100;
const INDENT = "  ";
const TONES: Readonly<Record<LeaksDocument["verdict"], Tone>> = {
  leak: "worse",
  clean: "better",
  "cannot-tell": "caution",
};

/** The audit for a terminal, with a final newline; no line is longer than the width (at least 60). */
export function renderLeaksText(document: LeaksDocument, options: TextOptions): string {
  return render(document, options, true);
}

/** The audit as a section of a longer text: without the warnings on the data, which stand there already. */
export function renderLeaksSection(document: LeaksDocument, options: TextOptions): string {
  return render(document, options, false);
}

function render(document: LeaksDocument, options: TextOptions, withWarnings: boolean): string {
  const { unicode } = options;
  const width = Math.max(MIN_WIDTH, Math.floor(options.width));
  const symbols = unicode ? UNICODE_SYMBOLS : ASCII_SYMBOLS;
  const paint = painter(options.color);
  const lines: string[] = [];
  const prose = (text: string, tone: Tone = "plain", indent = "", hang = 0): void => {
    const room = Math.min(width, MAX_PROSE) - indent.length;
    for (const line of wrap(plain(text, unicode), room, hang)) lines.push(indent + paint(line, tone));
  };
  const heading = (title: string): void => {
    lines.push("", paint(title, "strong"), "");
  };

  prose(leaksHeadline(document), TONES[document.verdict]);
  prose(leaksScope(document, symbols));
  for (const { text } of document.reasons) prose(`- ${text}`, TONES[document.verdict], "", 2);
  for (const { title, table, sentences } of leaksSections(document, symbols)) {
    heading(title);
    if (table !== null) {
      const safe = {
        columns: table.columns,
        // Labels begin with blanks where they stand under another.
        rows: table.rows.map((row) =>
          row.map((item) => ({
            ...item,
            text: (/^ */.exec(item.text)?.[0] ?? "") + plain(item.text, unicode),
          })),
        ),
      };
      for (const line of drawTable(safe, width - INDENT.length, unicode, paint)) lines.push(INDENT + line);
      if (sentences.length > 0) lines.push("");
    }
    for (const sentence of sentences) prose(sentence, "dim", INDENT);
  }
  if (document.unknown.length > 0) {
    heading("Not known");
    for (const text of document.unknown) prose(`- ${text}`, "plain", INDENT, 2);
  }
  const warnings = withWarnings ? warningsOf(document) : [];
  if (warnings.length > 0) {
    heading("Warnings");
    for (const [index, text] of warnings.entries()) {
      const label = `[${index + 1}] `;
      prose(label + text, "plain", INDENT, label.length);
    }
  }
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;

  function warningsOf({ warnings: own, inputs }: LeaksDocument): string[] {
    return [
      ...own.map((warning) => `${warning.message} (${codeAndCount(warning, symbols)})`),
      ...inputs.flatMap(({ path, warnings: ofInput }) =>
        ofInput.map((warning) => `${path}: ${warning.message} (${codeAndCount(warning, symbols)})`),
      ),
    ];
  }
}
