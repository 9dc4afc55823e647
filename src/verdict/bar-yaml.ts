import { isMap, isNode, isScalar, isSeq, type Node, type Pair, parseDocument, visit } from "yaml";
import type { BarProblem } from "./types.ts";

export type Path = readonly PropertyKey[];

/** A bar file as it was written: its plain value, and where each part of it stands. */
export interface BarText {
  readonly value: unknown;
  readonly problems: readonly BarProblem[];
  /** A problem at the value of a path, or where the value should have stood. */
  at(path: Path, message: string): BarProblem;
  /** A problem at the key that a path ends with. */
  atKey(path: Path, message: string): BarProblem;
}

/** Far more than any bar needs; far less than what makes the parser run out of stack. */
const MOST_CHARACTERS = 100_000;
const MOST_BRACKETS = 1_000;

/** Reads YAML 1.2 (JSON is a part of it). What cannot be read is told as problems; never throws. */
export function readBarText(text: string, what = "bar"): BarText | { readonly problems: BarProblem[] } {
  if (text.length > MOST_CHARACTERS) return only(`a ${what} of more than 100,000 characters is none`);
  if ((text.match(/[[{]/g) ?? []).length > MOST_BRACKETS) return only("brackets are nested too deeply");
  const lines = lineStarts(text);
  try {
    const document = parseDocument(text, {
      prettyErrors: false,
      schema: "core",
      resolveKnownTags: false,
      logLevel: "error",
    });
    const place = (offset: number, message: string): BarProblem => {
      const line = Math.max(1, lines.findLastIndex((start) => start <= offset) + 1);
      return { message, line, column: Math.max(1, offset - lines[line - 1]! + 1) };
    };
    const faults = [...document.errors, ...document.warnings];
    const problems = faults.map(({ pos, code, message }) => place(pos[0], sentence(code, message)));
    visit(document, {
      Alias: (_, { source, range }) => {
        problems.push(
          place(range?.[0] ?? 0, `*${source}: write the value itself; a ${what} is read by people`),
        );
      },
    });
    if (problems.length > 0 && faults.some(({ code }) => code !== "DUPLICATE_KEY")) {
      return { problems: telling(problems) };
    }
    if (problems.length > faults.length) return { problems };
    const root = document.contents;
    if (root === null || (isScalar(root) && root.value === null)) return only("the file is empty");
    if (!isMap(root))
      return { problems: [place(root.range?.[0] ?? 0, `a ${what} is a map of keys and values`)] };
    return {
      value: document.toJS(),
      problems,
      at: (path, message) => place(offsetOf(root, path, false), message),
      atKey: (path, message) => place(offsetOf(root, path, true), message),
    };
  } catch (error) {
    if (error instanceof RangeError) return only("the file is nested too deeply");
    throw error;
  }
}

/** Where each line begins. The parser's own line counter loses lines once something is out of place. */
function lineStarts(text: string): number[] {
  const first = text.startsWith("\ufeff") ? 1 : 0;
  return [first, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
}

function only(message: string): { problems: BarProblem[] } {
  return { problems: [{ message, line: 1, column: 1 }] };
}

/** After one slip the parser complains of much that is right: the first complaint of a line, ten in all. */
function telling(problems: readonly BarProblem[]): BarProblem[] {
  const lines = problems.map(({ line }) => line);
  return problems.filter(({ line }, i) => lines.indexOf(line) === i).slice(0, 10);
}

const SENTENCES: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: "this key stands here twice",
  MULTIPLE_DOCS: "a file holds one bar; this one holds several documents",
  TAB_AS_INDENT: "indent with spaces, not with tabs",
};

function sentence(code: string, message: string): string {
  if (/call stack/.test(message)) return "the file is nested too deeply";
  return SENTENCES[code] ?? `not YAML: ${message.replace(/\s+/g, " ")}`;
}

/** Where a path's value (or key) begins; where it is missing, the key or the item that should hold it. */
function offsetOf(root: Node, path: Path, wantsKey: boolean): number {
  let node: unknown = root;
  let offset = startOf(root) ?? 0;
  for (const [depth, step] of path.entries()) {
    const isLast = depth === path.length - 1;
    if (isMap(node)) {
      // Of a key that stands there twice the last one counts.
      const pair: Pair | undefined = node.items.findLast(({ key }) => nameOf(key) === String(step));
      if (pair === undefined) return offset;
      const key = startOf(pair.key) ?? offset;
      if (isLast && wantsKey) return key;
      const isEmpty = !isNode(pair.value) || (isScalar(pair.value) && pair.value.value === null);
      offset = isLast && !isEmpty && isScalar(pair.value) ? (startOf(pair.value) ?? key) : key;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      offset = startOf(node) ?? offset;
    } else return offset;
  }
  return offset;
}

function nameOf(key: unknown): string {
  return isScalar(key) ? String(key.value) : String(key);
}

function startOf(node: unknown): number | null {
  if (!isNode(node)) return null;
  return node.range?.[0] ?? null;
}
