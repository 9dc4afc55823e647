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
  const isSelected = (row: number): boolean => selected[table.identity(row)] === 1;
  const users = new UserRows(table, arrivals.order.length);
  for (const group of arrivals.groups) {
    if (group.instance === "") continue;
    const all = arrivals.order.subarray(group.from, group.to);
    const rows = all.every(isSelected) ? all : all.filter(isSelected);
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
        const own = rows.subarray(from, to);
        lives.push({
          role: group.role,
          instance: group.instance,
          start,
          nextStart: next?.at ?? null,
          born: start?.at ?? table.start(own[0]!),
          rows: own,
          users: users.of(own),
        });
      }
      from = to;
    }
  }
  return lives;
}

/** The user requests of one life after the other, in one array. */
class UserRows {
  readonly #rows: Uint32Array;
  #used = 0;

  constructor(
    readonly table: RequestTable,
    most: number,
  ) {
    this.#rows = new Uint32Array(most);
  }

  of(rows: Uint32Array): Uint32Array {
    const from = this.#used;
    for (let i = 0; i < rows.length; i++) {
      if (this.table.rowClass(rows[i]!) === RowClass.user) this.#rows[this.#used++] = rows[i]!;
    }
    return this.#rows.subarray(from, this.#used);
  }
}
