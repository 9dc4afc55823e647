import type { Fleet } from "../fleet/fleet.ts";
import { binomialCdf } from "../stats/binomial.ts";
import { fisherGreater } from "../stats/fisher.ts";
import { clopperPearsonUpper } from "../stats/intervals.ts";
import type { Detail, RequestDetail } from "../telemetry/detail.ts";
import { requestPath } from "../telemetry/path.ts";
import { RowClass } from "../telemetry/table.ts";
import type { LeakStart } from "./leak-starts.ts";

/** Which rows may be the warm-up's. */
export interface RouteMatch {
  /** Folded paths, or route templates as the rows' names have them. */
  readonly paths: ReadonlySet<string>;
  /** Upper case; null for any. */
  readonly method: string | null;
}

/** Whether a row has one of the paths, by URL or by name; a method that the row does not tell is no alibi. */
export function matchesRoute(detail: RequestDetail | undefined, match: RouteMatch): boolean {
  if (detail === undefined) return false;
  if (!match.paths.has(detail.path) && !match.paths.has(requestPath("", detail.name))) return false;
  return match.method === null || detail.method === "" || detail.method === match.method;
}

/** A row that may be a warm-up request, and what time says of it. */
export interface Candidate {
  readonly start: LeakStart;
  readonly row: number;
  readonly place: "inside" | "outside" | "undecided";
  /** What proves that it came from inside. */
  readonly by: "line" | "refusal" | null;
}

/** The rows of one start that matter here. */
export interface StartRows {
  readonly start: LeakStart;
  readonly candidates: readonly Candidate[];
  /** The start's earliest row of any kind has the path. */
  readonly isFirst: boolean;
  /** User requests of other paths that begin before the warm-up's line. */
  readonly othersBeforeLine: number;
  /** User requests after the candidates: all, and those of the path. */
  readonly later: { readonly all: number; readonly withPath: number };
  /** Weight of the earliest row. */
  readonly firstWeight: number;
}

/**
 * Looks through the rows of a start. Candidates are the rows of the path before the first other user
 * request, or in place of one, and any that time puts inside.
 */
export function rowsOfStart(
  start: LeakStart,
  fleet: Fleet,
  detail: Detail,
  match: RouteMatch,
): StartRows | null {
  const rows = start.life?.rows;
  if (rows === undefined || rows.length === 0) return null;
  const { table } = fleet;
  const candidates: Candidate[] = [];
  const later = { all: 0, withPath: 0 };
  let othersBeforeLine = 0;
  let sawOther = false;
  for (const row of rows) {
    const at = table.start(row);
    const isUser = table.rowClass(row) === RowClass.user;
    const withPath = matchesRoute(detail.requests.get(row), match);
    const isBeforeLine = start.warmUp !== null && at < start.warmUp.end;
    const isBeforeOpen = start.closedUntil !== null && at < start.closedUntil;
    if (withPath && (!sawOther || isBeforeLine || isBeforeOpen)) {
      const by = isBeforeLine ? "line" : isBeforeOpen ? "refusal" : null;
      const place = by !== null ? "inside" : start.warmUp === null ? "undecided" : "outside";
      candidates.push({ start, row, place, by });
      continue;
    }
    if (!isUser) continue;
    sawOther = true;
    if (isBeforeLine) othersBeforeLine++;
    later.all++;
    if (withPath) later.withPath++;
  }
  return {
    start,
    candidates,
    isFirst: matchesRoute(detail.requests.get(rows[0]!), match),
    othersBeforeLine,
    later,
    firstWeight: table.weight(rows[0]!),
  };
}

/** Rows of the path in the starts of one period. */
export interface RequestFigures {
  /** Starts with at least one row. */
  readonly starts: number;
  /** Starts with the path's rows before, or in place of, other user requests. */
  readonly withPath: number;
  /** Starts whose earliest row has the path. */
  readonly firstIsPath: number;
  readonly rows: number;
  /** Σ of the rows' weights. */
  readonly estimated: number;
  readonly insideRows: number;
  readonly insideByLine: number;
  readonly insideByRefusal: number;
  readonly insideStarts: number;
  /** Starts all of whose rows of the path began after the warm-up's line: callers from outside. */
  readonly outsideStarts: number;
  readonly undecidedStarts: number;
}

export function requestFigures(starts: readonly StartRows[], fleet: Fleet): RequestFigures {
  const all = starts.flatMap(({ candidates }) => candidates);
  const inside = all.filter(({ place }) => place === "inside");
  const places = starts.map(({ candidates }) => new Set(candidates.map(({ place }) => place)));
  return {
    starts: starts.length,
    withPath: starts.filter(({ candidates }) => candidates.length > 0).length,
    firstIsPath: starts.filter(({ isFirst }) => isFirst).length,
    rows: all.length,
    estimated: all.reduce((sum, { row }) => sum + fleet.table.weight(row), 0),
    insideRows: inside.length,
    insideByLine: inside.filter(({ by }) => by === "line").length,
    insideByRefusal: inside.filter(({ by }) => by === "refusal").length,
    insideStarts: places.filter((place) => place.has("inside")).length,
    outsideStarts: places.filter((place) => place.size === 1 && place.has("outside")).length,
    undecidedStarts: places.filter((place) => place.has("undecided") && !place.has("inside")).length,
  };
}

/** What callers from outside explain, and how likely they alone would show so many starts. */
export interface Baseline {
  /** `before`: starts before the deployment. `later`: the same starts' later user requests. */
  readonly from: "before" | "later";
  /** Starts, or later user requests. */
  readonly n: number;
  readonly withPath: number;
  readonly share: number;
  readonly expectedStarts: number;
  /** Starts with the path beyond the expected ones; may be negative. */
  readonly excessStarts: number;
  /**
   * Chance of as many starts with the path as are not proven to be of callers from outside. `before`:
   * Fisher's exact test; `later`: binomial, at the exact 95 % upper bound of the share.
   */
  readonly p: number;
  /** The same for starts whose first row has the path; null for `later`. */
  readonly jumpP: number | null;
  /** Starts whose first row has the path beyond the share of those before; null for `later`. */
  readonly firstExcessStarts: number | null;
  /** As `jumpP` for all such starts, those called after the line too; null for `later`. */
  readonly firstRiseP: number | null;
}

/** Subtracts the callers from outside. Null where nothing tells how often they call the path. */
export function baselineOf(
  since: RequestFigures,
  before: RequestFigures | null,
  starts: readonly StartRows[],
): Baseline | null {
  const open = since.withPath - since.outsideStarts;
  if (before !== null && before.starts > 0) {
    const share = before.withPath / before.starts;
    const proven = starts.filter(
      ({ isFirst, candidates }) => isFirst && candidates.every(({ place }) => place === "outside"),
    ).length;
    return {
      from: "before",
      n: before.starts,
      withPath: before.withPath,
      share,
      expectedStarts: share * since.starts,
      excessStarts: since.withPath - share * since.starts,
      p: fisherGreater(open, since.starts, before.withPath, before.starts),
      jumpP: fisherGreater(since.firstIsPath - proven, since.starts, before.firstIsPath, before.starts),
      firstExcessStarts: since.firstIsPath - (before.firstIsPath / before.starts) * since.starts,
      firstRiseP: fisherGreater(since.firstIsPath, since.starts, before.firstIsPath, before.starts),
    };
  }
  const n = starts.reduce((sum, { later }) => sum + later.all, 0);
  if (n === 0 || since.starts === 0) return null;
  const withPath = starts.reduce((sum, { later }) => sum + later.withPath, 0);
  const share = withPath / n;
  const upper = clopperPearsonUpper(withPath, n, 0.95);
  return {
    from: "later",
    n,
    withPath,
    share,
    expectedStarts: share * since.starts,
    excessStarts: since.withPath - share * since.starts,
    p: open === 0 ? 1 : 1 - binomialCdf(open - 1, since.starts, upper),
    jumpP: null,
    firstExcessStarts: null,
    firstRiseP: null,
  };
}
