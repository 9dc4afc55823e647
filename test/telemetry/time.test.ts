import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatTicks, parseInstant, ticksOfEpochMs, ticksOfMs } from "../../src/telemetry/time.ts";

const ticks = (text: string): number | undefined => parseInstant(text)?.ticks;

describe("parseInstant", () => {
  it("reads every form that exports write as the same instant", () => {
    const expected = ticksOfEpochMs(Date.UTC(2026, 5, 22, 2, 24, 22)) + 9_122_879;
    for (const text of [
      "2026-06-22T02:24:22.9122879Z",
      "2026-06-22 02:24:22.9122879 +0000 UTC",
      "2026-06-22T04:24:22.9122879+02:00",
      "2026-06-21T22:24:22.9122879-0400",
      "2026-06-22T02:24:22.912287999Z",
      "2026-06-22T02:24:22.9122879",
    ]) {
      expect(ticks(text), text).toBe(expected);
    }
  });

  it("says when it assumed UTC", () => {
    expect(parseInstant("2026-10-25T02:30:00")?.zoned).toBe(false);
    expect(parseInstant("2026-10-25T02:30:00Z")?.zoned).toBe(true);
  });

  it.each([
    "2026-02-30T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-01-01T24:00:00Z",
    "2026-01-01T00:60:00Z",
    "0001-01-01T00:00:00Z",
    "1750000000",
    "None",
    "",
  ])("refuses %j", (text) => {
    expect(parseInstant(text)).toBeNull();
  });

  it("keeps neighbouring ticks apart, which a double of epoch milliseconds merges", () => {
    expect(ticks("2026-06-22T02:24:22.9122880Z")! - ticks("2026-06-22T02:24:22.9122879Z")!).toBe(1);
  });

  it("is undone by formatTicks", () => {
    fc.assert(
      fc.property(fc.integer({ min: -8e15, max: 8e15 }), (value) => {
        expect(ticks(formatTicks(value))).toBe(value);
      }),
    );
  });
});

describe("ticksOfMs", () => {
  it("does not let the last bit of a double decide", () => {
    // 0.0057 · 10,000 is 57.00000000000001 in doubles.
    expect(ticksOfMs(0.0057)).toBe(57);
    expect(ticksOfMs(1310.2)).toBe(13_102_000);
  });

  it("gives whole ticks for every duration that is a whole number of them", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e12 }), (value) => {
        expect(ticksOfMs(value / 1e4)).toBe(value);
      }),
    );
  });
});
