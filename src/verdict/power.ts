import type { Metric } from "../figures/metric-names.ts";
import { binomialCdf, smallestRank } from "../stats/binomial.ts";
import { mixtureEValue } from "../stats/evalue.ts";
import { clopperPearsonLower, clopperPearsonUpper, lowerBoundRank, neededUnder } from "../stats/intervals.ts";

/**
 * How a condition on a quantile or a share is passed: by enough of n values on the right side of it. For a
 * quantile those are the values under the bar (`below`) or over it (`above`); for a share the values that
 * do not belong to it (`below`) or do (`above`).
 */
export interface CountRule {
  readonly kind: "quantile" | "share";
  readonly side: "below" | "above";
  /** The quantile's q, or the share's bar, 0..1. */
  readonly at: number;
  readonly confidence: number | "none";
  readonly looks: "once" | "anytime";
}

/** The rule of a condition; null for a metric that is judged by a bootstrap, where no count decides. */
export function countRule(
  metric: Metric,
  side: "below" | "above",
  bound: number,
  confidence: number | "none",
  looks: "once" | "anytime",
): CountRule | null {
  if (metric.judged.kind === "bootstrap") return null;
  const at = metric.judged.kind === "quantile" ? metric.judged.q : bound;
  return { kind: metric.judged.kind, side, at, confidence, looks };
}

/** The share on the right side that a service exactly on the bar has, 0..1. */
export function shareOnTheBar({ kind, side, at }: CountRule): number {
  return (kind === "quantile") === (side === "below") ? at : 1 - at;
}

/**
 * How many of n values must lie on the right side to pass; null where even all of them are too few. With
 * looks at any time this is the count at which a look at n passes.
 */
export function neededCount(n: number, rule: CountRule): number | null {
  if (n < 1) return null;
  const { kind, side, at, confidence, looks } = rule;
  if (kind === "quantile" && confidence === "none") {
    const rank = Math.max(1, Math.ceil(n * at - 1e-9));
    return side === "below" ? rank : n - rank + 1;
  }
  if (kind === "quantile" && confidence !== "none" && looks === "once") {
    if (side === "below") return neededUnder(n, at, confidence);
    const rank = lowerBoundRank(n, at, confidence);
    return rank === null ? null : n - rank + 1;
  }
  return passes(n, n, rule) ? smallestRank(n, (count) => passes(count, n, rule)) : null;
}

/** Whether `count` of n on the right side pass: a share's condition, or any at a look at any time. */
function passes(count: number, n: number, rule: CountRule): boolean {
  const { side, at, confidence, looks } = rule;
  // Strictly on the right side: a figure or a bound that lies on the bar is not.
  if (confidence === "none") return side === "below" ? (n - count) / n < at : count / n > at;
  if (looks === "anytime") return mixtureEValue(count, n, shareOnTheBar(rule)) >= evidenceNeeded(confidence);
  return side === "below"
    ? clopperPearsonUpper(n - count, n, confidence) < at
    : clopperPearsonLower(count, n, confidence) > at;
}

/** The e-value that passes at any time, 1/α; 1 / (1 − 0.95) is 19.999999999999982 in doubles. */
export function evidenceNeeded(confidence: number): number {
  return Math.round(1e9 / (1 - confidence)) / 1e9;
}

/** The smallest n of which all on the right side pass; null where it would take more than a million. */
export function smallestPassable(rule: CountRule): number | null {
  const isByRank = rule.kind === "quantile" && (rule.looks === "once" || rule.confidence === "none");
  const canPass = (n: number): boolean =>
    n > 0 && (isByRank ? neededCount(n, rule) !== null : passes(n, n, rule));
  return canPass(MOST_VALUES) ? smallestRank(MOST_VALUES, canPass) : null;
}

/** More instances than any window has. */
export const MOST_VALUES = 1_000_000;

/** The chance to pass with n values of which each lies on the right side with probability `trueShare`. */
export function passPower(n: number, trueShare: number, rule: CountRule): number {
  const needed = neededCount(n, rule);
  // At least `needed` on the right side is at most n − needed on the wrong one.
  return needed === null ? 0 : binomialCdf(n - needed, n, 1 - trueShare);
}

export interface PowerPoint {
  /** True share on the right side, 0..1. */
  readonly share: number;
  readonly power: number;
}

const STEPS = [0.05, 0.02, 0.01, 0.005, 0.002, 0.001];

/**
 * The power at a few true shares, from a service exactly on the bar upwards in round steps, up to the first
 * at which it passes at least 99.5 % of the time, at most `most` points.
 */
export function powerTable(n: number, rule: CountRule, most = 6): PowerPoint[] {
  const onTheBar = shareOnTheBar(rule);
  const step = STEPS.find((size) => (1 - onTheBar) / size >= 5 - 1e-9) ?? (1 - onTheBar) / 5;
  const all: PowerPoint[] = [];
  for (let i = 0; ; i++) {
    const share = Math.round((onTheBar + i * step) * 1e6) / 1e6;
    if (share > 1) break;
    all.push({ share, power: passPower(n, share, rule) });
    if (all.at(-1)!.power >= 0.995) break;
  }
  // The interesting part is where the power rises; the first point stays, as the chance of a false pass.
  return all.length <= most ? all : [all[0]!, ...all.slice(all.length - most + 1)];
}

/** The smallest share of a table that passes at least four times in five; null where none does. */
export function dependableShare(table: readonly PowerPoint[]): PowerPoint | null {
  return table.find(({ power }) => power >= 0.8) ?? null;
}
