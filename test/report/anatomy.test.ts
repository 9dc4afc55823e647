import { beforeAll, describe, expect, it } from "vitest";
import { renderAnatomyCsv } from "../../src/report/anatomy-csv.ts";
import { type AnatomyDocument, anatomySchema } from "../../src/report/anatomy-document.ts";
import {
  renderAnatomyJson,
  renderAnatomyMarkdown,
  renderAnatomySection,
  renderAnatomyText,
} from "../../src/report/anatomy-render.ts";
import { displayWidth } from "../../src/report/plain.ts";
import { anatomySample } from "./audit-sample.ts";

let document: AnatomyDocument;
let without: AnatomyDocument;

beforeAll(async () => {
  document = await anatomySample();
  without = await anatomySample(false);
});

const text = (width: number, unicode = true, color = false): string =>
  renderAnatomyText(document, { width, unicode, color });

describe("the text", () => {
  it.each([60, 80, 120])("fits into %i columns", (width) => {
    for (const line of text(width).split("\n")) expect(displayWidth(line), line).toBeLessThanOrEqual(width);
  });

  it("is ASCII where it must be, and holds no control characters of the data", () => {
    expect(text(80, false)).toMatch(/^[\n\x20-\x7e]*$/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
    expect(text(80)).not.toMatch(/[\u001b\u202e]/);
  });

  it("says with colour what it says without", () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes of colours
    expect(text(80, true, true).replace(/\u001b\[\d+m/g, "")).toBe(text(80));
    expect(text(80, true, true)).not.toBe(text(80));
  });

  it("forgets nothing", () => {
    const shown = text(120).replace(/\s+/g, " ");
    for (const { first, later } of document.cohorts) {
      for (const value of [first.n, first.withCalls.count, later.withCalls])
        expect(shown).toContain(String(value));
    }
    for (const { message, code } of document.warnings) {
      expect(shown).toContain(code);
      expect(shown).toContain(message.slice(0, 40));
    }
    for (const sentence of document.unknown) expect(shown).toContain(sentence.slice(0, 40));
    for (const part of [
      "whole request",
      "until the first call",
      "outbound, union",
      "outbound, sum",
      "in-process rest",
    ]) {
      expect(shown).toContain(part);
    }
    expect(shown).toContain("later*");
    expect(shown).toContain("before:");
    expect(shown).toContain("after:");
  });

  it("is a section as well, without the warnings", () => {
    const section = renderAnatomySection(document, { width: 80, unicode: true, color: false });
    expect(section).toContain("What cannot be known");
    expect(section).not.toContain("Warnings");
    expect(section.startsWith("Where the time of first requests goes\n")).toBe(true);
  });

  it("says that there are no dependencies, and shows no figure for them", () => {
    const shown = renderAnatomyText(without, { width: 80, unicode: true, color: false });
    expect(shown).toContain("The input holds no dependencies.");
    expect(shown).not.toContain("in-process rest");
    expect(without.dependencies).toBeNull();
    expect(without.unknown).toHaveLength(1);
  });
});

describe("the other formats", () => {
  it("JSON is the document, and the schema accepts nothing else", () => {
    const parsed = JSON.parse(renderAnatomyJson(document)) as unknown;
    expect(anatomySchema.strict().parse(parsed)).toEqual(document);
    expect(anatomySchema.safeParse({ ...document, dependencies: undefined }).success).toBe(false);
  });

  it("Markdown has a table for each of text, and the data cannot break out of its cell", () => {
    const markdown = renderAnatomyMarkdown(document);
    const rows = markdown.split("\n").filter((line) => line.includes("GET /a"));
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      expect(row).toContain("GET /a\\|b\\*");
      expect(row.match(/(?<!\\)\|/g)).toHaveLength(8);
    }
    expect(markdown.match(/^\| :?---/gm)!.length).toBe(5);
  });

  it("CSV has every figure of every route, with its n and interval", () => {
    const csv = renderAnatomyCsv(document);
    const lines = csv.trimEnd().split("\n");
    expect(lines[0]).toBe("cohort,figure,label,value,unit,n,ci95Low,ci95High");
    const [before] = document.cohorts;
    const { p50Ms, p50Ci95Ms } = before!.first.parts.rest;
    const n = before!.first.withCalls.count;
    expect(lines).toContain(
      `before,first.parts.rest.p50Ms,,${p50Ms},ms,${n},${p50Ci95Ms[0] ?? ""},${p50Ci95Ms[1] ?? ""}`,
    );
    const routes = document.cohorts.reduce((sum, cohort) => sum + cohort.routes.length, 0);
    expect(lines.filter((line) => line.includes("routes.first.parts.rest.p50Ms"))).toHaveLength(routes);
    expect(lines.filter((line) => /,unknown,/.test(line))).toHaveLength(document.unknown.length);
  });
});

describe("the document", () => {
  it("accounts for every first request", () => {
    for (const { first, routes } of document.cohorts) {
      const missing = Object.values(first.without).reduce((sum, count) => sum + count, 0);
      expect(first.withCalls.count + missing).toBe(first.n);
      expect(routes.reduce((sum, route) => sum + route.first.n, 0)).toBe(first.n);
    }
  });

  it("warns of calls that outlive their request and of malformed rows", () => {
    const codes = Object.fromEntries(document.warnings.map(({ code, count }) => [code, count]));
    expect(codes).toMatchObject({ "malformed-dependencies": 2, "unfinished-calls": 12 });
  });
});
