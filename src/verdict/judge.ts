import type { Metric } from "../figures/metric-names.ts";
import type { MetricValues } from "../figures/metric-values.ts";
import type { Bar, Condition } from "./bar.ts";
import { judgeByBootstrap } from "./judge-bootstrap.ts";
import { judgeQuantile } from "./judge-quantile.ts";
import { judgeShare } from "./judge-share.ts";
import type { Bound, Judgement, Rule } from "./judgement.ts";

/** A judged condition, under the names of the verdict document. */
export interface JudgedCondition extends Judgement {
  readonly name: string;
  readonly metric: string;
  readonly below: number | null;
  readonly above: number | null;
  readonly unit: Metric["unit"];
  readonly confidence: number | null;
  readonly minimum: number;
  readonly excluded: Record<string, number>;
}

/**
 * Judges one condition of a bar.
 *
 * @param bound the condition's bound in the metric's unit
 * @param shortOf how many instances the sample still lacks of the first N that the bar asks for
 */
export function judgeCondition(
  bar: Bar,
  condition: Condition,
  metric: Metric,
  bound: Bound,
  values: MetricValues,
  excluded: Record<string, number>,
  shortOf: number,
): JudgedCondition {
  const rule: Rule = {
    confidence: bar.confidence === "none" ? null : bar.confidence,
    looks: bar.looks,
    seed: bar.seed,
  };
  const minimum = condition.minimum ?? bar.sample.minimum;
  const judged = judgeValues(values, bound, rule);
  const reasons = [...judged.reasons];
  let { verdict } = judged;
  if (judged.n < minimum) {
    verdict = "inconclusive";
    reasons.unshift(`only ${judged.n} values where the bar asks for at least ${minimum}`);
  }
  if (shortOf > 0) {
    verdict = "inconclusive";
    reasons.unshift(
      `${shortOf} of the first instances that the bar judges are not born yet, or not in the data`,
    );
  }
  return {
    ...judged,
    name: bar.name,
    metric: metric.name,
    below: bound.side === "below" ? bound.value : null,
    above: bound.side === "above" ? bound.value : null,
    unit: metric.unit,
    confidence: rule.confidence,
    minimum,
    excluded,
    verdict,
    reasons,
  };
}

/** What the values alone say. */
export function judgeValues(values: MetricValues, bound: Bound, rule: Rule): Judgement {
  switch (values.kind) {
    case "quantile":
      return judgeQuantile(values.values, values.q, bound, rule);
    case "share":
      return judgeShare(values.count, values.n, bound, rule);
    case "bootstrap":
      return judgeByBootstrap(values, bound, rule);
  }
}
