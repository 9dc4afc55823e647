import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderJunit } from "../../src/report/junit.ts";
import type { VerdictDocument } from "../../src/report/verdict-document.ts";
import { element, escapeXml, xmlLines } from "../../src/report/xml.ts";
import { guarded, many, notRegistered, pass, retrospective, tooFew, VERDICTS } from "./verdict-sample.ts";
import { elementsOf, type ReadElement, readXml } from "./xml-reader.ts";

const read = (document: VerdictDocument): ReadElement => readXml(renderJunit(document));
const cases = (document: VerdictDocument): ReadElement[] => elementsOf(read(document), "testcase");
const outcome = ({ children }: ReadElement): string =>
  children
    .filter(({ name }) => name !== "properties")
    .map(({ name, attributes }) => `${name} ${attributes.type ?? ""}`.trim())
    .join();
const property = (one: ReadElement, name: string): string | undefined =>
  elementsOf(one, "property").find(({ attributes }) => attributes.name === name)?.attributes.value;

/** Any UTF-16 text, lone surrogates and control characters included. */
const anyText = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.constantFrom(0, 9, 10, 13, 27, 0x2028, 0xd800)))
  .map((units) => String.fromCharCode(...units));
const HOSTILE = `a<b>&"c" 'd' ]]> -- &amp; \t\r\n \u0000\u001b\u0085\u2028\ufffe\ud800 \u{1f600}`;

/** What a text becomes: the same, but for the characters that XML cannot hold. */
function expected(text: string): string {
  return Array.from(text, (char) =>
    /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]$/u.test(char) ? char : "\ufffd",
  ).join("");
}

describe("XML", () => {
  it("escapes what a parser would read as markup or normalise away", () => {
    expect(escapeXml(`<a b="c" d='e'>&\t\n\r`)).toBe(
      "&lt;a b=&quot;c&quot; d=&apos;e&apos;&gt;&amp;&#9;&#10;&#13;",
    );
    expect(escapeXml("\u0000\u001b\ud800\u{1f600}")).toBe("\ufffd\ufffd\ufffd\u{1f600}");
  });

  it("brings any text through a parser, in attributes and in content", () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.constant(HOSTILE)), (text) => {
        const lines = xmlLines(element("a", { b: text }, text === "" ? [] : [element("c", {}, text)]));
        const root = readXml(`<?xml version="1.0" encoding="UTF-8"?>\n${lines.join("\n")}`);
        expect(root.attributes.b).toBe(expected(text));
        expect(root.children[0]?.text ?? "").toBe(expected(text));
      }),
      { numRuns: 500 },
    );
  });
});

describe("the reader of these tests", () => {
  it.each([
    "<a b=c/>",
    "<a>&nbsp;</a>",
    "<a>&#0;</a>",
    "<a></b>",
    "<a/><b/>",
    '<a b="<"/>',
    "<a>]]></a>",
    "<a",
  ])("refuses %s", (xml) => {
    expect(() => readXml(`<?xml version="1.0" encoding="UTF-8"?>\n${xml}`)).toThrow();
  });
});

describe.each(Object.keys(VERDICTS))("JUnit of sample %s", (name) => {
  const document = VERDICTS[name]!();

  it("is well-formed, and counts its own cases", () => {
    const root = read(document);
    for (const holder of [root, ...root.children]) {
      const inside = elementsOf(holder, "testcase");
      const count = (kind: string): number => inside.filter((one) => outcome(one).startsWith(kind)).length;
      expect(holder.attributes).toMatchObject({
        tests: String(inside.length),
        failures: String(count("failure")),
        errors: String(count("error")),
        skipped: String(count("skipped")),
      });
    }
    const names = cases(document).map(({ attributes }) => `${attributes.classname}\n${attributes.name}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it("is red exactly when the verdict is not a pass", () => {
    const isRed = cases(document).some((one) => /failure|error/.test(outcome(one)));
    expect(isRed).toBe(document.verdict !== "pass");
  });
});

describe("JUnit", () => {
  it("has a suite for the bar and a case for each condition, the registration and each guard", () => {
    const suites = elementsOf(read(many()), "testsuite");
    expect(suites.map(({ attributes }) => attributes.name)).toEqual(["warm-up before the port opens"]);
    expect(cases(many()).map((one) => [one.attributes.name, outcome(one)])).toEqual([
      ["firstRequest.p50 below 2,000 ms", ""],
      ["firstRequest.p99 below 120 s", "failure inconclusive"],
      ["firstRequest.overThreshold.share below 2.631 %", "failure not met"],
      ["comparison.firstRequest.p50Ratio above 3", ""],
      ["lifetime.p50Minutes above 10 min", "error error"],
      ["comparison.firstRequest.p50DeltaMs below −5,000 ms", ""],
      ["slowEarlyPerInstance below 0.05", ""],
      ["arrivals.laterPerSecond above 0.5 per second", ""],
      ["registration", ""],
      ["guard complete input", ""],
      ["guard comparable cohorts", ""],
      ["guard no leak of the warm-up request", "skipped"],
    ]);
  });

  it("is one suite, named after the bar", () => {
    const document = pass();
    const suites = elementsOf(read(document), "testsuite");
    expect(suites.map(({ attributes }) => [attributes.name, attributes.tests])).toEqual([
      ["warm-up before the port opens", "6"],
    ]);
  });

  it("carries the figures to their last digit", () => {
    const [condition] = cases(many()).slice(5);
    const figures = ["estimate", "ci95Low", "ci95High", "lowerBound", "upperBound", "n", "below", "above"];
    expect(figures.map((name) => property(condition!, name))).toEqual([
      "-6153.2",
      "-6431.1",
      "-5803.6",
      "-6400.5",
      "-5850.25",
      "38",
      "-5000",
      undefined,
    ]);
  });

  it("shows no green registration or guard where there was none", () => {
    const of = (document: VerdictDocument, name: string): string =>
      outcome(cases(document).find(({ attributes }) => attributes.name!.startsWith(name))!);
    expect(of(notRegistered(), "registration")).toBe("failure inconclusive");
    expect(of(retrospective(), "registration")).toBe("skipped");
    expect(of(guarded(), "guard comparable")).toBe("failure inconclusive");
    expect(of(guarded(), "guard reconciliation")).toBe("failure inconclusive");
    expect(of(tooFew(), "firstRequest.p50")).toBe("failure inconclusive");
  });

  it("is red for a verdict that no condition, guard or registration explains", () => {
    for (const verdict of ["fail", "inconclusive", "error"] as const) {
      const one = cases({ ...pass(), verdict, reasons: ["why"] }).at(-1)!;
      expect(one.attributes.name).toBe("verdict");
      expect(one.children[0]!.attributes.message).toContain("why");
    }
  });
});
