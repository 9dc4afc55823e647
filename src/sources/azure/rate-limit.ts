import type { Clock } from "./clock.ts";

/**
 * Lets calls begin so that no span of `perMs` sees more than `most` of them. The query service allows 200
 * in 30 s.
 */
export class RateLimit {
  readonly #begun: number[] = [];
  #last: Promise<void> = Promise.resolve();

  constructor(
    readonly clock: Clock,
    readonly most = 180,
    readonly perMs = 30_000,
  ) {}

  /** Resolves when the next call may begin; callers are served in the order in which they came. */
  turn(signal: AbortSignal): Promise<void> {
    const turn = this.#last.then(() => this.#wait(signal));
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #wait(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    while (this.#begun.length >= this.most) {
      const free = this.#begun[0]! + this.perMs;
      if (free <= this.clock.now()) this.#begun.shift();
      else await this.clock.sleep(free - this.clock.now(), signal);
    }
    this.#begun.push(this.clock.now());
  }
}
