import type { MetricPoint } from "../telemetry/metric-point.ts";

/** One interval of the ingress metric, all series together. Ticks. */
export interface IngressSpan {
  readonly from: number;
  readonly to: number;
  readonly total: number;
}

export interface Ingress {
  /** In time order, without overlap; empty where `unclear`. */
  readonly spans: readonly IngressSpan[];
  readonly points: number;
  /** How often the files hold the same requests, at most; counted once. */
  readonly copies: number;
  /** Points of a coarser interval than the finest one in the files: left out. */
  readonly coarser: number;
  /** Why it cannot be told whether files hold the same requests; null where it can. */
  readonly unclear: string | null;
}

/**
 * The intervals of the ingress metric. Series (replicas, status codes, revisions, apps) are added up. What
 * several files hold counts once: the same series of the same resource, and the same resource split by other
 * dimensions, where every interval in common adds up to the same. Where they cannot be told apart, or
 * contradict each other, there are no intervals but a reason.
 */
export function ingressOf(points: readonly MetricPoint[]): Ingress {
  const interval = points.reduce((least, point) => Math.min(least, point.interval), Number.POSITIVE_INFINITY);
  const finest = points.filter((point) => point.interval === interval);
  const facts = { points: points.length, coarser: points.length - finest.length };
  const nameless = unnamedResource(finest);
  if (nameless !== null) return { ...facts, spans: [], copies: 1, unclear: nameless };
  const totals = new Map<number, number>();
  let copies = 1;
  for (const own of groupBy(finest, ({ resource }) => resource ?? "").values()) {
    const splits = [...groupBy(own, dimensionsOf)].map(([dimensions, some]) => ({
      dimensions,
      ...merged(some),
    }));
    const conflict = splits.find(({ conflicts }) => conflicts > 0);
    if (conflict !== undefined) {
      const unclear = `two metrics files hold the same series of the same app with different values in ${conflict.conflicts} intervals; export one of them again, or give only one`;
      return { ...facts, spans: [], copies: 1, unclear };
    }
    const known = new Map<number, { total: number; copies: number; by: string }>();
    for (const { dimensions, totals: ofSplit } of splits) {
      for (const [ticks, { total, copies: times }] of ofSplit) {
        const before = known.get(ticks);
        if (before !== undefined && !isSame(before.total, total)) {
          const unclear = `metrics files of the same app, split by ${named(before.by)} and by ${named(dimensions)}, do not add up to the same, so which of the requests are in both cannot be told; give only one of them`;
          return { ...facts, spans: [], copies: 1, unclear };
        }
        known.set(ticks, {
          total: before?.total ?? total,
          copies: (before?.copies ?? 0) + times,
          by: before?.by ?? dimensions,
        });
      }
    }
    for (const [ticks, { total, copies: times }] of known) {
      totals.set(ticks, (totals.get(ticks) ?? 0) + total);
      copies = Math.max(copies, times);
    }
  }
  const spans = [...totals]
    .sort(([a], [b]) => a - b)
    .map(([ticks, total]) => ({ from: ticks, to: ticks + interval, total }));
  return { ...facts, spans, copies, unclear: null };
}

/** Why a file without a resource id makes it unclear what it shares with another one; null where it does not. */
function unnamedResource(points: readonly MetricPoint[]): string | null {
  const files = [...groupBy(points, ({ file }) => file).values()].map((own) => ({
    isNamed: own.every(({ resource }) => resource !== null),
    instants: new Set(own.map(({ ticks }) => ticks)),
    dimensions: new Set(own.map(dimensionsOf)),
    series: new Set(own.map(seriesOf)),
  }));
  for (const [i, a] of files.entries()) {
    for (const b of files.slice(0, i)) {
      if ((a.isNamed && b.isNamed) || !meet(a.instants, b.instants)) continue;
      // Other values of the same dimension are other requests, whichever app they are of.
      const areOthers =
        a.dimensions.size === 1 &&
        b.dimensions.size === 1 &&
        meet(a.dimensions, b.dimensions) &&
        !meet(a.series, b.series);
      if (!areOthers)
        return "metrics files of the same time do not name the resource (value[].id), so whether they hold the same requests cannot be told; give only one of them, or export them with their id";
    }
  }
  return null;
}

/** The totals of one split: a series that several files hold counts once. */
function merged(points: readonly MetricPoint[]): {
  readonly totals: ReadonlyMap<number, { readonly total: number; readonly copies: number }>;
  readonly conflicts: number;
} {
  const totals = new Map<number, { total: number; copies: number }>();
  let conflicts = 0;
  for (const series of groupBy(points, seriesOf).values()) {
    const known = new Map<number, { total: number; copies: number }>();
    for (const own of groupBy(series, ({ file }) => file).values()) {
      for (const [ticks, some] of groupBy(own, ({ ticks }) => ticks)) {
        const total = some.reduce((sum, point) => sum + point.total, 0);
        const before = known.get(ticks);
        if (before !== undefined && !isSame(before.total, total)) conflicts++;
        known.set(ticks, { total, copies: (before?.copies ?? 0) + 1 });
      }
    }
    for (const [ticks, { total, copies }] of known) {
      const sum = totals.get(ticks);
      totals.set(ticks, {
        total: (sum?.total ?? 0) + total,
        copies: Math.max(sum?.copies ?? 1, copies),
      });
    }
  }
  return { totals, conflicts };
}

function dimensionsOf({ labels }: MetricPoint): string {
  return labels.map(([name]) => name).join(" and ");
}

function seriesOf({ labels }: MetricPoint): string {
  return JSON.stringify(labels);
}

function named(dimensions: string): string {
  return dimensions === "" ? "nothing" : dimensions;
}

function isSame(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-9 * Math.max(a, b);
}

function meet<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean {
  for (const one of a) if (b.has(one)) return true;
  return false;
}

function groupBy<T, K>(list: readonly T[], keyOf: (entry: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const entry of list) {
    const key = keyOf(entry);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [entry]);
    else known.push(entry);
  }
  return groups;
}

/** The index of the span that holds an instant; -1 for none. */
export function spanAt(spans: readonly IngressSpan[], ticks: number): number {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (spans[middle]!.from <= ticks) low = middle + 1;
    else high = middle;
  }
  const found = low - 1;
  return found >= 0 && ticks < spans[found]!.to ? found : -1;
}
