import type { MetricValues } from "../figures/metric-values.ts";
import { bootstrapDraws, percentileInterval } from "../stats/bootstrap.ts";
import { createRandom } from "../stats/random.ts";
import { type Bound, type Judgement, judgeBounds, judgeEstimate, type Rule } from "./judgement.ts";

/** Resamples of a bootstrap, as in the report. */
export const RESAMPLES = 9_999;

/** Below this many instances a percentile interval of resampled instances covers too little to judge by. */
const LEAST_INSTANCES = 20;

/**
 * A figure over several requests of one instance against a bar: by the percentile bounds of a bootstrap
 * that resamples whole instances. Each condition draws from the bar's seed anew, so that no condition
 * depends on the others.
 */
export function judgeByBootstrap(
  values: Extract<MetricValues, { kind: "bootstrap" }>,
  bound: Bound,
  rule: Rule,
): Judgement {
  const draws = values.n === 0 ? [] : bootstrapDraws(RESAMPLES, values.draw, createRandom(rule.seed));
  const base = {
    estimate: values.estimate,
    ci95: percentileInterval(draws, 0.95),
    n: values.n,
    needed: null,
    seen: null,
    eValue: null,
    eNeeded: null,
  };
  if (rule.confidence === null) {
    return {
      ...base,
      method: "point-estimate",
      lowerBound: null,
      upperBound: null,
      ...judgeEstimate(values.estimate, bound),
    };
  }
  if (rule.looks === "anytime") throw new RangeError("anytime looks need a quantile or a share");
  const [lowerBound, upperBound] = percentileInterval(draws, 2 * rule.confidence - 1);
  const bounds = { ...base, method: "bootstrap" as const, lowerBound, upperBound };
  if (values.estimate === null) return { ...bounds, ...judgeEstimate(null, bound) };
  if (values.n < LEAST_INSTANCES) {
    return {
      ...bounds,
      verdict: "inconclusive",
      reasons: [`a bootstrap over fewer than ${LEAST_INSTANCES} instances covers too little to judge by`],
    };
  }
  return { ...bounds, ...judgeBounds(lowerBound, upperBound, bound) };
}
