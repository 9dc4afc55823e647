import { type Cohort, cohortsOf } from "../fleet/cohort.ts";
import type { Fleet } from "../fleet/fleet.ts";
import { type Interval, wilson } from "../stats/intervals.ts";
import type { Detail } from "../telemetry/detail.ts";
import { ticksOfMs } from "../telemetry/time.ts";
import { type Contention, contentionOf } from "./anatomy-contention.ts";
import {
  type LaterAnatomy,
  type LaterBasis,
  type LaterChoice,
  LaterRequests,
  laterAnatomy,
} from "./anatomy-later.ts";
import { type FirstParts, firstParts } from "./anatomy-parts.ts";
import { shareOf } from "./first.ts";
import { isInProcess, type NoParts, OutboundCalls, type RequestParts } from "./outbound.ts";
import { walkArrivals } from "./walk.ts";

/** Why first requests have no parts; the reasons add up to those without calls. */
export interface WithoutCalls {
  readonly noOperation: number;
  readonly inProcessOnly: number;
  readonly noCallInside: number;
  /** No dependency row at all, and the request lies outside the time that the dependency rows cover. */
  readonly outsideDependencies: number;
  /** No dependency row at all, though other requests of its route have calls: dropped, or none was made. */
  readonly routeCalls: number;
  /** No dependency row at all, as no request of its route: none made, or not instrumented. */
  readonly routeSilent: number;
}

export interface FirstAnatomy {
  readonly n: number;
  readonly withCalls: { readonly count: number; readonly share: number | null; readonly ci95: Interval };
  readonly without: WithoutCalls;
  /** First requests with calls that ran beside another request of their operation. */
  readonly shared: number;
  /** Calls that were still under way when their first request ended. */
  readonly unfinishedCalls: number;
  readonly p50Calls: number | null;
  /** Of the first requests with calls. */
  readonly parts: FirstParts;
}

export interface RouteAnatomy {
  readonly route: string;
  readonly basis: LaterBasis;
  readonly first: FirstAnatomy;
  readonly later: LaterAnatomy;
}

export interface CohortAnatomy {
  readonly name: "all" | "before" | "after";
  /** Ticks; infinite where the window is open. */
  readonly from: number;
  readonly to: number;
  readonly first: FirstAnatomy;
  /** Later requests of the routes that first requests took. */
  readonly later: LaterAnatomy;
  /** Routes by how many first requests took them. */
  readonly routes: readonly RouteAnatomy[];
  /** Null without system logs. */
  readonly contention: Contention | null;
}

export interface Anatomy {
  /** Null where the input holds no such table. */
  readonly dependencies: {
    readonly rows: number;
    readonly inProcess: number;
    readonly noOperation: number;
    /** Rows that equal another one in time, duration, operation, parent, name, target and process. */
    readonly repeated: number;
    readonly from: number | null;
    readonly to: number | null;
  } | null;
  readonly cohorts: readonly CohortAnatomy[];
}

interface First {
  readonly row: number;
  readonly route: string;
  readonly parts: RequestParts | NoParts;
}

/**
 * Where the time of first requests goes, against later requests of the same routes.
 *
 * @param seed of the bootstrap for the differences by contention
 */
export function anatomy(fleet: Fleet, detail: Detail, seed: number): Anatomy {
  const outbound = new OutboundCalls(fleet, detail);
  const dependencies = dependencyFacts(detail);
  return {
    dependencies,
    cohorts: cohortsOf(fleet).map((cohort) =>
      cohortAnatomy(fleet, detail, cohort, outbound, dependencies, seed),
    ),
  };
}

function dependencyFacts(detail: Detail): Anatomy["dependencies"] {
  if (!detail.tables.has("dependencies")) return null;
  const seen = new Set<string>();
  let [inProcess, noOperation, from, to] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const row of detail.dependencies) {
    if (isInProcess(row.type)) inProcess++;
    if (row.operationId === "") noOperation++;
    from = Math.min(from, row.ticks);
    to = Math.max(to, row.ticks);
    const { ticks, durationMs, operationId, parentId, name, target, role, instance } = row;
    seen.add(JSON.stringify([ticks, durationMs, operationId, parentId, name, target, role, instance]));
  }
  const rows = detail.dependencies.length;
  return {
    rows,
    inProcess,
    noOperation,
    repeated: rows - seen.size,
    from: rows === 0 ? null : from,
    to: rows === 0 ? null : to,
  };
}

function cohortAnatomy(
  fleet: Fleet,
  detail: Detail,
  cohort: Cohort,
  outbound: OutboundCalls,
  dependencies: Anatomy["dependencies"],
  seed: number,
): CohortAnatomy {
  const { table } = fleet;
  const routeOf = (row: number): string => detail.requests.get(row)?.name ?? "";
  const firsts: First[] = cohort.instances.map(({ life }) => {
    const row = life.users[0]!;
    return { row, route: routeOf(row), parts: outbound.of(row) };
  });
  const routes = new Map<string, First[]>();
  for (const first of firsts) {
    const known = routes.get(first.route);
    if (known === undefined) routes.set(first.route, [first]);
    else known.push(first);
  }
  const laters = new Map([...routes.keys()].map((route) => [route, new LaterRequests()]));
  for (const { life } of cohort.instances) {
    walkArrivals(table, life.users, ({ rank, isEarly, isOverlapping, weight }) => {
      if (rank === 1) return;
      const row = life.users[rank - 1]!;
      laters.get(routeOf(row))?.add(outbound.of(row), weight, { isLate: !isEarly, isOverlapping });
    });
  }
  const isCovered = (row: number): boolean => {
    if (dependencies === null || dependencies.from === null) return false;
    const start = table.start(row);
    return start <= dependencies.to! && start + ticksOfMs(table.duration(row)) >= dependencies.from;
  };
  const described = [...routes].map(([route, requests]): RouteAnatomy & { readonly chosen: LaterChoice } => {
    const later = laters.get(route)!;
    const chosen = later.chosen();
    const hasCalls = later.hasCalls || requests.some(({ parts }) => typeof parts !== "string");
    return {
      route,
      basis: chosen.basis,
      first: firstAnatomy(requests, () => hasCalls, isCovered),
      later: laterAnatomy([chosen]),
      chosen,
    };
  });
  const callingRoutes = new Set(
    described
      .filter(({ first, later }) => first.withCalls.count + later.withCalls > 0)
      .map(({ route }) => route),
  );
  return {
    name: cohort.window.name,
    from: cohort.window.from,
    to: cohort.window.to,
    first: firstAnatomy(firsts, (route) => callingRoutes.has(route), isCovered),
    later: laterAnatomy(described.map(({ chosen }) => chosen)),
    routes: described
      .map(({ chosen: _chosen, ...route }) => route)
      .sort((a, b) => b.first.n - a.first.n || (a.route < b.route ? -1 : 1)),
    contention: contentionOf(fleet, cohort, firsts, seed),
  };
}

function firstAnatomy(
  requests: readonly First[],
  routeHasCalls: (route: string) => boolean,
  isCovered: (row: number) => boolean,
): FirstAnatomy {
  const withCalls: RequestParts[] = [];
  const without = {
    noOperation: 0,
    inProcessOnly: 0,
    noCallInside: 0,
    outsideDependencies: 0,
    routeCalls: 0,
    routeSilent: 0,
  };
  for (const { row, route, parts } of requests) {
    if (typeof parts !== "string") withCalls.push(parts);
    else if (parts !== "noRows") without[parts]++;
    else if (!isCovered(row)) without.outsideDependencies++;
    else without[routeHasCalls(route) ? "routeCalls" : "routeSilent"]++;
  }
  const n = requests.length;
  const count = withCalls.length;
  const calls = withCalls.map((parts) => parts.calls).sort((a, b) => a - b);
  return {
    n,
    withCalls: { count, share: shareOf(count, n), ci95: wilson(count, n) },
    without,
    shared: withCalls.filter(({ isShared }) => isShared).length,
    unfinishedCalls: withCalls.reduce((sum, { unfinished }) => sum + unfinished, 0),
    p50Calls: count === 0 ? null : calls[Math.ceil(count / 2) - 1]!,
    parts: firstParts(withCalls),
  };
}
