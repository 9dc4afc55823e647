import { revisionOfReplica, type SystemEvent } from "../telemetry/events.ts";
import { BLOCK, type Identity, type RequestTable, RowClass } from "../telemetry/table.ts";
import { type Arrivals, arrivals } from "./arrival.ts";
import { type Life, livesOf, UserRows } from "./lives.ts";
import { contains, type FleetSettings, type Window } from "./settings.ts";
import { type ContainerStart, containerStarts } from "./starts.ts";

/** Where every row ended. The classes add up to the rows read once the malformed ones are added. */
export interface RowCounts {
  duplicate: number;
  otherRole: number;
  outsideWindow: number;
  consumer: number;
  other: number;
  synthetic: number;
  probe: number;
  user: number;
  noInstance: number;
}

/** All instances of the input, with what the figures need to know about it. */
export interface Fleet {
  readonly table: RequestTable;
  readonly settings: FleetSettings;
  /** Null where no system log was given. */
  readonly events: readonly SystemEvent[] | null;
  /** Container starts by replica; empty without a system log. */
  readonly starts: ReadonlyMap<string, readonly ContainerStart[]>;
  readonly lives: readonly Life[];
  readonly counts: RowCounts;
  /** User requests in the window, in canonical order. */
  readonly userRows: Uint32Array;
  /** Ticks from which on the input covers its source, else of the earliest row of any role; null without rows. */
  readonly dataStart: number | null;
  /** The longest duration of any row in ms; 0 without rows. */
  readonly longestMs: number;
  /** Role names of the rows, most frequent first. */
  readonly roles: readonly string[];
  /** Revisions of the rows' instances, as far as they can be told. */
  readonly revisions: readonly string[];
}

const CLASS_NAMES = ["consumer", "other", "synthetic", "probe", "user"] as const;

/**
 * Groups rows into instances by the system log's container starts, and sorts every row into its class.
 *
 * @param dataFrom ticks from which on the source was read, where that is known
 */
export function buildFleet(
  table: RequestTable,
  events: readonly SystemEvent[] | null,
  settings: FleetSettings,
  dataFrom: number | null = null,
): Fleet {
  const sorted = arrivals(table);
  const selected = Uint8Array.from(table.identities, (identity) => (isSelected(identity, settings) ? 1 : 0));
  const starts = containerStarts(events ?? [], settings.container);
  const { counts, usersOutside, earliest, longestMs } = countRows(table, sorted, selected, settings);
  const users = new UserRows(table, sorted.order, counts.user + usersOutside);
  const lives = livesOf(table, sorted, starts, selected, users);
  return {
    table,
    settings,
    events,
    starts,
    lives,
    counts,
    userRows:
      usersOutside === 0
        ? users.all
        : users.all.filter((row) => isInside(settings.windows, table.start(row))),
    dataStart: least(table.length === 0 ? null : earliest, dataFrom),
    longestMs,
    roles: rolesOf(sorted),
    revisions: [...new Set(table.identities.map(revisionOf))].filter((name) => name !== "").sort(),
  };
}

function isSelected(identity: Identity, settings: FleetSettings): boolean {
  if (settings.role !== null && identity.role !== settings.role) return false;
  if (settings.revision === null) return true;
  return revisionOf(identity) === settings.revision;
}

/** By the replica's name where it has the platform's form, otherwise by the application version. */
function revisionOf(identity: Identity): string {
  return revisionOfReplica(identity.instance) ?? identity.version;
}

/** @param selected 1 for each identity whose rows count */
function countRows(
  table: RequestTable,
  { order, duplicate }: Arrivals,
  selected: Uint8Array,
  { windows }: FleetSettings,
): { counts: RowCounts; usersOutside: number; earliest: number; longestMs: number } {
  const isNamed = Uint8Array.from(table.identities, ({ instance }) => (instance === "" ? 0 : 1));
  const classes = CLASS_NAMES.map(() => 0);
  let [otherRole, outsideWindow, usersOutside, noInstance] = [0, 0, 0, 0];
  let earliest = Number.POSITIVE_INFINITY;
  let longestMs = 0;
  table.blocks.forEach(({ start, duration, identity, flags, used }, number) => {
    for (let i = 0; i < used; i++) {
      if (start[i]! < earliest) earliest = start[i]!;
      if (duration[i]! > longestMs) longestMs = duration[i]!;
      if (duplicate[number * BLOCK + i] === 1) continue;
      const rowClass = flags[i]! & 7;
      if (selected[identity[i]!] === 0) otherRole++;
      else if (!isInside(windows, start[i]!)) {
        outsideWindow++;
        if (rowClass === RowClass.user) usersOutside++;
      } else {
        classes[rowClass]!++;
        if (rowClass === RowClass.user && isNamed[identity[i]!] === 0) noInstance++;
      }
    }
  });
  const [consumer, other, synthetic, probe, user] = classes as [number, number, number, number, number];
  return {
    counts: {
      duplicate: table.length - order.length + table.duplicatesLeftOut,
      otherRole,
      outsideWindow,
      consumer,
      other,
      synthetic,
      probe,
      user,
      noInstance,
    },
    usersOutside,
    earliest,
    longestMs,
  };
}

function isInside(windows: readonly Window[], start: number): boolean {
  for (const window of windows) if (contains(window, start)) return true;
  return false;
}

function least(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

function rolesOf(sorted: Arrivals): string[] {
  const rows = new Map<string, number>();
  for (const { role, from, to } of sorted.groups) rows.set(role, (rows.get(role) ?? 0) + to - from);
  return [...rows].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([role]) => role);
}
