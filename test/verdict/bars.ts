import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Bar } from "../../src/verdict/bar.ts";
import { type CheckedBar, parseBar } from "../../src/verdict/bar-file.ts";
import type { BarProblem } from "../../src/verdict/types.ts";

export const BARS = fileURLToPath(new URL("../../fixtures/bars/", import.meta.url));

export function barText(name: string): string {
  return readFileSync(`${BARS}${name}`, "utf8");
}

/** A bar that must be sound. */
export function sound(text: string): CheckedBar {
  const parsed = parseBar(text);
  if ("bar" in parsed) return parsed;
  throw new Error(placed(parsed.problems).join("\n"));
}

/** The problems of a bar that must have some, as `line:column: message`. */
export function problems(text: string): string[] {
  const parsed = parseBar(text);
  if ("bar" in parsed) throw new Error("the bar is sound");
  return placed(parsed.problems);
}

export function placed(all: readonly BarProblem[]): string[] {
  return all.map(({ line, column, message }) => `${line}:${column}: ${message}`);
}

/** A bar with one condition in YAML's flow form and the rest as given. */
export function barWith(condition: string, rest = "sample: { minimum: 100 }"): string {
  return `name: n\nhypothesis: h\nconditions: [${condition}]\n${rest}\n`;
}

export function conditionOf(text: string): Bar["conditions"][number] {
  return sound(text).bar.conditions[0]!;
}
