import { stripVTControlCharacters } from "node:util";

/**
 * Text from outside (paths, roles, messages that quote an export) made safe to print, measured and
 * wrapped. Telemetry can hold anything: a role name must not be able to move the cursor.
 */

/** Control characters, and the invisible marks that reorder what stands beside them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are exactly the characters to remove
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g;

const ASCII_OF: Readonly<Record<string, string>> = {
  "–": "-",
  "—": "-",
  "−": "-",
  "…": "...",
  "×": "x",
  "→": "->",
  "≤": "<=",
  "≥": ">=",
  "‘": "'",
  "’": "'",
  "“": '"',
  "”": '"',
  "\u00a0": " ",
};

/** One line without control characters; without `unicode`, in ASCII, the rest as `\u{e4}`. */
export function plain(text: string, unicode: boolean): string {
  const line = stripVTControlCharacters(text).replace(UNPRINTABLE, " ").trim();
  if (unicode) return line;
  return Array.from(line, (char) => {
    const code = char.codePointAt(0)!;
    return code < 0x80 ? char : (ASCII_OF[char] ?? `\\u{${code.toString(16)}}`);
  }).join("");
}

const ZERO_WIDTH = /^[\p{M}\p{Cf}]$/u;
/** East Asian wide and emoji blocks, coarse: enough to keep columns in line. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]$/u;

/** Columns that `text` takes on a terminal, ANSI codes not counted. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const char of stripVTControlCharacters(text)) {
    width += ZERO_WIDTH.test(char) ? 0 : WIDE.test(char) ? 2 : 1;
  }
  return width;
}

/** Pieces of `word` that are each at most `width` columns wide. */
function breakWord(word: string, width: number): string[] {
  const pieces: string[] = [];
  let piece = "";
  for (const char of word) {
    if (piece !== "" && displayWidth(piece + char) > width) {
      pieces.push(piece);
      piece = "";
    }
    piece += char;
  }
  pieces.push(piece);
  return pieces;
}

/** Spaces that must not end a line: before a unit, in `n 44`, in an instant, inside an interval. */
const TIE = "\u0001";
const UNIT = /([\d\]]) (?=(?:ms|s|min|%|points|rows?|UTC)(?:[\s.,;:)\]]|$))/g;

function tie(text: string): string {
  return (
    text
      .replace(/\[[^[\]]*\]/g, (interval) => interval.replaceAll(" ", TIE))
      .replace(UNIT, `$1${TIE}`)
      // A footnote's mark stays with the word that it marks.
      .replace(/ (?=\[\d+\](?:\s|$))/g, TIE)
      .replace(/\bn (?=\d)/g, `n${TIE}`)
      .replace(/(\d{4}-\d{2}-\d{2}) (?=\d{2}:\d{2})/g, `$1${TIE}`)
  );
}

/** Columns of the longest piece that `wrap` does not break unless it must. */
export function unbrokenWidth(text: string): number {
  return Math.max(
    ...tie(text)
      .split(" ")
      .map((word) => displayWidth(word.replaceAll(TIE, " "))),
  );
}

/**
 * Lines of at most `width` columns, broken at spaces, inside a word only where it has no other place;
 * lines after the first begin with `hang` spaces.
 */
export function wrap(text: string, width: number, hang = 0): string[] {
  const lines: string[] = [];
  let line = "";
  let empty = true;
  const room = Math.max(1, width);
  const start = (): string => (lines.length === 0 ? "" : " ".repeat(Math.min(hang, room - 1)));
  const words = tie(text).split(" ");
  const tied = words.flatMap((word) => {
    const loose = word.replaceAll(TIE, " ");
    return displayWidth(loose) > room - hang ? word.split(TIE) : [loose];
  });
  for (const word of tied) {
    for (const [index, piece] of breakWord(word, Math.max(1, room - hang)).entries()) {
      const gap = empty || index > 0 ? "" : " ";
      if (!empty && (index > 0 || displayWidth(line + gap + piece) > room)) {
        lines.push(line);
        line = start() + piece;
      } else {
        line += gap + piece;
      }
      empty = false;
    }
  }
  lines.push(line);
  return lines;
}
