import { describe, expect, it } from "vitest";
import { renderCsv } from "../../src/report/csv.ts";
import { emptyReport, SAMPLES, twoCohorts } from "./sample.ts";

/** RFC 4180 records, read apart from the library that wrote them (no sample has a label that begins with a quote). */
function parse(csv: string): Record<string, string>[] {
  const records: string[][] = [[""]];
  let quoted = false;
  for (const [index, char] of Array.from(csv).entries()) {
    const record = records.at(-1)!;
    if (char === '"') {
      if (!quoted && csv[index - 1] === '"' && record.at(-1) !== "") record[record.length - 1] += '"';
      quoted = !quoted;
    } else if (!quoted && char === ",") record.push("");
    else if (!quoted && char === "\n") records.push([""]);
    else record[record.length - 1] += char;
  }
  expect(records.pop()).toEqual([""]);
  const [head = [], ...rows] = records;
  expect(head).toEqual(["cohort", "figure", "label", "value", "unit", "n", "ci95Low", "ci95High"]);
  for (const row of rows) expect(row).toHaveLength(8);
  return rows.map((row) => Object.fromEntries(head.map((name, index) => [name, row[index]!])));
}

describe("the CSV report", () => {
  it.each(Object.keys(SAMPLES))(
    "gives every estimate of %s its n, and every cell a number or nothing",
    (name) => {
      const rows = parse(renderCsv(SAMPLES[name]!()));
      const estimates = rows.filter(
        ({ unit, figure }) =>
          /^(ms|share|min|ratio|prob|per|requests per)/.test(unit!) && !figure!.startsWith("settings."),
      );
      expect(estimates.length).toBeGreaterThan(30);
      for (const row of estimates) expect(row.n, row.figure).toMatch(/^\d+$/);
      for (const row of rows) {
        for (const key of ["value", "n", "ci95Low", "ci95High"]) {
          expect(row[key] === "" || Number.isFinite(Number(row[key])), `${row.figure} ${key}`).toBe(true);
        }
      }
    },
  );

  it("names no figure twice", () => {
    const keys = parse(renderCsv(twoCohorts())).map(
      ({ cohort, figure, label }) => `${cohort}/${figure}/${label}`,
    );
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("keeps full precision, the interval and the names of the document", () => {
    const rows = parse(renderCsv(twoCohorts()));
    const find = (cohort: string, figure: string, label = "") =>
      rows.find((row) => row.cohort === cohort && row.figure === figure && row.label === label);
    expect(find("after", "firstRequest.overThreshold.share")).toEqual({
      cohort: "after",
      figure: "firstRequest.overThreshold.share",
      label: "",
      value: String(1 / 38),
      unit: "share",
      n: "38",
      ci95Low: "0.004660587685768783",
      ci95High: "0.1349487611595213",
    });
    expect(find("before", "byOrder.p90Ms", "4-5")).toMatchObject({ value: "6811", n: "77" });
    expect(find("", "comparison.firstRequest.p50DeltaMs")).toMatchObject({
      value: "-6153.2",
      n: "82",
      ci95Low: "-6431.1",
      ci95High: "-5803.6",
    });
    expect(find("", "rows.read")).toMatchObject({ value: "41877", unit: "rows" });
  });

  it("leaves empty what cannot be computed", () => {
    const row = parse(renderCsv(emptyReport())).find(({ figure }) => figure === "firstRequest.p50Ms");
    expect(row).toMatchObject({ value: "", n: "0", ci95Low: "", ci95High: "" });
  });

  it("turns no path into a formula, and quotes what needs it", () => {
    const result = twoCohorts();
    result.document.inputs[0]!.path = '=HYPERLINK("x"),\ny';
    const csv = renderCsv(result);
    expect(csv).toContain(`"'=HYPERLINK(""x""),\ny"`);
  });
});
