import { endedWithin, kaplanMeier, type Life, survivalQuantile } from "../stats/survival.ts";

/** How long processes live, by Kaplan and Meier. */
export interface LifetimeCurve {
  readonly n: number;
  /** Lives that still went on at the log's end, or whose end the log does not hold. */
  readonly censored: number;
  /** Lives of which the start has only a batch's time, which may be eleven seconds late. */
  readonly batchTimed: number;
  readonly p10Minutes: number | null;
  readonly p50Minutes: number | null;
  readonly p90Minutes: number | null;
  /** The estimated share of lives longer than each time; null beyond the longest observation. */
  readonly curve: readonly {
    readonly minutes: number;
    readonly survival: number | null;
    readonly atRisk: number;
  }[];
}

/** Times in minutes at which the curve is told: fine where restarts happen, coarse where weeks pass. */
const TIMES = [1, 2, 5, 10, 20, 30, 60, 120, 240, 480, 1440, 2880, 10_080, 43_200];

/** The survival curve of lives in minutes. */
export function lifetimeCurve(lives: readonly Life[], batchTimed: number): LifetimeCurve {
  const longest = lives.reduce((most, { time }) => Math.max(most, time), 0);
  const last = TIMES.findIndex((time) => time >= longest);
  const times = lives.length === 0 ? [] : TIMES.slice(0, last === -1 ? TIMES.length : last + 1);
  // Not one has ended: then there is no step, and no quantile either.
  const hasEnds = kaplanMeier(lives).length > 0;
  return {
    n: lives.length,
    censored: lives.filter(({ ended }) => !ended).length,
    batchTimed,
    p10Minutes: hasEnds ? survivalQuantile(lives, 0.1) : null,
    p50Minutes: hasEnds ? survivalQuantile(lives, 0.5) : null,
    p90Minutes: hasEnds ? survivalQuantile(lives, 0.9) : null,
    curve: times.map((minutes) => {
      const gone = endedWithin(lives, minutes);
      return {
        minutes,
        survival: gone === null ? null : 1 - gone,
        atRisk: lives.filter(({ time }) => time >= minutes).length,
      };
    }),
  };
}
