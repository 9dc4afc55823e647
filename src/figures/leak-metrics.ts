import type { Fleet } from "../fleet/fleet.ts";
import { fisherGreater } from "../stats/fisher.ts";
import type { Detail, MetricRow } from "../telemetry/detail.ts";
import { foldPath } from "../telemetry/path.ts";
import { RowClass } from "../telemetry/table.ts";
import { matchesRoute, type RouteMatch } from "./leak-requests.ts";
import type { LeakStart, LeakStarts } from "./leak-starts.ts";

/** Metrics that count requests in the process, whether or not their traces are kept. */
export const REQUEST_METRICS = ["http.server.request.duration", "requests/duration"] as const;

/** What a metric counts in the starts of one period against what their rows explain. */
export interface SurplusFigures {
  /** Starts with a value of the metric. */
  readonly starts: number;
  readonly counted: number;
  /** Σ of the weights of the rows that the metric should have counted. */
  readonly explained: number;
  readonly surplusPerStart: number | null;
  /** Starts with at least one request more than the rows explain, beyond three standard errors of sampling. */
  readonly withSurplus: number;
  /** Starts in which the metric counts fewer than the rows explain: a surplus could hide there. */
  readonly withDeficit: number;
  /** All starts together have more requests than their rows explain, beyond three standard errors. */
  readonly beyondError: boolean;
}

export interface MetricFigures {
  readonly name: string;
  /** `route`: only the values whose dimension `http.route` is one of the paths. `all`: every request. */
  readonly scope: "route" | "all";
  readonly since: SurplusFigures;
  readonly before: SurplusFigures | null;
  /** Fisher's exact test, one-sided, of the starts with a surplus; null without starts before. */
  readonly p: number | null;
  /** Values that name no instance, or no count. */
  readonly unusable: number;
  /** Requests since the deployment that values without a known instance count. */
  readonly strayCount: number;
}

/** The metrics that the data holds. */
export function metricFigures(
  fleet: Fleet,
  detail: Detail,
  starts: LeakStarts,
  match: RouteMatch,
): MetricFigures[] {
  const end = lastRow(fleet);
  return REQUEST_METRICS.flatMap((name) => {
    const all = detail.metrics.filter((row) => row.name === name);
    if (all.length === 0) return [];
    const ofRoute = all.filter((row) => hasRoute(row, match));
    const scope = ofRoute.length > 0 ? "route" : "all";
    const counted = new Map<LeakStart, number>();
    let unusable = 0;
    let strayCount = 0;
    for (const row of scope === "route" ? ofRoute : all) {
      const instance = row.instance || text(row, "cloud/roleinstance");
      if (row.count !== null && row.ticks <= end && starts.isStray({ ...row, instance })) {
        strayCount += row.count;
      }
      if (instance === "" || row.count === null) {
        unusable++;
        continue;
      }
      // An export after the last row may count requests whose rows are not in the data.
      if (row.ticks > end) continue;
      const start = starts.find(row.role, instance, row.ticks);
      if (start !== undefined) counted.set(start, (counted.get(start) ?? 0) + row.count);
    }
    const surplus = (some: readonly LeakStart[]): SurplusFigures =>
      surplusOf(some, counted, (start) =>
        explainedBy(start, fleet, detail, scope === "route" ? match : null),
      );
    const since = surplus(starts.since);
    const before = starts.before === null ? null : surplus(starts.before);
    const p =
      before === null || before.starts === 0
        ? null
        : fisherGreater(since.withSurplus, since.starts, before.withSurplus, before.starts);
    return [{ name, scope, since, before, p, unusable, strayCount } as const];
  });
}

function lastRow(fleet: Fleet): number {
  let last = Number.NEGATIVE_INFINITY;
  fleet.table.forEach((row) => {
    if (fleet.table.start(row) > last) last = fleet.table.start(row);
  });
  return last;
}

function text(row: MetricRow, key: string): string {
  const value = row.dimensions.get(key);
  return typeof value === "string" ? value : "";
}

/** ASP.NET Core writes its routes without the leading slash. */
function hasRoute(row: MetricRow, match: RouteMatch): boolean {
  const route = text(row, "http.route");
  if (route === "" || !match.paths.has(foldPath(route.startsWith("/") ? route : `/${route}`))) return false;
  const method = text(row, "http.request.method").toUpperCase();
  return match.method === null || method === "" || method === match.method;
}

interface Explained {
  readonly weight: number;
  /** Of the estimate, each row having been kept with the chance 1/weight: Σ w (w − 1). */
  readonly variance: number;
}

/** The HTTP requests of a start, or those of the path; upgrades are of kind other, but they are counted. */
function explainedBy(start: LeakStart, fleet: Fleet, detail: Detail, match: RouteMatch | null): Explained {
  let weight = 0;
  let variance = 0;
  for (const row of start.life?.rows ?? []) {
    const request = detail.requests.get(row);
    const rowClass = fleet.table.rowClass(row);
    const isHttp =
      rowClass === RowClass.user ||
      rowClass === RowClass.probe ||
      rowClass === RowClass.synthetic ||
      request?.resultCode === "101";
    if (match === null ? !isHttp : !matchesRoute(request, match)) continue;
    const w = fleet.table.weight(row);
    weight += w;
    variance += w * (w - 1);
  }
  return { weight, variance };
}

function surplusOf(
  starts: readonly LeakStart[],
  counted: ReadonlyMap<LeakStart, number>,
  explain: (start: LeakStart) => Explained,
): SurplusFigures {
  const total = { starts: 0, counted: 0, explained: 0, withSurplus: 0, withDeficit: 0 };
  let allVariance = 0;
  for (const start of starts) {
    const count = counted.get(start);
    if (count === undefined) continue;
    const { weight, variance } = explain(start);
    const surplus = count - weight;
    const noise = 3 * Math.sqrt(variance);
    total.starts++;
    total.counted += count;
    total.explained += weight;
    allVariance += variance;
    if (surplus > noise + 0.5) total.withSurplus++;
    if (surplus < -noise - 0.5) total.withDeficit++;
  }
  const { starts: n } = total;
  const surplus = total.counted - total.explained;
  return {
    ...total,
    surplusPerStart: n === 0 ? null : surplus / n,
    beyondError: surplus > 3 * Math.sqrt(allVariance) + 0.5,
  };
}
