import { dayType, excluded, type Instance, idle, newInstances, type Ranked, warmedBy } from "./instances.ts";
import type { GoodRow } from "./rows.ts";
import { type ContainerStart, lifeOf } from "./starts.ts";
import { medianInterval, quantile, shareOver, survival, total, unweighted, wilson } from "./stats.ts";
import {
  type OracleCohort,
  type OracleEvent,
  type OracleSettings,
  type OracleWindow,
  sortedInstants,
  TICKS_PER_MINUTE,
  TICKS_PER_SECOND,
} from "./types.ts";

/** All that the cohorts of one report share. */
export interface Fleet {
  /** The rows that count: of the role, no duplicates, in any window or none. */
  rows: GoodRow[];
  instances: Instance[];
  starts: ContainerStart[];
  events: OracleEvent[] | null;
  settings: OracleSettings;
  /** No valid row at all, of any role. */
  isInputEmpty: boolean;
}

/** The new instances that the figures of a window are about. */
export function cohortInstances(fleet: Fleet, window: OracleWindow): Instance[] {
  const born = newInstances(fleet.instances, window);
  if (fleet.settings.days !== "weekdays") return born;
  return born.filter((one) => dayType(one, fleet.settings) === "weekday");
}

export function cohortFigures(fleet: Fleet, window: OracleWindow): OracleCohort {
  const instances = cohortInstances(fleet, window);
  const threshold = fleet.settings.thresholdMs ?? 2000;
  const overlapping = instances.flatMap((one) => later(one).filter((row) => overlapsFirst(row, one)));
  const sequential = instances.flatMap((one) => later(one).filter((row) => !overlapsFirst(row, one)));
  const afterFirst = sequential.filter(isEarly);
  const slowEarly = instances.flatMap((one) =>
    one.users.filter((row) => isEarly(row) && row.durationMs > threshold),
  );
  return {
    name: window.name,
    instances: {
      total: instances.length,
      weekday: instances.filter((one) => dayType(one, fleet.settings) === "weekday").length,
      weekend: instances.filter((one) => dayType(one, fleet.settings) === "weekend").length,
      idle: idle(fleet.rows, fleet.starts, fleet.events, window, fleet.isInputEmpty),
      excluded: excluded(fleet.instances, window),
      warmedBy: warmedByCounts(instances),
    },
    firstRequest: firstRequest(instances, threshold),
    byOrder: byOrder(instances, threshold),
    second: {
      sequential: second(sequential, threshold),
      overlapping: second(overlapping, threshold),
    },
    overlap: {
      n: overlapping.length,
      perInstance: ratio(total(valued(overlapping)), instances.length),
      p50Ms: quantile(valued(overlapping), 0.5),
    },
    afterFirst: { n: afterFirst.length, p50Ms: quantile(valued(afterFirst), 0.5) },
    slowEarlyPerInstance: ratio(
      slowEarly.reduce((sum, row) => sum + (row.rank === 1 ? 1 : row.weight), 0),
      instances.length,
    ),
    arrivals: arrivals(instances),
    lifetime: lifetime(instances, fleet.events),
  };
}

/** The user requests of rank 2 and up. */
function later(instance: Instance): Ranked[] {
  return instance.users.filter((row) => row.rank >= 2);
}

function overlapsFirst(row: Ranked, instance: Instance): boolean {
  return row.fineStart < instance.users[0]!.fineEnd;
}

/** "order ≤ 10": the order itself, not rounded. */
function isEarly(row: Ranked): boolean {
  return row.order <= 10 * (1 + 1e-9);
}

function valued(rows: Ranked[]): { value: number; weight: number }[] {
  return rows.map((row) => ({ value: row.durationMs, weight: row.weight }));
}

function ratio(numerator: number, denominator: number): number | null {
  return denominator === 0 ? null : numerator / denominator;
}

function warmedByCounts(instances: Instance[]): OracleCohort["instances"]["warmedBy"] {
  const counts = { nothing: 0, probe: 0, synthetic: 0, consumer: 0, other: 0 };
  for (const one of instances) counts[warmedBy(one)] += 1;
  return counts;
}

function firstRequest(instances: Instance[], threshold: number): OracleCohort["firstRequest"] {
  const firsts = instances.map((one) => one.users[0]!);
  const values = firsts.map((row) => row.durationMs);
  const n = firsts.length;
  const over = values.filter((value) => value > threshold).length;
  const certain = firsts.filter((row) => row.weight === 1).length;
  const failed = firsts.some((row) => row.success !== undefined)
    ? firsts.filter((row) => row.success === false).length
    : null;
  return {
    n,
    p50Ms: quantile(unweighted(values), 0.5),
    p90Ms: quantile(unweighted(values), 0.9),
    p99Ms: quantile(unweighted(values), 0.99),
    p50Ci95Ms: medianInterval(values),
    overThreshold: { count: over, share: ratio(over, n), ci95: wilson(over, n) },
    failed: { count: failed, share: failed === null ? null : ratio(failed, n) },
    certainOrder: { count: certain, share: ratio(certain, n) },
  };
}

const BUCKETS = [
  { label: "1", from: 1, to: 1 },
  { label: "2", from: 2, to: 2 },
  { label: "3", from: 3, to: 3 },
  { label: "4-5", from: 4, to: 5 },
  { label: "6-10", from: 6, to: 10 },
  { label: "11-20", from: 11, to: 20 },
  { label: "21-100", from: 21, to: 100 },
  { label: ">100", from: 101, to: Number.POSITIVE_INFINITY },
];

function byOrder(instances: Instance[], threshold: number): OracleCohort["byOrder"] {
  const rows = instances.flatMap((one) => one.users);
  return BUCKETS.map(({ label, from, to }) => {
    const inBucket = rows.filter((row) => {
      const rounded = Math.floor(row.order + 0.5 + 1e-9 * row.order);
      return rounded >= from && rounded <= to;
    });
    const items = label === "1" ? unweighted(inBucket.map((row) => row.durationMs)) : valued(inBucket);
    return {
      label,
      observed: inBucket.length,
      estimated: total(items),
      p50Ms: quantile(items, 0.5),
      p90Ms: quantile(items, 0.9),
      overThresholdShare: shareOver(items, threshold),
    };
  });
}

function second(rows: Ranked[], threshold: number): OracleCohort["second"]["sequential"] {
  const items = unweighted(rows.filter((row) => row.rank === 2).map((row) => row.durationMs));
  return {
    n: items.length,
    p50Ms: quantile(items, 0.5),
    p90Ms: quantile(items, 0.9),
    overThresholdShare: shareOver(items, threshold),
  };
}

function arrivals(instances: Instance[]): OracleCohort["arrivals"] {
  const ten = 10n * TICKS_PER_SECOND;
  let earlyWeight = 0;
  let laterWeight = 0;
  let earlyTicks = 0n;
  let laterTicks = 0n;
  for (const one of instances) {
    const first = one.users[0]!.start;
    const span = one.users.at(-1)!.start - first;
    earlyTicks += span < ten ? span : ten;
    laterTicks += span > ten ? span - ten : 0n;
    for (const row of later(one)) {
      if (row.start - first <= ten) earlyWeight += row.weight;
      else laterWeight += row.weight;
    }
  }
  return {
    firstTenSecondsPerSecond: ratio(earlyWeight, Number(earlyTicks) / Number(TICKS_PER_SECOND)),
    laterPerSecond: ratio(laterWeight, Number(laterTicks) / Number(TICKS_PER_SECOND)),
  };
}

function lifetime(instances: Instance[], events: OracleEvent[] | null): OracleCohort["lifetime"] {
  const started = instances.flatMap((one) => (one.containerStart === undefined ? [] : [one.containerStart]));
  if (events === null || started.length === 0) return lifetimeFromRequests(instances);
  const lives = started.map((start) => lifeOf(start, events));
  const tenMinutes = 10n * TICKS_PER_MINUTE;
  const ends = lives.filter((life) => !life.censored).map((life) => life.ticks);
  const halved = ends.filter((ticks) => survival(lives, ticks) <= 0.5 * (1 + 1e-9));
  const isKnownAtTen = lives.some((life) => life.ticks >= tenMinutes) || survival(lives, tenMinutes) === 0;
  return {
    source: "system-logs",
    n: lives.length,
    censored: lives.filter((life) => life.censored).length,
    p50Minutes: halved.length === 0 ? null : Math.min(...halved.map(minutes)),
    within10MinutesShare: isKnownAtTen ? 1 - survival(lives, tenMinutes) : null,
  };
}

function lifetimeFromRequests(instances: Instance[]): OracleCohort["lifetime"] {
  const lengths = instances.map((one) => {
    const ends = sortedInstants(one.users.map((row) => row.fineEnd));
    return ends.at(-1)! - one.users[0]!.fineStart;
  });
  const tenMinutes = 10n * TICKS_PER_MINUTE * 1000n;
  return {
    source: "requests",
    n: lengths.length,
    censored: 0,
    p50Minutes: quantile(unweighted(lengths.map((fine) => minutes(fine) / 1000)), 0.5),
    within10MinutesShare: ratio(lengths.filter((fine) => fine <= tenMinutes).length, lengths.length),
  };
}

function minutes(ticks: bigint): number {
  return Number(ticks) / Number(TICKS_PER_MINUTE);
}
