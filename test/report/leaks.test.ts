import { beforeAll, describe, expect, it } from "vitest";
import { renderLeaksCsv } from "../../src/report/leaks-csv.ts";
import type { LeaksDocument } from "../../src/report/leaks-document.ts";
import { renderLeaksJson } from "../../src/report/leaks-json.ts";
import { renderLeaksMarkdown } from "../../src/report/leaks-markdown.ts";
import { renderLeaksSection, renderLeaksText } from "../../src/report/leaks-text.ts";
import { displayWidth } from "../../src/report/plain.ts";
import { BEFORE, leaksOf, Rows, SINCE } from "../figures/leak-data.ts";

const HOUR = 3_600_000;
const LONG = "quotes-api--a-rather-long-revision-name-6fd86b5c7c-7mbtg";
let leak: LeaksDocument;
let bare: LeaksDocument;

beforeAll(async () => {
  const rows = new Rows();
  for (let i = 0; i < 4; i++) {
    rows.request(`b-${i}`, BEFORE + i * HOUR, i === 0 ? "/quotes/today" : "/authors");
    const name = i === 0 ? LONG : `s-${i}`;
    const end = (i + 1) * HOUR;
    rows.request(name, end - 300, "/quotes/today", { operation_Id: `leak-${i}` });
    rows.dependency(name, end - 250, "SELECT", { operation_Id: `leak-${i}` });
    rows.dependency(name, end - 200, "SELECT").dependency(name, end - 9_000, "GET /token");
    rows.warmed(name, end, i === 3 ? { outcome: "failed" } : {});
    rows.request(name, end + 1_000, "/authors", { itemCount: 4 });
    rows.metric(name, end + 60_000, "http.server.request.duration", 2, { "http.route": "quotes/today" });
    rows.metric(name, end + 60_000, "requests/duration", 9);
  }
  rows
    .request("plain", 8 * HOUR, "/quotes/today")
    .request("plain", 8 * HOUR + 9, "/authors")
    .warmed("", HOUR);
  leak = await leaksOf(rows, { since: SINCE, method: "GET" });
  bare = await leaksOf(new Rows().request("a", HOUR, "/authors"));
});

describe("the text", () => {
  it.each([60, 80, 120])("keeps to %i columns", (width) => {
    for (const document of [leak, bare]) {
      const lines = renderLeaksText(document, { width, color: false, unicode: true }).split("\n");
      expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(width);
      expect(lines.every((line) => line === line.trimEnd())).toBe(true);
    }
  });

  it("is ASCII where only that can be shown", () => {
    for (const document of [leak, bare]) {
      const text = renderLeaksText(document, { width: 80, color: false, unicode: false });
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII
      expect(text).toMatch(/^[\x00-\x7f]*$/);
    }
  });

  it("says the same with colours", () => {
    const plain = renderLeaksText(leak, { width: 80, color: false, unicode: true });
    const coloured = renderLeaksText(leak, { width: 80, color: true, unicode: true });
    expect(coloured).not.toBe(plain);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes of colours
    expect(coloured.replace(/\u001b\[\d+m/g, "")).toBe(plain);
  });

  it("holds verdict, reasons, every part, what is not known and the row to look at", () => {
    const text = renderLeaksText(leak, { width: 200, color: false, unicode: true });
    expect(text).toMatch(/^LEAK: the warm-up request left telemetry \(GET \/quotes\/today\)\.\n/);
    const flat = text.replace(/\s+/g, " ");
    for (const reason of leak.reasons) expect(flat).toContain(reason.text);
    for (const sentence of leak.unknown) expect(flat).toContain(sentence);
    expect(leak.reasons.map(({ code }) => code)).toEqual(["rows-inside", "calls-during", "metric-surplus"]);
    for (const title of [
      "Did the warm-up run?",
      "Request rows",
      "Outbound calls and traces",
      "Metrics that count requests",
      "How sure a zero is",
      "Rows to look at",
      "Not known",
    ]) {
      expect(text).toContain(`\n${title}\n`);
    }
    expect(text).toContain(LONG);
    expect(text).toMatch(/outcome failed +1 +4\n/);
    expect(text).toMatch(/rows begun before the port opened +0 +4\n/);
    expect(flat).toContain("Baseline: 1 of 4 starts before the deployment (25.0 %)");
  });

  it("as a section leaves the warnings to the report, and nothing else", () => {
    const options = { width: 80, color: false, unicode: true };
    const noted = { ...leak, warnings: [{ code: "no-id", message: "rows without an id", count: 3 }] };
    expect(renderLeaksText(noted, options)).toContain("[1] rows without an id (no-id: 3)");
    expect(renderLeaksSection(noted, options)).toBe(renderLeaksText(leak, options));
  });

  it("cannot be steered by what the telemetry holds", () => {
    const [example] = leak.examples;
    const evil = { ...leak, examples: [{ ...example!, name: "GET \u001b[2J\u202e/x" }] };
    const text = renderLeaksText(evil, { width: 80, color: false, unicode: true });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });
});

describe("the other forms", () => {
  it("Markdown holds every part, with markup escaped", () => {
    const [example] = leak.examples;
    const text = renderLeaksMarkdown({ ...leak, examples: [{ ...example!, name: "GET /<b>|@all" }] });
    expect(text).toMatch(/^### LEAK: the warm-up request left telemetry/);
    expect(text.match(/^#### /gm)).toHaveLength(7);
    expect(text).toContain("GET /&lt;b&gt;\\|@<!-- -->all");
    for (const { text: reason } of leak.reasons) expect(text).toContain(`- ${reason}`);
  });

  it("CSV has a row a figure, each with the same columns", () => {
    const lines = renderLeaksCsv(leak).trimEnd().split("\n");
    expect(lines[0]).toBe("period,figure,label,value,unit,n,ci95Low,ci95High");
    expect(lines).toContain(",verdict,leak,,,,,");
    expect(lines).toContain("since,requests.inside.rows,,4,rows,5,,");
    // Wilson for 1 of 4.
    const share = lines.find((line) => line.startsWith("before,requests.withPath.share,"))!.split(",");
    expect(share.slice(3, 6)).toEqual(["0.25", "share", "4"]);
    expect(share.slice(6).map((bound) => Number(bound).toFixed(4))).toEqual(["0.0456", "0.6994"]);
    expect(lines.filter((line) => line.startsWith("before,"))).toHaveLength(27);
  });

  it("JSON refuses what it cannot hold", () => {
    expect(JSON.parse(renderLeaksJson(leak))).toEqual(leak);
    expect(() => renderLeaksJson({ ...leak, zero: { ...leak.zero, rate: Number.NaN } })).toThrow(
      "NaN at rate",
    );
  });
});
