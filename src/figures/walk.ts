import { smallestRank } from "../stats/binomial.ts";
import { Sum } from "../stats/sum.ts";
import type { RequestTable } from "../telemetry/table.ts";
import { TICKS_PER_SECOND, ticksOfMs } from "../telemetry/time.ts";

/** Labels and upper ends of the buckets of the rounded arrival order. */
export const ORDER_BUCKETS: readonly (readonly [label: string, last: number])[] = [
  ["1", 1],
  ["2", 2],
  ["3", 3],
  ["4-5", 5],
  ["6-10", 10],
  ["11-20", 20],
  ["21-100", 100],
  [">100", Number.POSITIVE_INFINITY],
];

/** Orders and cumulative weights are compared as in exact arithmetic. */
const SLACK = 1e-9;
const EARLY = 10;
const TEN_SECONDS = 10 * TICKS_PER_SECOND;

/** What a user request is within its instance. */
export interface Arrival {
  readonly rank: number;
  readonly durationMs: number;
  /** The row's weight; 1 for an instance's first request. */
  readonly weight: number;
  /** Index into {@link ORDER_BUCKETS}. */
  readonly bucket: number;
  /** Of order 10 or less. */
  readonly isEarly: boolean;
  /** Starts before the first request's end. */
  readonly isOverlapping: boolean;
  /** Starts at most 10 s after the first request's start. */
  readonly isWithinTenSeconds: boolean;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The estimated order, half up to the nearest integer. */
export function roundedOrder(order: number): number {
  return Math.floor(order + 0.5 + SLACK * order);
}

/**
 * How many user requests of an instance, from its first one on, are of a kind. In arrival order each kind
 * ends once and does not come back, since starts and orders never fall.
 */
export interface Extents {
  /** By bucket: those of this bucket or of one before. */
  readonly buckets: readonly number[];
  /** See {@link Arrival}. */
  readonly early: number;
  readonly overlapping: number;
  readonly withinTenSeconds: number;
}

/** @param users the user requests of an instance in arrival order, at least one */
export function extentsOf(table: RequestTable, users: Uint32Array): Extents {
  const { length } = users;
  const firstStart = table.start(users[0]!);
  const firstEnd = firstStart + ticksOfMs(table.duration(users[0]!));
  const buckets: number[] = [];
  const before = new Sum();
  let early = 0;
  for (let i = 0; i < length && buckets.length < ORDER_BUCKETS.length - 1; i++) {
    const order = 1 + before.value;
    const rounded = roundedOrder(order);
    while (rounded > ORDER_BUCKETS[buckets.length]![1]) buckets.push(i);
    if (order <= EARLY * (1 + SLACK)) early = i + 1;
    before.add(table.weight(users[i]!));
  }
  while (buckets.length < ORDER_BUCKETS.length) buckets.push(length);
  return {
    buckets,
    early,
    overlapping: smallestRank(length, (i) => table.start(users[i]!) >= firstEnd),
    withinTenSeconds: smallestRank(length, (i) => table.start(users[i]!) - firstStart > TEN_SECONDS),
  };
}

/**
 * Calls back for each user request of an instance in arrival order. One object serves for all of them,
 * so it must not be kept: a fleet has millions of rows.
 */
export function walkArrivals(
  table: RequestTable,
  users: Uint32Array,
  visit: (arrival: Arrival) => void,
): void {
  const extents = extentsOf(table, users);
  const arrival: Mutable<Arrival> = {
    rank: 0,
    durationMs: 0,
    weight: 1,
    bucket: 0,
    isEarly: true,
    isOverlapping: true,
    isWithinTenSeconds: true,
  };
  for (let i = 0; i < users.length; i++) {
    const row = users[i]!;
    arrival.rank = i + 1;
    arrival.durationMs = table.duration(row);
    arrival.weight = i === 0 ? 1 : table.weight(row);
    while (i >= extents.buckets[arrival.bucket]!) arrival.bucket++;
    arrival.isEarly = i < extents.early;
    arrival.isOverlapping = i < extents.overlapping;
    arrival.isWithinTenSeconds = i < extents.withinTenSeconds;
    visit(arrival);
  }
}

/** The ticks during which an instance could be seen to get requests: in the first ten seconds, and later. */
export function exposure(table: RequestTable, users: Uint32Array): { early: number; later: number } {
  const span = table.start(users[users.length - 1]!) - table.start(users[0]!);
  return {
    early: Math.min(TEN_SECONDS, span),
    later: Math.max(0, span - TEN_SECONDS),
  };
}
