import { codeAndCount } from "./footnotes.ts";
import { ASCII_SYMBOLS, UNICODE_SYMBOLS } from "./numbers.ts";
import { painter, type Tone } from "./paint.ts";
import { plain, wrap } from "./plain.ts";
import type { ProbesDocument } from "./probes-document.ts";
import { accountLines, appTitle, evidenceLines, headSentence, probesTable } from "./probes-sections.ts";
import { drawTable } from "./table.ts";
import type { TextOptions } from "./text.ts";

const MIN_WIDTH = 60;
const MAX_PROSE = 100;
const INDENT = "  ";

const TONES: Readonly<Record<string, Tone>> = {
  problem: "worse",
  caution: "caution",
  note: "dim",
  met: "better",
  missed: "worse",
  unknown: "caution",
};

/** The document for a terminal, with a final newline; no line is longer than the width (at least 60). */
export function renderProbesText(document: ProbesDocument, options: TextOptions): string {
  return `${[`Which probes run. ${headSentence(document)}`].flatMap((line) => wrap(line, proseWidth(options))).join("\n")}\n${renderProbesSection(document, options)}`;
}

function widthOf({ width }: TextOptions): number {
  return Math.max(MIN_WIDTH, Math.floor(width));
}

function proseWidth(options: TextOptions): number {
  return Math.min(widthOf(options), MAX_PROSE);
}

/** The body of the document, for a report that holds several. */
export function renderProbesSection(document: ProbesDocument, options: TextOptions): string {
  const { unicode } = options;
  const symbols = unicode ? UNICODE_SYMBOLS : ASCII_SYMBOLS;
  const paint = painter(options.color);
  const quote = (text: string): string => plain(text, unicode);
  const lines: string[] = [];
  const prose = (text: string, tone: Tone = "plain", indent = INDENT): void => {
    for (const line of wrap(quote(text), proseWidth(options) - indent.length, 2)) {
      lines.push(indent + paint(line, tone));
    }
  };
  const heading = (title: string): void => {
    lines.push("", ...wrap(quote(title), widthOf(options)).map((line) => paint(line, "strong")), "");
  };

  for (const app of document.apps) {
    heading(appTitle(app, quote));
    for (const line of drawTable(
      probesTable(app, symbols, quote),
      widthOf(options) - INDENT.length,
      unicode,
      paint,
    )) {
      lines.push(INDENT + line);
    }
    lines.push("");
    for (const line of evidenceLines(app)) prose(line);
    for (const line of accountLines(app, symbols, quote)) prose(line, "dim");
  }
  if (document.expectations.length > 0) {
    heading("Expectations");
    for (const { app, type, handler, result, reason } of document.expectations) {
      prose(`${result}: ${app === "" ? "" : `${app}: `}${type}=${handler}: ${reason}.`, TONES[result]);
    }
  }
  if (document.findings.length > 0) {
    heading("Findings");
    for (const { level, code, app, place, message, remedy } of document.findings) {
      prose(`${level} ${code}: ${message}.`, TONES[level]);
      prose(`at ${document.apps.length > 1 ? `${app}, ` : ""}${place}`, "dim", INDENT.repeat(2));
      prose(`do: ${remedy}.`, "plain", INDENT.repeat(2));
    }
  }
  if (document.unknown.length > 0) {
    heading("Not known");
    for (const line of document.unknown) prose(line);
  }
  const warnings = [...document.warnings, ...document.inputs.flatMap(({ warnings: own }) => own)];
  if (warnings.length > 0) {
    heading("Warnings");
    for (const warning of warnings) prose(`${warning.message} (${codeAndCount(warning, symbols)})`);
  }
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}
