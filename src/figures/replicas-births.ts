import type { Fleet } from "../fleet/fleet.ts";
import type { Life } from "../fleet/lives.ts";
import type { ContainerStart } from "../fleet/starts.ts";
import { TICKS_PER_MINUTE } from "../telemetry/time.ts";
import { observeStart, type Termination, terminations } from "./lifetime.ts";
import { type Cause, CauseFinder } from "./replicas-causes.ts";
import { type LogIndex, lowerBound, type ReplicaLog } from "./replicas-log.ts";

/** One birth of a process: a start of the app's container in a replica. */
export interface Birth {
  readonly replica: ReplicaLog;
  readonly start: ContainerStart;
  /** The start before it in the same replica; null for a replica's first. */
  readonly previous: ContainerStart | null;
  readonly cause: Cause;
  /** From the start to its end, or to the log's end. */
  readonly minutes: number;
  readonly ended: boolean;
  /** Ticks of the end; null for a process that still ran at the log's end. */
  readonly end: number | null;
  readonly next: number | null;
  /** The rows of this process; null where no request row belongs to it. */
  readonly life: Life | null;
}

/** Every birth in the log, in time order, each with its one cause. */
export function birthsOf(fleet: Fleet, index: LogIndex): Birth[] {
  const ends = terminations(fleet.events ?? []);
  const lives = new Map<ContainerStart, Life>();
  for (const life of fleet.lives) if (life.start !== null) lives.set(life.start, life);
  const finder = new CauseFinder(index, fleet.events ?? []);
  const births: Birth[] = [];
  for (const replica of index.replicas.values()) {
    replica.starts.forEach((start, position) => {
      const next = replica.starts[position + 1]?.at ?? null;
      // Only the ends from the first of the containers that started together on can be this one's.
      const first = Math.min(...start.containers.values());
      const own = sliceOf(ends.get(replica.name) ?? [], first, next ?? index.to);
      const { time, ended } = observeStart(start, next, own, index.to);
      births.push({
        replica,
        start,
        previous: replica.starts[position - 1] ?? null,
        cause: finder.causeOf(replica, position),
        minutes: time,
        ended,
        end: ended ? start.at + time * TICKS_PER_MINUTE : null,
        next,
        life: lives.get(start) ?? null,
      });
    });
  }
  return births.sort((a, b) => a.start.at - b.start.at || (a.replica.name < b.replica.name ? -1 : 1));
}

function sliceOf(ends: readonly Termination[], from: number, to: number): readonly Termination[] {
  const timeOf = ({ at }: Termination): number => at;
  return ends.slice(lowerBound(ends, from, timeOf), lowerBound(ends, to, timeOf, true));
}
