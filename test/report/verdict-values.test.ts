import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ASCII_SYMBOLS, formatMs, UNICODE_SYMBOLS } from "../../src/report/numbers.ts";
import type { JudgedCondition } from "../../src/report/verdict-document.ts";
import { formatBar, formatEValue, formatInterval, formatValue } from "../../src/report/verdict-values.ts";

type Unit = JudgedCondition["unit"];
const units: readonly Unit[] = ["ms", "minutes", "share", "ratio", "count", "per-second"];
const value = (figure: number, unit: Unit, bar: number | null = null): string =>
  formatValue(figure, unit, bar, UNICODE_SYMBOLS);

/** The number in a printed value, in the metric's unit. */
function parse(text: string): number {
  const [digits = "", suffix] = text.replaceAll(",", "").split(" ");
  const number = Number(digits);
  if (Number.isNaN(number)) throw new Error(`no number: ${text}`);
  return suffix === "%" ? number / 100 : suffix === "s" ? number * 1000 : number;
}

describe("values beside a bar", () => {
  it("prints each unit as a reader expects it", () => {
    expect(value(1281.4, "ms")).toBe("1,281 ms");
    expect(value(3.25, "ms")).toBe("3.25 ms");
    expect(value(123_456, "ms")).toBe("123.5 s");
    expect(value(37.25, "minutes")).toBe("37.3 min");
    expect(value(1 / 38, "share")).toBe("2.6 %");
    expect(value(0, "share")).toBe("0 %");
    expect(value(1, "share")).toBe("100 %");
    expect(value(5.8019, "ratio")).toBe("5.80");
    expect(value(0.0263, "count")).toBe("0.026");
    expect(value(1.402, "per-second")).toBe("1.40 per second");
    expect(value(-6153.2, "ms")).toBe("−6,153 ms");
    expect(formatValue(-6153.2, "ms", null, ASCII_SYMBOLS)).toBe("-6,153 ms");
    expect(formatValue(null, "ms", 2000, UNICODE_SYMBOLS)).toBe("–");
  });

  it("is never rounded onto the bar or across it", () => {
    expect(value(2000.4, "ms", 2000)).toBe("2,000.4 ms");
    expect(value(1999.96, "ms", 2000)).toBe("1,999.96 ms");
    expect(value(2000, "ms", 2000)).toBe("2,000 ms");
    expect(value(119_999.96, "ms", 120_000)).toBe("119.99996 s");
    expect(value(0.0500001, "share", 0.05)).toBe("5.00001 %");
    expect(value(0.9999999, "share", 0.5)).toBe("99.99999 %");
    expect(value(0.0000001, "share")).toBe("0.00001 %");
    expect(value(2.9999, "ratio", 3)).toBe("2.9999");
    expect(formatInterval([1999.99, 2000.01], "ms", 2000, UNICODE_SYMBOLS)).toBe("[1,999.99, 2,000.01] ms");
    expect(formatInterval([null, 2000.01], "ms", 2000, UNICODE_SYMBOLS)).toBe("[–, 2,000.01] ms");
    expect(formatInterval([null, null], "ms", 2000, UNICODE_SYMBOLS)).toBe("–");
    expect(formatEValue(19.9996, 20, UNICODE_SYMBOLS)).toBe("19.9996");
    expect(formatEValue(34.21, 20, UNICODE_SYMBOLS)).toBe("34.2");
    expect(formatEValue(Number.MAX_VALUE, 20, UNICODE_SYMBOLS)).toBe("1.798e308");
  });

  it("prints the bar to the last digit", () => {
    expect(formatBar(2000, "ms", UNICODE_SYMBOLS)).toBe("2,000 ms");
    expect(formatBar(1500.25, "ms", UNICODE_SYMBOLS)).toBe("1,500.25 ms");
    expect(formatBar(120_000, "ms", UNICODE_SYMBOLS)).toBe("120 s");
    expect(formatBar(0.07, "share", UNICODE_SYMBOLS)).toBe("7 %");
    expect(formatBar(0.0001234, "share", UNICODE_SYMBOLS)).toBe("0.01234 %");
    expect(formatBar(1e-9, "ratio", UNICODE_SYMBOLS)).toBe("1e−9");
    expect(formatBar(-5000, "ms", UNICODE_SYMBOLS)).toBe("−5,000 ms");
  });

  it("stands on the value's side of the bar, for any value and bar", () => {
    const near = fc
      .tuple(fc.double({ min: -1e7, max: 1e7, noNaN: true }), fc.integer({ min: -20, max: 6 }), fc.boolean())
      .map(([bar, power, isUp]) => [bar, bar + (isUp ? 1 : -1) * 10 ** power] as const);
    const any = fc.tuple(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    );
    fc.assert(
      fc.property(fc.oneof(near, any), fc.constantFrom(...units), ([bar, figure], unit) => {
        fc.pre(Math.abs(figure) < 1e300 && Math.abs(bar) < 1e300 && !isTiny(figure) && !isTiny(bar));
        const text = formatValue(figure, unit, bar, ASCII_SYMBOLS);
        if (/^[<>]/.test(text)) {
          expect(text[0]).toBe(figure > bar ? ">" : "<");
          return;
        }
        // Both in the same printed unit, which is exact to fifteen digits.
        const printed = parse(text);
        const slack = 4 * Number.EPSILON * Math.max(Math.abs(bar), Math.abs(figure));
        if (figure > bar) expect(printed).toBeGreaterThanOrEqual(bar - slack);
        if (figure < bar) expect(printed).toBeLessThanOrEqual(bar + slack);
        if (Math.abs(figure - bar) > 1e-8 * Math.max(Math.abs(figure), Math.abs(bar))) {
          expect(Math.sign(printed - bar), text).toBe(Math.sign(figure - bar));
        }
      }),
      { numRuns: 3000 },
    );
  });

  it("agrees with the report on ordinary durations", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_000_000 }), (tenths) => {
        expect(value(tenths / 10, "ms", 2000)).toBe(formatMs(tenths / 10, UNICODE_SYMBOLS, 2000));
      }),
    );
  });
});

/** Denormal and nearly so: no telemetry holds them, and arithmetic on them loses digits. */
function isTiny(figure: number): boolean {
  return figure !== 0 && Math.abs(figure) < 1e-290;
}
