import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { githubAnnotations } from "../../src/report/github.ts";
import { renderJunit } from "../../src/report/junit.ts";
import { renderVerdictMarkdown } from "../../src/report/verdict-markdown.ts";
import { renderVerdictText } from "../../src/report/verdict-text.ts";
import { VERDICTS } from "./verdict-sample.ts";

const sample = (name: string) => VERDICTS[name]!();
const text = (name: string, width: number, flags: { color?: boolean; unicode?: boolean } = {}) =>
  renderVerdictText(sample(name), { width, color: false, unicode: true, ...flags });
const annotations = (name: string) => `${githubAnnotations(sample(name)).join("\n")}\n`;

const GOLDEN: readonly (readonly [string, () => string])[] = [
  ["pass-60", () => text("pass", 60)],
  ["pass-80", () => text("pass", 80)],
  ["pass-120", () => text("pass", 120)],
  ["pass-80-ascii", () => text("pass", 80, { unicode: false })],
  ["fail-80", () => text("fail", 80)],
  ["fail-80-color", () => text("fail", 80, { color: true })],
  ["too-few-80", () => text("too-few", 80)],
  ["not-registered-80", () => text("not-registered", 80)],
  ["guarded-80", () => text("guarded", 80)],
  ["error-80", () => text("error", 80)],
  ["retrospective-80", () => text("retrospective", 80)],
  ["anytime-80", () => text("anytime", 80)],
  ["point-estimate-80", () => text("point-estimate", 80)],
  ["many-60", () => text("many", 60)],
  ["nulls-80", () => text("nulls", 80)],
  ["hostile-60", () => text("hostile", 60)],
  ["pass-markdown", () => renderVerdictMarkdown(sample("pass"))],
  ["retrospective-markdown", () => renderVerdictMarkdown(sample("retrospective"))],
  ["hostile-markdown", () => renderVerdictMarkdown(sample("hostile"))],
  ["pass-junit", () => renderJunit(sample("pass"))],
  ["guarded-junit", () => renderJunit(sample("guarded"))],
  ["retrospective-junit", () => renderJunit(sample("retrospective"))],
  ["hostile-junit", () => renderJunit(sample("hostile"))],
  ["many-annotations", () => annotations("many")],
  ["retrospective-annotations", () => annotations("retrospective")],
  ["hostile-annotations", () => annotations("hostile")],
];

/**
 * The renderings as they were read and approved. UPDATE_GOLDEN=1 writes them anew and fails, so that
 * a run that wrote is never mistaken for one that checked.
 */
describe("golden verdicts", () => {
  it.each(GOLDEN)("%s", (name, render) => {
    const file = new URL(`./golden/verdict-${name}.txt`, import.meta.url);
    if (process.env.UPDATE_GOLDEN === "1") {
      writeFileSync(file, render());
      throw new Error(`verdict-${name}.txt was written: read it, then run without UPDATE_GOLDEN`);
    }
    expect(render()).toBe(readFileSync(file, "utf8"));
  });
});
