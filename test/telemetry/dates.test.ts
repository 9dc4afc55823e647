import { describe, expect, it } from "vitest";
import { DateReader } from "../../src/telemetry/dates.ts";
import { DataFault } from "../../src/telemetry/fault.ts";
import { formatTicks } from "../../src/telemetry/time.ts";

/** Reads all texts of a file and gives the instants as they stand at its end. */
function readAll(texts: readonly string[], headerSaysUtc = true): (string | null)[] {
  const reader = new DateReader(headerSaysUtc);
  const ticks: (number | null)[] = [];
  texts.forEach((text, i) => {
    ticks[i] = reader.read(text, (corrected) => {
      ticks[i] = corrected;
    });
  });
  reader.finish();
  return ticks.map((value) => (value === null ? null : formatTicks(value)));
}

describe("DateReader", () => {
  it("reads the portal's forms", () => {
    expect(readAll(["9/13/2026, 5:29:42.893 PM"])).toEqual(["2026-09-13T17:29:42.893Z"]);
    expect(readAll(["13/09/2026, 17:29:42.893"])).toEqual(["2026-09-13T17:29:42.893Z"]);
    expect(readAll(["10.9.2022, 11:27:54.389"])).toEqual(["2022-09-10T11:27:54.389Z"]);
    expect(readAll(["2026-09-03, 17:29:42"])).toEqual(["2026-09-03T17:29:42Z"]);
    expect(readAll(["2026/9/3 17:29:42"])).toEqual(["2026-09-03T17:29:42Z"]);
    expect(readAll(["3-9-2026 17:29:42"])).toEqual(["2026-09-03T17:29:42Z"]);
  });

  it("knows the narrow blank that browsers put before PM, and noon from midnight", () => {
    expect(readAll(["9/13/2026, 12:00:01\u202fPM", "9/13/2026, 12:00:01\u202fAM"])).toEqual([
      "2026-09-13T12:00:01Z",
      "2026-09-13T00:00:01Z",
    ]);
  });

  it("lets one row above 12 decide for all, also for those read before", () => {
    expect(
      readAll(["3/9/2026, 10:00:00", "4/9/2026, 10:00:00", "25/9/2026, 10:00:00", "5/9/2026, 10:00:00"]),
    ).toEqual([
      "2026-09-03T10:00:00Z",
      "2026-09-04T10:00:00Z",
      "2026-09-25T10:00:00Z",
      "2026-09-05T10:00:00Z",
    ]);
    expect(readAll(["3/9/2026, 10:00:00", "9/25/2026, 10:00:00"])).toEqual([
      "2026-03-09T10:00:00Z",
      "2026-09-25T10:00:00Z",
    ]);
  });

  it("takes upper-case AM and PM for the United States' order where nothing contradicts", () => {
    expect(readAll(["6/3/2024, 10:04:24.238 PM"])).toEqual(["2024-06-03T22:04:24.238Z"]);
    expect(readAll(["6/3/2024, 10:04:24 PM", "25/3/2024, 10:04:24 PM"])[0]).toBe("2024-03-06T22:04:24Z");
  });

  it("refuses to guess otherwise", () => {
    expect(() => readAll(["3/9/2026, 10:00:00", "4/9/2026, 10:00:00"])).toThrow(DataFault);
    expect(() => readAll(["3/9/2026, 10:00:00 pm"])).toThrow(/day first or month first/);
    expect(readAll(["9/9/2026, 10:00:00"])).toEqual(["2026-09-09T10:00:00Z"]);
  });

  it("gives null for a date that the file's order does not allow", () => {
    expect(readAll(["25/9/2026, 10:00:00", "9/25/2026, 10:00:00"])).toEqual(["2026-09-25T10:00:00Z", null]);
  });

  it("counts what it read as UTC without being told", () => {
    const reader = new DateReader(false);
    reader.read("2026-10-25T02:30:00", () => {});
    reader.read("2026-10-25T02:30:00Z", () => {});
    reader.read("25.10.2026, 02:30:00", () => {});
    expect(reader.zoneless).toBe(2);
  });
});
