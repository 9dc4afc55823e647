import { formatTicks, TICKS_PER_SECOND } from "../../telemetry/time.ts";
import type { Slice } from "./plan.ts";
import type { QueryAnswer } from "./query-service.ts";
import { SourceFault } from "./source-fault.ts";

export interface SliceJob {
  /** Asks the service for a slice, with retries. */
  ask(slice: Slice): Promise<QueryAnswer>;
  /** Takes a whole answer; awaited, so that answers never pile up. */
  take(slice: Slice, answer: QueryAnswer): Promise<void>;
  /** Told when an answer came back cut, before its halves are asked for. */
  onHalved(slice: Slice): void;
}

/** Where a slice cannot be cut any further. */
const LEAST = TICKS_PER_SECOND;

/**
 * Fetches slices a few at a time. One whose answer was cut is asked for again in halves. When one fails for
 * good, those under way are still finished and handed over.
 *
 * @throws SourceFault of the first slice that failed
 */
export async function fetchSlices(
  slices: readonly Slice[],
  job: SliceJob,
  concurrency: number,
  signal: AbortSignal,
): Promise<void> {
  const waiting = [...slices].reverse();
  let failure: unknown = null;
  const worker = async (): Promise<void> => {
    while (failure === null) {
      signal.throwIfAborted();
      const slice = waiting.pop();
      if (slice === undefined) return;
      const answer = await job.ask(slice);
      if (answer.partial === null) await job.take(slice, answer);
      else {
        const halves = halvesOf(slice, answer.partial);
        job.onHalved(slice);
        waiting.push(halves[1], halves[0]);
      }
    }
  };
  const guarded = (): Promise<void> =>
    worker().catch((error: unknown) => {
      failure ??= error;
    });
  // A worker that ends early may leave halves behind that another one pushes later: ask until none is left.
  while (failure === null && waiting.length > 0) {
    await Promise.all(Array.from({ length: Math.min(concurrency, waiting.length) }, guarded));
  }
  if (failure !== null) throw failure;
}

function halvesOf({ from, to }: Slice, reason: string): [Slice, Slice] {
  if (to - from < 2 * LEAST) {
    throw new SourceFault(
      "service",
      `the service cuts the answer even for the second from ${formatTicks(from)} (${reason})`,
      "narrow the question, such as with --role",
    );
  }
  const middle = from + Math.floor((to - from) / 2);
  return [
    { from, to: middle },
    { from: middle, to },
  ];
}
