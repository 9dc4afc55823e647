import type { Fleet } from "../fleet/fleet.ts";
import type { DependencyRow, Detail } from "../telemetry/detail.ts";
import { TICKS_PER_MS } from "../telemetry/time.ts";
import { type WarmedPattern, warmedLine } from "./leak-line.ts";
import { type Candidate, matchesRoute, type RouteMatch } from "./leak-requests.ts";
import type { LeakStart, LeakStarts } from "./leak-starts.ts";

/** Outbound calls and traces that belong to a warm-up, by operation or by time. */
export interface OperationFigures {
  /** Under the operations of the rows that are not proven to be of callers from outside. */
  readonly sameOperation: { readonly dependencies: number; readonly traces: number; readonly starts: number };
  /** Begun while the warm-up ran, as its line tells. */
  readonly during: {
    /** Starts whose line gives the duration, so that this can be told. */
    readonly starts: number;
    /** Calls as the path itself makes them elsewhere in the data. */
    readonly asRoute: number;
    readonly asRouteStarts: number;
    /** Calls that the path is not known to make, and no request from outside made. */
    readonly other: number;
    readonly otherStarts: number;
    /** Traces with an operation id that is not of a request from outside. */
    readonly traces: number;
  };
  /** Begun before the line, but before the warm-up or at a time that cannot be told. */
  readonly earlier: number;
  /** Of these: calls as the path makes them, and no request from outside made. */
  readonly earlierAsRoute: number;
  /** Calls of other kinds, and traces of an operation, before a line that does not tell when the warm-up began. */
  readonly undated: number;
  /** Calls since the deployment as the path makes them (of every kind, where none is known), without a known instance. */
  readonly stray: number;
  /** Different calls that the path is known to make, by type, target and name. */
  readonly knownCalls: number;
}

export function operationFigures(
  starts: LeakStarts,
  candidates: readonly Candidate[],
  fleet: Fleet,
  detail: Detail,
  match: RouteMatch,
  pattern: WarmedPattern,
): OperationFigures {
  const suspects = new Map<string, LeakStart>();
  for (const { row, start, place } of candidates) {
    const operation = detail.requests.get(row)?.operationId ?? "";
    if (operation !== "" && place !== "outside") suspects.set(operation, start);
  }
  const known = callsOfRoute(detail, match);
  const explained = outsideOperations(fleet, detail, suspects);
  const since = new Set(starts.since);
  const owners = { same: new Set<LeakStart>(), asRoute: new Set<LeakStart>(), other: new Set<LeakStart>() };
  const counts = { dependencies: 0, traces: 0, asRoute: 0, other: 0, duringTraces: 0 };
  const before = { calls: 0, asRoute: 0, undated: 0, stray: 0 };

  for (const call of detail.dependencies) {
    const suspect = suspects.get(call.operationId);
    if (suspect !== undefined) {
      counts.dependencies++;
      owners.same.add(suspect);
      continue;
    }
    const isKnown = known.has(signature(call));
    const isExplained = explained(call);
    if (!isExplained && (isKnown || known.size === 0) && starts.isStray(call)) before.stray++;
    const when = placeInWarmUp(starts, since, call);
    if (when === null) continue;
    if (when.place !== "during") {
      before.calls++;
      if (isExplained) continue;
      if (isKnown) before.asRoute++;
      else if (when.place === "undated") before.undated++;
    } else if (isKnown) {
      counts.asRoute++;
      owners.asRoute.add(when.start);
    } else if (!isExplained) {
      counts.other++;
      owners.other.add(when.start);
    }
  }
  for (const trace of detail.traces) {
    if (trace.operationId === "" || warmedLine(trace, pattern) !== null) continue;
    const suspect = suspects.get(trace.operationId);
    if (suspect !== undefined) {
      counts.traces++;
      owners.same.add(suspect);
      continue;
    }
    if (explained(trace)) continue;
    const place = placeInWarmUp(starts, since, trace)?.place;
    if (place === "during") counts.duringTraces++;
    else if (place === "undated") before.undated++;
  }
  return {
    sameOperation: {
      dependencies: counts.dependencies,
      traces: counts.traces,
      starts: owners.same.size,
    },
    during: {
      starts: starts.since.filter(({ warmUp }) => warmUp?.ran === true && warmUp.begin !== null).length,
      asRoute: counts.asRoute,
      asRouteStarts: owners.asRoute.size,
      other: counts.other,
      otherStarts: owners.other.size,
      traces: counts.duringTraces,
    },
    earlier: before.calls,
    earlierAsRoute: before.asRoute,
    undated: before.undated,
    stray: before.stray,
    knownCalls: known.size,
  };
}

/** The line's milliseconds are rounded: what begins up to one earlier still counts as during. */
const ROUNDING = TICKS_PER_MS;

interface Placed {
  readonly role: string;
  readonly instance: string;
  readonly ticks: number;
}

/** Null for rows of other periods, of starts without a line, and after it. */
function placeInWarmUp(
  starts: LeakStarts,
  since: ReadonlySet<LeakStart>,
  { role, instance, ticks }: Placed,
): { place: "during" | "earlier" | "undated"; start: LeakStart } | null {
  if (instance === "") return null;
  const start = starts.find(role, instance, ticks);
  if (start === undefined || start.warmUp === null || !since.has(start)) return null;
  const { begin, end, ran } = start.warmUp;
  if (ticks >= end) return null;
  if (!ran) return { place: "earlier", start };
  if (begin === null) return { place: "undated", start };
  return { place: ticks >= begin - ROUNDING ? "during" : "earlier", start };
}

/**
 * Tells calls and traces under the operation of a request row of the same instance that is not a suspect.
 * The same operation in another instance explains nothing: a leaked trace goes on into the services called.
 */
function outsideOperations(
  { table }: Fleet,
  detail: Detail,
  suspects: ReadonlyMap<string, LeakStart>,
): (row: Placed & { readonly operationId: string }) => boolean {
  const instances = new Map<string, Set<string>>();
  for (const [row, { operationId }] of detail.requests) {
    if (operationId === "" || suspects.has(operationId)) continue;
    const { instance } = table.identities[table.identity(row)]!;
    const known = instances.get(operationId);
    if (known === undefined) instances.set(operationId, new Set([instance]));
    else known.add(instance);
  }
  return ({ operationId, instance }) => {
    const known = instances.get(operationId);
    return known !== undefined && (instance === "" || known.has(instance));
  };
}

function signature({ type, target, name }: DependencyRow): string {
  return `${type}\u0000${target}\u0000${name}`.toLowerCase();
}

/** The calls under the operations of any row with the path. */
function callsOfRoute(detail: Detail, match: RouteMatch): ReadonlySet<string> {
  const operations = new Set<string>();
  for (const request of detail.requests.values()) {
    if (request.operationId !== "" && matchesRoute(request, match)) operations.add(request.operationId);
  }
  const calls = new Set<string>();
  for (const call of detail.dependencies) {
    if (operations.has(call.operationId)) calls.add(signature(call));
  }
  return calls;
}
