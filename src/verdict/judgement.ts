export type VerdictName = "pass" | "fail" | "inconclusive" | "error";

export type Method = "order-statistics" | "exact-binomial" | "bootstrap" | "e-value" | "point-estimate";

/** A bound that a figure must stay strictly below or above. */
export interface Bound {
  readonly side: "below" | "above";
  /** In the metric's unit. */
  readonly value: number;
}

/** How sure a pass or a fail must be. */
export interface Rule {
  /** One-sided; null judges the point estimate. */
  readonly confidence: number | null;
  readonly looks: "once" | "anytime";
  readonly seed: number;
}

/** What the data say about one condition, before minimum and guards are asked. */
export interface Judgement {
  readonly method: Method;
  readonly estimate: number | null;
  readonly ci95: [number | null, number | null];
  readonly lowerBound: number | null;
  readonly upperBound: number | null;
  readonly needed: number | null;
  readonly seen: number | null;
  readonly eValue: number | null;
  readonly eNeeded: number | null;
  readonly n: number;
  readonly verdict: VerdictName;
  readonly reasons: string[];
}

/** Judged by its point estimate alone. */
export function judgeEstimate(
  estimate: number | null,
  bound: Bound,
): { verdict: VerdictName; reasons: string[] } {
  if (estimate === null)
    return { verdict: "inconclusive", reasons: ["the figure cannot be computed from these values"] };
  const isMet = bound.side === "below" ? estimate < bound.value : estimate > bound.value;
  return {
    verdict: isMet ? "pass" : "fail",
    reasons: isMet ? [] : [`the estimate is not ${bound.side} the bar`],
  };
}

/** Pass where the one bound lies on the right side of the bar, fail where the other one lies on the wrong side. */
export function judgeBounds(
  lower: number | null,
  upper: number | null,
  bound: Bound,
): { verdict: VerdictName; reasons: string[] } {
  const isBelow = bound.side === "below";
  const shows = isBelow ? upper !== null && upper < bound.value : lower !== null && lower > bound.value;
  if (shows) return { verdict: "pass", reasons: [] };
  const refutes = isBelow ? lower !== null && lower >= bound.value : upper !== null && upper <= bound.value;
  if (refutes) {
    const reason = `the one-sided ${isBelow ? "lower" : "upper"} bound is already not ${bound.side} the bar`;
    return { verdict: "fail", reasons: [reason] };
  }
  if (lower === null && upper === null) {
    return { verdict: "inconclusive", reasons: ["too few values for a bound at this confidence"] };
  }
  return { verdict: "inconclusive", reasons: ["the bar lies between the two bounds: the data show neither"] };
}
