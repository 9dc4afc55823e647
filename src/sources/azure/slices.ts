import { formatTicks, TICKS_PER_MS } from "../../telemetry/time.ts";
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

/** Where a slice cannot be cut any further: the service's own windows are in whole milliseconds. */
const LEAST = TICKS_PER_MS;

/**
 * Fetches slices a few at a time, in the order of time. One whose answer was cut is asked for again in
 * halves, before those after it. When one fails for good, those under way are still finished and handed over.
 *
 * @param concurrency how many are under way at once, at least 1
 * @throws SourceFault of the first slice that failed
 * @throws RangeError for a concurrency below 1
 */
export async function fetchSlices(
  slices: readonly Slice[],
  job: SliceJob,
  concurrency: number,
  signal: AbortSignal,
): Promise<void> {
  if (!(concurrency >= 1)) throw new RangeError(`a concurrency of ${concurrency} fetches nothing`);
  const waiting = [...slices].reverse();
  const fetchOne = async (slice: Slice): Promise<void> => {
    signal.throwIfAborted();
    const answer = await job.ask(slice);
    if (answer.partial === null) return job.take(slice, answer);
    const halves = halvesOf(slice, answer.partial);
    job.onHalved(slice);
    waiting.push(halves[1], halves[0]);
  };
  await new Promise<void>((resolve, reject) => {
    let running = 0;
    let failure: { readonly reason: unknown } | null = null;
    const fail = (reason: unknown): void => {
      failure ??= { reason };
    };
    const ended = (): void => {
      running--;
      go();
    };
    // Halves that one pushes are begun at once, as far as there is room.
    const go = (): void => {
      while (failure === null && running < concurrency && waiting.length > 0) {
        running++;
        void fetchOne(waiting.pop()!).catch(fail).then(ended);
      }
      if (running > 0) return;
      if (failure === null) resolve();
      else reject(failure.reason as Error);
    };
    go();
  });
}

function halvesOf({ from, to }: Slice, reason: string): [Slice, Slice] {
  if (to - from < 2 * LEAST) {
    throw new SourceFault(
      "service",
      `the service cuts the answer even for the ${(to - from) / TICKS_PER_MS} ms from ${formatTicks(from)} (${reason})`,
      "narrow the question, such as with --role",
    );
  }
  // In whole milliseconds, so that what is left in the end is one, and not most of one and a part of another.
  const middle = from + Math.floor((to - from) / (2 * LEAST)) * LEAST;
  return [
    { from, to: middle },
    { from: middle, to },
  ];
}
