import { appOfReplica } from "../telemetry/events.ts";
import { RowClass } from "../telemetry/table.ts";
import { Calendar, type DayType } from "./days.ts";
import type { Fleet } from "./fleet.ts";
import type { Life } from "./lives.ts";
import { contains, type Window } from "./settings.ts";
import type { ContainerStart } from "./starts.ts";

export type WarmedBy = "nothing" | "probe" | "synthetic" | "consumer" | "other";

/** A new instance of a cohort. */
export interface NewInstance {
  readonly life: Life;
  readonly day: DayType;
  readonly warmedBy: WarmedBy;
}

/** The new instances of one window, and the ones that do not count. */
export interface Cohort {
  readonly window: Window;
  readonly instances: readonly NewInstance[];
  readonly excluded: { readonly alreadyRunning: number; readonly birthUnknown: number };
  /** Container starts in the window without any user request; null where that cannot be known. */
  readonly idle: number | null;
}

/** The cohorts of a fleet, one a window. */
export function cohortsOf(fleet: Fleet): Cohort[] {
  const calendar = new Calendar(fleet.settings.timezone, fleet.settings.holidays);
  const starts = relevantStarts(fleet);
  return fleet.settings.windows.map((window) => cohortOf(fleet, window, calendar, starts));
}

/** No container start is known, and the input may begin in the middle of the instance's life. */
function isBirthUnknown(fleet: Fleet, life: Life): boolean {
  return life.start === null && life.born < (fleet.dataStart ?? 0) + fleet.settings.guardTicks;
}

function cohortOf(
  fleet: Fleet,
  window: Window,
  calendar: Calendar,
  starts: readonly ContainerStart[] | null,
): Cohort {
  const instances: NewInstance[] = [];
  const excluded = { alreadyRunning: 0, birthUnknown: 0 };
  for (const life of fleet.lives) {
    const first = life.users[0];
    if (first === undefined) continue;
    const isBornInside = contains(window, life.born);
    if (isBornInside && !isBirthUnknown(fleet, life)) {
      const day = calendar.dayType(fleet.table.start(first));
      if (fleet.settings.days === "all" || day === "weekday") {
        instances.push({ life, day, warmedBy: warmedBy(fleet, life, first) });
      }
    } else if (life.users.some((row) => contains(window, fleet.table.start(row)))) {
      if (life.born < window.from) excluded.alreadyRunning++;
      else if (isBornInside) excluded.birthUnknown++;
    }
  }
  const served = new Set(fleet.lives.filter((life) => life.users.length > 0).map((life) => life.start));
  const idle = starts?.filter((start) => contains(window, start.at) && !served.has(start)).length ?? null;
  return { window, instances, excluded, idle };
}

/** The class of the earliest row that ran in the process strictly before its first user request. */
function warmedBy(fleet: Fleet, life: Life, firstUser: number): WarmedBy {
  const row = life.rows[0]!;
  if (fleet.table.start(row) >= fleet.table.start(firstUser)) return "nothing";
  switch (fleet.table.rowClass(row)) {
    case RowClass.probe:
      return "probe";
    case RowClass.synthetic:
      return "synthetic";
    case RowClass.consumer:
      return "consumer";
    default:
      return "other";
  }
}

/**
 * Container starts of the apps that the instances belong to. Null without a system log, and where no
 * instance bears the name of a replica: then it cannot be told which starts served nobody.
 */
function relevantStarts(fleet: Fleet): ContainerStart[] | null {
  if (fleet.events === null) return null;
  const apps = new Map<string, string>();
  for (const event of fleet.events) {
    if (event.replica === "" || apps.has(event.replica)) continue;
    apps.set(event.replica, event.app === "" ? appOfReplica(event.replica) : event.app);
  }
  const joined = new Set<string>();
  for (const life of fleet.lives) {
    const app = apps.get(life.instance);
    if (app !== undefined) joined.add(app);
  }
  // Without a single request row nothing contradicts that every start served nobody.
  if (joined.size === 0) return fleet.table.length === 0 ? [...fleet.starts.values()].flat() : null;
  return [...fleet.starts.values()].flat().filter((start) => joined.has(start.app));
}
