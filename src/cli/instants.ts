import { Temporal } from "temporal-polyfill";
import { parseInstant, ticksOfEpochMs } from "../telemetry/time.ts";
import { UsageError } from "./exit-codes.ts";

const DATE = /^\d{4}-\d\d-\d\d$/;
const LOCAL = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::[0-5]\d(?:[.,]\d{1,9})?)?$/;

/**
 * Ticks of an instant given by the user: ISO 8601 with `Z` or an offset; without either it is local time
 * in the time zone, and a date alone is the day's first moment there.
 *
 * @throws UsageError for what is no instant, or a local time that the zone skips or repeats
 */
export function parseUserInstant(text: string, timezone: string, option: string): number {
  const trimmed = text.trim();
  try {
    if (DATE.test(trimmed)) {
      const date = civil(() => Temporal.PlainDate.from(trimmed, { overflow: "reject" }), text, option);
      return checked(ticksOfEpochMs(date.toZonedDateTime(timezone).epochMilliseconds), text, option);
    }
    if (LOCAL.test(trimmed)) {
      const local = civil(
        () =>
          Temporal.PlainDateTime.from(trimmed.replace(/[t ]/, "T").replace(",", "."), { overflow: "reject" }),
        text,
        option,
      );
      const zoned = local.toZonedDateTime(timezone, { disambiguation: "reject" });
      const ticks = Number((zoned.epochNanoseconds - BigInt(Date.UTC(2020, 0, 1)) * 1_000_000n) / 100n);
      return checked(ticks, text, option);
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(
      `${option}: "${text}" does not name one moment in ${timezone}; give it with an offset, such as ${trimmed}Z`,
    );
  }
  const parsed = parseInstant(trimmed);
  if (parsed === null || !parsed.zoned) throw noInstant(text, option);
  return parsed.ticks;
}

/** Refuses instants that cannot be held exactly (before 1991 or after 2048). */
function checked(ticks: number, text: string, option: string): number {
  if (!Number.isSafeInteger(ticks)) throw noInstant(text, option);
  return ticks;
}

function civil<T>(read: () => T, text: string, option: string): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) throw noInstant(text, option);
    throw error;
  }
}

function noInstant(text: string, option: string): UsageError {
  return new UsageError(
    `${option}: "${text}" is no instant; write ISO 8601, such as 2026-09-21 or 2026-09-21T06:00:00Z`,
  );
}

/** Checks an IANA time zone name. */
export function checkTimezone(name: string): string {
  const refusal = new UsageError(`--timezone: "${name}" is no IANA time zone; write it like Europe/Vienna`);
  // Newer versions of Node take offsets too, which know no daylight saving.
  if (/^[+-]/.test(name)) throw refusal;
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
    return name;
  } catch {
    throw refusal;
  }
}
