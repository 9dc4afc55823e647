/**
 * Numbers as a reader sees them: the same text on every machine, whatever its locale. Each rule
 * keeps what matters and gives up the rest; where rounding would say something untrue (a value over
 * the threshold printed as the threshold, almost all printed as all), the text says more instead.
 */

/** The characters that differ between a Unicode and an ASCII rendering. */
export interface Symbols {
  /** Stands for a figure that cannot be computed. */
  readonly none: string;
  readonly minus: string;
}

export const UNICODE_SYMBOLS: Symbols = { none: "–", minus: "−" };
export const ASCII_SYMBOLS: Symbols = { none: "-", minus: "-" };

type Figure = number | null;

/** From here on a duration is printed in seconds. */
const SECONDS_FROM_MS = 99_999.5;
/** Beyond this a double no longer holds every digit that a fixed notation would print. */
const EXPONENT_FROM = 1e15;

/** `12,345.6`: fixed decimals, thousands separators; an exponent for what no reader would count. */
export function formatFixed(value: number, decimals: number, symbols: Symbols): string {
  const magnitude = Math.abs(value);
  if (magnitude >= EXPONENT_FROM) {
    return `${value < 0 ? symbols.minus : ""}${magnitude.toExponential(3).replace("+", "")}`;
  }
  const [whole = "", fraction] = magnitude.toFixed(decimals).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  const digits = fraction === undefined ? grouped : `${grouped}.${fraction}`;
  // A value that rounds to zero carries no sign.
  return value < 0 && /[1-9]/.test(digits) ? symbols.minus + digits : digits;
}

/** A count of rows or instances; one decimal only where a weighted count has a fraction. */
export function formatCount(value: Figure, symbols: Symbols): string {
  if (value === null) return symbols.none;
  return formatFixed(value, Number.isInteger(value) ? 0 : 1, symbols);
}

/** An estimated count: one decimal while it is small, none from 100 on. */
export function formatEstimate(value: number, symbols: Symbols): string {
  return formatFixed(value, Number.isInteger(value) || value >= 99.95 ? 0 : 1, symbols);
}

/** A mean or a rate: two decimals when small, fewer as it grows, two digits where it is tiny. */
export function formatDecimal(value: Figure, symbols: Symbols): string {
  if (value === null) return symbols.none;
  const magnitude = Math.abs(value);
  if (magnitude === 0) return "0";
  if (magnitude < 0.005) {
    const digits = Math.ceil(-Math.log10(magnitude)) + 1;
    if (digits > 6) return `${value < 0 ? symbols.minus : ""}${magnitude.toExponential(1)}`;
    return formatFixed(value, digits, symbols);
  }
  return formatFixed(value, magnitude < 9.995 ? 2 : magnitude < 99.95 ? 1 : 0, symbols);
}

/** `95.5` for 0.955. Exactly none and all are `0` and `100`; nearly none and all are not. */
function percent(value: Figure, symbols: Symbols): string {
  if (value === null) return symbols.none;
  if (value === 0) return "0";
  if (value === 1) return "100";
  if (value < 0.0005) return "<0.1";
  if (value > 0.9995) return ">99.9";
  return formatFixed(value * 100, 1, symbols);
}

/** `95.5 %` for 0.955. */
export function formatShare(value: Figure, symbols: Symbols): string {
  return value === null ? symbols.none : `${percent(value, symbols)} %`;
}

/** `[84.9, 98.7]`, in percent; a side that the sample cannot give is a dash. */
export function formatShareInterval(interval: readonly [Figure, Figure], symbols: Symbols): string {
  if (interval[0] === null && interval[1] === null) return symbols.none;
  return `[${percent(interval[0], symbols)}, ${percent(interval[1], symbols)}]`;
}

type Unit = "ms" | "s";

function unitOf(values: readonly Figure[]): Unit {
  return values.some((value) => value !== null && Math.abs(value) >= SECONDS_FROM_MS) ? "s" : "ms";
}

/**
 * The digits of a duration in `unit`. Decimals are added until the printed number stands on the same
 * side of the threshold as the value: 2000.4 ms is `2,000.4` beside a threshold of 2000, never `2,000`;
 * what lies closer than the clock's 100 ns is `>2,000`.
 */
function durationDigits(ms: number, unit: Unit, symbols: Symbols, thresholdMs?: number): string {
  const scale = unit === "s" ? 1000 : 1;
  const value = ms / scale;
  const fewest = unit === "s" ? 1 : Math.abs(value) < 10 && !Number.isInteger(value) ? 2 : 0;
  let decimals = fewest;
  if (thresholdMs !== undefined && Math.abs(value) < EXPONENT_FROM) {
    const side = Math.sign(ms - thresholdMs);
    const limit = unit === "s" ? 7 : 4;
    while (Math.sign(Number(value.toFixed(decimals)) - thresholdMs / scale) !== side) {
      if (decimals === limit)
        return `${side > 0 ? ">" : "<"}${formatFixed(thresholdMs / scale, fewest, symbols)}`;
      decimals += 1;
    }
  }
  const text = formatFixed(value, decimals, symbols);
  if (value === 0 || /[1-9]/.test(text)) return text;
  return value > 0 ? "<0.01" : `>${symbols.minus}0.01`;
}

/** `7,468 ms`; from 100,000 ms on `123.4 s`. Give the threshold where the two may be read together. */
export function formatMs(ms: Figure, symbols: Symbols, thresholdMs?: number): string {
  if (ms === null) return symbols.none;
  const unit = unitOf([ms]);
  return `${durationDigits(ms, unit, symbols, thresholdMs)} ${unit}`;
}

/** The threshold itself, to the last digit that was set: `2,000 ms`, `1,500.5 ms`, `120 s`. */
export function formatThreshold(thresholdMs: number, symbols: Symbols): string {
  const unit = unitOf([thresholdMs]);
  const value = unit === "s" ? thresholdMs / 1000 : thresholdMs;
  const decimals = /\.(\d{1,7})/.exec(String(value))?.[1]?.length ?? 0;
  return `${formatFixed(value, decimals, symbols)} ${unit}`;
}

/** `[7,102, 7,811]` in the unit that `formatMs(ms)` chooses; with another unit the interval names it. */
export function formatMsInterval(
  ms: Figure,
  interval: readonly [Figure, Figure],
  symbols: Symbols,
  thresholdMs?: number,
): string {
  if (interval[0] === null && interval[1] === null) return symbols.none;
  const unit = unitOf(interval);
  const side = (value: Figure): string =>
    value === null ? symbols.none : durationDigits(value, unit, symbols, thresholdMs);
  const text = `[${side(interval[0])}, ${side(interval[1])}]`;
  return ms !== null && unit === unitOf([ms]) ? text : `${text} ${unit}`;
}

function signed(value: number, text: string): string {
  return value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

/** A difference of durations, with its sign: `−6,182 ms`. */
export function formatMsDelta(ms: Figure, symbols: Symbols): string {
  return ms === null ? symbols.none : signed(ms, formatMs(ms, symbols, 0));
}

/** A difference of means or rates, with its sign: `−5.08`. */
export function formatDelta(delta: Figure, symbols: Symbols): string {
  return delta === null ? symbols.none : signed(delta, formatDecimal(delta, symbols));
}

/** A difference of shares in percentage points: `−95.5 points`. */
export function formatPoints(delta: Figure, symbols: Symbols): string {
  if (delta === null) return symbols.none;
  return `${signed(delta, formatFixed(delta * 100, delta === 0 ? 0 : 1, symbols))} points`;
}

/** `5.8x faster` for a before/after ratio of 5.81; its inverse is `5.8x slower`. */
export function formatSpeedup(ratio: Figure, symbols: Symbols): string {
  if (ratio === null) return symbols.none;
  if (ratio <= 0) return "infinitely slower";
  const factor = ratio >= 1 ? ratio : 1 / ratio;
  if (factor < 1.005) return "about the same";
  const decimals = factor < 1.095 ? 2 : factor < 99.95 ? 1 : 0;
  return `${formatFixed(factor, decimals, symbols)}x ${ratio >= 1 ? "faster" : "slower"}`;
}

const INSTANT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::(\d{2}(?:\.\d+)?))?Z$/;

/** `2026-03-02 00:00` for an ISO instant in UTC; seconds stay where they are not zero. */
export function formatInstant(instant: string | null, symbols: Symbols): string {
  if (instant === null) return symbols.none;
  const match = INSTANT.exec(instant);
  if (match === null) return instant;
  const seconds = match[3] === undefined || Number(match[3]) === 0 ? "" : `:${match[3]}`;
  return `${match[1]} ${match[2]}${seconds}`;
}
