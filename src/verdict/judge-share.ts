import { mixtureEValue } from "../stats/evalue.ts";
import { clopperPearsonLower, clopperPearsonUpper, wilson } from "../stats/intervals.ts";
import { judgeEvidence } from "./judge-evidence.ts";
import { type Bound, type Judgement, judgeBounds, judgeEstimate, type Rule } from "./judgement.ts";

/** A share of independent instances against a bar: exactly, by Clopper and Pearson's bounds. */
export function judgeShare(count: number, n: number, bound: Bound, rule: Rule): Judgement {
  const estimate = n === 0 ? null : count / n;
  const base = { estimate, ci95: wilson(count, n), n, eValue: null, eNeeded: null };
  const isBelow = bound.side === "below";
  if (rule.confidence === null || n === 0) {
    return {
      ...base,
      method: rule.confidence === null ? "point-estimate" : "exact-binomial",
      lowerBound: null,
      upperBound: null,
      needed: null,
      seen: null,
      ...judgeEstimate(estimate, bound),
    };
  }
  const lower = clopperPearsonLower(count, n, rule.confidence);
  const upper = clopperPearsonUpper(count, n, rule.confidence);
  // For "below" the right side are the instances without the property.
  const seen = isBelow ? n - count : count;
  const bounds = { lowerBound: lower, upperBound: upper, needed: neededOf(n, bound, rule.confidence), seen };
  if (rule.looks === "anytime") {
    const share = isBelow ? 1 - bound.value : bound.value;
    const evidence = judgeEvidence(
      mixtureEValue(seen, n, share),
      mixtureEValue(n - seen, n, 1 - share),
      rule.confidence,
    );
    return { ...base, ...bounds, needed: null, method: "e-value", ...evidence };
  }
  return { ...base, ...bounds, method: "exact-binomial", ...judgeBounds(lower, upper, bound) };
}

/** The fewest instances on the right side that show the bar met; null where not even all of them do. */
export function neededOf(n: number, bound: Bound, confidence: number): number | null {
  const shows = (right: number): boolean =>
    bound.side === "below"
      ? clopperPearsonUpper(n - right, n, confidence) < bound.value
      : clopperPearsonLower(right, n, confidence) > bound.value;
  if (!shows(n)) return null;
  let low = 0;
  let high = n;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (shows(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
