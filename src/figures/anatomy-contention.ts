import type { Cohort } from "../fleet/cohort.ts";
import type { Fleet } from "../fleet/fleet.ts";
import { bootstrapMedianDifference } from "../stats/bootstrap.ts";
import type { Interval } from "../stats/intervals.ts";
import { quantile } from "../stats/quantile.ts";
import { createRandom } from "../stats/random.ts";
import { TICKS_PER_MINUTE, TICKS_PER_MS } from "../telemetry/time.ts";
import { RESAMPLES } from "./analysis.ts";
import { type FirstPart, type FirstParts, firstPart, firstParts } from "./anatomy-parts.ts";
import type { NoParts, RequestParts } from "./outbound.ts";

/** Up to this long after its container's start a first request competes with the start itself. */
export const NEAR_MINUTES = 2;

/** First requests that came within two minutes of the container's start, or later. */
export interface ContentionGroup {
  readonly n: number;
  /** From the container's start to the first request's start. */
  readonly p50WaitMs: number | null;
  /** Of all of them, with calls or without. */
  readonly duration: FirstPart;
  readonly withCalls: number;
  /** Of those with calls. */
  readonly parts: FirstParts;
}

export interface Contention {
  readonly near: ContentionGroup;
  readonly far: ContentionGroup;
  /** Median of the near ones minus that of the far ones; null where a group is empty. */
  readonly durationP50DeltaMs: number | null;
  readonly durationP50DeltaCi95Ms: Interval;
  readonly restP50DeltaMs: number | null;
  readonly restP50DeltaCi95Ms: Interval;
  /** Instances whose container start the log does not hold. */
  readonly startUnknown: number;
  /** Of those in the groups: the start's time is only that of its batch in the log, up to about 11 s late. */
  readonly batchTime: number;
}

interface First {
  readonly row: number;
  readonly parts: RequestParts | NoParts;
}

/**
 * First requests by how soon after the container's start they came; null without a system log.
 *
 * @param firsts in the order of the cohort's instances
 */
export function contentionOf(
  fleet: Fleet,
  cohort: Cohort,
  firsts: readonly First[],
  seed: number,
): Contention | null {
  if (fleet.events === null) return null;
  const { table } = fleet;
  const near: (First & { readonly wait: number })[] = [];
  const far: (First & { readonly wait: number })[] = [];
  let startUnknown = 0;
  let batchTime = 0;
  cohort.instances.forEach(({ life }, i) => {
    if (life.start === null) {
      startUnknown++;
      return;
    }
    if (!life.start.ownClock) batchTime++;
    const wait = table.start(firsts[i]!.row) - life.start.at;
    (wait <= NEAR_MINUTES * TICKS_PER_MINUTE ? near : far).push({ ...firsts[i]!, wait });
  });
  const durations = (group: readonly First[]): number[] => group.map(({ row }) => table.duration(row));
  const rests = (group: readonly First[]): number[] => withParts(group).map(({ restMs }) => restMs);
  const random = createRandom(seed);
  const delta = (values: (group: readonly First[]) => number[]): [number | null, Interval] => {
    const [a, b] = [values(far), values(near)];
    const [from, to] = [quantile(a, 0.5), quantile(b, 0.5)];
    return [
      from === null || to === null ? null : to - from,
      bootstrapMedianDifference(a, b, 0.5, RESAMPLES, random),
    ];
  };
  const [durationP50DeltaMs, durationP50DeltaCi95Ms] = delta(durations);
  const [restP50DeltaMs, restP50DeltaCi95Ms] = delta(rests);
  const describe = (group: readonly (First & { readonly wait: number })[]): ContentionGroup => {
    const parts = withParts(group);
    const wait = quantile(
      group.map((first) => first.wait),
      0.5,
    );
    return {
      n: group.length,
      p50WaitMs: wait === null ? null : wait / TICKS_PER_MS,
      duration: firstPart(durations(group)),
      withCalls: parts.length,
      parts: firstParts(parts),
    };
  };
  return {
    near: describe(near),
    far: describe(far),
    durationP50DeltaMs,
    durationP50DeltaCi95Ms,
    restP50DeltaMs,
    restP50DeltaCi95Ms,
    startUnknown,
    batchTime,
  };
}

function withParts(group: readonly First[]): RequestParts[] {
  return group.flatMap(({ parts }) => (typeof parts === "string" ? [] : [parts]));
}
