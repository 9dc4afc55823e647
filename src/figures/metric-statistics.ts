import { Sum } from "../stats/sum.ts";
import { TICKS_PER_SECOND } from "../telemetry/time.ts";
import { lifetimeQuantile, observedLives, shortLives } from "./lifetime.ts";
import type { MetricInput, Statistic } from "./metric-values.ts";
import { type Arrival, exposure, ORDER_BUCKETS, walkArrivals } from "./walk.ts";

/** Cumulative weights are compared as in exact arithmetic. */
const SLACK = 1 - 1e-9;

/** The statistic of a metric over several requests of one instance. */
export function clusteredStatistic(name: string, input: MetricInput): Statistic {
  const over = ({ durationMs }: Arrival): boolean => durationMs > input.thresholdMs;
  const isOverlap = ({ rank, isOverlapping }: Arrival): boolean => rank > 1 && isOverlapping;
  switch (name) {
    case "overlap.perInstance":
      return mean(sums(input, isOverlap), null);
    case "overlap.p50":
      return weightedQuantile(input, isOverlap, 0.5);
    case "afterFirst.p50":
      return weightedQuantile(input, (a) => a.rank > 1 && a.isEarly && !a.isOverlapping, 0.5);
    case "slowEarlyPerInstance":
      return mean(
        sums(input, (a) => a.isEarly && over(a)),
        mostEarly(input),
      );
    case "arrivals.firstTenSecondsPerSecond":
      return rate(input, "early", (a) => a.rank > 1 && a.isWithinTenSeconds);
    case "arrivals.laterPerSecond":
      return rate(input, "later", (a) => a.rank > 1 && !a.isWithinTenSeconds);
    case "lifetime.p50Minutes":
    case "lifetime.within10MinutesShare":
      return lifetime(name, input);
    default:
      return byOrder(name, input, over);
  }
}

/** The most early requests that one instance can count: nine before the last one, and that one's weight. */
function mostEarly({ fleet, after }: MetricInput): number {
  let heaviest = 1;
  for (const { life } of after) {
    walkArrivals(fleet.table, life.users, ({ isEarly, weight }) => {
      if (isEarly) heaviest = Math.max(heaviest, weight);
    });
  }
  return 9 + heaviest;
}

function byOrder(name: string, input: MetricInput, over: (arrival: Arrival) => boolean): Statistic {
  const [, label, figure] = /^byOrder\.(.+)\.(\w+)$/.exec(name) ?? [];
  const bucket = ORDER_BUCKETS.findIndex(([known]) => known === label);
  if (bucket === -1) throw new RangeError(`no metric is called ${name}`);
  const isIn = (arrival: Arrival): boolean => arrival.bucket === bucket;
  if (figure !== "overThresholdShare") return weightedQuantile(input, isIn, figure === "p90" ? 0.9 : 0.5);
  return ratio(
    sums(input, (arrival) => isIn(arrival) && over(arrival)),
    sums(input, isIn),
    null,
  );
}

/** Σw of the matching requests, by instance. */
function sums({ fleet, after }: MetricInput, isCounted: (arrival: Arrival) => boolean): Float64Array {
  return Float64Array.from(after, ({ life }) => {
    const sum = new Sum();
    walkArrivals(fleet.table, life.users, (arrival) => {
      if (isCounted(arrival)) sum.add(arrival.weight);
    });
    return sum.value;
  });
}

/** Σ numerator / Σ denominator over the resampled instances. */
function ratio(numerators: Float64Array, denominators: ArrayLike<number>, ceiling: number | null): Statistic {
  const n = numerators.length;
  let contributing = 0;
  for (let i = 0; i < n; i++) if (denominators[i]! > 0) contributing++;
  return {
    contributing,
    nonZero: numerators.filter((value) => value !== 0).length,
    ceiling,
    at: (counts) => {
      const above = new Sum();
      const below = new Sum();
      for (let i = 0; i < n; i++) {
        if (counts[i] === 0) continue;
        above.add(counts[i]! * numerators[i]!);
        below.add(counts[i]! * denominators[i]!);
      }
      return below.value > 0 ? above.value / below.value : null;
    },
  };
}

/** Σ per instance. */
function mean(numerators: Float64Array, ceiling: number | null): Statistic {
  return ratio(numerators, new Float64Array(numerators.length).fill(1), ceiling);
}

function rate(
  input: MetricInput,
  part: "early" | "later",
  isCounted: (arrival: Arrival) => boolean,
): Statistic {
  const seconds = input.after.map(
    ({ life }) => exposure(input.fleet.table, life.users)[part] / TICKS_PER_SECOND,
  );
  return ratio(sums(input, isCounted), seconds, null);
}

/** Requests sorted once by duration: a resample then only walks them with its counts. */
function weightedQuantile(
  { fleet, after }: MetricInput,
  isCounted: (arrival: Arrival) => boolean,
  q: number,
): Statistic {
  const rows: { readonly value: number; readonly weight: number; readonly instance: number }[] = [];
  after.forEach(({ life }, instance) => {
    walkArrivals(fleet.table, life.users, (arrival) => {
      if (isCounted(arrival)) rows.push({ value: arrival.durationMs, weight: arrival.weight, instance });
    });
  });
  rows.sort((a, b) => a.value - b.value);
  const at = (counts: Uint32Array): number | null => {
    const total = new Sum();
    for (const { weight, instance } of rows) total.add(counts[instance]! * weight);
    if (!(total.value > 0)) return null;
    const wanted = q * total.value * SLACK;
    const seen = new Sum();
    for (const { value, weight, instance } of rows) {
      if (counts[instance] === 0) continue;
      seen.add(counts[instance]! * weight);
      if (seen.value >= wanted) return value;
    }
    return rows[rows.length - 1]!.value;
  };
  const contributing = new Set(rows.map(({ instance }) => instance)).size;
  return { at, contributing, nonZero: null, ceiling: null };
}

function lifetime(name: string, { fleet, after }: MetricInput): Statistic {
  const { source, lives } = observedLives(
    fleet,
    after.map(({ life }) => life),
  );
  return {
    contributing: lives.filter((life) => life !== null).length,
    nonZero: null,
    ceiling: null,
    at: (counts) => {
      const sample = lives.flatMap((life, i) =>
        life === null ? [] : Array.from({ length: counts[i]! }, () => life),
      );
      return name === "lifetime.p50Minutes" ? lifetimeQuantile(source, sample) : shortLives(source, sample);
    },
  };
}
