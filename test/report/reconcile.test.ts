import { beforeAll, describe, expect, it } from "vitest";
import { ASCII_SYMBOLS } from "../../src/report/numbers.ts";
import { displayWidth } from "../../src/report/plain.ts";
import { renderReconcileCsv } from "../../src/report/reconcile-csv.ts";
import { type ReconcileDocument, reconcileSchema } from "../../src/report/reconcile-document.ts";
import {
  renderReconcileJson,
  renderReconcileMarkdown,
  renderReconcileSection,
  renderReconcileText,
} from "../../src/report/reconcile-render.ts";
import { formatRatio } from "../../src/report/reconcile-tables.ts";
import { reconcileSample } from "./audit-sample.ts";

let document: ReconcileDocument;
beforeAll(async () => {
  document = await reconcileSample();
});

const text = (width: number, unicode = true, color = false): string =>
  renderReconcileText(document, { width, unicode, color });

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
  });

  it("forgets nothing", () => {
    const shown = text(120).replace(/\s+/g, " ");
    for (const { id } of document.reasons) expect(shown).toContain(id);
    for (const { detail, ratio } of document.reasons)
      if (ratio !== null) expect(shown).toContain(detail.slice(0, 40));
    for (const { role } of document.contents.roles) expect(shown).toContain(role);
    for (const one of document.contents.classes) expect(shown).toContain(one.class);
    for (const sentence of document.unknown) expect(shown).toContain(sentence.slice(0, 40));
    expect(shown).toContain("The totals do not agree within 5 %");
    expect(shown.match(/2026-09-10 0[678]:00/g)!.length).toBeGreaterThanOrEqual(3);
  });

  it("shows of many hours those that differ most, and says so", async () => {
    const long = await reconcileSample(60);
    const shown = renderReconcileText(long, { width: 120, unicode: true, color: false });
    expect(shown).toContain("The 24 of 60 hours that differ most");
    const section = shown.slice(shown.indexOf("By hour"), shown.indexOf("The usual reasons"));
    expect(section.match(/^ {2}2026-/gm)).toHaveLength(24);
    // The metric grows by one an hour, so the last hours differ most.
    expect(section).toContain("2026-09-12 17:00");
    expect(section).not.toContain("2026-09-10 06:00");
  });

  it("says why it cannot tell", async () => {
    const none = await reconcileSample(1, false);
    const shown = renderReconcileText(none, { width: 80, unicode: true, color: false });
    expect(shown).toContain("Cannot tell. Whether the totals agree: no input holds the ingress metric");
    expect(none).toMatchObject({ verdict: "unknown", total: null, metric: { points: 0, from: null } });
  });

  it("is a section as well, without the warnings", () => {
    const section = renderReconcileSection(document, { width: 80, unicode: true, color: false });
    expect(section.startsWith("Weighted rows against the ingress metric\n")).toBe(true);
    expect(section).not.toContain("\nWarnings\n");
  });
});

describe("a ratio", () => {
  it("is never rounded onto 1 or across the tolerance", () => {
    const format = (ratio: number | null) => formatRatio(ratio, 0.05, ASCII_SYMBOLS);
    expect(format(0.95)).toBe("0.950");
    expect(format(0.9499)).toBe("0.9499");
    expect(format(1.0501)).toBe("1.0501");
    expect(format(0.99996)).toBe("0.99996");
    expect(format(1)).toBe("1.000");
    expect(format(null)).toBe("-");
  });
});

describe("the other formats", () => {
  it("JSON is the document, and the schema accepts nothing else", () => {
    expect(reconcileSchema.strict().parse(JSON.parse(renderReconcileJson(document)))).toEqual(document);
    expect(reconcileSchema.safeParse({ ...document, verdict: "maybe" }).success).toBe(false);
  });

  it("Markdown keeps the data in its cell", () => {
    const rows = renderReconcileMarkdown(document)
      .split("\n")
      .filter((line) => line.startsWith("| GET /a\\|"));
    expect(rows).toHaveLength(1);
    expect(rows[0]!.match(/(?<!\\)\|/g)).toHaveLength(5);
  });

  it("CSV has total, hours, reasons and contents", () => {
    const lines = renderReconcileCsv(document).trimEnd().split("\n");
    const { total } = document;
    expect(lines).toContain(
      `,total.ratio,,${total!.ratio},ratio,${total!.rows},${total!.ratioCi95[0]},${total!.ratioCi95[1]}`,
    );
    expect(lines.filter((line) => line.includes("hours.ratio,"))).toHaveLength(document.hours.length);
    expect(lines.filter((line) => line.includes(".explains,"))).toHaveLength(document.reasons.length);
    expect(lines.filter((line) => line.includes("contents.classes,"))).toHaveLength(
      document.contents.classes.length,
    );
  });
});
