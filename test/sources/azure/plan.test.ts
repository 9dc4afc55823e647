import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gapsIn, planSlices, type Slice } from "../../../src/sources/azure/plan.ts";
import { TICKS_PER_MINUTE, TICKS_PER_SECOND } from "../../../src/telemetry/time.ts";

const HOUR = 60 * TICKS_PER_MINUTE;
const WEEK = 7 * 24 * HOUR;

const window = fc
  .tuple(fc.integer({ min: -40 * HOUR, max: 40 * HOUR }), fc.integer({ min: 1, max: 80 * HOUR }))
  .map(([from, length]) => ({ from, to: from + length }));
const counts = fc
  .array(fc.tuple(fc.integer({ min: -50, max: 150 }), fc.integer({ min: 0, max: 5000 })), { maxLength: 60 })
  .map((entries) => new Map(entries.map(([hour, rows]) => [hour * HOUR, rows])));
const most = fc.integer({ min: 1, max: 1000 });

/** Rows that the counts expect in a slice, those of an hour spread evenly over what the window has of it. */
function expectedRows({ from, to }: Slice, whole: Slice, rows: ReadonlyMap<number, number>): number {
  let sum = 0;
  for (let hour = Math.floor(from / HOUR) * HOUR; hour < to; hour += HOUR) {
    const [begin, end] = [Math.max(hour, whole.from), Math.min(hour + HOUR, whole.to)];
    const part = Math.min(end, to) - Math.max(begin, from);
    sum += ((rows.get(hour) ?? 0) * part) / (end - begin);
  }
  return sum;
}

describe("the plan of a pull", () => {
  it("covers the window without gap or overlap, in order, in slices of at least a tick and at most a week", () => {
    fc.assert(
      fc.property(window, counts, most, (whole, rows, limit) => {
        const slices = planSlices(whole, rows, limit);
        expect(slices[0]!.from).toBe(whole.from);
        expect(slices.at(-1)!.to).toBe(whole.to);
        for (const [i, slice] of slices.entries()) {
          expect(slice.to).toBeGreaterThan(slice.from);
          expect(slice.to - slice.from).toBeLessThanOrEqual(WEEK);
          expect(Number.isInteger(slice.from)).toBe(true);
          if (i > 0) expect(slice.from).toBe(slices[i - 1]!.to);
        }
      }),
    );
  });

  it("expects no more rows in a slice than the limit, but for a part of a tick's", () => {
    const seconds = fc
      .tuple(fc.integer({ min: -100_000, max: 100_000 }), fc.integer({ min: 1, max: 300_000 }))
      .map(([from, length]) => ({ from: from * TICKS_PER_SECOND, to: (from + length) * TICKS_PER_SECOND }));
    fc.assert(
      fc.property(seconds, counts, most, (whole, rows, limit) => {
        for (const slice of planSlices(whole, rows, limit)) {
          expect(expectedRows(slice, whole, rows)).toBeLessThan(limit + 0.001);
        }
      }),
    );
  });

  it("joins thin hours up to a week and cuts dense ones evenly", () => {
    const rows = new Map([
      [200 * HOUR, 100_000],
      [201 * HOUR, 30_000],
      [202 * HOUR, 30_000],
    ]);
    expect(planSlices({ from: 0, to: 206 * HOUR }, rows, 50_000)).toEqual([
      { from: 0, to: WEEK },
      { from: WEEK, to: 200 * HOUR },
      { from: 200 * HOUR, to: 200.5 * HOUR },
      { from: 200.5 * HOUR, to: 201 * HOUR },
      { from: 201 * HOUR, to: 202 * HOUR },
      { from: 202 * HOUR, to: 206 * HOUR },
    ]);
  });

  it("plans nothing for an empty window", () => {
    expect(planSlices({ from: 5, to: 5 }, new Map([[0, 10]]), 1)).toEqual([]);
  });
});

describe("what is left of a window", () => {
  it("is every tick of it that no part covers, and nothing else", () => {
    const part = fc
      .tuple(fc.integer({ min: -3, max: 22 }), fc.integer({ min: 1, max: 9 }))
      .map(([from, length]) => ({ from, to: from + length }));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const whole = { from: 0, to: 20 };
        const gaps = gapsIn(whole, parts);
        const isIn = (tick: number, of: readonly Slice[]): boolean =>
          of.some(({ from, to }) => from <= tick && tick < to);
        for (let tick = -3; tick < 23; tick++) {
          expect(isIn(tick, gaps)).toBe(tick >= 0 && tick < 20 && !isIn(tick, parts));
        }
        for (const [i, gap] of gaps.entries()) {
          expect(gap.to).toBeGreaterThan(gap.from);
          if (i > 0) expect(gap.from).toBeGreaterThan(gaps[i - 1]!.to);
        }
      }),
      { numRuns: 500 },
    );
  });
});
