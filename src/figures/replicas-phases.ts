import { quantile } from "../stats/quantile.ts";
import { containerOf, type SystemEvent } from "../telemetry/events.ts";
import type { RequestTable } from "../telemetry/table.ts";
import { TICKS_PER_MS, TICKS_PER_SECOND } from "../telemetry/time.ts";
import type { Birth } from "./replicas-births.ts";
import { eventsBetween } from "./replicas-log.ts";

export const PHASES = [
  "assigned-pulling",
  "pulling-pulled",
  "pulled-created",
  "created-started",
  "assigned-started",
  "started-last-refusal",
  "last-refusal-port-open",
  "started-first-request",
] as const;
export type PhaseName = (typeof PHASES)[number];

/** One phase over several births. */
export interface PhaseFigures {
  readonly name: PhaseName;
  /** Births for which both ends stand in the log, by the events' own clock. */
  readonly n: number;
  readonly p50Ms: number | null;
  readonly p90Ms: number | null;
  /** Births of which at least one end has only the time of a batch of the log. */
  readonly batchTimed: number;
  /** Quantiles of those, in whole seconds; each value may be wrong by {@link BATCH_ERROR_SECONDS}. */
  readonly batchP50Seconds: number | null;
  readonly batchP90Seconds: number | null;
  /** Births of which an end is not known. */
  readonly unknown: number;
}

/** How late a batch's time was seen to be against the event's own. */
export const BATCH_ERROR_SECONDS = 11;

interface Mark {
  readonly at: number;
  readonly ownClock: boolean;
}

/** The steps of one start, as far as the log has them. */
export interface StartMarks {
  readonly assigned: Mark | null;
  readonly pulling: Mark | null;
  readonly pulled: Mark | null;
  readonly created: Mark | null;
  readonly started: Mark;
  /** The last refused startup probe after which the process lived on: the port opened within a period of it. */
  readonly lastRefusal: Mark | null;
  /** Ticks between refusals: the startup probe's period as seen; null with fewer than two. */
  readonly period: number | null;
  readonly firstRequest: Mark | null;
}

const REFUSED = /^(?:Probe of StartUp failed|Startup probe failed)/i;
const KILLED = /failed startup probe, will be restarted/;

/** The steps of one birth. */
export function marksOf(birth: Birth, table: RequestTable): StartMarks {
  const { replica, start, previous, life } = birth;
  const floor = previous?.at ?? Number.NEGATIVE_INFINITY;
  const before = eventsBetween(replica, floor, start.at).filter(({ ticks }) => ticks > floor);
  const last = (test: (event: SystemEvent) => boolean): SystemEvent | null => before.findLast(test) ?? null;
  const main = [...start.containers].find(([, at]) => at === start.at)?.[0] ?? "";
  const created = last(
    ({ reason, text }) => reason === "ContainerCreated" && (containerOf(text) ?? "") === main,
  );
  const until = created?.ticks ?? start.at;
  const pulled = last(
    ({ reason, ticks }) => (reason === "PulledImage" || reason === "ImagePulled") && ticks <= until,
  );
  // A pull that failed or a container that could not be created is tried again: the last attempt counts.
  const pulling = last(({ reason, ticks }) => reason === "PullingImage" && ticks <= (pulled?.ticks ?? until));
  const refusals = refusalsOf(birth);
  const first = life?.users[0];
  return {
    assigned: previous === null ? mark(last(({ reason }) => reason === "AssigningReplica")) : null,
    pulling: mark(pulling),
    pulled: mark(pulled),
    created: mark(created),
    started: { at: start.at, ownClock: start.ownClock },
    ...refusals,
    firstRequest: first === undefined ? null : { at: table.start(first), ownClock: true },
  };
}

function mark(event: SystemEvent | null): Mark | null {
  return event === null ? null : { at: event.ticks, ownClock: event.ownClock };
}

function refusalsOf({ replica, start, next, end }: Birth): Pick<StartMarks, "lastRefusal" | "period"> {
  const to = next ?? Number.POSITIVE_INFINITY;
  const own = eventsBetween(replica, start.at, Math.min(to, end ?? to)).filter(({ ticks }) => ticks < to);
  const refused = own.filter(({ text }) => REFUSED.test(text));
  const last = refused[refused.length - 1];
  if (last === undefined) return { lastRefusal: null, period: null };
  const gaps = refused.slice(1).map(({ ticks }, i) => ticks - refused[i]!.ticks);
  // Refusals of one probe come a period apart; the same instant twice is a batch or a repeated row.
  const period = last.ownClock
    ? quantile(
        gaps.filter((gap) => gap >= TICKS_PER_SECOND / 2),
        0.5,
      )
    : null;
  // Killed by its startup probe, or ended at once after a refusal: it never opened.
  const isKilled = own.some(({ text }) => KILLED.test(text));
  const isCut = end !== null && end - last.ticks < (period ?? TICKS_PER_SECOND);
  return isKilled || isCut ? { lastRefusal: null, period } : { lastRefusal: mark(last), period };
}

type Pair = readonly [from: Mark | null, to: Mark | null];

function pairOf(name: PhaseName, marks: StartMarks): Pair {
  switch (name) {
    case "assigned-pulling":
      return [marks.assigned, marks.pulling];
    case "pulling-pulled":
      return [marks.pulling, marks.pulled];
    case "pulled-created":
      return [marks.pulled, marks.created];
    case "created-started":
      return [marks.created, marks.started];
    case "assigned-started":
      return [marks.assigned, marks.started];
    case "started-last-refusal":
      return [marks.started, marks.lastRefusal];
    case "last-refusal-port-open":
      return marks.lastRefusal === null || marks.period === null
        ? [null, null]
        : [
            marks.lastRefusal,
            { at: marks.lastRefusal.at + marks.period, ownClock: marks.lastRefusal.ownClock },
          ];
    default:
      return [marks.started, marks.firstRequest];
  }
}

/** The phases that are long enough for a batch's time to say anything. */
const COARSE = new Set<PhaseName>(["assigned-started", "started-first-request"]);

/** The phases of several births. Where only a batch's time is known, whole seconds at most are told. */
export function phaseFigures(all: readonly StartMarks[]): PhaseFigures[] {
  return PHASES.map((name) => {
    const exact: number[] = [];
    const coarse: number[] = [];
    let unknown = 0;
    for (const marks of all) {
      const [from, to] = pairOf(name, marks);
      const ms = from === null || to === null ? null : (to.at - from.at) / TICKS_PER_MS;
      // Whole seconds beside finer stamps, and another machine's clock, may turn neighbours around.
      if (ms === null || ms < -1000) unknown++;
      else if (from!.ownClock && to!.ownClock) exact.push(Math.max(0, ms));
      else coarse.push(Math.max(0, ms));
    }
    const seconds = (q: number): number | null => {
      const ms = COARSE.has(name) ? quantile(coarse, q) : null;
      return ms === null ? null : Math.round(ms / 1000);
    };
    return {
      name,
      n: exact.length,
      p50Ms: quantile(exact, 0.5),
      p90Ms: quantile(exact, 0.9),
      batchTimed: coarse.length,
      batchP50Seconds: seconds(0.5),
      batchP90Seconds: seconds(0.9),
      unknown,
    };
  });
}
