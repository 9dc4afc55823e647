/** How likely a leak would have stayed unseen. */
export interface ZeroFigures {
  /** Starts that logged a successful warm-up at a time that request rows cover. */
  readonly n: number;
  /** Share of rows kept, 0..1; null where no row tells. */
  readonly rate: number | null;
  readonly rateFrom: "rows" | "assumed";
  /** Earliest rows that the rate comes from. */
  readonly rateN: number;
  /** (1 − r)^n: a leak on every start. */
  readonly everyStartUnseen: number | null;
  /** (1 − r/10)^n: a leak on one start in ten. */
  readonly oneInTenUnseen: number | null;
}

/**
 * The certainty of a zero.
 *
 * The rate is the earliest rows' count over the sum of their weights. The mean of 1/weight would be too
 * high where rates differ, since rows that were kept have the better rates.
 */
export function zeroFigures(n: number, firstWeights: readonly number[], assumed: number | null): ZeroFigures {
  const weight = firstWeights.reduce((sum, w) => sum + w, 0);
  const rate = assumed ?? (firstWeights.length === 0 ? null : Math.min(1, firstWeights.length / weight));
  return {
    n,
    rate,
    rateFrom: assumed === null ? "rows" : "assumed",
    rateN: firstWeights.length,
    everyStartUnseen: rate === null ? null : (1 - rate) ** n,
    oneInTenUnseen: rate === null ? null : (1 - 0.1 * rate) ** n,
  };
}
