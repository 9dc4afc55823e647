/**
 * Time in the generator: integer ticks of 100 ns since the start of the data. Five weeks of them are far
 * below 2^53, so every sum and comparison is exact and the written instants keep all seven digits.
 */
const ORIGIN = Date.parse("2026-08-31T22:00:00Z");
const TICKS_PER_MS = 10_000;
export const SECOND = 1_000 * TICKS_PER_MS;
/** Durations are integers too, in tenths of a millisecond. */
export const TICKS_PER_TENTH = 1_000;

/** Ticks of an ISO 8601 instant of millisecond precision. */
export function at(iso) {
  return (Date.parse(iso) - ORIGIN) * TICKS_PER_MS;
}

/** Rounds seconds to whole ticks. */
export function seconds(value) {
  return Math.round(value * SECOND);
}

function parts(ticks) {
  const ms = Math.floor(ticks / TICKS_PER_MS);
  const [date, time] = new Date(ORIGIN + ms).toISOString().slice(0, -1).split("T");
  return { date, time, rest: String(ticks - ms * TICKS_PER_MS).padStart(4, "0") };
}

/** `2026-09-01T06:12:33.1234567Z`, as Application Insights writes it. */
export function isoTicks(ticks) {
  const { date, time, rest } = parts(ticks);
  return `${date}T${time}${rest}Z`;
}

/** `2026-09-01T06:12:33Z`: to the second. */
export function isoSeconds(ticks) {
  const { date, time } = parts(ticks);
  return `${date}T${time.slice(0, 8)}Z`;
}

/** `2026-09-01 06:12:33.12 +0000 UTC`, as the event stream writes it: no trailing zeros. */
export function streamTime(ticks, wholeSeconds) {
  const { date, time, rest } = parts(ticks);
  const fraction = wholeSeconds ? "" : `${time.slice(9)}${rest}`.replace(/0+$/, "");
  return `${date} ${time.slice(0, 8)}${fraction === "" ? "" : `.${fraction}`} +0000 UTC`;
}
