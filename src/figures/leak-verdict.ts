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
  | { readonly kind: "few-warmed"; readonly starts: number; readonly n: number }
  | { readonly kind: "no-requests" }
  | { readonly kind: "not-covered"; readonly starts: number; readonly n: number }
  | { readonly kind: "other-paths"; readonly paths: readonly string[] }
  | { readonly kind: "no-baseline"; readonly starts: number }
  | { readonly kind: "undecided-excess"; readonly starts: number; readonly excess: number }
  | { readonly kind: "first-row-rise"; readonly p: number }
  | { readonly kind: "too-few"; readonly chance: number | null }
  | { readonly kind: "others-before-line"; readonly rows: number }
  | { readonly kind: "unknown-calls-during"; readonly calls: number; readonly starts: number }
  | { readonly kind: "traces-during"; readonly traces: number }
  | { readonly kind: "undated-operations"; readonly rows: number }
  | { readonly kind: "calls-earlier"; readonly calls: number }
  | { readonly kind: "calls-without-instance"; readonly calls: number }
  | { readonly kind: "metric-unjudged"; readonly metric: string; readonly starts: number; readonly n: number }
  | { readonly kind: "metric-without-instance"; readonly metric: string; readonly counted: number };

/** Significance of the comparisons: a difference that chance shows once in a hundred times is no leak yet. */
export const LEAK_ALPHA = 0.01;
/** A zero counts once a leak on every start would have stayed unseen at most this often. */
export const ZERO_CHANCE = 0.05;
/** A rise of the first rows that chance shows this rarely leaves the verdict open. */
export const DOUBT_ALPHA = 0.05;
/** Share of the starts that must have logged success, and of those that request rows must cover. */
export const ENOUGH_STARTS = 0.95;

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
  const { warmUp, requests, zero, held } = figures;
  const { starts: n, succeeded, covered } = warmUp;
  const reasons: LeakReason[] = [];
  if (warmUp.starts === 0) reasons.push({ kind: "no-starts" });
  if (!held.requests) reasons.push({ kind: "no-requests" });
  else if (covered < ENOUGH_STARTS * n) reasons.push({ kind: "not-covered", starts: n - covered, n });
  if (requests.withoutInstance > 0) {
    reasons.push({ kind: "rows-without-instance", rows: requests.withoutInstance });
  }
  if (warmUp.logged === 0) reasons.push({ kind: "nothing-logged", hasTraces: held.traces });
  else if (warmUp.ran === 0) reasons.push({ kind: "nothing-ran", starts: warmUp.logged });
  else if (succeeded < ENOUGH_STARTS * n) reasons.push({ kind: "few-warmed", starts: succeeded, n });
  if (warmUp.paths.length > 0 && !warmUp.paths.some((path) => asked.has(path))) {
    reasons.push({ kind: "other-paths", paths: warmUp.paths });
  }
  reasons.push(...comparisonDoubts(figures));
  if (zero.n > 0 && (zero.everyStartUnseen === null || zero.everyStartUnseen > ZERO_CHANCE)) {
    reasons.push({ kind: "too-few", chance: zero.everyStartUnseen });
  }
  if (requests.othersBeforeLine > 0) {
    reasons.push({ kind: "others-before-line", rows: requests.othersBeforeLine });
  }
  return [...reasons, ...operationDoubts(figures), ...metricDoubts(figures)];
}

/** A difference that is not significant is no proof of innocence. */
function comparisonDoubts({ requests: { since, baseline } }: LeakFigures): LeakReason[] {
  const reasons: LeakReason[] = [];
  const { undecidedStarts: starts } = since;
  if (baseline?.from !== "before") return starts > 0 ? [{ kind: "no-baseline", starts }] : [];
  const excess = Math.max(baseline.excessStarts, baseline.firstExcessStarts ?? 0);
  if (starts > 0 && excess > 0) reasons.push({ kind: "undecided-excess", starts, excess });
  const { firstRiseP } = baseline;
  if (firstRiseP !== null && firstRiseP < DOUBT_ALPHA)
    reasons.push({ kind: "first-row-rise", p: firstRiseP });
  return reasons;
}

/** Anything that began while a warm-up ran, or may have, and that no request from outside explains. */
function operationDoubts({ operations }: LeakFigures): LeakReason[] {
  if (operations === null) return [];
  const { during, undated, earlierAsRoute, stray } = operations;
  const reasons: LeakReason[] = [];
  if (during.other > 0) {
    reasons.push({ kind: "unknown-calls-during", calls: during.other, starts: during.otherStarts });
  }
  if (during.traces > 0) reasons.push({ kind: "traces-during", traces: during.traces });
  if (undated > 0) reasons.push({ kind: "undated-operations", rows: undated });
  if (earlierAsRoute > 0) reasons.push({ kind: "calls-earlier", calls: earlierAsRoute });
  if (stray > 0) reasons.push({ kind: "calls-without-instance", calls: stray });
  return reasons;
}

function metricDoubts({ metrics }: LeakFigures): LeakReason[] {
  return metrics.flatMap(({ name, since, strayCount }) => {
    const reasons: LeakReason[] = [];
    if (since.withSurplus > 0 || since.beyondError) {
      reasons.push({ kind: "metric-unjudged", metric: name, starts: since.withSurplus, n: since.starts });
    }
    if (strayCount > 0) reasons.push({ kind: "metric-without-instance", metric: name, counted: strayCount });
    return reasons;
  });
}
