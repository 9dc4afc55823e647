import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Slice } from "../../../src/sources/azure/plan.ts";
import type { QueryAnswer } from "../../../src/sources/azure/query-service.ts";
import { fetchSlices, type SliceJob } from "../../../src/sources/azure/slices.ts";
import { SourceFault } from "../../../src/sources/azure/source-fault.ts";
import { TICKS_PER_MS, TICKS_PER_SECOND } from "../../../src/telemetry/time.ts";
import { never } from "./clock.ts";
import { failureOf } from "./stand-in.ts";

const SECOND = TICKS_PER_SECOND;
const EMPTY: QueryAnswer = { columns: [], rows: [], partial: null };
const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Rows at instants, of which a service gives at most so many at a time. */
function service(instants: readonly number[], most: number): (slice: Slice) => Promise<QueryAnswer> {
  return async ({ from, to }) => {
    await soon();
    const found = instants.filter((at) => from <= at && at < to);
    const isCut = found.length > most;
    return {
      columns: ["at"],
      rows: found.slice(0, most).map((at) => [at]),
      partial: isCut ? "too many" : null,
    };
  };
}

function slicesOf(count: number, seconds: number): Slice[] {
  const length = seconds * SECOND;
  return Array.from({ length: count }, (_, i) => ({ from: i * length, to: (i + 1) * length }));
}

describe("fetching slices", () => {
  it("hands every row over exactly once, however the answers are cut", async () => {
    const instants = fc
      .uniqueArray(fc.nat(6400), { maxLength: 80 })
      .map((tenths) => tenths.map((at) => (at * SECOND) / 10));
    await fc.assert(
      fc.asyncProperty(
        instants,
        fc.integer({ min: 11, max: 30 }),
        fc.integer({ min: 1, max: 5 }),
        async (all, most, n) => {
          const rows: unknown[] = [];
          const covered: Slice[] = [];
          let halved = 0;
          const job: SliceJob = {
            ask: service(all, most),
            take: async (slice, answer) => {
              await soon();
              expect(answer.partial).toBeNull();
              covered.push(slice);
              rows.push(...answer.rows.map(([at]) => at));
            },
            onHalved: () => void halved++,
          };
          await fetchSlices(slicesOf(5, 128), job, n, never);
          expect(rows.sort((a, b) => Number(a) - Number(b))).toEqual(
            all.filter((at) => at < 640 * SECOND).sort((a, b) => a - b),
          );
          covered.sort((a, b) => a.from - b.from);
          expect(covered).toHaveLength(5 + halved);
          for (const [i, slice] of covered.entries()) expect(slice.from).toBe(covered[i - 1]?.to ?? 0);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("asks in the order of time, and for as many at once as it may", async () => {
    const begun: number[] = [];
    let running = 0;
    let highest = 0;
    const job: SliceJob = {
      ask: async ({ from }) => {
        begun.push(from / SECOND);
        highest = Math.max(highest, ++running);
        await soon();
        running--;
        return { columns: [], rows: [], partial: null };
      },
      take: () => Promise.resolve(),
      onHalved: () => {},
    };
    await fetchSlices(slicesOf(9, 1), job, 3, never);
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(highest).toBe(3);
  });

  it("says which millisecond holds more than the service gives", async () => {
    const from = 7 * SECOND + 3 * TICKS_PER_MS;
    const instants = Array.from({ length: 30 }, (_, i) => from + i);
    const taken: number[] = [];
    const halved: number[] = [];
    const job: SliceJob = {
      ask: service(instants, 20),
      take: async (_, { rows }) => void taken.push(rows.length),
      onHalved: (slice) => void halved.push((slice.to - slice.from) / TICKS_PER_MS),
    };
    const fault = await failureOf(fetchSlices([{ from: 0, to: 8 * SECOND }], job, 1, never));
    expect(fault).toBeInstanceOf(SourceFault);
    expect((fault as SourceFault).what).toBe(
      "the service cuts the answer even for the 1 ms from 2020-01-01T00:00:07.003Z (too many)",
    );
    expect(halved).toEqual([8000, 4000, 2000, 1000, 500, 250, 125, 62, 31, 15, 7, 4, 2]);
    // The halves before it had been handed over.
    expect(taken).toEqual([0, 0, 0, 0]);
  });

  it("gives every row where a second holds more than the service gives, and no millisecond does", async () => {
    const instants = Array.from({ length: 200 }, (_, i) => 7 * SECOND + i * TICKS_PER_MS);
    const rows: unknown[] = [];
    const job: SliceJob = {
      ask: service(instants, 1),
      take: async (_, answer) => void rows.push(...answer.rows.map(([at]) => at)),
      onHalved: () => {},
    };
    await fetchSlices([{ from: 0, to: 8 * SECOND }], job, 1, never);
    expect(rows).toEqual(instants);
  });

  it.each([1, 3, 8])("finds out with few questions that nothing is let out, %i at once", async (n) => {
    let asked = 0;
    const job: SliceJob = {
      ask: async () => {
        // Halves of all slices before the next halves would be asked for without end.
        if (++asked > 1000) throw new Error("too many questions");
        await soon();
        return { columns: [], rows: [], partial: "too many" };
      },
      take: () => Promise.resolve(),
      onHalved: () => {},
    };
    const fault = await failureOf(fetchSlices(slicesOf(30, 86_400), job, n, never));
    expect((fault as Error).message).toContain("1 ms from 2020-01-01T00:00:00Z");
    // A day is halved 27 times at most until a millisecond is left.
    expect(asked).toBeLessThanOrEqual(27 * n);
  });

  it("asks for halves as many at once as it may, though only one slice was left", async () => {
    let running = 0;
    let highest = 0;
    const job: SliceJob = {
      ask: async ({ from, to }) => {
        highest = Math.max(highest, ++running);
        for (let i = 0; i < 5; i++) await soon();
        running--;
        return { columns: [], rows: [], partial: to - from > SECOND ? "too many" : null };
      },
      take: () => Promise.resolve(),
      onHalved: () => {},
    };
    await fetchSlices([{ from: 0, to: 16 * SECOND }], job, 4, never);
    expect(highest).toBe(4);
    highest = 0;
    // Some end at once, while another one is still to be cut.
    await fetchSlices(
      [
        { from: 0, to: 16 * SECOND },
        { from: 16 * SECOND, to: 17 * SECOND },
        { from: 17 * SECOND, to: 18 * SECOND },
      ],
      { ...job, ask: (slice) => (slice.from < 16 * SECOND ? job.ask(slice) : soon().then(() => EMPTY)) },
      4,
      never,
    );
    expect(highest).toBe(4);
  });

  it.each([0, -1, Number.NaN])(
    "cannot ask %d at once",
    async (concurrency) => {
      const job: SliceJob = {
        ask: () => Promise.resolve(EMPTY),
        take: () => Promise.resolve(),
        onHalved: () => {},
      };
      expect(await failureOf(fetchSlices(slicesOf(1, 1), job, concurrency, never))).toBeInstanceOf(
        RangeError,
      );
    },
    2000,
  );

  it("lets what is under way finish and hands it over, and begins nothing more, when one fails for good", async () => {
    const fault = new SourceFault("permission", "no", "ask");
    const taken: number[] = [];
    const begun: number[] = [];
    const job: SliceJob = {
      ask: async ({ from }) => {
        begun.push(from / SECOND);
        await soon();
        if (from === SECOND) throw fault;
        for (let i = 0; i < 5; i++) await soon();
        return { columns: [], rows: [], partial: null };
      },
      take: async ({ from }) => {
        await soon();
        taken.push(from / SECOND);
      },
      onHalved: () => {},
    };
    expect(await failureOf(fetchSlices(slicesOf(9, 1), job, 3, never))).toBe(fault);
    expect(begun).toEqual([0, 1, 2]);
    expect(taken).toEqual([0, 2]);
  });

  it("stops where taking an answer fails", async () => {
    const full = new Error("no space left on the device");
    let taken = 0;
    const job: SliceJob = {
      ask: service([], 1),
      take: () => {
        taken++;
        return Promise.reject(full);
      },
      onHalved: () => {},
    };
    expect(await failureOf(fetchSlices(slicesOf(9, 1), job, 2, never))).toBe(full);
    expect(taken).toBeLessThanOrEqual(2);
  });

  it("keeps what was handed over when it is stopped", async () => {
    const controller = new AbortController();
    const reason = new Error("interrupted");
    const taken: number[] = [];
    const job: SliceJob = {
      ask: async ({ from }) => {
        if (from === 2 * SECOND) controller.abort(reason);
        controller.signal.throwIfAborted();
        await soon();
        return { columns: [], rows: [], partial: null };
      },
      take: async ({ from }) => void taken.push(from / SECOND),
      onHalved: () => {},
    };
    expect(await failureOf(fetchSlices(slicesOf(9, 1), job, 1, controller.signal))).toBe(reason);
    expect(taken).toEqual([0, 1]);
  });
});
