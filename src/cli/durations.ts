import { UsageError } from "./exit-codes.ts";

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of a duration such as `2s`, `1500ms` or `10m`. @throws UsageError for anything else */
export function parseDuration(text: string, option: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text.trim());
  if (match === null) {
    throw new UsageError(
      `${option}: "${text}" is no duration; write it with its unit, such as 2s, 1500ms or 10m`,
    );
  }
  // Rounded to the microsecond: 1.1 s is 1,100 ms, not 1,100.0000000000002.
  return Math.round(Number(match[1]) * UNITS[match[2]!]! * 1000) / 1000;
}
