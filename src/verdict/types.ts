import type { Bar } from "./bar.ts";

/** What is wrong in a bar file, and where (1-based; null where no place can be named). */
export interface BarProblem {
  readonly message: string;
  readonly line: number | null;
  readonly column: number | null;
}

/** A bar as it was read from its file. */
export interface ReadBar {
  readonly bar: Bar;
  /** SHA-256 of the canonical bar, in hex. */
  readonly digest: string;
}

/** The lock beside a bar (`coldstart.bar.lock.json` beside `coldstart.bar.yaml`). */
export interface BarLock {
  readonly schema: "coldstart.lock/1";
  readonly digest: string;
  readonly analysisVersion: number;
  /** ISO 8601 in UTC. */
  readonly frozenAt: string;
  /** The newest instant of the data that could be seen at the freeze; null where none was given. */
  readonly newestData: string | null;
  /** Bars that this one supersedes, oldest first. */
  readonly supersedes: readonly {
    readonly digest: string;
    readonly frozenAt: string;
    readonly reason: string;
  }[];
}
