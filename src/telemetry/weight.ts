/** Which of two disagreeing sources an ambiguous row's weight comes from; `auto` is the sample rate. */
export type WeightMode = "auto" | "item-count" | "sample-rate";

export interface Weight {
  readonly weight: number;
  /** Item count and sample rate contradict each other. */
  readonly ambiguous: boolean;
  /** The item count says 1 (or nothing) although the sample rate says that rows were dropped. */
  readonly rateAlone: boolean;
}

/** From this percentage on a row counts as not sampled: agents send 99.99 to switch ingestion sampling off. */
const KEPT_ALL = 99.99;

/** A valid sample rate in percent (0 < r ≤ 100, with 99.99 and more counting as 100), or null. */
export function validRate(rate: number | null): number | null {
  if (rate === null || !(rate > 0) || rate > 100) return null;
  return rate >= KEPT_ALL ? 100 : rate;
}

/**
 * How many requests a row stands for.
 *
 * @param itemCount the row's item count, null where absent or not valid
 * @param rate the row's sample rate in percent as {@link validRate} gives it, null where absent
 */
export function weigh(itemCount: number | null, rate: number | null, mode: WeightMode): Weight {
  if (rate === null) return { weight: itemCount ?? 1, ambiguous: false, rateAlone: false };
  const fromRate = 100 / rate;
  if (itemCount === null || itemCount === 1) {
    return { weight: fromRate, ambiguous: false, rateAlone: fromRate > 1 };
  }
  if (Math.abs(itemCount - fromRate) <= 1) return { weight: fromRate, ambiguous: false, rateAlone: false };
  return { weight: mode === "item-count" ? itemCount : fromRate, ambiguous: true, rateAlone: false };
}
