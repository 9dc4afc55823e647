import { formatFixed, type Symbols } from "./numbers.ts";
import type { JudgedCondition } from "./verdict-document.ts";

type Unit = JudgedCondition["unit"];
type Figure = number | null;

/** From here on a duration is printed in seconds, as in a report. */
const SECONDS_FROM_MS = 99_999.5;
/** Beyond this a double no longer holds every digit that a fixed notation would print. */
const EXPONENT_FROM = 1e15;
const MOST_DECIMALS = 10;

/** How the numbers of a metric are written. */
interface Scale {
  /** The value in the printed unit. */
  readonly of: (value: number) => number;
  readonly suffix: string;
  readonly decimals: (scaled: number) => number;
  /** Printed values that no other value may be rounded to, besides the bar. */
  readonly landmarks: readonly number[];
}

const means = (scaled: number): number => {
  const magnitude = Math.abs(scaled);
  if (Number.isInteger(scaled)) return 0;
  return magnitude < 0.9995 ? 3 : magnitude < 9.995 ? 2 : magnitude < 99.95 ? 1 : 0;
};

/** A factor of ten or a hundred without the noise of binary fractions: 0.07 is 7 %, not 7.000000000000001 %. */
const times = (value: number, factor: number): number => Number((value * factor).toPrecision(15));

function scaleOf(unit: Unit, values: readonly Figure[]): Scale {
  switch (unit) {
    case "ms":
      return values.some((value) => value !== null && Math.abs(value) >= SECONDS_FROM_MS)
        ? { of: (value) => times(value, 0.001), suffix: " s", decimals: () => 1, landmarks: [0] }
        : {
            of: (value) => value,
            suffix: " ms",
            decimals: (scaled) => (Math.abs(scaled) < 10 && !Number.isInteger(scaled) ? 2 : 0),
            landmarks: [0],
          };
    case "share":
      return {
        of: (value) => times(value, 100),
        suffix: " %",
        decimals: (scaled) => (scaled === 0 || scaled === 100 ? 0 : scaled < 1 || scaled > 99 ? 2 : 1),
        landmarks: [0, 100],
      };
    case "minutes":
      return { of: (value) => value, suffix: " min", decimals: means, landmarks: [0] };
    case "per-second":
      return { of: (value) => value, suffix: " per second", decimals: means, landmarks: [0] };
    default:
      return { of: (value) => value, suffix: "", decimals: means, landmarks: [0] };
  }
}

function exponent(value: number, digits: number, symbols: Symbols): string {
  const text = Math.abs(value).toExponential(digits).replace("+", "").replace("e-", `e${symbols.minus}`);
  return value < 0 ? symbols.minus + text : text;
}

/** Every digit of a number that someone set: `2,000`, `1,500.25`, `0.05`. */
function exactDigits(value: number, symbols: Symbols): string {
  const plain = String(value);
  if (plain.includes("e") || Math.abs(value) >= EXPONENT_FROM) {
    const digits = /^-?\d(?:\.(\d+))?e/.exec(value.toExponential())?.[1]?.length ?? 0;
    return exponent(value, digits, symbols);
  }
  return formatFixed(value, plain.split(".")[1]?.length ?? 0, symbols);
}

/** The digits of a value, as many as it takes to stand on its own side of every landmark. */
function digitsBeside(value: number, fewest: number, landmarks: readonly number[], symbols: Symbols): string {
  const isTrue = (printed: number): boolean =>
    landmarks.every((landmark) => Math.sign(printed - landmark) === Math.sign(value - landmark));
  if (Math.abs(value) < EXPONENT_FROM) {
    for (let decimals = fewest; decimals <= MOST_DECIMALS; decimals++) {
      if (isTrue(Number(value.toFixed(decimals)))) return formatFixed(value, decimals, symbols);
    }
  }
  for (let digits = 3; digits < 16; digits++) {
    if (isTrue(Number(value.toExponential(digits)))) return exponent(value, digits, symbols);
  }
  return exactDigits(value, symbols);
}

function digitsOf(value: number, bar: Figure, scale: Scale, symbols: Symbols): string {
  const scaled = scale.of(value);
  if (bar === null) return digitsBeside(scaled, scale.decimals(scaled), scale.landmarks, symbols);
  const scaledBar = scale.of(bar);
  const side = Math.sign(value - bar);
  // The scaling itself can make neighbours equal.
  if (Math.sign(scaled - scaledBar) !== side) {
    return `${side > 0 ? ">" : "<"}${exactDigits(scaledBar, symbols)}`;
  }
  return digitsBeside(scaled, scale.decimals(scaled), [...scale.landmarks, scaledBar], symbols);
}

/**
 * A value in words of its unit, `1,281 ms`, `95.5 %`, `5.80`: decimals are added until the printed number
 * stands on the same side of the bar (in the metric's unit) as the value itself, and equal only if equal.
 */
export function formatValue(value: Figure, unit: Unit, bar: Figure, symbols: Symbols): string {
  if (value === null) return symbols.none;
  const scale = scaleOf(unit, [value]);
  return digitsOf(value, bar, scale, symbols) + scale.suffix;
}

/** `[1,207, 1,433] ms`; a side that the sample cannot give is a dash. No side is rounded across the bar. */
export function formatInterval(
  interval: readonly [Figure, Figure],
  unit: Unit,
  bar: Figure,
  symbols: Symbols,
): string {
  if (interval[0] === null && interval[1] === null) return symbols.none;
  const scale = scaleOf(unit, interval);
  const side = (value: Figure): string =>
    value === null ? symbols.none : digitsOf(value, bar, scale, symbols);
  return `[${side(interval[0])}, ${side(interval[1])}]${scale.suffix}`;
}

/** A bar to the last digit that was set: `2,000 ms`, `5 %`. */
export function formatBar(bar: number, unit: Unit, symbols: Symbols): string {
  const scale = scaleOf(unit, [bar]);
  return exactDigits(scale.of(bar), symbols) + scale.suffix;
}

/** An e-value, not rounded across what it must reach. */
export function formatEValue(value: Figure, needed: Figure, symbols: Symbols): string {
  return formatValue(value, "ratio", needed, symbols);
}
