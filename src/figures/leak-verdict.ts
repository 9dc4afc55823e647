import type { MetricFigures } from "./leak-metrics.ts";
import type { LeakFigures } from "./leaks.ts";

export type LeakVerdict = "leak" | "clean" | "cannot-tell";

/** One reason of a verdict; the renderers put it into words. */
export type LeakReason =
  | { readonly kind: "rows-inside"; readonly rows: number; readonly starts: number }
  | { readonly kind: "more-than-before"; readonly p: number }
  | { readonly kind: "first-row-jump"; readonly p: number }
  | { readonly kind: "never-called-later"; readonly p: number }
  | { readonly kind: "calls-during"; readonly calls: number; readonly starts: number }
  | { readonly kind: "metric-surplus"; readonly metric: string; readonly starts: number; readonly n: number }
  | { readonly kind: "no-starts" }
  | { readonly kind: "rows-without-instance"; readonly rows: number }
  | { readonly kind: "nothing-logged"; readonly hasTraces: boolean }
  | { readonly kind: "nothing-ran"; readonly starts: number }
  | { readonly kind: "other-paths"; readonly paths: readonly string[] }
  | { readonly kind: "no-baseline"; readonly starts: number }
  | { readonly kind: "too-few"; readonly chance: number | null }
  | { readonly kind: "others-before-line"; readonly rows: number }
  | { readonly kind: "unknown-calls-during"; readonly calls: number; readonly starts: number }
  | {
      readonly kind: "metric-unjudged";
      readonly metric: string;
      readonly starts: number;
      readonly n: number;
    };

/** Significance of the comparisons: a difference that chance shows once in a hundred times is no leak yet. */
export const LEAK_ALPHA = 0.01;
/** A zero counts once a leak on every start would have stayed unseen at most this often. */
export const ZERO_CHANCE = 0.05;

/**
 * The verdict: `leak` for anything that proves one, `clean` where the warm-up demonstrably ran and nothing
 * of it is seen although it would have been, otherwise `cannot-tell`.
 */
export function leakVerdict(
  figures: LeakFigures,
  asked: ReadonlySet<string>,
): { readonly verdict: LeakVerdict; readonly reasons: readonly LeakReason[] } {
  const proofs = proofsOf(figures);
  if (proofs.length > 0) return { verdict: "leak", reasons: proofs };
  const doubts = doubtsOf(figures, asked);
  return doubts.length > 0 ? { verdict: "cannot-tell", reasons: doubts } : { verdict: "clean", reasons: [] };
}

function proofsOf({ requests, operations, metrics }: LeakFigures): LeakReason[] {
  const reasons: LeakReason[] = [];
  const { since, baseline } = requests;
  if (since.insideRows > 0) {
    reasons.push({ kind: "rows-inside", rows: since.insideRows, starts: since.insideStarts });
  }
  if (baseline !== null && since.undecidedStarts > 0) {
    if (baseline.from === "before") {
      if (baseline.p < LEAK_ALPHA) reasons.push({ kind: "more-than-before", p: baseline.p });
      const { jumpP } = baseline;
      if (jumpP !== null && jumpP < LEAK_ALPHA) reasons.push({ kind: "first-row-jump", p: jumpP });
    } else if (baseline.withPath === 0 && baseline.p < LEAK_ALPHA) {
      reasons.push({ kind: "never-called-later", p: baseline.p });
    }
  }
  if (operations !== null && operations.during.asRoute > 0) {
    const { asRoute, asRouteStarts } = operations.during;
    reasons.push({ kind: "calls-during", calls: asRoute, starts: asRouteStarts });
  }
  for (const metric of metrics) {
    if (!provesLeak(metric)) continue;
    const { withSurplus, starts } = metric.since;
    reasons.push({ kind: "metric-surplus", metric: metric.name, starts: withSurplus, n: starts });
  }
  return reasons;
}

/** Against the starts before, or, for the path's own values, a surplus in most starts. */
function provesLeak({ scope, since, p }: MetricFigures): boolean {
  if (p !== null) return p < LEAK_ALPHA;
  return scope === "route" && since.withSurplus * 2 > since.starts;
}

function doubtsOf(figures: LeakFigures, asked: ReadonlySet<string>): LeakReason[] {
  const { warmUp, requests, operations, metrics, zero, held } = figures;
  const reasons: LeakReason[] = [];
  if (warmUp.starts === 0) reasons.push({ kind: "no-starts" });
  if (requests.withoutInstance > 0) {
    reasons.push({ kind: "rows-without-instance", rows: requests.withoutInstance });
  }
  if (warmUp.logged === 0) reasons.push({ kind: "nothing-logged", hasTraces: held.traces });
  else if (warmUp.ran === 0) reasons.push({ kind: "nothing-ran", starts: warmUp.logged });
  if (warmUp.paths.length > 0 && !warmUp.paths.some((path) => asked.has(path))) {
    reasons.push({ kind: "other-paths", paths: warmUp.paths });
  }
  if (requests.since.undecidedStarts > 0 && requests.baseline?.from !== "before") {
    reasons.push({ kind: "no-baseline", starts: requests.since.undecidedStarts });
  }
  if (warmUp.starts > 0 && (zero.everyStartUnseen === null || zero.everyStartUnseen > ZERO_CHANCE)) {
    reasons.push({ kind: "too-few", chance: zero.everyStartUnseen });
  }
  if (requests.othersBeforeLine > 0) {
    reasons.push({ kind: "others-before-line", rows: requests.othersBeforeLine });
  }
  if (operations !== null && operations.during.other > 0 && operations.knownCalls === 0) {
    const { other, otherStarts } = operations.during;
    reasons.push({ kind: "unknown-calls-during", calls: other, starts: otherStarts });
  }
  for (const { name, since, p } of metrics) {
    if (p === null && since.withSurplus > 0) {
      reasons.push({ kind: "metric-unjudged", metric: name, starts: since.withSurplus, n: since.starts });
    }
  }
  return reasons;
}
