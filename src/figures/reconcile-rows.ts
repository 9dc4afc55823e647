import { arrivals } from "../fleet/arrival.ts";
import type { Fleet } from "../fleet/fleet.ts";
import { contains, type Window } from "../fleet/settings.ts";
import type { Detail } from "../telemetry/detail.ts";
import { revisionOfReplica } from "../telemetry/events.ts";
import { RowClass } from "../telemetry/table.ts";
import { type IngressSpan, spanAt } from "./ingress.ts";

/** A row, with what decides whether it is counted. */
export interface SortedRow {
  readonly row: number;
  readonly weight: number;
  readonly rowClass: number;
  readonly role: string;
  readonly instance: string;
  readonly revision: string;
  /** Of the role and the revision that were asked for. */
  readonly isSelected: boolean;
  readonly isDuplicate: boolean;
  /** It has no id and equals an earlier row in time, duration, process, name and operation. */
  readonly isTwin: boolean;
  /** An upgraded connection (result code 101), which is no user request. */
  readonly isUpgrade: boolean;
  /** Index of the window; -1 outside. */
  readonly window: number;
  /** Index of the metric's interval; -1 where the metric has none. */
  readonly span: number;
}

/** Every row of the input, in its order. */
export function sortedRows(fleet: Fleet, detail: Detail, spans: readonly IngressSpan[]): SortedRow[] {
  const { table, settings } = fleet;
  const { duplicate } = arrivals(table);
  const seen = new Set<string>();
  const rows: SortedRow[] = [];
  table.forEach((row) => {
    const { role, instance, version } = table.identities[table.identity(row)]!;
    const revision = revisionOfReplica(instance) ?? version;
    const start = table.start(row);
    const facts = detail.requests.get(row);
    const rowClass = table.rowClass(row);
    rows.push({
      row,
      weight: table.weight(row),
      rowClass,
      role,
      instance,
      revision,
      isSelected:
        (settings.role === null || settings.role === role) &&
        (settings.revision === null || settings.revision === revision),
      isDuplicate: duplicate[row] === 1,
      isTwin:
        !table.hasId(row) &&
        isSeen(seen, [start, table.duration(row), role, instance, facts?.name, facts?.operationId]),
      isUpgrade: rowClass === RowClass.other && facts?.resultCode === "101",
      window: windowAt(settings.windows, start),
      span: spanAt(spans, start),
    });
  });
  return rows;
}

function isSeen(seen: Set<string>, parts: readonly unknown[]): boolean {
  const key = JSON.stringify(parts);
  if (seen.has(key)) return true;
  seen.add(key);
  return false;
}

function windowAt(windows: readonly Window[], ticks: number): number {
  return windows.findIndex((window) => contains(window, ticks));
}

/** A request that came from outside through HTTP: a user's, or one with a synthetic source. */
export function isOutside({ rowClass }: SortedRow): boolean {
  return rowClass === RowClass.user || rowClass === RowClass.synthetic;
}
