import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDecimal, parseTimespan } from "../../src/telemetry/timespan.ts";

describe("parseTimespan", () => {
  it.each([
    ["00:00:00", 0],
    ["00:00:00.0000000", 0],
    ["1.00:00:00", 86_400_000],
    ["10.00:00:00", 864_000_000],
    ["00:00:00.145", 145],
    ["0.00:00:00.5", 500],
    ["0.00:00:02.301000", 2301],
    ["1.01:02:03.004", 90_123_004],
    ["00:00:04.4786555", 4478.6555],
  ])("reads %s as %d ms", (text, ms) => {
    expect(parseTimespan(text)).toBe(ms);
  });

  it.each([
    "0:00:00:04.4786555",
    "00:00:02.227.99999999988358",
    "24:00:00",
    "-00:00:00.001",
    "PT1.5S",
    "",
    "1500",
    "1e3",
    "00:03",
    "00:60:00",
    "00:00:60",
  ])("refuses %j", (text) => {
    expect(parseTimespan(text)).toBeNull();
  });

  it("gives the double nearest to the decimal, as a column of milliseconds would", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 863_999_999_999 }), (ticks) => {
        const seconds = Math.floor(ticks / 1e7);
        const pad = (value: number): string => String(value).padStart(2, "0");
        const clock = `${pad(Math.floor(seconds / 3600))}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`;
        const fraction = String(ticks % 1e7).padStart(7, "0");
        const text = `${Math.floor(ticks / 1e4)}.${String(ticks % 1e4).padStart(4, "0")}`;
        expect(parseTimespan(`${clock}.${fraction}`)).toBe(Number(text));
      }),
    );
  });
});

describe("parseDecimal", () => {
  it("reads plain and scientific notation", () => {
    expect(["12", "-1", "3.5", ".5", "5.", "1e3", " 7 "].map(parseDecimal)).toEqual([
      12, -1, 3.5, 0.5, 5, 1000, 7,
    ]);
  });

  it.each(["", " ", "NaN", "Infinity", "1,000", "0x10", "12ms", "None", "1e999"])("refuses %j", (text) => {
    expect(parseDecimal(text)).toBeNull();
  });
});
