import type { Fleet } from "../fleet/fleet.ts";
import type { Window } from "../fleet/settings.ts";
import { type Interval, quantileInterval } from "../stats/intervals.ts";
import { quantileSorted } from "../stats/quantile.ts";
import type { Detail } from "../telemetry/detail.ts";
import type { WarmedPattern } from "./leak-line.ts";
import { type MetricFigures, metricFigures } from "./leak-metrics.ts";
import { type OperationFigures, operationFigures } from "./leak-operations.ts";
import {
  type Baseline,
  baselineOf,
  type Candidate,
  matchesRoute,
  type RequestFigures,
  type RouteMatch,
  requestFigures,
  rowsOfStart,
} from "./leak-requests.ts";
import { type LeakStart, type LeakStarts, leakStarts } from "./leak-starts.ts";
import { type ZeroFigures, zeroFigures } from "./leak-zero.ts";

/** What is asked. */
export interface LeakQuestion {
  readonly match: RouteMatch;
  readonly since: Window;
  /** Null where the data has no time before the deployment. */
  readonly before: Window | null;
  readonly warmed: WarmedPattern;
  /** Share of rows kept, in place of the observed one. */
  readonly rateAssumed: number | null;
}

/** Which starts logged their warm-up, and what came of it. */
export interface WarmUpFigures {
  /** Starts since the deployment that left a row or a line. */
  readonly starts: number;
  readonly logged: number;
  /** Of the logged ones: a request was sent. */
  readonly ran: number;
  /** A line says that a request to an asked path succeeded. */
  readonly succeeded: number;
  /** Starts in whose time the input holds request rows. */
  readonly covered: number;
  /** Starts by the line's outcome; the empty name where it has none. */
  readonly outcomes: readonly { readonly outcome: string; readonly starts: number }[];
  readonly p50Ms: number | null;
  readonly p50Ci95Ms: Interval;
  /** Lines with a duration. */
  readonly timed: number;
  /** Paths that the lines name, folded. */
  readonly paths: readonly string[];
  readonly linesWithoutInstance: number;
}

/** Everything that is known about a warm-up's traces in the telemetry. */
export interface LeakFigures {
  readonly warmUp: WarmUpFigures;
  readonly requests: {
    readonly since: RequestFigures;
    readonly before: RequestFigures | null;
    readonly baseline: Baseline | null;
    /** User requests of other paths that begin before the line of their start. */
    readonly othersBeforeLine: number;
    /** Rows of the path without an instance, in the period. */
    readonly withoutInstance: number;
    /** Rows in the period whose path nothing tells. */
    readonly withoutPath: number;
  };
  /** Null where the input holds neither dependencies nor traces. */
  readonly operations: OperationFigures | null;
  readonly metrics: readonly MetricFigures[];
  readonly zero: ZeroFigures;
  readonly starts: {
    readonly birthUnknown: number;
    readonly idle: number | null;
    /** Starts with a refusal, and with one that cannot be used because containers share the replica. */
    readonly refused: number;
    readonly sharedPort: number;
  };
  readonly held: {
    readonly requests: boolean;
    readonly dependencies: boolean;
    readonly traces: boolean;
    readonly metrics: boolean;
    readonly systemLog: boolean;
  };
  /** One row a start that is not proven to be of a caller from outside, the proven leaks first. */
  readonly examples: readonly Candidate[];
}

const EXAMPLES = 10;

/** Looks for what a warm-up request left behind. */
export function leakFigures(fleet: Fleet, detail: Detail, question: LeakQuestion): LeakFigures {
  const { match } = question;
  const starts = leakStarts(fleet, detail, question, question.warmed);
  const rowsOf = (some: readonly LeakStart[]) =>
    some.flatMap((start) => rowsOfStart(start, fleet, detail, match) ?? []);
  const sinceRows = rowsOf(starts.since);
  const since = requestFigures(sinceRows, fleet);
  const before = starts.before === null ? null : requestFigures(rowsOf(starts.before), fleet);
  const candidates = sinceRows.flatMap((some) => some.candidates);
  const holdsOperations = detail.tables.has("dependencies") || detail.tables.has("traces");
  const isCovered = coverage(fleet);
  const warmUp = warmUpFigures(starts, match, isCovered);
  return {
    warmUp,
    requests: {
      since,
      before,
      baseline: baselineOf(since, before, sinceRows),
      othersBeforeLine: sinceRows.reduce((sum, { othersBeforeLine }) => sum + othersBeforeLine, 0),
      ...looseRows(fleet, detail, question),
    },
    operations: holdsOperations
      ? operationFigures(starts, candidates, fleet, detail, match, question.warmed)
      : null,
    metrics: metricFigures(fleet, detail, starts, match),
    zero: zeroFigures(
      starts.since.filter((start) => isCovered(start) && succeeded(start, match)).length,
      sinceRows.map(({ firstWeight }) => firstWeight),
      question.rateAssumed,
    ),
    starts: {
      birthUnknown: starts.birthUnknown,
      idle: starts.idle,
      refused: starts.since.filter(({ closedUntil }) => closedUntil !== null).length,
      sharedPort: starts.since.filter(({ sharedPort }) => sharedPort).length,
    },
    held: {
      requests: fleet.table.length > 0,
      dependencies: detail.tables.has("dependencies"),
      traces: detail.tables.has("traces"),
      metrics: detail.tables.has("metrics"),
      systemLog: fleet.events !== null,
    },
    examples: examplesOf(
      sinceRows.map((some) => some.candidates),
      fleet,
    ),
  };
}

/** The row of each start that says most, the proven ones first, then by time. */
function examplesOf(starts: readonly (readonly Candidate[])[], { table }: Fleet): Candidate[] {
  const rank = ({ place }: Candidate): number => (place === "inside" ? 0 : 1);
  return starts
    .flatMap((some) => {
      const open = some.filter(({ place }) => place !== "outside");
      return open.sort((a, b) => rank(a) - rank(b) || table.start(a.row) - table.start(b.row)).slice(0, 1);
    })
    .sort((a, b) => rank(a) - rank(b) || table.start(a.row) - table.start(b.row))
    .slice(0, EXAMPLES);
}

/** Whether a line says that a request to one of the paths succeeded. */
function succeeded({ warmUp }: LeakStart, { paths }: RouteMatch): boolean {
  return warmUp?.warmedPaths.some((path) => paths.has(path)) ?? false;
}

/** A start is covered by rows of its own, or where it lies between the first and the last row of its role. */
function coverage({ table, settings }: Fleet): (start: LeakStart) => boolean {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  table.forEach((row) => {
    const { role } = table.identities[table.identity(row)]!;
    if (settings.role !== null && role !== settings.role) return;
    first = Math.min(first, table.start(row));
    last = Math.max(last, table.start(row));
  });
  return ({ life, at, warmUp }) =>
    (life !== null && life.rows.length > 0) || (at >= first && (warmUp?.end ?? at) <= last);
}

function warmUpFigures(
  { since: starts, linesWithoutInstance }: LeakStarts,
  match: RouteMatch,
  isCovered: (start: LeakStart) => boolean,
): WarmUpFigures {
  const logged = starts.flatMap(({ warmUp }) => (warmUp === null ? [] : [warmUp]));
  const outcomes = new Map<string, number>();
  for (const { outcome } of logged) outcomes.set(outcome ?? "", (outcomes.get(outcome ?? "") ?? 0) + 1);
  const times = Float64Array.from(logged.flatMap(({ ms }) => (ms === null ? [] : [ms]))).sort();
  return {
    starts: starts.length,
    logged: logged.length,
    ran: logged.filter(({ ran }) => ran).length,
    succeeded: starts.filter((start) => succeeded(start, match)).length,
    covered: starts.filter(isCovered).length,
    outcomes: [...outcomes]
      .map(([outcome, count]) => ({ outcome, starts: count }))
      .sort((a, b) => b.starts - a.starts || (a.outcome < b.outcome ? -1 : 1)),
    p50Ms: quantileSorted(times, 0.5),
    p50Ci95Ms: quantileInterval(times, 0.5),
    timed: times.length,
    paths: [...new Set(logged.flatMap(({ paths }) => paths))].sort(),
    linesWithoutInstance,
  };
}

/** Rows since the deployment that belong to no start, or whose path is not known. */
function looseRows(
  { table, settings }: Fleet,
  detail: Detail,
  { match, since }: LeakQuestion,
): { withoutInstance: number; withoutPath: number } {
  let withoutInstance = 0;
  let withoutPath = 0;
  table.forEach((row) => {
    const at = table.start(row);
    const { role, instance } = table.identities[table.identity(row)]!;
    if (at < since.from || at >= since.to || (settings.role !== null && role !== settings.role)) return;
    const request = detail.requests.get(row);
    // Message consumers and timers have no path: only a row with an HTTP method or code could have had one.
    if (request?.path === "" && /^[A-Z]+$/.test(request.name)) withoutPath++;
    if (instance === "" && matchesRoute(request, match)) withoutInstance++;
  });
  return { withoutInstance, withoutPath };
}
