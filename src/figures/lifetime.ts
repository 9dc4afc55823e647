import type { Cohort } from "../fleet/cohort.ts";
import type { Fleet } from "../fleet/fleet.ts";
import type { Life } from "../fleet/lives.ts";
import type { ContainerStart } from "../fleet/starts.ts";
import { quantile } from "../stats/quantile.ts";
import { endedWithin, type Life as Observed, survivalQuantile } from "../stats/survival.ts";
import { containerOf, type SystemEvent } from "../telemetry/events.ts";
import { TICKS_PER_MINUTE, ticksOfMs } from "../telemetry/time.ts";

export interface LifetimeFigures {
  readonly source: "system-logs" | "requests";
  readonly n: number;
  readonly censored: number;
  readonly p50Minutes: number | null;
  readonly within10MinutesShare: number | null;
}

const SHORT_MINUTES = 10;

/**
 * How long instances live: by the system log from the container start to its termination (or the
 * replica's next start), those still running at the log's last row being censored; where the log holds
 * none of the cohort's starts, from the first user request's start to the last one's end.
 */
export function lifetimeFigures(fleet: Fleet, cohort: Cohort): LifetimeFigures {
  const { source, lives } = observedLives(
    fleet,
    cohort.instances.map(({ life }) => life),
  );
  const observed = lives.filter((life) => life !== null);
  return {
    source,
    n: observed.length,
    censored: observed.filter(({ ended }) => !ended).length,
    p50Minutes: lifetimeQuantile(source, observed),
    within10MinutesShare: shortLives(source, observed),
  };
}

/** The share of lives of at most ten minutes: by the survival curve, or counted where nothing is censored. */
export function shortLives(source: LifetimeFigures["source"], lives: readonly Observed[]): number | null {
  if (source === "system-logs") return endedWithin(lives, SHORT_MINUTES);
  return lives.length === 0 ? null : lives.filter(({ time }) => time <= SHORT_MINUTES).length / lives.length;
}

/** The median lifetime in minutes: of the survival curve, or by nearest rank where nothing is censored. */
export function lifetimeQuantile(
  source: LifetimeFigures["source"],
  lives: readonly Observed[],
): number | null {
  if (source === "system-logs") return survivalQuantile(lives, 0.5);
  return quantile(
    lives.map(({ time }) => time),
    0.5,
  );
}

/** Each instance's observed life in minutes; null for those that the chosen source does not hold. */
export function observedLives(
  fleet: Fleet,
  lives: readonly Life[],
): { source: LifetimeFigures["source"]; lives: (Observed | null)[] } {
  if (lives.every((life) => life.start === null)) {
    return { source: "requests", lives: lives.map((life) => fromRequests(fleet, life)) };
  }
  const ends = terminations(fleet.events ?? []);
  let logEnd = Number.NEGATIVE_INFINITY;
  for (const event of fleet.events ?? []) logEnd = Math.max(logEnd, event.ticks);
  return {
    source: "system-logs",
    lives: lives.map((life) =>
      life.start === null
        ? null
        : observeStart(life.start, life.nextStart, ends.get(life.instance) ?? [], logEnd),
    ),
  };
}

function fromRequests({ table, longestMs }: Fleet, { users }: Life): Observed {
  // A tick more, so that no rounding of a shorter duration exceeds it.
  const longest = ticksOfMs(longestMs) + 1;
  let end = Number.NEGATIVE_INFINITY;
  // From the last request back, until one begins too early to end any later.
  for (let i = users.length - 1; i >= 0; i--) {
    const start = table.start(users[i]!);
    if (start + longest < end) break;
    end = Math.max(end, start + ticksOfMs(table.duration(users[i]!)));
  }
  return { time: (end - table.start(users[0]!)) / TICKS_PER_MINUTE, ended: true };
}

/** An end of a container, as the system log tells it. */
export interface Termination {
  readonly at: number;
  readonly container: string;
}

/** Terminations by replica, in time order; platforms write the reason in several words, the text in one form. */
export function terminations(events: readonly SystemEvent[]): Map<string, Termination[]> {
  const byReplica = new Map<string, Termination[]>();
  for (const event of events) {
    if (event.replica === "" || !/^Container \S+ was terminated/.test(event.text)) continue;
    const entry = { at: event.ticks, container: containerOf(event.text) ?? "" };
    const list = byReplica.get(event.replica);
    if (list === undefined) byReplica.set(event.replica, [entry]);
    else list.push(entry);
  }
  for (const list of byReplica.values()) list.sort((a, b) => a.at - b.at);
  return byReplica;
}

/**
 * The life of the process that `start` began, in minutes: to its termination, else to the replica's next
 * start (ticks, null where none is known), else censored at the log's end.
 *
 * @param ends the replica's terminations, in time order
 * @param logEnd ticks of the log's last event
 */
export function observeStart(
  start: ContainerStart,
  nextStart: number | null,
  ends: readonly Termination[],
  logEnd: number,
): Observed {
  const own = ends.filter(({ container }) => start.containers.has(container));
  // Of several containers that start together, one that has ended by then was an init container.
  const isInit = (container: string): boolean =>
    start.containers.size > 1 &&
    own.some(
      (end) =>
        end.container === container && end.at <= start.at && end.at >= start.containers.get(container)!,
    );
  const end = own.find(
    ({ at, container }) => at >= start.at && (nextStart === null || at < nextStart) && !isInit(container),
  );
  const until = end?.at ?? nextStart;
  return {
    time: ((until ?? logEnd) - start.at) / TICKS_PER_MINUTE,
    ended: until !== null,
  };
}
