import type { Fleet } from "../fleet/fleet.ts";
import { contains, type Window } from "../fleet/settings.ts";
import { Sum } from "../stats/sum.ts";
import type { Detail } from "../telemetry/detail.ts";
import type { MetricPoint } from "../telemetry/metric-point.ts";
import { TICKS_PER_MINUTE } from "../telemetry/time.ts";
import { type Ingress, type IngressSpan, ingressOf } from "./ingress.ts";
import { type Contents, contentsOf } from "./reconcile-contents.ts";
import type { Reason } from "./reconcile-reason.ts";
import { reasonsFor } from "./reconcile-reasons.ts";
import { isOutside, type SortedRow, sortedRows } from "./reconcile-rows.ts";
import { type Compared, type Totals, totalsOf } from "./reconcile-totals.ts";

const HOUR = 60 * TICKS_PER_MINUTE;

export interface Hour extends Totals {
  readonly window: string;
}

/** More of one side than this must not be left aside by a verdict. */
const MOST_UNCOMPARED = 0.2;
/** A ratio known this badly, in tolerances, does not show that the totals agree. */
const WIDEST_HALF = 4;

/** What lies in the windows and is not compared. */
export interface Uncompared {
  /** Selected rows without probes in intervals that the metric does not have. */
  readonly rows: number;
  readonly weighted: number;
  /** Of all such rows, by weight; null without a row. */
  readonly weightedShare: number | null;
  /** What the ingress counted where no row could be. */
  readonly ingress: number;
  readonly ingressShare: number | null;
  /** Too much for a verdict. */
  readonly isTooMuch: boolean;
}

export interface Reconciliation {
  readonly tolerance: number;
  readonly verdict: "within" | "outside" | "unknown";
  readonly metric: {
    readonly points: number;
    readonly copies: number;
    readonly coarser: number;
    /** Null without a point. */
    readonly from: number | null;
    readonly to: number | null;
    readonly intervalMinutes: number | null;
    readonly total: number;
    /** Of the total, what lies in the windows but before the first or after the last row: not compared. */
    readonly beforeRows: number;
    readonly afterRows: number;
    /** Why the files cannot be put together; null where they can. */
    readonly unclear: string | null;
  };
  readonly uncompared: Uncompared;
  /** Null where rows and metric have no time in common. */
  readonly total: Totals | null;
  /** One a window; empty where there is only one. */
  readonly periods: readonly (Totals & { readonly name: string })[];
  readonly hours: readonly Hour[];
  /** How many of the metric's intervals are compared. */
  readonly intervals: number;
  /** The sampling error of a ratio is too large to say that the totals agree. */
  readonly isBlurred: boolean;
  /** Tested only where the total or a period lies outside. */
  readonly reasons: readonly Reason[];
  readonly contents: Contents;
}

/** The metric's points that lie wholly inside a window. */
export function wholePoints<T extends MetricPoint>(points: readonly T[], window: Window): T[] {
  return points.filter(({ ticks, interval }) => contains(window, ticks) && ticks + interval <= window.to);
}

/**
 * Σw of user requests against the metric, from the metric's first interval in a window to its last one; null
 * where the metric has none, or its files contradict each other.
 */
export function userTotals(
  fleet: Fleet,
  metrics: readonly MetricPoint[],
  window: Window,
): { readonly weighted: number | null; readonly ingress: number | null } {
  const { spans } = ingressOf(wholePoints(metrics, window));
  const first = spans[0];
  const last = spans[spans.length - 1];
  if (first === undefined || last === undefined) return { weighted: null, ingress: null };
  const { from } = first;
  const { to } = last;
  const ingress = spans.reduce((sum, { total }) => sum + total, 0);
  let weighted = 0;
  for (const row of fleet.userRows) {
    const start = fleet.table.start(row);
    if (start >= from && start < to) weighted += fleet.table.weight(row);
  }
  return { weighted, ingress };
}

/**
 * Compares the weighted rows with the ingress metric over the time that both cover.
 *
 * @param tolerance share by which the ratio may differ from 1
 * @param files how many inputs hold metrics
 */
export function reconcile(
  fleet: Fleet,
  detail: Detail,
  metrics: readonly MetricPoint[],
  options: { readonly tolerance: number; readonly files: number },
): Reconciliation {
  const { tolerance, files } = options;
  const ingress = ingressOf(metrics);
  const rows = sortedRows(fleet, detail, ingress.spans);
  const extent = extentOf(fleet, rows);
  const compared = comparedSpans(fleet, ingress, rows, extent);
  const total = totalsOf(compared, tolerance);
  const { windows } = fleet.settings;
  const periods =
    windows.length < 2
      ? []
      : windows.flatMap(({ name }, index) => {
          const own = totalsOf(
            compared.filter(({ window }) => window === index),
            tolerance,
          );
          return own === null ? [] : [{ name, ...own }];
        });
  const uncompared = uncomparedOf(fleet, ingress, rows, compared);
  const verdict = verdictOf([total, ...periods], tolerance, uncompared);
  const isOff = [total, ...periods].some((one) => one?.isWithin === false);
  return {
    tolerance,
    verdict,
    metric: metricFacts(fleet, ingress, extent),
    uncompared,
    total,
    periods,
    intervals: compared.length,
    isBlurred: [total, ...periods].some((one) => one !== null && !isSharp(one, tolerance)),
    hours: hoursOf(fleet, compared, tolerance),
    reasons:
      isOff && total !== null ? reasonsFor({ fleet, rows, compared, ingress, total, tolerance, files }) : [],
    contents: contentsOf(fleet, detail, rows),
  };
}

type Extent = { readonly from: number; readonly to: number } | null;

/** The first and the last row's start, whatever their role. */
function extentOf(fleet: Fleet, rows: readonly SortedRow[]): Extent {
  if (rows.length === 0) return null;
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { row } of rows) {
    const start = fleet.table.start(row);
    from = Math.min(from, start);
    to = Math.max(to, start);
  }
  return { from, to };
}

/**
 * The metric's intervals that lie wholly in a window and that the rows cover: a window's own bound says
 * how far the rows go; where it is open, the first and the last row do.
 */
function comparedSpans(
  fleet: Fleet,
  { spans }: Ingress,
  rows: readonly SortedRow[],
  extent: Extent,
): Compared[] {
  if (extent === null) return [];
  const inSpan = new Map<number, { rows: SortedRow[]; any: number }>();
  for (const row of rows) {
    if (row.span === -1) continue;
    const known = inSpan.get(row.span) ?? { rows: [], any: 0 };
    inSpan.set(row.span, known);
    known.any++;
    if (row.isSelected && !row.isDuplicate) known.rows.push(row);
  }
  return spans.flatMap((span, index) => {
    const window = fleet.settings.windows.findIndex((one) => span.from >= one.from && span.to <= one.to);
    if (window === -1) return [];
    const { from, to } = fleet.settings.windows[window]!;
    if (!Number.isFinite(from) && span.to <= extent.from) return [];
    if (!Number.isFinite(to) && span.from > extent.to) return [];
    const own = inSpan.get(index);
    return [{ span, index, window, rows: own?.rows ?? [], anyRows: own?.any ?? 0 }];
  });
}

function metricFacts(fleet: Fleet, ingress: Ingress, extent: Extent): Reconciliation["metric"] {
  const { spans } = ingress;
  const first = spans[0];
  const last = spans[spans.length - 1];
  const inWindows = spans.filter((span) =>
    fleet.settings.windows.some((window) => span.from >= window.from && span.to <= window.to),
  );
  const sum = (some: readonly IngressSpan[]): number => some.reduce((all, { total }) => all + total, 0);
  return {
    points: ingress.points,
    copies: ingress.copies,
    coarser: ingress.coarser,
    unclear: ingress.unclear,
    from: first?.from ?? null,
    to: last?.to ?? null,
    intervalMinutes: first === undefined ? null : (first.to - first.from) / TICKS_PER_MINUTE,
    total: sum(spans),
    beforeRows: extent === null ? 0 : sum(inWindows.filter(({ to }) => to <= extent.from)),
    afterRows: extent === null ? 0 : sum(inWindows.filter(({ from }) => from > extent.to)),
  };
}

function hoursOf(fleet: Fleet, compared: readonly Compared[], tolerance: number): Hour[] {
  const hours = new Map<string, Compared[]>();
  for (const one of compared) {
    const key = `${one.window} ${Math.floor(one.span.from / HOUR)}`;
    const known = hours.get(key);
    if (known === undefined) hours.set(key, [one]);
    else known.push(one);
  }
  return [...hours.values()].map((own) => ({
    window: fleet.settings.windows[own[0]!.window]!.name,
    ...totalsOf(own, tolerance)!,
  }));
}

function uncomparedOf(
  fleet: Fleet,
  { spans }: Ingress,
  rows: readonly SortedRow[],
  compared: readonly Compared[],
): Uncompared {
  const taken = new Set(compared.map(({ index }) => index));
  const [all, left] = [new Sum(), new Sum()];
  let count = 0;
  for (const row of rows) {
    if (row.window === -1 || !row.isSelected || row.isDuplicate || !isOutside(row)) continue;
    all.add(row.weight);
    if (taken.has(row.span)) continue;
    count++;
    left.add(row.weight);
  }
  let [counted, missed] = [0, 0];
  for (const [index, { from, to, total }] of spans.entries()) {
    if (!fleet.settings.windows.some((window) => from >= window.from && to <= window.to)) continue;
    counted += total;
    if (!taken.has(index)) missed += total;
  }
  const weightedShare = all.value > 0 ? left.value / all.value : null;
  const ingressShare = counted > 0 ? missed / counted : null;
  return {
    rows: count,
    weighted: left.value,
    weightedShare,
    ingress: missed,
    ingressShare,
    isTooMuch: Math.max(weightedShare ?? 0, ingressShare ?? 0) > MOST_UNCOMPARED,
  };
}

function verdictOf(
  totals: readonly (Totals | null)[],
  tolerance: number,
  { isTooMuch }: Uncompared,
): Reconciliation["verdict"] {
  if (isTooMuch) return "unknown";
  if (totals.some((total) => total?.isWithin === false)) return "outside";
  const areSharp = totals.every((total) => total === null || isSharp(total, tolerance));
  return totals[0]?.isWithin === true && areSharp ? "within" : "unknown";
}

/** Whether the sampling lets the ratio be known well enough to say that the totals agree. */
function isSharp({ ratio, ratioCi95: [, high] }: Totals, tolerance: number): boolean {
  return ratio === null || high === null || high - ratio <= WIDEST_HALF * tolerance + 1e-12;
}
