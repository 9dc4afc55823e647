import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { logAxis } from "../../src/report/axis.ts";
import { ASCII_SYMBOLS, UNICODE_SYMBOLS } from "../../src/report/numbers.ts";
import { painter } from "../../src/report/paint.ts";
import { renderStrip } from "../../src/report/strip.ts";
import { twoCohorts } from "./sample.ts";

const paint = painter(false);

function strip(unicode: boolean, width = 80, thresholdMs = 2000): string[] {
  const { document, firstRequestMs } = twoCohorts();
  const rows = document.cohorts.map(({ name, firstRequest: { n, p50Ms } }) => ({
    name,
    n,
    p50Ms,
    values: firstRequestMs[name] ?? [],
  }));
  const symbols = unicode ? UNICODE_SYMBOLS : ASCII_SYMBOLS;
  return renderStrip(rows, { width, unicode, symbols, thresholdMs, paint });
}

describe("the axis", () => {
  const duration = fc.double({ min: 0, max: 1e9, noNaN: true });

  it("puts exactly what is over the threshold to the right of its line, in order, on the axis", () => {
    fc.assert(
      fc.property(
        fc.array(duration, { maxLength: 20 }),
        fc.double({ min: 1, max: 1e6, noNaN: true }),
        fc.integer({ min: 8, max: 120 }),
        (values, threshold, columns) => {
          const axis = logAxis(values, threshold, columns);
          const sorted = [...values, threshold, threshold * (1 + 1e-12)].sort((x, y) => x - y);
          let last = 0;
          for (const value of sorted) {
            const column = axis.columnOf(value);
            expect(column).not.toBe(axis.thresholdColumn);
            expect(column > axis.thresholdColumn).toBe(value > threshold);
            expect(column).toBeGreaterThanOrEqual(last);
            expect(column).toBeLessThan(columns);
            last = column;
          }
        },
      ),
    );
  });

  it("gives every column but the line the same ratio", () => {
    const axis = logAxis([100, 50_000], 2000, 61);
    const left = Math.log(2000 / axis.from) / axis.thresholdColumn;
    const right = Math.log(axis.to / 2000) / (60 - axis.thresholdColumn);
    expect(left).toBeCloseTo(right, 12);
    expect(axis.from).toBeLessThanOrEqual(100);
    expect(axis.to).toBeGreaterThanOrEqual(50_000);
  });
});

describe("the strip", () => {
  it.each([60, 80, 120])(
    "draws one threshold line from its label down to the axis at %s columns",
    (width) => {
      const lines = strip(true, width);
      const axis = lines.at(-2)!;
      const column = axis.indexOf("┴");
      expect(lines[0]!.indexOf("│ threshold 2,000 ms")).toBe(column);
      for (const line of lines.slice(0, -2)) {
        expect(line.indexOf("│")).toBe(column);
        expect(line.lastIndexOf("│")).toBe(column);
      }
      const under = lines.at(-1)!.indexOf("2 s");
      expect(Math.abs(under + 1 - column)).toBeLessThanOrEqual(1);
    },
  );

  it("shows a single value over the threshold right of the line", () => {
    const after = strip(true).find((line) => line.startsWith("after"))!;
    expect(after.slice(after.indexOf("│") + 1).trim()).toBe("▁");
  });

  it("marks the p50 on its side of the line, below the row's peak", () => {
    const lines = strip(true);
    const marks = lines.filter((line) => line.includes("▲"));
    expect(marks).toHaveLength(2);
    expect(marks[0]!.indexOf("▲")).toBeGreaterThan(marks[0]!.indexOf("│"));
    expect(marks[0]).toMatch(/^ {2}p50 7,435 ms /);
    expect(marks[1]!.indexOf("▲")).toBeLessThan(marks[1]!.indexOf("│"));
    expect(marks[1]).toMatch(/^ {2}p50 1,281 ms /);
    for (const mark of marks) {
      const row = lines[lines.indexOf(mark) - 1]!;
      expect("▇█").toContain(row[mark.indexOf("▲")]);
    }
  });

  it("is ASCII where that is asked for", () => {
    const text = strip(false).join("\n");
    expect(text).toMatch(/^[\x20-\x7e\n]+$/);
    expect(text).toContain("| threshold 2,000 ms");
    expect(text).toMatch(/^ {2}p50 7,435 ms +\| +\^$/m);
  });

  it.each([0.1, 1, 50_000, 1e9])("holds a threshold of %s ms outside the data", (thresholdMs) => {
    const lines = strip(true, 80, thresholdMs);
    const column = lines.at(-2)!.indexOf("┴");
    expect(column).toBeGreaterThan(0);
    for (const line of lines.slice(1, -2).filter((line) => !line.includes("▲"))) {
      expect(line[column]).toBe("│");
    }
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  });

  it("says so when there is nothing to draw", () => {
    const options = { width: 80, unicode: true, symbols: UNICODE_SYMBOLS, thresholdMs: 2000, paint };
    expect(renderStrip([{ name: "all", n: 0, p50Ms: null, values: [] }], options)).toEqual([
      "no first request to draw",
    ]);
  });
});
