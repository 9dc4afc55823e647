import type { Clock } from "../../../src/sources/azure/clock.ts";

/** A clock that only sleeping moves: whoever sleeps shortest wakes up first. */
export class TestClock implements Clock {
  #now = 0;
  readonly slept: number[] = [];
  readonly #sleepers: { readonly until: number; readonly wake: () => void }[] = [];
  #isTicking = false;

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    this.slept.push(ms);
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error);
      const stop = (): void => reject(signal.reason as Error);
      signal.addEventListener("abort", stop, { once: true });
      const wake = (): void => {
        signal.removeEventListener("abort", stop);
        resolve();
      };
      this.#sleepers.push({ until: this.#now + ms, wake });
      if (!this.#isTicking) this.#tick();
    });
  }

  /** Lets everything else run as far as it gets before time passes. */
  #tick(): void {
    this.#isTicking = true;
    setImmediate(() => {
      this.#isTicking = false;
      this.#sleepers.sort((a, b) => a.until - b.until);
      const first = this.#sleepers.shift();
      if (first === undefined) return;
      this.#now = Math.max(this.#now, first.until);
      first.wake();
      if (this.#sleepers.length > 0) this.#tick();
    });
  }
}

/** A signal that nobody aborts. */
export const never: AbortSignal = new AbortController().signal;
