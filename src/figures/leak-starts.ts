import { Calendar } from "../fleet/days.ts";
import type { Fleet } from "../fleet/fleet.ts";
import type { Life } from "../fleet/lives.ts";
import { contains, type Window } from "../fleet/settings.ts";
import type { Detail } from "../telemetry/detail.ts";
import { containerOf, revisionOfReplica, type SystemEvent } from "../telemetry/events.ts";
import { Instances } from "./leak-instances.ts";
import { type WarmedPattern, type WarmUp, warmedLine, warmUpOf } from "./leak-line.ts";
import { refusals } from "./leak-refusals.ts";

/** One start of a process, seen by its rows, its warm-up's line, or both. */
export interface LeakStart {
  readonly role: string;
  readonly instance: string;
  /** Ticks of the container start, otherwise of the first row or line. */
  readonly at: number;
  /** Null where only a line was seen. */
  readonly life: Life | null;
  readonly warmUp: WarmUp | null;
  /** Ticks before which the port was certainly closed; null where no refusal tells. */
  readonly closedUntil: number | null;
  /** Refusals are known, but several containers share the replica: whose port it was cannot be told. */
  readonly sharedPort: boolean;
}

/** The starts of both periods. */
export interface LeakStarts {
  /** Null without a period before. */
  readonly before: readonly LeakStart[] | null;
  readonly since: readonly LeakStart[];
  /** Starts in either period that may have begun before the data does. */
  readonly birthUnknown: number;
  /** Container starts since the deployment without a row or a line; null where the log cannot tell. */
  readonly idle: number | null;
  /** Lines of warm-ups that name no instance. */
  readonly linesWithoutInstance: number;
  /** The start that a row of an instance belongs to, among those of both periods. */
  find(role: string, instance: string, ticks: number): LeakStart | undefined;
  /** Whether a row of the period since names an instance that left neither a request row nor a line, or none. */
  isStray(row: { readonly role: string; readonly instance: string; readonly ticks: number }): boolean;
}

/** The starts in each period, with what tells when their ports opened. */
export function leakStarts(
  fleet: Fleet,
  detail: Detail,
  periods: { readonly before: Window | null; readonly since: Window },
  pattern: WarmedPattern,
): LeakStarts {
  const instances = new Instances(fleet);
  for (const life of fleet.lives) {
    const instance = instances.of(life.role, life.instance);
    instance.slot(life.start === null ? -1 : instance.starts.indexOf(life.start)).life = life;
  }
  let linesWithoutInstance = 0;
  for (const trace of detail.traces) {
    const line = warmedLine(trace, pattern);
    if (
      line === null ||
      (fleet.settings.role !== null && line.role !== "" && line.role !== fleet.settings.role)
    )
      continue;
    if (line.instance === "") linesWithoutInstance++;
    else {
      const instance = instances.forLine(line);
      instance?.slot(instance.positionAt(line.ticks)).lines.push(line);
    }
  }

  const { timezone, holidays, days, guardTicks } = fleet.settings;
  const calendar = new Calendar(timezone, holidays);
  const closed = refusals(fleet.events ?? []);
  const shared = sharedReplicas(fleet.events ?? []);
  const since: LeakStart[] = [];
  const before: LeakStart[] = [];
  const placed = new Map<string, LeakStart>();
  let birthUnknown = 0;
  for (const instance of instances.all()) {
    for (const [position, { life, lines }] of instance.slots) {
      const container = instance.starts[position] ?? null;
      lines.sort((a, b) => a.ticks - b.ticks);
      const at =
        container?.at ??
        Math.min(life?.born ?? Number.POSITIVE_INFINITY, lines[0]?.ticks ?? Number.POSITIVE_INFINITY);
      const period = contains(periods.since, at)
        ? since
        : periods.before !== null && contains(periods.before, at)
          ? before
          : null;
      if (period === null || (days === "weekdays" && calendar.dayType(at) !== "weekday")) continue;
      // A line of the warm-up is as good a birth certificate as the platform's event.
      if (container === null && lines.length === 0 && at < (fleet.dataStart ?? 0) + guardTicks) {
        birthUnknown++;
        continue;
      }
      const refused =
        container === null
          ? []
          : between(closed.get(instance.instance), container.at, instance.starts[position + 1]?.at);
      const isShared = shared.has(instance.instance);
      const start: LeakStart = {
        role: instance.role,
        instance: instance.instance,
        at,
        life,
        warmUp: warmUpOf(lines),
        closedUntil: isShared ? null : (refused[refused.length - 1] ?? null),
        sharedPort: isShared && refused.length > 0,
      };
      period.push(start);
      placed.set(`${instance.role}\u0000${instance.instance}\u0000${position}`, start);
    }
  }
  return {
    before: periods.before === null ? null : before,
    since,
    birthUnknown,
    idle: instances.idle(periods.since),
    linesWithoutInstance,
    find: (role, name, ticks) => {
      const instance = instances.known(role, name);
      if (instance === undefined) return undefined;
      return placed.get(`${instance.role}\u0000${name}\u0000${instance.positionAt(ticks)}`);
    },
    isStray: ({ role, instance, ticks }) => {
      const { settings } = fleet;
      if (!contains(periods.since, ticks)) return false;
      if (settings.role !== null && role !== "" && role !== settings.role) return false;
      if (instance === "") return true;
      if (settings.revision !== null && revisionOfReplica(instance) !== settings.revision) return false;
      return instances.known(role, instance) === undefined;
    },
  };
}

/** Replicas of several containers, Dapr's among them: a refusal does not name whose port it was. */
function sharedReplicas(events: readonly SystemEvent[]): ReadonlySet<string> {
  const containers = new Map<string, string>();
  const shared = new Set<string>();
  for (const { reason, replica, text } of events) {
    const name = reason === "ContainerStarted" ? containerOf(text) : null;
    if (name === null || name.startsWith("k8se-")) continue;
    if ((containers.get(replica) ?? name) !== name) shared.add(replica);
    containers.set(replica, name);
  }
  return shared;
}

function between(ticks: readonly number[] | undefined, from: number, to: number | undefined): number[] {
  return (ticks ?? []).filter((at) => at >= from && (to === undefined || at < to));
}
