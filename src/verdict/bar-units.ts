import { type Metric, metricByName } from "../figures/metric-names.ts";
import type { Condition } from "./bar.ts";

const MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const DURATION = /^(-?\d+(?:\.\d+)?)(ms|s|m|h|d)$/;

/** Milliseconds of a bar's duration (`2s`, `1500ms`, `14d`); null for anything else. */
export function durationMs(text: string): number | null {
  const match = DURATION.exec(text);
  // Rounded to the microsecond: 1.1 s is 1,100 ms, not 1,100.0000000000002.
  return match === null ? null : Math.round(Number(match[1]) * MS[match[2]!]! * 1000) / 1000;
}

/** The side of the bar that a condition asks for; null where it names neither or both. */
export function sideOf(condition: Pick<Condition, "below" | "above">): "below" | "above" | null {
  if ((condition.below === undefined) === (condition.above === undefined)) return null;
  return condition.below === undefined ? "above" : "below";
}

/** What is wrong with a bound's unit, or with a value that makes the condition empty; null when sound. */
export function boundProblem(bound: string | number, side: "below" | "above", metric: Metric): string | null {
  const isTime = metric.unit === "ms" || metric.unit === "minutes";
  if (isTime && typeof bound === "number") {
    const unit = metric.unit === "ms" ? "ms" : "m";
    return `missing unit: ${metric.name} is a duration; write ${bound}${unit} if that is what ${bound} means`;
  }
  if (!isTime && typeof bound === "string") {
    const example = metric.unit === "share" ? "0.4" : "2.5";
    return `wrong unit: ${metric.name} is ${UNIT_NAMES[metric.unit]}; write a plain number such as ${example}`;
  }
  const value = convert(bound, metric);
  if (metric.unit === "share" && (value < 0 || value > 1)) {
    return `${metric.name} is a share, from 0 to 1; ${bound} is outside${value <= 100 && value > 1 ? ` (${bound} % is ${value / 100})` : ""}`;
  }
  if (canBeNegative(metric)) return null;
  const top = metric.unit === "share" ? 1 : Number.POSITIVE_INFINITY;
  if (side === "below" ? value <= 0 : value >= top) return `no value of ${metric.name} is ${side} ${bound}`;
  if (value < 0) return `every value of ${metric.name} is above ${bound}`;
  return null;
}

/**
 * The bar that a condition sets, in the metric's own unit: milliseconds, minutes, a share 0..1, a ratio, a
 * count or a rate. Durations carry their unit and stand for times only, plain numbers for the rest only.
 *
 * @throws RangeError for a condition that names no bound or two, or one with a missing or wrong unit; none
 * of a bar that `parseBar` accepted
 */
export function boundOf(condition: Condition, metric: Metric): number {
  const side = sideOf(condition);
  if (side === null) throw new RangeError(`${condition.metric}: one of below and above is needed`);
  const bound = condition[side]!;
  const problem = boundProblem(bound, side, metric);
  if (problem !== null) throw new RangeError(problem);
  return convert(bound, metric);
}

/** The metric of a condition. @throws RangeError for a name that is none */
export function metricOf(condition: Condition): Metric {
  const metric = metricByName(condition.metric);
  if (metric === undefined) throw new RangeError(`${condition.metric} is no metric`);
  return metric;
}

const UNIT_NAMES = {
  ms: "a duration",
  minutes: "a duration",
  share: "a share",
  ratio: "a ratio",
  count: "a count",
  "per-second": "a rate per second",
} as const;

function convert(bound: string | number, metric: Metric): number {
  if (typeof bound === "number") return bound;
  const ms = durationMs(bound);
  if (ms === null) throw new RangeError(`"${bound}" is no duration`);
  return metric.unit === "minutes" ? ms / 60_000 : ms;
}

/** A difference of two medians is the only metric on both sides of zero. */
function canBeNegative(metric: Metric): boolean {
  return metric.name === "comparison.firstRequest.p50DeltaMs";
}
