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
    /** Calls that the path is not known to make. */
    readonly other: number;
    readonly otherStarts: number;
    /** Traces with an operation id. */
    readonly traces: number;
  };
  /** Begun before the line, but before the warm-up or at a time that cannot be told. */
  readonly earlier: number;
  /** Different calls that the path is known to make, by type, target and name. */
  readonly knownCalls: number;
}

export function operationFigures(
  starts: LeakStarts,
  candidates: readonly Candidate[],
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
  const since = new Set(starts.since);
  const owners = { same: new Set<LeakStart>(), asRoute: new Set<LeakStart>(), other: new Set<LeakStart>() };
  const counts = { dependencies: 0, traces: 0, asRoute: 0, other: 0, duringTraces: 0, earlier: 0 };

  for (const call of detail.dependencies) {
    const suspect = suspects.get(call.operationId);
    if (suspect !== undefined) {
      counts.dependencies++;
      owners.same.add(suspect);
      continue;
    }
    const when = placeInWarmUp(starts, since, call);
    if (when === null) continue;
    if (when.place === "earlier") counts.earlier++;
    else if (known.has(signature(call))) {
      counts.asRoute++;
      owners.asRoute.add(when.start);
    } else {
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
    } else if (placeInWarmUp(starts, since, trace)?.place === "during") counts.duringTraces++;
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
    earlier: counts.earlier,
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
): { place: "during" | "earlier"; start: LeakStart } | null {
  if (instance === "") return null;
  const start = starts.find(role, instance, ticks);
  if (start === undefined || start.warmUp === null || !since.has(start)) return null;
  const { begin, end, ran } = start.warmUp;
  if (ticks >= end) return null;
  return { place: ran && begin !== null && ticks >= begin - ROUNDING ? "during" : "earlier", start };
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
