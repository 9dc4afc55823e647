import fc from "fast-check";
import { expect, test } from "vitest";
import { analyse } from "../../src/figures/analysis.ts";
import { OrderCurve } from "../../src/figures/by-order.ts";
import { earlyFigures } from "../../src/figures/early.ts";
import { observedLives } from "../../src/figures/lifetime.ts";
import { type Arrival, ORDER_BUCKETS, walkArrivals } from "../../src/figures/walk.ts";
import { cohortsOf } from "../../src/fleet/cohort.ts";
import type { Fleet } from "../../src/fleet/fleet.ts";
import { weightedQuantile } from "../../src/stats/quantile.ts";
import { Sum } from "../../src/stats/sum.ts";
import { RequestBuilder } from "../../src/telemetry/builder.ts";
import { RowClass } from "../../src/telemetry/table.ts";
import { TICKS_PER_MINUTE, ticksOfMs } from "../../src/telemetry/time.ts";
import { expectedArrivals, fleetOf, type Row, rows } from "./arrival-rows.ts";

function walked({ table }: Fleet, users: Uint32Array): Arrival[] {
  const seen: Arrival[] = [];
  walkArrivals(table, users, (arrival) => seen.push({ ...arrival }));
  return seen;
}

test("each request of an instance is what the definitions say", () => {
  fc.assert(
    fc.property(rows, (list) => {
      const fleet = fleetOf(list);
      for (const { users } of fleet.lives) {
        if (users.length > 0) expect(walked(fleet, users)).toEqual(expectedArrivals(fleet, users));
      }
    }),
    { numRuns: 300 },
  );
});

test("the figures after the first request add up over these requests", () => {
  const close = (value: number | null, sum: number, by: number): void => {
    expect(value ?? 0).toBeCloseTo(by === 0 ? 0 : sum / by, 9);
  };
  fc.assert(
    fc.property(rows, fc.constantFrom(0, 500, 5000), (list, thresholdMs) => {
      const fleet = fleetOf(list);
      const [cohort] = cohortsOf(fleet);
      const figures = earlyFigures(fleet.table, cohort!, thresholdMs);
      const all = cohort!.instances.flatMap(({ life }) => expectedArrivals(fleet, life.users));
      const sum = (of: readonly Arrival[]): number => of.reduce((total, { weight }) => total + weight, 0);
      const median = (of: readonly Arrival[], q = 0.5): number | null =>
        weightedQuantile(
          of.map(({ durationMs }) => durationMs),
          of.map(({ weight }) => weight),
          q,
        );
      const instances = cohort!.instances.length;
      const overlap = all.filter((one) => one.rank > 1 && one.isOverlapping);
      const afterFirst = all.filter((one) => one.rank > 1 && one.isEarly && !one.isOverlapping);
      const slow = all.filter((one) => one.isEarly && one.durationMs > thresholdMs);
      expect([figures.overlap.n, figures.overlap.p50Ms]).toEqual([overlap.length, median(overlap)]);
      expect(figures.afterFirst).toEqual({ n: afterFirst.length, p50Ms: median(afterFirst) });
      close(figures.overlap.perInstance, sum(overlap), instances);
      close(figures.slowEarlyPerInstance, sum(slow), instances);
      figures.byOrder.forEach((bucket, i) => {
        const own = all.filter((one) => one.bucket === i);
        const over = own.filter((one) => one.durationMs > thresholdMs);
        expect([bucket.observed, bucket.p50Ms, bucket.p90Ms]).toEqual([
          own.length,
          median(own),
          median(own, 0.9),
        ]);
        expect(bucket.estimated).toBeCloseTo(sum(own), 9);
        expect(bucket.overThresholdShare === null).toBe(own.length === 0);
        close(bucket.overThresholdShare, sum(over), sum(own));
      });
    }),
    { numRuns: 200 },
  );
});

test("rows of several blocks add up to the same bits as row by row", () => {
  const list = Array.from({ length: 150_000 }, (_, i): Row => {
    const instance = Math.floor(i / 25_000) % 3;
    const weight = [1, 100 / 33, 100 / 7, 5][(i * 7919) % 4]! + (i % 1000);
    return { gap: 10_000, durationMs: (i * 7919) % 10_007, weight, instance, rowClass: RowClass.user };
  });
  const fleet = fleetOf(list);
  const { table, userRows } = fleet;
  const sum = new Sum();
  for (const user of userRows) sum.add(table.weight(user));
  const account = new RequestBuilder(table, { weight: "auto", probePaths: [] });
  const { requests, cohorts } = analyse(fleet, account, { thresholdMs: 9000, seed: 1 });
  expect(requests).toEqual({ observed: list.length, estimated: sum.value });
  const last = { all: new Sum(), over: new Sum() };
  for (const { users } of fleet.lives) {
    for (const { bucket, durationMs, weight } of expectedArrivals(fleet, users)) {
      if (ORDER_BUCKETS[bucket]![0] !== ">100") continue;
      last.all.add(weight);
      if (durationMs > 9000) last.over.add(weight);
    }
  }
  expect(cohorts[0]!.byOrder[7]).toMatchObject({
    estimated: last.all.value,
    overThresholdShare: last.over.value / last.all.value,
  });
});

test("a curve without instances has nothing in its buckets", () => {
  const { table } = fleetOf([{ gap: 0, durationMs: 5, weight: 1, instance: 0, rowClass: RowClass.user }]);
  for (const bucket of new OrderCurve(table, 1).figures()) {
    expect(bucket).toMatchObject({ observed: 0, estimated: 0, p50Ms: null, p90Ms: null });
    expect(bucket.overThresholdShare).toBeNull();
  }
});

test("a life by requests lasts to the end of whichever request ends last", () => {
  fc.assert(
    fc.property(rows, (list) => {
      const fleet = fleetOf(list);
      const { table } = fleet;
      const lives = fleet.lives.filter(({ users }) => users.length > 0);
      const minutes = lives.map(({ users }) => {
        const ends = Array.from(users, (user) => table.start(user) + ticksOfMs(table.duration(user)));
        return (Math.max(...ends) - table.start(users[0]!)) / TICKS_PER_MINUTE;
      });
      expect(observedLives(fleet, lives).lives.map((life) => life!.time)).toEqual(minutes);
    }),
    { numRuns: 500 },
  );
});
