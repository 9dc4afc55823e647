import { type Interval, wilson } from "../stats/intervals.ts";
import { quantile } from "../stats/quantile.ts";
import { TICKS_PER_MS, TICKS_PER_SECOND } from "../telemetry/time.ts";
import type { Birth } from "./replicas-births.ts";
import { lowerBound, type ReplicaLog } from "./replicas-log.ts";
import type { StartMarks } from "./replicas-phases.ts";

/** Replicas born within the cool-down of another's death: the app had just been scaled in. */
export interface Cycles {
  readonly cooldownSeconds: number;
  /** New replicas whose cause is scaling or unknown. */
  readonly n: number;
  readonly count: number;
  readonly share: number | null;
  readonly ci95: Interval;
  /** Seconds from the latest death to the birth, of those that count. */
  readonly p50GapSeconds: number | null;
  /** New replicas of a deployment or rollout within the cool-down of a death: replacement, not a cycle. */
  readonly replacements: number;
}

/** Scale-in followed by scale-out of the same app within the cool-down. */
export function cycleFigures(
  births: readonly Birth[],
  replicas: readonly ReplicaLog[],
  cooldownMs: number,
): Cycles {
  const deaths = replicas
    .filter(({ died, isStopped }) => isStopped && died !== null)
    .map(({ name, died }) => ({ name, at: died! }))
    .sort((a, b) => a.at - b.at);
  const gaps: number[] = [];
  let n = 0;
  let replacements = 0;
  for (const birth of births) {
    if (birth.previous !== null) continue;
    const { name } = birth.cause;
    const isScaling = name === "scaling" || name === "unknown";
    const isReplacing = name === "deployment" || name === "rollout";
    if (isScaling) n++;
    const at = Math.max(birth.replica.from, Number.MIN_SAFE_INTEGER);
    let before = lowerBound(deaths, at, (death) => death.at, true) - 1;
    if (deaths[before]?.name === birth.replica.name) before--;
    const latest = deaths[before];
    if (latest === undefined || at - latest.at > cooldownMs * TICKS_PER_MS) continue;
    if (isScaling) gaps.push((at - latest.at) / TICKS_PER_SECOND);
    else if (isReplacing) replacements++;
  }
  return {
    cooldownSeconds: cooldownMs / 1000,
    n,
    count: gaps.length,
    share: n === 0 ? null : gaps.length / n,
    ci95: wilson(gaps.length, n),
    p50GapSeconds: quantile(gaps, 0.5),
    replacements,
  };
}

/** What a second of a replica costs; null where no rates were given. */
export interface Rates {
  /** Allocated to one replica, all its containers together. */
  readonly vcpu: number;
  readonly memoryGib: number;
  /** In any currency, per vCPU and second, and per GiB and second. */
  readonly vcpuRate: number;
  readonly gibRate: number;
}

/** Seconds between a replica's assignment and the moment it could serve. */
export interface StartSeconds {
  /** Births whose begin is in the log. */
  readonly n: number;
  /** Births without an earlier event than the start itself, or with only a batch's time for it: not counted. */
  readonly unknown: number;
  readonly totalSeconds: number | null;
  readonly meanSeconds: number | null;
  /** Of how many the begin or the end is only a batch's time. */
  readonly batchTimed: number;
  /** Of how many the end is the container's start, since no refusal tells when the port opened. */
  readonly untilStartOnly: number;
  /** `totalSeconds` at the given rates. */
  readonly cost: number | null;
}

/** What the starts took, and what that costs. */
export function startSeconds(all: readonly StartMarks[], rates: Rates | null): StartSeconds {
  const seconds: number[] = [];
  let batchTimed = 0;
  let untilStartOnly = 0;
  for (const { assigned, pulling, created, started, lastRefusal } of all) {
    const begin = assigned ?? pulling ?? created;
    const end = lastRefusal ?? started;
    const isBatch = begin?.ownClock === false || !end.ownClock;
    // A batch's time is good for the whole start only: steps of one batch all bear the same.
    if (begin === null || (isBatch && assigned === null)) continue;
    seconds.push(Math.max(0, (end.at - begin.at) / TICKS_PER_SECOND));
    if (isBatch) batchTimed++;
    if (lastRefusal === null) untilStartOnly++;
  }
  const total = seconds.length === 0 ? null : seconds.reduce((sum, value) => sum + value, 0);
  return {
    n: seconds.length,
    unknown: all.length - seconds.length,
    totalSeconds: total,
    meanSeconds: total === null ? null : total / seconds.length,
    batchTimed,
    untilStartOnly,
    cost: total === null || rates === null ? null : total * ratePerSecond(rates),
  };
}

/** Cost of one second of one replica. */
export function ratePerSecond({ vcpu, memoryGib, vcpuRate, gibRate }: Rates): number {
  return vcpu * vcpuRate + memoryGib * gibRate;
}
