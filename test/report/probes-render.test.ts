import { describe, expect, it } from "vitest";
import { displayWidth } from "../../src/report/plain.ts";
import { buildProbes } from "../../src/report/probes-build.ts";
import { renderProbesCsv } from "../../src/report/probes-csv.ts";
import type { ProbesDocument } from "../../src/report/probes-document.ts";
import { renderProbesMarkdown } from "../../src/report/probes-markdown.ts";
import { renderProbesSection, renderProbesText } from "../../src/report/probes-text.ts";
import { fixture } from "../corpus/cases.ts";
import { figuresOf, specsOf } from "../figures/probe-cases.ts";

const SPECS = [
  "70-spec-startup-only-http.yaml",
  "72-spec-liveness-only-init-port-differs.json",
  "76-spec-grpc-probe-unsupported.yaml",
  "78-cf-manifest-top-level-process.yaml",
];

async function documentOf(): Promise<ProbesDocument> {
  const specs = (await Promise.all(SPECS.map((name) => specsOf(fixture(name))))).flat();
  const figures = await figuresOf(
    specs,
    [fixture("50-system-cli-three-timestamp-shapes.ndjson")],
    [{ type: "startup", handler: "tcp" }],
  );
  return buildProbes(figures, SPECS, null);
}

describe("the text", () => {
  it.each([60, 80, 120])("keeps to %i columns, every line", async (width) => {
    const text = renderProbesText(await documentOf(), { width, color: false, unicode: true });
    expect(text.endsWith("\n")).toBe(true);
    for (const line of text.split("\n")) expect(displayWidth(line), line).toBeLessThanOrEqual(width);
  });

  it("is ASCII without Unicode, whatever the names hold", async () => {
    const document = await documentOf();
    const odd = { ...document, apps: document.apps.map((app) => ({ ...app, app: "caf\u00e9\u001b[31m" })) };
    const text = renderProbesText(odd, { width: 80, color: false, unicode: false });
    expect(text).toMatch(/^[\n\x20-\x7e]*$/);
  });

  it("paints only where colour is wanted, and says the same", async () => {
    const document = await documentOf();
    const painted = renderProbesText(document, { width: 80, color: true, unicode: true });
    const plain = renderProbesText(document, { width: 80, color: false, unicode: true });
    expect(painted).toContain("\u001b[");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes are to be taken out
    expect(painted.replace(/\u001b\[\d+m/g, "")).toBe(plain);
  });

  it("has every finding with place and remedy, every expectation and every unknown", async () => {
    const document = await documentOf();
    const flat = (text: string) => text.replace(/\s+/g, " ");
    const section = flat(renderProbesSection(document, { width: 120, color: false, unicode: true }));
    const whole = flat(renderProbesText(document, { width: 120, color: false, unicode: true }));
    expect(document.findings.length).toBeGreaterThan(10);
    for (const { code, message, place, remedy } of document.findings) {
      for (const part of [`${code}: ${message}.`, place, remedy]) expect(section).toContain(part);
    }
    for (const { result, type, handler } of document.expectations) {
      expect(section).toMatch(new RegExp(`${result}: .*${type}=${handler}`));
    }
    for (const line of document.unknown) expect(section).toContain(line);
    for (const { probes } of document.apps) {
      for (const { evidence } of probes) for (const { text } of evidence) expect(section).toContain(text);
    }
    expect(whole).toContain(section.trim());
    expect(whole).toContain("5 apps: the kind of");
  });

  it("says of an empty document that there is nothing", () => {
    const empty = buildProbes({ apps: [], findings: [], expectations: [], unknown: [] }, [], null);
    expect(renderProbesText(empty, { width: 80, color: false, unicode: true })).toContain("0 apps");
  });
});

describe("Markdown and CSV", () => {
  it("have every finding and unknown too", async () => {
    const document = await documentOf();
    const markdown = renderProbesMarkdown(document);
    const csv = renderProbesCsv(document);
    for (const { code } of document.findings) {
      expect(markdown).toContain(`\`${code}\``);
      expect(csv).toContain(`finding.${code}`);
    }
    expect(markdown.match(/^- /gm)!.length).toBeGreaterThanOrEqual(
      document.findings.length + document.unknown.length,
    );
  });

  it("take no markup, mention or formula from names", async () => {
    const document = await documentOf();
    const app = "=cmd|'/c calc'!A1 @team <b>";
    const odd = { ...document, apps: document.apps.map((known) => ({ ...known, app })) };
    expect(renderProbesMarkdown(odd)).not.toMatch(/<b>|@team/);
    expect(renderProbesCsv(odd)).not.toMatch(/^"?=/m);
  });
});
