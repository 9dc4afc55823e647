import { type RequestTable, RowClass } from "../telemetry/table.ts";
import { TICKS_PER_SECOND } from "../telemetry/time.ts";
import type { Arrivals } from "./arrival.ts";
import type { ContainerStart } from "./starts.ts";

/** One life of one process: an instance. */
export interface Life {
  readonly role: string;
  readonly instance: string;
  /** The container start where the system log has it. */
  readonly start: ContainerStart | null;
  /** The replica's next container start, in ticks; null where none is known. */
  readonly nextStart: number | null;
  /** Ticks of the container start, otherwise of the first row of any kind. */
  readonly born: number;
  /** Row numbers of every class in arrival order. */
  readonly rows: Uint32Array;
  /** Row numbers of the user requests in arrival order. */
  readonly users: Uint32Array;
}

/** A row may carry a clock a little behind the platform's: it belongs to a start up to this much later. */
const SLACK = TICKS_PER_SECOND;

/**
 * Splits the rows of each instance at the container starts of its replica.
 *
 * @param selected 1 for each identity whose rows count
 */
export function livesOf(
  table: RequestTable,
  arrivals: Arrivals,
  starts: ReadonlyMap<string, readonly ContainerStart[]>,
  selected: Uint8Array,
): Life[] {
  const lives: Life[] = [];
  for (const group of arrivals.groups) {
    if (group.instance === "") continue;
    const rows = arrivals.order
      .subarray(group.from, group.to)
      .filter((row) => selected[table.identity(row)] === 1);
    if (rows.length === 0) continue;
    const known = starts.get(group.instance) ?? [];
    let from = 0;
    for (let index = -1; index < known.length; index++) {
      const next = known[index + 1];
      let to = rows.length;
      if (next !== undefined) {
        to = from;
        while (to < rows.length && table.start(rows[to]!) + SLACK < next.at) to++;
      }
      if (to > from) {
        const start = index === -1 ? null : known[index]!;
        lives.push(
          makeLife(table, group.role, group.instance, start, next?.at ?? null, rows.subarray(from, to)),
        );
      }
      from = to;
    }
  }
  return lives;
}

function makeLife(
  table: RequestTable,
  role: string,
  instance: string,
  start: ContainerStart | null,
  nextStart: number | null,
  rows: Uint32Array,
): Life {
  return {
    role,
    instance,
    start,
    nextStart,
    born: start?.at ?? table.start(rows[0]!),
    rows,
    users: rows.filter((row) => table.rowClass(row) === RowClass.user),
  };
}
