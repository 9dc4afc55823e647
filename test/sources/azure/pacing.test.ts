import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { realClock } from "../../../src/sources/azure/clock.ts";
import { RateLimit } from "../../../src/sources/azure/rate-limit.ts";
import { withRetry } from "../../../src/sources/azure/retry.ts";
import { SourceFault, type SourceFaultKind } from "../../../src/sources/azure/source-fault.ts";
import { never, TestClock } from "./clock.ts";
import { failureOf } from "./stand-in.ts";

describe("the limit of calls", () => {
  it("never lets more begin in any span than it may, in the order of asking, and wastes no time", async () => {
    const gaps = fc.array(fc.nat(400), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(gaps, fc.integer({ min: 1, max: 6 }), async (waits, most) => {
        const clock = new TestClock();
        const limit = new RateLimit(clock, most, 1000);
        const begun: number[] = [];
        const order: number[] = [];
        const asked: number[] = [];
        const turns: Promise<void>[] = [];
        for (const [i, wait] of waits.entries()) {
          if (wait > 200) await clock.sleep(wait, never);
          asked.push(clock.now());
          turns.push(
            limit.turn(never).then(() => {
              begun.push(clock.now());
              order.push(i);
            }),
          );
        }
        await Promise.all(turns);
        expect(order).toEqual(waits.map((_, i) => i));
        for (let i = 0; i < begun.length; i++) {
          // As soon as it may: when asked, after the one before, and a span after the one `most` before.
          const soonest = Math.max(asked[i]!, begun[i - 1] ?? 0, (begun[i - most] ?? -1000) + 1000);
          expect(begun[i]).toBe(soonest);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("begins at most 180 calls in 30 s unless told otherwise", async () => {
    const clock = new TestClock();
    const limit = new RateLimit(clock);
    const begun: number[] = [];
    for (let i = 0; i < 181; i++) {
      await limit.turn(never);
      begun.push(clock.now());
    }
    expect(begun.slice(0, 180).every((at) => at === 0)).toBe(true);
    expect(begun[180]).toBe(30_000);
  });

  it("lets nothing begin a moment too early", async () => {
    const clock = new TestClock();
    const limit = new RateLimit(clock, 1, 1000);
    await limit.turn(never);
    await clock.sleep(999, never);
    await limit.turn(never);
    expect(clock.now()).toBe(1000);
  });

  it("lets the others go on when one gives up", async () => {
    const clock = new TestClock();
    const limit = new RateLimit(clock, 1, 1000);
    const controller = new AbortController();
    await limit.turn(never);
    const given = failureOf(limit.turn(controller.signal));
    const next = limit.turn(never);
    const reason = new Error("interrupted");
    controller.abort(reason);
    expect(await given).toBe(reason);
    await next;
    expect(clock.now()).toBe(1000);
  });
});

describe("trying again", () => {
  const fault = (kind: SourceFaultKind, after: number | null = null): SourceFault =>
    new SourceFault(kind, "it failed", "wait", after);

  async function tried(
    faults: readonly SourceFault[],
    random = 0.5,
  ): Promise<{ calls: number; clock: TestClock }> {
    const clock = new TestClock();
    let calls = 0;
    const left = [...faults];
    const policy = { clock, random: () => random, onRetry: () => {} };
    const run = (): Promise<number> => {
      calls++;
      const next = left.shift();
      return next === undefined ? Promise.resolve(42) : Promise.reject(next);
    };
    const given = await withRetry(run, policy, never).catch((error: unknown) => error);
    expect(given).toBe(left.length > 0 || calls <= faults.length ? faults[calls - 1] : 42);
    return { calls, clock };
  }

  it.each(["throttled", "timeout", "network", "service"] as const)(
    "helps against %s, six times",
    async (kind) => {
      expect((await tried(Array.from({ length: 6 }, () => fault(kind)))).calls).toBe(7);
      expect((await tried(Array.from({ length: 9 }, () => fault(kind)))).calls).toBe(7);
    },
  );

  it.each(["sign-in", "permission", "not-found", "query"] as const)(
    "is never done after %s",
    async (kind) => {
      const { calls, clock } = await tried([fault(kind)]);
      expect(calls).toBe(1);
      expect(clock.slept).toEqual([]);
    },
  );

  it("waits as long as the service asks, else a random part of a time that doubles", async () => {
    const { clock } = await tried(Array.from({ length: 7 }, () => fault("network")));
    expect(clock.slept).toEqual([500, 1000, 2000, 4000, 8000, 16_000]);
    expect((await tried([fault("throttled", 7000), fault("throttled", 0)])).clock.slept).toEqual([7000, 0]);
    expect((await tried([fault("network"), fault("network")], 0)).clock.slept).toEqual([0, 0]);
  });

  it("waits for a quarter of an hour at most, and beyond that says how long the service asks to wait", async () => {
    const longest = 15 * 60_000;
    expect((await tried([fault("throttled", longest)])).clock.slept).toEqual([longest]);
    for (const [ms, words] of [
      [longest + 1, "16 min"],
      [2 ** 31, "597 h"],
    ] as const) {
      const clock = new TestClock();
      const told: number[] = [];
      const policy = { clock, random: () => 0, onRetry: (_: SourceFault, wait: number) => told.push(wait) };
      const given = await failureOf(withRetry(() => Promise.reject(fault("throttled", ms)), policy, never));
      expect(given).toBeInstanceOf(SourceFault);
      expect(given).toMatchObject({ kind: "throttled", remedy: "wait", retryAfterMs: ms });
      expect((given as SourceFault).what).toBe(`it failed, and it asks to wait ${words}`);
      expect([...clock.slept, ...told]).toEqual([]);
    }
  });

  it("tells of each wait before it", async () => {
    const clock = new TestClock();
    const told: unknown[] = [];
    const faults = [fault("throttled", 3000), fault("service")];
    const policy = {
      clock,
      random: () => 0.25,
      onRetry: (of: SourceFault, waitMs: number) => told.push([of.kind, waitMs, clock.now()]),
    };
    await withRetry(
      () => (faults.length > 0 ? Promise.reject(faults.shift()) : Promise.resolve()),
      policy,
      never,
    );
    expect(told).toEqual([
      ["throttled", 3000, 0],
      ["service", 500, 3000],
    ]);
  });

  it("does not try a program's own error again", async () => {
    const policy = { clock: new TestClock(), random: () => 0, onRetry: () => {} };
    let calls = 0;
    const error = new RangeError("a bug");
    const given = await failureOf(
      withRetry(
        () => {
          calls++;
          return Promise.reject(error);
        },
        policy,
        never,
      ),
    );
    expect(given).toBe(error);
    expect(calls).toBe(1);
  });

  it("stops at once in the middle of a wait", async () => {
    const controller = new AbortController();
    const policy = { clock: realClock, random: () => 1, onRetry: () => {} };
    const run = (): Promise<never> => Promise.reject(fault("throttled", 600_000));
    const reason = new Error("interrupted");
    setTimeout(() => controller.abort(reason), 50);
    expect(await failureOf(withRetry(run, policy, controller.signal))).toBe(reason);
  });
});

describe("the clock", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("sleeps longer than a timer can count", async () => {
    vi.useFakeTimers();
    let isAwake = false;
    const sleeping = realClock.sleep(2 ** 31 + 5, never).then(() => {
      isAwake = true;
    });
    await vi.advanceTimersByTimeAsync(2 ** 31 + 4);
    expect(isAwake).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await sleeping;
    expect(isAwake).toBe(true);
  });

  it("stops such a sleep in its second part, and leaves no timer behind", async () => {
    vi.useFakeTimers();
    const controller = new AbortController();
    const sleeping = failureOf(realClock.sleep(2 ** 32, controller.signal));
    await vi.advanceTimersByTimeAsync(2 ** 31 + 5);
    const reason = new Error("interrupted");
    controller.abort(reason);
    expect(await sleeping).toBe(reason);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a fault of the source", () => {
  it.each([
    "Bearer eyJhbGciOiJSUzI1NiJ9.eyJhdWQiOiJ4In0.c2lnbmF0dXJl",
    '{"client_secret": "hunter2-value"}',
    "client_secret=hunter2-value&x=1",
    "AccountKey=hunter2-value;EndpointSuffix=core.windows.net",
    "https://x.blob.core.windows.net/c?sv=1&sig=hunter2-value",
    "InstrumentationKey=hunter2-value",
    "'password': 'hunter2-value'",
  ])("repeats no secret: %s", async (words) => {
    const { ownWords } = await import("../../../src/sources/azure/source-fault.ts");
    expect(ownWords(`before ${words} after`)).not.toMatch(/hunter2|eyJ|c2lnb/);
    expect(ownWords(`before ${words} after`)).toContain("before");
  });

  it("is one line of at most 300 characters of the service's words", async () => {
    const { ownWords } = await import("../../../src/sources/azure/source-fault.ts");
    expect(ownWords(` a\r\n\tb ${"c".repeat(400)}`)).toBe(`a b ${"c".repeat(296)}`);
  });
});
