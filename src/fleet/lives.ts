import { BLOCK, type RequestTable, RowClass } from "../telemetry/table.ts";
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
 * @param users gets the user requests of every instance, and of the rows without one
 */
export function livesOf(
  table: RequestTable,
  arrivals: Arrivals,
  starts: ReadonlyMap<string, readonly ContainerStart[]>,
  selected: Uint8Array,
  users: UserRows,
): Life[] {
  const lives: Life[] = [];
  const isAllSelected = !selected.includes(0);
  const isSelected = (row: number): boolean => selected[table.identity(row)] === 1;
  for (const group of arrivals.groups) {
    const all = arrivals.order.subarray(group.from, group.to);
    const rows = isAllSelected || all.every(isSelected) ? all : all.filter(isSelected);
    if (rows.length === 0) continue;
    if (group.instance === "") {
      users.of(rows);
      continue;
    }
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
export class UserRows {
  readonly #table: RequestTable;
  readonly #rows: Uint32Array;
  readonly #isEveryRow: boolean;
  #used = 0;

  /**
   * @param order every row; it serves itself where all are user requests
   * @param count how many of them are user requests that count
   */
  constructor(table: RequestTable, order: Uint32Array, count: number) {
    this.#table = table;
    this.#isEveryRow = count === order.length;
    this.#rows = this.#isEveryRow ? order : new Uint32Array(count);
  }

  /** Those among the rows of a life, which follow those asked for before. */
  of(rows: Uint32Array): Uint32Array {
    if (this.#isEveryRow) return rows;
    const { blocks } = this.#table;
    const from = this.#used;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i]!;
      const rowClass = blocks[row >>> 16]!.flags[row & (BLOCK - 1)]! & 7;
      if (rowClass === RowClass.user) this.#rows[this.#used++] = row;
    }
    return this.#rows.subarray(from, this.#used);
  }

  /** Those of all lives and of no life, in canonical order. */
  get all(): Uint32Array {
    return this.#rows;
  }
}
