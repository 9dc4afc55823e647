/**
 * Instants are kept as ticks of 100 ns since 2020-01-01T00:00:00Z: a double holds them exactly from
 * 1991-06 to 2048-07, where ticks since 1970 would not fit into 53 bits.
 */
export const EPOCH_MS = Date.UTC(2020, 0, 1);
export const TICKS_PER_MS = 10_000;
export const TICKS_PER_SECOND = 10_000_000;
export const TICKS_PER_MINUTE = 600_000_000;

export interface ParsedInstant {
  readonly ticks: number;
  /** False where the text named no offset and UTC was assumed. */
  readonly zoned: boolean;
}

const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?\s*(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?(?:\s+(?:UTC|GMT|[A-Z]{3,4}))?)?$/i;

/**
 * Ticks of an instant in one of the ISO-like forms that exports write (`…T02:26:43.1Z`,
 * `2026-06-22 02:24:22.9122879 +0000 UTC`, `…+02:00`, without zone = UTC); null for anything else.
 * Digits past 100 ns are cut off.
 */
export function parseInstant(text: string): ParsedInstant | null {
  const match = ISO.exec(text.trim());
  if (match === null) return null;
  const [, year, month, day, hour = "00", minute = "00", second = "00", fraction = "", zone] = match;
  const offset = zone === undefined ? 0 : parseOffsetMinutes(zone);
  if (offset === null) return null;
  const ticks = civilTicks(
    Number(year),
    Number(month),
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
    fractionTicks(fraction),
  );
  if (ticks === null) return null;
  return { ticks: ticks - offset * TICKS_PER_MINUTE, zoned: zone !== undefined };
}

/** Ticks of a civil UTC date and time, or null where it does not exist or cannot be held exactly. */
export function civilTicks(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
  fraction: number,
): number | null {
  if (month < 1 || month > 12 || day < 1 || day > 31) return null;
  if (hour > 23 || minute > 59 || second > 59) return null;
  const ms = Date.UTC(year, month - 1, day, hour, minute, second);
  if (new Date(ms).getUTCDate() !== day) return null;
  const ticks = (ms - EPOCH_MS) * TICKS_PER_MS + fraction;
  return Number.isSafeInteger(ticks) ? ticks : null;
}

/** Ticks of a decimal fraction of a second, given by its digits. */
export function fractionTicks(digits: string): number {
  return digits === "" ? 0 : Number(digits.slice(0, 7).padEnd(7, "0"));
}

function parseOffsetMinutes(zone: string): number | null {
  const match = /^([+-])(\d\d):?(\d\d)?/.exec(zone);
  if (match === null) return 0;
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? "0");
  if (minutes > 18 * 60) return null;
  return match[1] === "-" ? -minutes : minutes;
}

/** Ticks of epoch milliseconds. */
export function ticksOfEpochMs(ms: number): number {
  return Math.round((ms - EPOCH_MS) * TICKS_PER_MS);
}

/** Epoch milliseconds of ticks, finer digits cut off. */
export function epochMsOfTicks(ticks: number): number {
  return Math.floor(ticks / TICKS_PER_MS) + EPOCH_MS;
}

/** ISO 8601 in UTC with as many fraction digits as the instant needs (0, 3 or 7). */
export function formatTicks(ticks: number): string {
  const second = Math.floor(ticks / TICKS_PER_SECOND);
  const rest = ticks - second * TICKS_PER_SECOND;
  const head = new Date(second * 1000 + EPOCH_MS).toISOString().slice(0, 19);
  if (rest === 0) return `${head}Z`;
  const digits = String(rest).padStart(7, "0");
  return `${head}.${digits.endsWith("0000") ? digits.slice(0, 3) : digits}Z`;
}

/**
 * A duration in ticks, in exact decimal arithmetic: rounded to a thousandth of a tick, so that the
 * last bit of the double cannot decide whether two requests overlap.
 */
export function ticksOfMs(ms: number): number {
  const scaled = ms * 1e7;
  return scaled < Number.MAX_SAFE_INTEGER ? Math.round(scaled) / 1000 : ms * TICKS_PER_MS;
}
