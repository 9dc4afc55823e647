import type { MetricValues } from "../figures/metric-values.ts";
import { bootstrapDraws, percentileInterval } from "../stats/bootstrap.ts";
import { clopperPearsonUpper } from "../stats/intervals.ts";
import { createRandom } from "../stats/random.ts";
import { type Bound, type Judgement, judgeBounds, judgeEstimate, type Rule } from "./judgement.ts";

/** Resamples of a bootstrap, as in the report. */
export const RESAMPLES = 9_999;

/** With fewer instances that have any part of a sum, resampling says too little about how rare it is. */
const LEAST_EVENTS = 10;

type BootstrapValues = Extract<MetricValues, { kind: "bootstrap" }>;

/** Below this many instances a percentile interval of resampled instances covers too little to judge by. */
const LEAST_INSTANCES = 20;

/**
 * A figure over several requests of one instance against a bar: by the percentile bounds of a bootstrap
 * that resamples whole instances. Each condition draws from the bar's seed anew, so that no condition
 * depends on the others.
 */
export function judgeByBootstrap(values: BootstrapValues, bound: Bound, rule: Rule): Judgement {
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
  const [lowerBound, resampled] = percentileInterval(draws, 2 * rule.confidence - 1);
  const isRare = values.nonZero !== null && values.nonZero < LEAST_EVENTS;
  const upperBound = isRare ? rareUpperBound(values, rule.confidence) : resampled;
  const bounds = { ...base, method: "bootstrap" as const, lowerBound, upperBound };
  if (values.estimate === null) return { ...bounds, ...judgeEstimate(null, bound) };
  if (values.n < LEAST_INSTANCES) {
    return {
      ...bounds,
      verdict: "inconclusive",
      reasons: [`a bootstrap over fewer than ${LEAST_INSTANCES} instances covers too little to judge by`],
    };
  }
  if (isRare && bound.side === "below" && upperBound === null) {
    return {
      ...bounds,
      verdict: "inconclusive",
      reasons: [
        `only ${values.nonZero} instances have a value other than zero: resampling them cannot tell how rare it is`,
      ],
    };
  }
  if (draws[0] === draws[draws.length - 1] && values.nonZero !== null && !isRare) {
    return {
      ...bounds,
      verdict: "inconclusive",
      reasons: ["every resample gives the same value: there is no spread to judge by"],
    };
  }
  return { ...bounds, ...judgeBounds(lowerBound, upperBound, bound) };
}

/**
 * An upper bound of a mean of which few instances have any part. A resample knows nothing of what it has
 * not seen, so the share of instances with any part is bounded exactly, and each of them is given the most
 * that one can have.
 */
function rareUpperBound({ nonZero, n, ceiling }: BootstrapValues, confidence: number): number | null {
  return ceiling === null ? null : ceiling * clopperPearsonUpper(nonZero ?? 0, n, confidence);
}
