import { revisionOfReplica, type SystemEvent } from "../telemetry/events.ts";
import { type Identity, type RequestTable, RowClass } from "../telemetry/table.ts";
import { type Arrivals, arrivals } from "./arrival.ts";
import { type Life, livesOf } from "./lives.ts";
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
  const { counts, userRows } = countRows(table, sorted, selected, settings);
  return {
    table,
    settings,
    events,
    starts,
    lives: livesOf(table, sorted, starts, selected),
    counts,
    userRows,
    dataStart: least(earliest(table), dataFrom),
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

function countRows(
  table: RequestTable,
  sorted: Arrivals,
  selected: Uint8Array,
  settings: FleetSettings,
): { counts: RowCounts; userRows: Uint32Array } {
  const counts: RowCounts = {
    duplicate: table.length - sorted.order.length + table.duplicatesLeftOut,
    otherRole: 0,
    outsideWindow: 0,
    consumer: 0,
    other: 0,
    synthetic: 0,
    probe: 0,
    user: 0,
    noInstance: 0,
  };
  const users = new Uint32Array(sorted.order.length);
  const { windows } = settings;
  for (const group of sorted.groups) {
    for (let i = group.from; i < group.to; i++) {
      const row = sorted.order[i]!;
      const start = table.start(row);
      if (selected[table.identity(row)] === 0) counts.otherRole++;
      else if (!isInside(windows, start)) counts.outsideWindow++;
      else {
        const rowClass = table.rowClass(row);
        if (rowClass === RowClass.user) {
          users[counts.user] = row;
          if (group.instance === "") counts.noInstance++;
        }
        counts[CLASS_NAMES[rowClass]!]++;
      }
    }
  }
  return { counts, userRows: users.subarray(0, counts.user) };
}

function isInside(windows: readonly Window[], start: number): boolean {
  for (const window of windows) if (contains(window, start)) return true;
  return false;
}

function earliest(table: RequestTable): number | null {
  let first = Number.POSITIVE_INFINITY;
  for (const { start, used } of table.blocks) {
    for (let i = 0; i < used; i++) if (start[i]! < first) first = start[i]!;
  }
  return table.length === 0 ? null : first;
}

function least(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

function rolesOf(sorted: Arrivals): string[] {
  const rows = new Map<string, number>();
  for (const { role, from, to } of sorted.groups) rows.set(role, (rows.get(role) ?? 0) + to - from);
  return [...rows].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([role]) => role);
}
