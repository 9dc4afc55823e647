import { BLOCK, type Identity, type RequestTable } from "../telemetry/table.ts";

/** Rows of one role and role instance, in arrival order. */
export interface Group {
  readonly role: string;
  /** Empty for the rows without a role instance. */
  readonly instance: string;
  /** Positions in {@link Arrivals.order}, end exclusive. */
  from: number;
  to: number;
}

export interface Arrivals {
  /** Row numbers, group by group, each in arrival order; duplicates stand nowhere. */
  readonly order: Uint32Array;
  /** In the order of role and instance, so that no result depends on the order of the input. */
  readonly groups: Group[];
  /** 1 for each row that repeats an earlier one. */
  readonly duplicate: Uint8Array;
}

/**
 * Puts the rows of each instance into arrival order: by start, then id. Rows that share both are put
 * the longer one first, since no default is optimistic.
 */
export function arrivals(table: RequestTable): Arrivals {
  const { groups, groupOf } = groupIdentities(table.identities);
  const order = countingSort(table, groups, groupOf);
  const duplicate = new Uint8Array(table.capacity);
  const starts = new Float64Array(groups.reduce((most, { from, to }) => Math.max(most, to - from), 0));
  let used = 0;
  for (const group of groups) {
    const rows = order.subarray(group.from, group.to);
    if (!table.isInOrder) {
      sortRows(table, rows, starts);
      markDuplicates(table, rows, duplicate);
    }
    group.from = used;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i]!;
      if (duplicate[row] === 0) order[used++] = row;
    }
    group.to = used;
  }
  return { order: order.subarray(0, used), groups, duplicate };
}

function groupIdentities(identities: readonly Identity[]): { groups: Group[]; groupOf: Uint32Array } {
  const sorted = identities
    .map((identity, index) => ({ ...identity, index }))
    .sort((a, b) => compare(a.role, b.role) || compare(a.instance, b.instance) || a.index - b.index);
  const groups: Group[] = [];
  const groupOf = new Uint32Array(identities.length);
  for (const { role, instance, index } of sorted) {
    const last = groups[groups.length - 1];
    if (last === undefined || last.role !== role || last.instance !== instance) {
      groups.push({ role, instance, from: 0, to: 0 });
    }
    groupOf[index] = groups.length - 1;
  }
  return { groups, groupOf };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function countingSort(table: RequestTable, groups: Group[], groupOf: Uint32Array): Uint32Array {
  const ends = new Uint32Array(groups.length);
  for (const { identity, used } of table.blocks) {
    for (let i = 0; i < used; i++) ends[groupOf[identity[i]!]!]!++;
  }
  let at = 0;
  groups.forEach((group, i) => {
    group.from = at;
    at += ends[i]!;
    group.to = at;
    ends[i] = group.from;
  });
  const order = new Uint32Array(table.length);
  table.blocks.forEach(({ identity, used }, block) => {
    for (let i = 0; i < used; i++) order[ends[groupOf[identity[i]!]!]!++] = block * BLOCK + i;
  });
  return order;
}

/** Which of two rows of a table arrived first. */
export function arrivalOrder(table: RequestTable): (a: number, b: number) => number {
  return (a, b) =>
    table.start(a) - table.start(b) ||
    table.compareIds(a, b) ||
    table.duration(b) - table.duration(a) ||
    table.weight(b) - table.weight(a) ||
    a - b;
}

/** The rows of a table in the order of time, without those that repeat another. */
export function timeOrder(table: RequestTable): { readonly order: Uint32Array; readonly duplicates: number } {
  const { order } = arrivals(table);
  return { order: order.sort(arrivalOrder(table)), duplicates: table.length - order.length };
}

/** Exports stand roughly in time order: up to so many moves a row, insertion is the fastest sort. */
const MOST_MOVES = 16;

/** @param starts as many places as there are rows, for use here */
function sortRows(table: RequestTable, rows: Uint32Array, starts: Float64Array): void {
  const order = arrivalOrder(table);
  let moves = rows.length * MOST_MOVES;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const start = table.start(row);
    let at = i;
    while (
      at > 0 &&
      (starts[at - 1]! > start || (starts[at - 1] === start && order(rows[at - 1]!, row) > 0))
    ) {
      starts[at] = starts[at - 1]!;
      rows[at] = rows[at - 1]!;
      at--;
    }
    starts[at] = start;
    rows[at] = row;
    moves -= i - at;
    if (moves < 0) {
      rows.sort(order);
      return;
    }
  }
}

/** The first row read of those that share id, operation id and start is the one that counts. */
function markDuplicates(table: RequestTable, rows: Uint32Array, duplicate: Uint8Array): void {
  for (let from = 0; from < rows.length; ) {
    let to = from + 1;
    while (to < rows.length && isSameId(table, rows[from]!, rows[to]!)) to++;
    for (let i = from; i < to && to - from > 1; i++) {
      for (let j = from; j < to; j++) {
        const earlier = rows[j]! < rows[i]! && table.operation(rows[j]!) === table.operation(rows[i]!);
        if (earlier) duplicate[rows[i]!] = 1;
      }
    }
    from = to;
  }
}

function isSameId(table: RequestTable, a: number, b: number): boolean {
  return table.start(a) === table.start(b) && table.hasId(a) && table.compareIds(a, b) === 0;
}
