import type { GoodRow } from "./rows.ts";
import { appOf, type ContainerStart } from "./starts.ts";
import {
  inWindow,
  type OracleEvent,
  type OracleSettings,
  type OracleWindow,
  TICKS_PER_MINUTE,
  TICKS_PER_SECOND,
} from "./types.ts";

/** One life of one process that left at least one row. */
export interface Instance {
  /** The container start that began it, where the log holds one. */
  containerStart: ContainerStart | undefined;
  born: bigint;
  birthUnknown: boolean;
  /** All its rows in arrival order, and the user requests among them. */
  rows: GoodRow[];
  users: Ranked[];
}

/** A user request with its estimated arrival position. */
export interface Ranked extends GoodRow {
  rank: number;
  order: number;
}

/** Splits the rows that count (of the role, no duplicates, in any window or none) into lives. */
export function instancesOf(
  rows: GoodRow[],
  starts: ContainerStart[],
  dataStart: bigint,
  guardMinutes: number,
): Instance[] {
  const guard = BigInt(Math.round(guardMinutes * Number(TICKS_PER_MINUTE)));
  const lives: { role: string; instance: string; start: ContainerStart | undefined; rows: GoodRow[] }[] = [];
  for (const row of rows) {
    if (row.instance === "") continue;
    const start = startOfRow(row, starts);
    const life = lives.find(
      (one) => one.role === row.role && one.instance === row.instance && one.start === start,
    );
    if (life === undefined) lives.push({ role: row.role, instance: row.instance, start, rows: [row] });
    else life.rows.push(row);
  }
  return lives.map(({ start, rows: unsorted }) => {
    const sorted = inArrivalOrder(unsorted);
    const firstRow = sorted[0]!.start;
    return {
      containerStart: start,
      born: start === undefined ? firstRow : start.time,
      birthUnknown: start === undefined && firstRow < dataStart + guard,
      rows: sorted,
      users: ranked(sorted.filter((row) => row.class === "user")),
    };
  });
}

/** The latest start of the row's replica at or before one second after the row's start. */
export function startOfRow(row: GoodRow, starts: ContainerStart[]): ContainerStart | undefined {
  return starts.findLast(
    (start) => start.replica === row.instance && start.time <= row.start + TICKS_PER_SECOND,
  );
}

/** By start, then id, then the longer duration, then as read. */
function inArrivalOrder(rows: GoodRow[]): GoodRow[] {
  return [...rows].sort((a, b) => {
    if (a.start !== b.start) return a.start < b.start ? -1 : 1;
    if (a.id !== b.id) return a.id < b.id ? -1 : 1;
    return b.durationMs - a.durationMs;
  });
}

function ranked(users: GoodRow[]): Ranked[] {
  let weightBefore = 0;
  return users.map((row, index) => {
    const order = 1 + weightBefore;
    weightBefore += row.weight;
    return { ...row, rank: index + 1, order };
  });
}

/** The new instances of a window, before any restriction to weekdays. */
export function newInstances(instances: Instance[], window: OracleWindow): Instance[] {
  return instances.filter((one) => inWindow(one.born, window) && !one.birthUnknown && one.users.length > 0);
}

/**
 * The instances with a user request in the window that are not new in it. One born at or after the
 * window's end is neither: its row only lies in the window by the second that a host's clock may be off.
 */
export function excluded(
  instances: Instance[],
  window: OracleWindow,
): { alreadyRunning: number; birthUnknown: number } {
  const counts = { alreadyRunning: 0, birthUnknown: 0 };
  for (const one of instances) {
    if (!one.users.some((row) => inWindow(row.start, window))) continue;
    if (inWindow(one.born, window) && !one.birthUnknown) continue;
    if (window.from !== undefined && one.born < window.from) counts.alreadyRunning += 1;
    else if (window.to === undefined || one.born < window.to) counts.birthUnknown += 1;
  }
  return counts;
}

/**
 * Container starts in the window whose process never received a user request. Null when unknown: without
 * a log, and where rows are given but none of an instance that bears a replica's name.
 */
export function idle(
  rows: GoodRow[],
  starts: ContainerStart[],
  events: OracleEvent[] | null,
  window: OracleWindow,
  isInputEmpty: boolean,
): number | null {
  if (events === null) return null;
  const instances = new Set(rows.map((row) => row.instance).filter((instance) => instance !== ""));
  const joined = events.map((event) => event.replica).filter((replica) => instances.has(replica));
  if (joined.length === 0 && !isInputEmpty) return null;
  const apps = new Set([...new Set(joined)].map((replica) => appOf(replica, events)));
  const isOurs = (start: ContainerStart): boolean => isInputEmpty || apps.has(appOf(start.replica, events));
  const used = new Set(rows.filter((row) => row.class === "user").map((row) => startOfRow(row, starts)));
  return starts.filter((start) => inWindow(start.time, window) && isOurs(start) && !used.has(start)).length;
}

/** The class of what ran first, strictly before the first user request. */
export function warmedBy(instance: Instance): "nothing" | "probe" | "synthetic" | "consumer" | "other" {
  const earliest = instance.rows[0]!;
  if (earliest.class === "user" || earliest.start >= instance.users[0]!.start) return "nothing";
  return earliest.class;
}

/** The day of the first user request's start in the configured time zone. */
export function dayType(instance: Instance, settings: OracleSettings): "weekday" | "weekend" {
  const start = instance.users[0]!.start;
  const insideMillisecond = ((start % 10_000n) + 10_000n) % 10_000n; // rounds down, before 1970 too
  const milliseconds = Number((start - insideMillisecond) / 10_000n);
  const timeZone = settings.timezone ?? "UTC";
  const parts = formatter(timeZone).formatToParts(milliseconds);
  const part = (type: string): string => parts.find((one) => one.type === type)!.value;
  const date = `${part("year")}-${part("month")}-${part("day")}`;
  if (part("weekday") === "Sat" || part("weekday") === "Sun") return "weekend";
  return (settings.holidays ?? []).includes(date) ? "weekend" : "weekday";
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone,
    calendar: "iso8601",
    weekday: "short",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  formatters.set(timeZone, made);
  return made;
}
