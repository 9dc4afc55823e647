import type { Clock } from "./clock.ts";
import { SourceFault } from "./source-fault.ts";

export interface RetryPolicy {
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  random(): number;
  /** Told before each wait. */
  onRetry(fault: SourceFault, waitMs: number): void;
}

const RETRIES = 6;
const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;
/** Nobody waits longer for a command, whatever the service asks for. */
const LONGEST_ASKED_MS = 15 * 60_000;

/**
 * Runs a call again while it fails for a reason that passes: after the time that the service asks for, else
 * after a random part of a time that doubles (full jitter). A wrong sign-in, permission or query is never
 * asked again.
 *
 * @throws SourceFault of the last try; at once where the service asks to wait for more than 15 minutes
 */
export async function withRetry<T>(
  run: () => Promise<T>,
  policy: RetryPolicy,
  signal: AbortSignal,
): Promise<T> {
  for (let failed = 0; ; failed++) {
    try {
      return await run();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof SourceFault) || !error.isPassing || failed >= RETRIES) throw error;
      if (error.retryAfterMs !== null && error.retryAfterMs > LONGEST_ASKED_MS) throw tooLong(error);
      const most = Math.min(LONGEST_MS, FIRST_MS * 2 ** failed);
      const waitMs = error.retryAfterMs ?? most * policy.random();
      policy.onRetry(error, waitMs);
      await policy.clock.sleep(waitMs, signal);
    }
  }
}

/** The same fault, saying how long the service asks to wait, rounded up. */
function tooLong({ kind, what, remedy, retryAfterMs }: SourceFault): SourceFault {
  const minutes = Math.ceil((retryAfterMs ?? 0) / 60_000);
  const wait = minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
  return new SourceFault(kind, `${what}, and it asks to wait ${wait}`, remedy, retryAfterMs);
}
