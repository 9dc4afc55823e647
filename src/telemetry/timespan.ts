const TIMESPAN = /^(?:(\d+)\.)?(\d{1,2}):(\d\d):(\d\d)(?:\.(\d{1,9}))?$/;
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * Milliseconds of a `[d.]hh:mm:ss[.fffffff]` time span, the form that envelopes and Kusto write;
 * null for anything else, such as `24:00:00`, a sign, or a second fraction.
 */
export function parseTimespan(text: string): number | null {
  const match = TIMESPAN.exec(text.trim());
  if (match === null) return null;
  const [, days = "0", hours, minutes, seconds, fraction = ""] = match;
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null;
  const whole = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
  const ticks = whole * 1e7 + (fraction === "" ? 0 : Number(fraction.slice(0, 7).padEnd(7, "0")));
  return ticks / 1e4;
}

/** A number written in plain decimal or scientific notation; null for anything else (`NaN`, `1,000`, ``). */
export function parseDecimal(text: string): number | null {
  const trimmed = text.trim();
  if (!DECIMAL.test(trimmed)) return null;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : null;
}
