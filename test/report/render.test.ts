import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { renderCsv } from "../../src/report/csv.ts";
import { type ReportResult, reportSchema } from "../../src/report/document.ts";
import { renderJson } from "../../src/report/json.ts";
import { renderMarkdown } from "../../src/report/markdown.ts";
import { displayWidth } from "../../src/report/plain.ts";
import { renderText } from "../../src/report/text.ts";
import { extreme, notComparable, oneCohort, SAMPLES, twoCohorts } from "./sample.ts";

const names = Object.keys(SAMPLES);
const sample = (name: string): ReportResult => SAMPLES[name]!();
const text = (result: ReportResult, width = 80): string =>
  renderText(result, { width, color: false, unicode: true });

/** The paths of all numbers of a value. */
function numbersOf(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value === "number") return [[...path]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => numbersOf(child, [...path, key]));
}

/** Changes one number to another that the schema would take and no rounding would hide. */
function changed(result: ReportResult, path: readonly string[]): ReportResult {
  let holder = result.document as unknown as Record<string, unknown>;
  for (const key of path.slice(0, -1)) holder = holder[key] as Record<string, unknown>;
  const key = path.at(-1)!;
  const old = holder[key] as number;
  const small = old > 0 && old < 1;
  const share = old === 0 && /share/i.test(path.join());
  holder[key] = share || (small && old < 0.01) ? 0.4 : small ? old / 2 : old * 2 + 1;
  return result;
}

describe.each(names)("sample %s", (name) => {
  it("is a valid document", () => {
    const { document } = sample(name);
    expect(reportSchema.parse(document)).toEqual(document);
  });

  it.each([40, 60, 80, 120, 200])("has no line longer than %s columns (at least 60)", (width) => {
    for (const unicode of [true, false]) {
      const lines = renderText(sample(name), { width, color: false, unicode }).split("\n");
      for (const line of lines) expect(displayWidth(line), line).toBeLessThanOrEqual(Math.max(60, width));
    }
  });

  it("prints no trace of a missing value", () => {
    for (const out of [text(sample(name)), renderMarkdown(sample(name)), renderCsv(sample(name))]) {
      expect(out).not.toMatch(/NaN|Infinity|undefined|null|\[object/);
    }
  });

  it("is ASCII without unicode and colour", () => {
    const out = renderText(sample(name), { width: 80, color: false, unicode: false });
    expect(out).toMatch(/^[\x20-\x7e\n]+$/);
  });

  it("says the same with and without colour", () => {
    const coloured = renderText(sample(name), { width: 80, color: true, unicode: true });
    expect(coloured).toContain("\u001b[");
    expect(stripVTControlCharacters(coloured)).toBe(text(sample(name)));
  });
});

describe("no figure is forgotten", () => {
  const forms: readonly (readonly [string, (result: ReportResult) => string])[] = [
    ["text", (result) => text(result)],
    ["markdown", renderMarkdown],
    ["csv", renderCsv],
    ["json", renderJson],
  ];
  it.each(forms)("every number of the document changes the %s", (_, render) => {
    for (const build of [twoCohorts, oneCohort]) {
      const base = render(build());
      for (const path of numbersOf(build().document)) {
        expect(render(changed(build(), path)) === base, path.join(".")).toBe(false);
      }
    }
  });
});

describe("the text report", () => {
  it("has its sections in order, the comparison first", () => {
    const out = text(twoCohorts());
    const order = [
      "Cold starts of orders-api",
      "First requests, before and after",
      "│ threshold 2,000 ms",
      "By order of arrival",
      "Second requests",
      "Arrivals and lifetimes",
      "Instances",
      "Where every row ended",
      "Warnings",
    ].map((heading) => out.indexOf(heading));
    expect(order).not.toContain(-1);
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });

  it("puts the curves side by side where there is room, and below each other where not", () => {
    const row = /^ {2}1 .*7,435 ms.*1,281 ms/m;
    expect(text(twoCohorts(), 120)).toMatch(row);
    expect(text(twoCohorts(), 80)).not.toMatch(row);
  });

  it("marks the sections that a known warning concerns and numbers every warning", () => {
    const out = text(twoCohorts());
    expect(out).toMatch(/^By order of arrival {2}\[1\]$/m);
    expect(out).toMatch(/^Instances {2}\[2\]$/m);
    expect(out).toMatch(/^ {2}\[1\] Item count and sample rate disagree/m);
    expect(out).toMatch(/^ {2}\[3\] exports\/system-logs\.ndjson: Container starts/m);
    expect(out.replace(/\s+/g, " ")).toContain("(ambiguous-weight: 12)");
    expect(text(oneCohort())).not.toContain("Warnings");
  });

  it("colours a change only where the data carry it", () => {
    const green = "\u001b[32m5.8x faster";
    const options = { width: 120, color: true, unicode: true };
    expect(renderText(twoCohorts(), options)).toContain(green);
    const unsure = twoCohorts();
    unsure.document.comparison!.firstRequest.p50DeltaCi95Ms = [-7000, 12];
    expect(renderText(unsure, options)).not.toContain(green);
    const unfair = twoCohorts();
    unfair.document.comparison!.comparable = false;
    expect(renderText(unfair, options)).not.toContain(green);
    const slower = twoCohorts();
    slower.document.comparison!.firstRequest = {
      p50DeltaMs: 6153.2,
      p50Ratio: 1281.4 / 7434.6,
      p50DeltaCi95Ms: [5803.6, 6431.1],
      probabilityFaster: 0.01,
    };
    expect(renderText(slower, options)).toContain("\u001b[31m5.8x slower");
  });

  it("says why cohorts are not comparable, and when the interval includes no change", () => {
    const out = text(notComparable()).replace(/\s+/g, " ");
    expect(out).toContain("not comparable, so the change must not be read as an effect: the shares");
    expect(out).toContain("58.0 %, more than 10 points apart; less than half");
    expect(out).toContain("It includes 0");
    expect(text(twoCohorts())).toContain("The two cohorts are comparable.");
  });

  it("says at the head that an input is partial", () => {
    expect(text(extreme())).toContain("1 of 2 inputs is partial");
    expect(text(twoCohorts())).not.toContain("partial");
  });
});

describe("the Markdown report", () => {
  it("has as many cells in every row as its table has columns", () => {
    for (const name of names) {
      let columns = 0;
      for (const line of renderMarkdown(sample(name)).split("\n")) {
        if (!line.startsWith("|")) {
          columns = 0;
          continue;
        }
        const cells = line.replace(/\\\|/g, "").split("|").length;
        if (columns === 0) columns = cells;
        expect(cells, line).toBe(columns);
      }
    }
  });

  it("closes every block that it folds away", () => {
    const out = renderMarkdown(twoCohorts());
    expect(out.match(/<details>/g)).toHaveLength(6);
    expect(out.match(/<\/details>/g)).toHaveLength(6);
    expect(out.indexOf("| first request p90")).toBeLessThan(out.indexOf("<details>"));
  });

  it("puts the outcome in the title only where it may be said", () => {
    expect(renderMarkdown(twoCohorts())).toMatch(
      /^### Cold starts of `orders-api`: first requests 5\.8x faster\n/,
    );
    expect(renderMarkdown(notComparable())).toMatch(/^### .*: not comparable\n/);
  });

  it("mentions nobody whom an export names", () => {
    const out = renderMarkdown(extreme());
    expect(out).toContain("`` näme|`x` @team ``");
    expect(out).not.toContain("\u001b");
  });
});

describe("the JSON report", () => {
  it("is the document", () => {
    const out = renderJson(twoCohorts());
    expect(out.endsWith("}\n")).toBe(true);
    expect(JSON.parse(out)).toEqual(twoCohorts().document);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])("refuses %s and names its place", (value) => {
    const result = twoCohorts();
    result.document.cohorts[1]!.overlap.p50Ms = value;
    expect(() => renderJson(result)).toThrow("cohorts.1.overlap.p50Ms");
  });
});
