import { barSchema } from "./bar.ts";
import { checkMeaning } from "./bar-checks.ts";
import { schemaProblems } from "./bar-issues.ts";
import { readBarText } from "./bar-yaml.ts";
import { digestOf } from "./canonical.ts";
import type { BarProblem, ReadBar } from "./types.ts";

/** A sound bar, with what its author should think over. */
export interface CheckedBar extends ReadBar {
  readonly warnings: readonly BarProblem[];
}

/**
 * Reads a bar file (YAML, of which JSON is a part) and proves it: its form, and that each condition can be
 * shown at all. Every problem is told at once, with its line and column, in the order of the file. Never
 * throws for what the file may hold.
 */
export function parseBar(text: string): CheckedBar | { readonly problems: readonly BarProblem[] } {
  const read = readBarText(text);
  if (!("value" in read)) return read;
  const { problems, warnings } = checkMeaning(read);
  const all = [...read.problems, ...schemaProblems(read), ...problems];
  if (all.length > 0) return { problems: inOrder(all) };
  const bar = barSchema.parse(read.value);
  return { bar, digest: digestOf(bar), warnings: inOrder(warnings) };
}

function inOrder(problems: readonly BarProblem[]): BarProblem[] {
  const key = ({ line, column }: BarProblem): number => (line ?? 0) * 1e6 + (column ?? 0);
  return [...problems].sort((a, b) => key(a) - key(b));
}
