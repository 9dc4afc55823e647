import type { MetricPoint } from "../telemetry/metric-point.ts";

/** One interval of the ingress metric, all series together. Ticks. */
export interface IngressSpan {
  readonly from: number;
  readonly to: number;
  readonly total: number;
}

export interface Ingress {
  /** In time order, without overlap. */
  readonly spans: readonly IngressSpan[];
  readonly points: number;
  /** How often the files hold the same requests, split in different ways; counted once. */
  readonly copies: number;
  /** Points of a coarser interval than the finest one in the files: left out. */
  readonly coarser: number;
}

/**
 * The intervals of the ingress metric. Series (replicas, status codes, revisions) are added up; files
 * that hold the same requests twice count once.
 *
 * @param files how many files hold metrics
 */
export function ingressOf(points: readonly MetricPoint[], files: number): Ingress {
  const interval = points.reduce((least, point) => Math.min(least, point.interval), Number.POSITIVE_INFINITY);
  const finest = points.filter((point) => point.interval === interval);
  const series = seriesOf(finest);
  const copies = copiesOf(series, files);
  const totals = totalsOf(finest);
  const spans = [...totals]
    .sort(([a], [b]) => a - b)
    .map(([ticks, total]) => ({ from: ticks, to: ticks + interval, total: total / copies }));
  return { spans, points: points.length, copies, coarser: points.length - finest.length };
}

/** Points stand file by file and series by series: where time does not go on, another series begins. */
function seriesOf(points: readonly MetricPoint[]): MetricPoint[][] {
  const series: MetricPoint[][] = [];
  let last = Number.POSITIVE_INFINITY;
  for (const point of points) {
    if (point.ticks <= last) series.push([]);
    series[series.length - 1]!.push(point);
    last = point.ticks;
  }
  return series;
}

/**
 * How many times the same requests are in there: the series fall, in their order, into as many groups as
 * there are files, and in every interval each group adds up to the same. 1 where they do not.
 */
function copiesOf(series: readonly MetricPoint[][], files: number): number {
  if (files < 2) return 1;
  const all = totalsOf(series.flat());
  if ([...all.values()].every((total) => total === 0)) return 1;
  let groups = 0;
  let group = new Map<number, number>();
  for (const points of series) {
    for (const { ticks, total } of points) group.set(ticks, (group.get(ticks) ?? 0) + total);
    const isWhole = [...all].every(
      ([ticks, total]) => Math.abs((group.get(ticks) ?? 0) * files - total) <= 1e-9 * total,
    );
    if (isWhole) {
      groups++;
      group = new Map();
    }
  }
  return groups === files && group.size === 0 ? files : 1;
}

function totalsOf(points: readonly MetricPoint[]): Map<number, number> {
  const totals = new Map<number, number>();
  for (const { ticks, total } of points) totals.set(ticks, (totals.get(ticks) ?? 0) + total);
  return totals;
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
