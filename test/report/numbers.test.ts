import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ASCII_SYMBOLS,
  formatCount,
  formatDecimal,
  formatDelta,
  formatEstimate,
  formatInstant,
  formatMs,
  formatMsDelta,
  formatMsInterval,
  formatPoints,
  formatShare,
  formatShareInterval,
  formatSpeedup,
  formatThreshold,
  UNICODE_SYMBOLS,
} from "../../src/report/numbers.ts";

const u = UNICODE_SYMBOLS;
const a = ASCII_SYMBOLS;

describe("durations", () => {
  it.each([
    [7468.4, "7,468 ms"],
    [0, "0 ms"],
    [3.257, "3.26 ms"],
    [0.004, "<0.01 ms"],
    [99_999, "99,999 ms"],
    [99_999.5, "100.0 s"],
    [123_456, "123.5 s"],
    [8.9e18, "8.900e15 s"],
    [null, "–"],
  ])("%s is %s", (ms, text) => {
    expect(formatMs(ms, u)).toBe(text);
  });

  it.each([
    [2000, 2000, "2,000 ms"],
    [2000.4, 2000, "2,000.4 ms"],
    [1999.6, 2000, "1,999.6 ms"],
    [2000.04, 2000, "2,000.04 ms"],
    [2000.0001, 2000, "2,000.0001 ms"],
    [2000.00004, 2000, ">2,000 ms"],
    [1999.99996, 2000, "<2,000 ms"],
    [2000.4, 2000.3, "2,000.4 ms"],
    [120_004, 120_000, "120.004 s"],
    [2000.6, 2000, "2,001 ms"],
  ])("%s beside a threshold of %s is %s", (ms, threshold, text) => {
    expect(formatMs(ms, u, threshold)).toBe(text);
  });

  it("never prints a value on the wrong side of the threshold", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200_000 }),
        fc.double({ min: -3, max: 3, noNaN: true }),
        (t, d) => {
          const ms = Math.max(0, t + d);
          const text = formatMs(ms, u, t);
          const printed = Number.parseFloat(text.replace(/[,<>]/g, "")) * (text.endsWith(" s") ? 1000 : 1);
          const side = text.startsWith(">")
            ? 1
            : text.startsWith("<")
              ? -1
              : Math.sign(Math.round((printed - t) * 1e6));
          expect(side + 0).toBe(Math.sign(ms - t));
        },
      ),
    );
  });

  it("prints the threshold to its last digit", () => {
    expect(formatThreshold(2000, u)).toBe("2,000 ms");
    expect(formatThreshold(1500.25, u)).toBe("1,500.25 ms");
    expect(formatThreshold(120_000, u)).toBe("120 s");
  });

  it("prints intervals in the unit of the value, or names theirs", () => {
    expect(formatMsInterval(7468, [7102, 7811], u)).toBe("[7,102, 7,811]");
    expect(formatMsInterval(7468, [null, 7811], u)).toBe("[–, 7,811]");
    expect(formatMsInterval(90_000, [80_000, 130_000], u)).toBe("[80.0, 130.0] s");
    expect(formatMsInterval(null, [null, null], u)).toBe("–");
  });

  it("prints a difference with its sign, and never loses on which side of zero it lies", () => {
    expect(formatMsDelta(-6182.4, u)).toBe("−6,182 ms");
    expect(formatMsDelta(6182.4, u)).toBe("+6,182 ms");
    expect(formatMsDelta(-6182.4, a)).toBe("-6,182 ms");
    expect(formatMsDelta(0, u)).toBe("0 ms");
    expect(formatMsInterval(-150_000, [-200_000, -12.5], u, 0)).toBe("[−200.0, −0.01]");
  });
});

describe("shares", () => {
  it.each([
    [0.955, "95.5 %"],
    [0, "0 %"],
    [1, "100 %"],
    [0.0004, "<0.1 %"],
    [0.99999, ">99.9 %"],
    [null, "–"],
  ])("%s is %s", (share, text) => {
    expect(formatShare(share, u)).toBe(text);
  });

  it("prints intervals and differences", () => {
    expect(formatShareInterval([0.849, 0.987], u)).toBe("[84.9, 98.7]");
    expect(formatShareInterval([null, null], a)).toBe("-");
    expect(formatPoints(-0.955, u)).toBe("−95.5 points");
    expect(formatPoints(0.02, u)).toBe("+2.0 points");
    expect(formatPoints(0, u)).toBe("0 points");
    expect(formatPoints(-0.00001, u)).toBe("0.0 points");
  });
});

describe("counts, means and ratios", () => {
  it("separates thousands without a locale", () => {
    expect(formatCount(1_234_567, u)).toBe("1,234,567");
    expect(formatCount(999, u)).toBe("999");
    expect(formatCount(2 ** 53 - 1, u)).toBe("9.007e15");
    expect(formatEstimate(1234.56, u)).toBe("1,235");
    expect(formatEstimate(52.5, u)).toBe("52.5");
  });

  it("keeps two digits of a small mean", () => {
    expect(formatDecimal(4.811, u)).toBe("4.81");
    expect(formatDecimal(48.11, u)).toBe("48.1");
    expect(formatDecimal(4811.2, u)).toBe("4,811");
    expect(formatDecimal(0.00123, u)).toBe("0.0012");
    expect(formatDecimal(0.0000042, u)).toBe("4.2e-6");
    expect(formatDecimal(0, u)).toBe("0");
    expect(formatDelta(-5.6, u)).toBe("−5.60");
    expect(formatDelta(0.5, u)).toBe("+0.50");
  });

  it("says how much faster or slower", () => {
    expect(formatSpeedup(5.81, u)).toBe("5.8x faster");
    expect(formatSpeedup(0.5, u)).toBe("2.0x slower");
    expect(formatSpeedup(1.02, u)).toBe("1.02x faster");
    expect(formatSpeedup(1.001, u)).toBe("about the same");
    expect(formatSpeedup(0, u)).toBe("infinitely slower");
    expect(formatSpeedup(null, u)).toBe("–");
  });
});

it("prints instants without losing seconds", () => {
  expect(formatInstant("2026-03-02T00:00:00Z", u)).toBe("2026-03-02 00:00");
  expect(formatInstant("2026-03-02T10:12:30.5Z", u)).toBe("2026-03-02 10:12:30.5");
  expect(formatInstant("2026-03-02T10:12:00.0000001Z", u)).toBe("2026-03-02 10:12:00.0000001");
  expect(formatInstant("yesterday", u)).toBe("yesterday");
});
