import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { renderCsv } from "../../src/report/csv.ts";
import { renderMarkdown } from "../../src/report/markdown.ts";
import { renderText } from "../../src/report/text.ts";
import { SAMPLES } from "./sample.ts";

const text = (name: string, width: number, flags: { color?: boolean; unicode?: boolean } = {}) =>
  renderText(SAMPLES[name]!(), { width, color: false, unicode: true, ...flags });

const GOLDEN: readonly (readonly [string, () => string])[] = [
  ["two-cohorts-60", () => text("two-cohorts", 60)],
  ["two-cohorts-80", () => text("two-cohorts", 80)],
  ["two-cohorts-120", () => text("two-cohorts", 120)],
  ["two-cohorts-200", () => text("two-cohorts", 200)],
  ["two-cohorts-80-ascii", () => text("two-cohorts", 80, { unicode: false })],
  ["two-cohorts-120-color", () => text("two-cohorts", 120, { color: true })],
  ["not-comparable-80", () => text("not-comparable", 80)],
  ["one-cohort-80", () => text("one-cohort", 80)],
  ["empty-after-80", () => text("empty-after", 80)],
  ["empty-report-80", () => text("empty-report", 80)],
  ["extreme-60", () => text("extreme", 60)],
  ["two-cohorts-markdown", () => renderMarkdown(SAMPLES["two-cohorts"]!())],
  ["extreme-markdown", () => renderMarkdown(SAMPLES.extreme!())],
  ["two-cohorts-csv", () => renderCsv(SAMPLES["two-cohorts"]!())],
];

/**
 * The renderings as they were read and approved. UPDATE_GOLDEN=1 writes them anew and fails, so that
 * a run that wrote is never mistaken for one that checked.
 */
describe("golden texts", () => {
  it.each(GOLDEN)("%s", (name, render) => {
    const file = new URL(`./golden/${name}.txt`, import.meta.url);
    if (process.env.UPDATE_GOLDEN === "1") {
      writeFileSync(file, render());
      throw new Error(`${name}.txt was written: read it, then run without UPDATE_GOLDEN`);
    }
    expect(render()).toBe(readFileSync(file, "utf8"));
  });
});
