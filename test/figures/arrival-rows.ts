import fc from "fast-check";
import { type Arrival, ORDER_BUCKETS } from "../../src/figures/walk.ts";
import { buildFleet, type Fleet } from "../../src/fleet/fleet.ts";
import type { FleetSettings } from "../../src/fleet/settings.ts";
import { RequestTable, RowClass } from "../../src/telemetry/table.ts";
import { TICKS_PER_SECOND, ticksOfMs } from "../../src/telemetry/time.ts";

/** One row of a small table; `gap` is ticks after the row before. */
export interface Row {
  readonly gap: number;
  readonly durationMs: number;
  readonly weight: number;
  readonly instance: number;
  readonly rowClass: number;
}

const row = fc.record<Row>({
  gap: fc.constantFrom(0, 1, 10, 400, 5000, 10_000).map((ms) => ms * 10_000),
  durationMs: fc.oneof(fc.integer({ min: 0, max: 9000 }), fc.double({ min: 0, max: 90_000, noNaN: true })),
  weight: fc.constantFrom(1, 1, 5, 100 / 33, 100 / 7),
  instance: fc.nat({ max: 2 }),
  rowClass: fc.constantFrom(RowClass.user, RowClass.user, RowClass.user, RowClass.probe),
});
export const rows = fc.array(row, { minLength: 1, maxLength: 150 });
export const T0 = 2e15;
const ALL = [{ name: "all", from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }] as const;

/** A fleet of rows that follow each other, of up to three instances. */
export function fleetOf(
  list: readonly Row[],
  windows: FleetSettings["windows"] = ALL,
  names = ["a", "b", "c"],
): Fleet {
  const table = new RequestTable();
  const identities = names.map((name) => table.identityOf("r", name, ""));
  let start = T0;
  for (const { gap, durationMs, weight, instance, rowClass } of list) {
    start += gap;
    table.push(start, durationMs, weight, identities[instance]!, rowClass, 1, 0, new Uint8Array(0), 0, 0);
  }
  return buildFleet(table, null, {
    windows,
    role: null,
    revision: null,
    container: null,
    guardTicks: 0,
    timezone: "UTC",
    days: "all",
    holidays: new Set(),
  });
}

/** What each request is by the words of the definitions, row by row. */
export function expectedArrivals({ table }: Fleet, users: Uint32Array): Arrival[] {
  const firstStart = table.start(users[0]!);
  const firstEnd = firstStart + ticksOfMs(table.duration(users[0]!));
  let order = 1;
  return Array.from(users, (user, i) => {
    const rounded = Math.floor(order + 0.5 + 1e-9 * order);
    const arrival = {
      rank: i + 1,
      durationMs: table.duration(user),
      weight: i === 0 ? 1 : table.weight(user),
      bucket: ORDER_BUCKETS.findIndex(([, last]) => rounded <= last),
      isEarly: order <= 10 * (1 + 1e-9),
      isOverlapping: table.start(user) < firstEnd,
      isWithinTenSeconds: table.start(user) - firstStart <= 10 * TICKS_PER_SECOND,
    };
    order += table.weight(user);
    return arrival;
  });
}
