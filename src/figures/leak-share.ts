import { type Interval, wilson } from "../stats/intervals.ts";

export interface CountedShare {
  readonly count: number;
  /** Null for n = 0. */
  readonly share: number | null;
  readonly ci95: Interval;
}

/** A count of `n`, its share and Wilson's 95 % interval. */
export function countedShare(count: number, n: number): CountedShare {
  return { count, share: n === 0 ? null : count / n, ci95: wilson(count, n) };
}
