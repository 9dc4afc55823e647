import { parseDecimal } from "./timespan.ts";

/** Keys of the sample rate in the order in which they count (percent kept). */
const RATE_KEYS = [
  "microsoft.sample_rate",
  "_ms.samplerate",
  "samplerate",
  "applicationinsights.internal.sample_rate",
];

const NOTHING: ReadonlyMap<string, unknown> = new Map();

/**
 * Custom dimensions or measurements by lower-case key. Exports hold them as an object, as JSON text,
 * or as JSON text inside JSON text; anything else is an empty bag. Blank values count as absent.
 */
export function openBag(value: unknown): ReadonlyMap<string, unknown> {
  let current = value;
  for (let depth = 0; depth < 3 && typeof current === "string"; depth++) {
    const text = current.trim();
    if (text === "" || (text[0] !== "{" && text[0] !== '"')) return NOTHING;
    try {
      current = JSON.parse(text);
    } catch {
      return NOTHING;
    }
  }
  if (typeof current !== "object" || current === null || Array.isArray(current)) return NOTHING;
  const bag = new Map<string, unknown>();
  for (const [key, entry] of Object.entries(current)) {
    if (entry !== null && entry !== "") bag.set(key.toLowerCase(), entry);
  }
  return bag;
}

export interface FoundRate {
  /** The first valid rate in percent, 0 < r ≤ 100, or null. */
  readonly rate: number | null;
  /** A key held something that is no rate. */
  readonly invalid: boolean;
}

/** The sample rate of a row: dimensions before measurements, in each the keys in their order. */
export function findRate(
  dimensions: ReadonlyMap<string, unknown>,
  measurements: ReadonlyMap<string, unknown>,
): FoundRate {
  let invalid = false;
  for (const bag of [dimensions, measurements]) {
    for (const key of RATE_KEYS) {
      const value = bag.get(key);
      if (value === undefined) continue;
      const rate = numberOf(value);
      if (rate !== null && rate > 0 && rate <= 100) return { rate, invalid };
      invalid = true;
    }
  }
  return { rate: null, invalid };
}

/** A finite number given as number or text, or null. */
export function numberOf(value: unknown): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  return typeof value === "string" ? parseDecimal(value) : null;
}
