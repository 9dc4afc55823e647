import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { githubAnnotations } from "../../src/report/github.ts";
import { renderJunit } from "../../src/report/junit.ts";
import { displayWidth } from "../../src/report/plain.ts";
import { type VerdictDocument, verdictSchema } from "../../src/report/verdict-document.ts";
import { renderVerdictJson } from "../../src/report/verdict-json.ts";
import { renderVerdictMarkdown } from "../../src/report/verdict-markdown.ts";
import { renderVerdictText } from "../../src/report/verdict-text.ts";
import {
  anytime,
  error,
  fail,
  hostile,
  many,
  notRegistered,
  nulls,
  pass,
  pointEstimate,
  retrospective,
  tooFew,
  VERDICTS,
} from "./verdict-sample.ts";

const text = (document: VerdictDocument, width = 80): string =>
  renderVerdictText(document, { width, color: false, unicode: true });
const flat = (document: VerdictDocument): string => text(document, 120).replace(/\s+/g, " ");

const FORMS: Readonly<Record<string, (document: VerdictDocument) => string>> = {
  text: (document) => text(document),
  markdown: renderVerdictMarkdown,
  junit: renderJunit,
  annotations: (document) => githubAnnotations(document).join("\n"),
};

describe.each(Object.keys(VERDICTS))("sample %s", (name) => {
  const document = VERDICTS[name]!();

  it("is a valid document", () => {
    expect(verdictSchema.parse(document)).toEqual(document);
  });

  it.each([40, 60, 80, 120, 200])("has no line longer than %s columns (at least 60)", (width) => {
    for (const unicode of [true, false]) {
      const lines = renderVerdictText(document, { width, color: false, unicode }).split("\n");
      for (const line of lines) expect(displayWidth(line), line).toBeLessThanOrEqual(Math.max(60, width));
    }
  });

  it("is ASCII where that is asked for, and says the same without colour", () => {
    const ascii = renderVerdictText(document, { width: 80, color: false, unicode: false });
    expect(ascii).toMatch(/^[\n\x20-\x7e]*$/);
    const coloured = renderVerdictText(document, { width: 80, color: true, unicode: true });
    expect(coloured).toContain("\u001b[");
    expect(stripVTControlCharacters(coloured)).toBe(text(document));
  });

  it("prints no trace of a missing value", () => {
    for (const render of Object.values(FORMS)) {
      expect(render(document)).not.toMatch(/NaN|Infinity|undefined|null|\[object/);
    }
  });

  it("tells the verdict and the bar in the first line", () => {
    const bar = document.name;
    const mark = document.retrospective ? "RETROSPECTIVE " : "";
    const first = `${mark}${document.verdict.toUpperCase()}: `;
    expect(text(document).startsWith(first)).toBe(true);
    expect(renderVerdictMarkdown(document).startsWith(`### ${first}`)).toBe(true);
    expect(githubAnnotations(document)[0]).toContain(`::${first}`);
    if (name !== "hostile") expect(text(document).split("\n")[0]).toBe(first + bar);
  });

  it("has the word pass in it only if that is the verdict", () => {
    for (const [form, render] of Object.entries(FORMS)) {
      const says = /\bpass/i.test(render(document));
      if (document.verdict !== "pass") expect(says, form).toBe(false);
    }
    expect(JSON.parse(renderVerdictJson(document)).verdict).toBe(document.verdict);
  });

  it("has as many cells in every row of a Markdown table as the table has columns", () => {
    let columns = 0;
    for (const line of renderVerdictMarkdown(document).split("\n")) {
      const cells = line.startsWith("|") ? line.replace(/\\\|/g, "").split("|").length : 0;
      if (columns > 0 && cells > 0) expect(cells, line).toBe(columns);
      columns = cells;
    }
  });
});

/** The paths of all leaves of a value. */
function leavesOf(value: unknown, path: readonly string[] = []): string[][] {
  if (value === null) return [];
  if (typeof value !== "object") return [[...path]];
  return Object.entries(value).flatMap(([key, child]) => leavesOf(child, [...path, key]));
}

/** Changes one number or text to another of the same kind. */
function changed(document: VerdictDocument, path: readonly string[]): VerdictDocument {
  const copy = structuredClone(document);
  let holder = copy as unknown as Record<string, unknown>;
  for (const key of path.slice(0, -1)) holder = holder[key] as Record<string, unknown>;
  const key = path.at(-1)!;
  const old = holder[key];
  if (typeof old === "number") holder[key] = old > 0 && old < 1 ? old / 2 : old * 2 + 1;
  else holder[key] = `other ${String(old)}`;
  return copy;
}

/** What a rendering need not show: what the program says itself, and the figures of the whole report. */
function isShown(path: readonly string[]): boolean {
  const name = path.join(".");
  if (name.startsWith("report.")) return /settings\.(?:seed|resamples)$/.test(name);
  return !/^(?:schema|verdict|retrospective)$|\.(?:unit|method|verdict|status)$/.test(name);
}

describe("nothing is forgotten", () => {
  const forms: Readonly<Record<string, (document: VerdictDocument) => string>> = {
    text: (document) => text(document, 200),
    markdown: renderVerdictMarkdown,
  };
  it.each([
    ["pass", pass, "text"],
    ["pass", pass, "markdown"],
    ["fail", fail, "text"],
    ["anytime", anytime, "text"],
    ["notRegistered", notRegistered, "text"],
    ["many", many, "markdown"],
  ] as const)("every number and text of %s changes it", (_, build, form) => {
    const render = forms[form]!;
    const base = render(build());
    for (const path of leavesOf(build()).filter(isShown)) {
      // Each condition repeats the bar's name, which stands above all of them.
      if (path[0] === "bars" && path[2] === "name") continue;
      // A seed is told only where something was drawn with it.
      if (path[0] === "report" && !build().bars.some(({ method }) => method === "bootstrap")) continue;
      expect(render(changed(build(), path)) === base, path.join(".")).toBe(false);
    }
  });

  it("shows a reviewer as much of a pass as of a fail", () => {
    const labels = (document: VerdictDocument): string[] =>
      text(document, 120).match(/^ {2}[a-z0-9% ,-]+(?= {2})/gm)!;
    const failed: VerdictDocument = { ...pass(), verdict: "fail" };
    failed.bars[0]!.verdict = "fail";
    expect(labels(failed)).toEqual(labels(pass()));
  });
});

describe("a judgement", () => {
  it("says how each figure was judged", () => {
    expect(flat(pass())).toContain("exact order statistics");
    expect(flat(pass())).toContain("instance bootstrap, 9,999 resamples, seed 20260302");
    expect(flat(fail())).toContain("exact binomial (Clopper–Pearson)");
    expect(flat(anytime())).toContain("anytime-valid e-value");
    expect(flat(pointEstimate())).toContain("point estimate, no confidence");
    expect(flat(pass())).toContain("25 of 38 needed, 37 seen");
    expect(flat(tooFew())).toContain("4 of 4 seen");
    expect(flat(anytime())).toContain("E = 34.2, 20 needed");
    expect(flat(anytime())).toContain("E = 19.9996, 20 needed");
    expect(flat(pass())).toContain("upper bound, one-sided 95 % 1,342 ms");
    expect(flat(pass())).toContain("already running 4, birth unknown 0, weekend or holiday 8");
  });

  it("prints no figure on the other side of its bar", () => {
    expect(flat(fail())).toContain("estimate 2,000.4 ms 95 % interval [2,000.01, 2,313] ms");
    expect(flat(fail())).toContain("2,000.00004 ms");
    expect(flat(many())).toContain("[9.9996, –] min");
    for (const render of Object.values(FORMS)) expect(render(fail())).not.toMatch(/estimate[ |]*2,000 ms/);
  });

  it("is marked as retrospective in its headline, in every table and in every annotation", () => {
    const out = text(retrospective());
    expect(out.startsWith("RETROSPECTIVE PASS: ")).toBe(true);
    const heads = out
      .split("\n")
      .flatMap((line, index, all) => (/^ *─/.test(all[index + 1] ?? "") ? [line] : []));
    expect(heads).toHaveLength(5);
    for (const head of heads) expect(head).toContain("RETROSPECTIVE");
    const tables = renderVerdictMarkdown(retrospective()).match(/^\|.*\n\| :---/gm)!;
    expect(tables).toHaveLength(5);
    for (const head of tables) expect(head).toContain("RETROSPECTIVE");
    for (const name of renderJunit(retrospective()).match(/<test(?:case|suite) [^>]*/g)!) {
      expect(name).toContain("RETROSPECTIVE");
    }
    for (const [form, render] of Object.entries(FORMS)) expect(render(pass()), form).not.toContain("RETRO");
  });

  it("names the command that prints the whole report", () => {
    expect(flat(pass())).toContain(
      "The full report: coldstart report --data exports/requests.csv --data exports/system-logs.ndjson --deployed-at 2026-03-09T10:12:30Z --role orders-api",
    );
    expect(flat(nulls())).toContain("The full report: coldstart report --data PATH");
    const document = pass();
    document.report!.inputs[0]!.path = "it's $HOME/a b.csv";
    expect(flat(document)).toContain(`--data 'it'\\''s $HOME/a b.csv'`);
  });

  it("numbers its own warnings, and those of the report that it does not repeat", () => {
    const document = pass();
    document.warnings = document.report!.warnings;
    expect(text(document)).toContain("[3] exports/system-logs.ndjson: Container starts");
    expect(text(document)).not.toContain("[4]");
    expect(text(error())).not.toContain("Warnings");
  });

  it("lets no text from outside act", () => {
    for (const [form, render] of Object.entries(FORMS)) {
      expect(render(hostile()), form).not.toMatch(/(?!\n)\p{Cc}/u);
    }
    expect(renderVerdictMarkdown(hostile()).replace(/`` .*? ``/g, "")).not.toMatch(/<b|@team/);
  });
});

describe("the JSON document", () => {
  it("is the document, with a final newline", () => {
    const out = renderVerdictJson(pass());
    expect(out.endsWith("}\n")).toBe(true);
    expect(out).toContain('\n  "verdict": "pass",\n');
    expect(JSON.parse(out)).toEqual(pass());
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])("refuses %s and names its place", (value) => {
    const document = pass();
    document.bars[1]!.estimate = value;
    expect(() => renderVerdictJson(document)).toThrow("bars.1.estimate");
    const deep = pass();
    deep.report!.cohorts[1]!.overlap.p50Ms = value;
    expect(() => renderVerdictJson(deep)).toThrow("report.cohorts.1.overlap.p50Ms");
  });
});
