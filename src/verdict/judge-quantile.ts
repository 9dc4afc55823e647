import { mixtureEValue } from "../stats/evalue.ts";
import { lowerBoundRank, quantileInterval, upperBoundRank } from "../stats/intervals.ts";
import { quantileSorted } from "../stats/quantile.ts";
import { judgeEvidence } from "./judge-evidence.ts";
import { type Bound, type Judgement, judgeBounds, judgeEstimate, type Rule } from "./judgement.ts";

/**
 * A quantile of independent values against a bar: exactly, by order statistics, which is the sign test.
 *
 * @param sorted values in ascending order
 */
export function judgeQuantile(sorted: Float64Array, q: number, bound: Bound, rule: Rule): Judgement {
  const n = sorted.length;
  const estimate = quantileSorted(sorted, q);
  const base = { estimate, ci95: quantileInterval(sorted, q), n, eValue: null, eNeeded: null };
  const isBelow = bound.side === "below";
  // Values on the right side of the bar, strictly: a value equal to it has not met it.
  const seen = sorted.filter((value) => (isBelow ? value < bound.value : value > bound.value)).length;
  if (rule.confidence === null) {
    return {
      ...base,
      method: "point-estimate",
      lowerBound: null,
      upperBound: null,
      needed: null,
      seen: null,
      ...judgeEstimate(estimate, bound),
    };
  }
  const upperRank = upperBoundRank(n, q, rule.confidence);
  const lowerRank = lowerBoundRank(n, q, rule.confidence);
  const upper = upperRank === null ? null : sorted[upperRank - 1]!;
  const lower = lowerRank === null ? null : sorted[lowerRank - 1]!;
  const needed = isBelow ? upperRank : lowerRank === null ? null : n - lowerRank + 1;
  const bounds = { lowerBound: lower, upperBound: upper, needed, seen };
  if (rule.looks === "anytime") {
    const share = isBelow ? q : 1 - q;
    const evidence = judgeEvidence(
      mixtureEValue(seen, n, share),
      mixtureEValue(n - seen, n, 1 - share),
      rule.confidence,
    );
    return { ...base, ...bounds, needed: null, method: "e-value", ...evidence };
  }
  return { ...base, ...bounds, method: "order-statistics", ...judgeBounds(lower, upper, bound) };
}
