/** One life: how long it was observed, and whether it ended then (or was still going on: censored). */
export interface Life {
  readonly time: number;
  readonly ended: boolean;
}

/** The estimate from one time at which lives ended, up to the next. */
export interface SurvivalStep {
  readonly time: number;
  /** Lives observed at least up to `time`; those censored at `time` are among them. */
  readonly atRisk: number;
  /** Lives that ended at `time`. */
  readonly ended: number;
  /** The estimated share of lives longer than `time`. */
  readonly survival: number;
}

/**
 * Kaplan and Meier's estimate, one step for each distinct time at which a life ended.
 * Source: E. L. Kaplan and P. Meier, JASA 53 (1958), 457–481.
 */
export function kaplanMeier(lives: readonly Life[]): SurvivalStep[] {
  const sorted = [...lives].sort((a, b) => a.time - b.time);
  const steps: SurvivalStep[] = [];
  let survival = 1;
  for (let i = 0; i < sorted.length; ) {
    const { time } = sorted[i]!;
    const atRisk = sorted.length - i;
    let ended = 0;
    do {
      if (sorted[i]!.ended) ended++;
      i++;
    } while (sorted[i]?.time === time);
    if (ended === 0) continue;
    survival *= (atRisk - ended) / atRisk;
    steps.push({ time, atRisk, ended, survival });
  }
  return steps;
}

/**
 * The time by which a share `p` of the lives has ended: the smallest with survival ≤ 1 − p. Without
 * censoring it is the `p` quantile. Null when the estimate never gets there.
 */
export function survivalQuantile(lives: readonly Life[], p: number): number | null {
  const bound = p >= 1 ? 0 : 1 - p + 1e-9 * p;
  return kaplanMeier(lives).find((step) => step.survival <= bound)?.time ?? null;
}

/**
 * The estimated share of lives that end within `time` (at most). Null when no life was observed for that
 * long, so that the estimate does not reach there, unless all have ended before.
 */
export function endedWithin(lives: readonly Life[], time: number): number | null {
  const survival = kaplanMeier(lives).findLast((step) => step.time <= time)?.survival ?? 1;
  if (survival > 0 && !lives.some((life) => life.time >= time)) return null;
  return 1 - survival;
}
