import { type Interval, quantileInterval } from "../stats/intervals.ts";
import { quantileSorted, weightedQuantiles } from "../stats/quantile.ts";
import type { RequestParts } from "./outbound.ts";

/** The parts of a request that are told, under the names of the document. */
export const PART_NAMES = ["duration", "firstCall", "outbound", "outboundSum", "rest"] as const;
export type PartName = (typeof PART_NAMES)[number];

const VALUE_OF: Readonly<Record<PartName, (parts: RequestParts) => number>> = {
  duration: (parts) => parts.durationMs,
  firstCall: (parts) => parts.firstCallMs,
  outbound: (parts) => parts.outboundMs,
  outboundSum: (parts) => parts.outboundSumMs,
  rest: (parts) => parts.restMs,
};

/** Quantiles of one part over first requests: one value an instance, unweighted. */
export interface FirstPart {
  readonly p50Ms: number | null;
  readonly p50Ci95Ms: Interval;
  readonly p90Ms: number | null;
  readonly p90Ci95Ms: Interval;
}

/** Quantiles of one part over later requests, weighted. */
export interface LaterPart {
  readonly p50Ms: number | null;
  readonly p90Ms: number | null;
}

export type FirstParts = Readonly<Record<PartName, FirstPart>>;
export type LaterParts = Readonly<Record<PartName, LaterPart>>;

/** A later request with its weight. */
export interface Weighted {
  readonly parts: RequestParts;
  readonly weight: number;
}

export function firstParts(requests: readonly RequestParts[]): FirstParts {
  return each((part) => firstPart(requests.map(VALUE_OF[part])));
}

export function firstPart(values: readonly number[]): FirstPart {
  const sorted = Float64Array.from(values).sort();
  return {
    p50Ms: quantileSorted(sorted, 0.5),
    p50Ci95Ms: quantileInterval(sorted, 0.5),
    p90Ms: quantileSorted(sorted, 0.9),
    p90Ci95Ms: quantileInterval(sorted, 0.9),
  };
}

export function laterParts(requests: readonly Weighted[]): LaterParts {
  const weights = requests.map(({ weight }) => weight);
  return each((part) => {
    const values = requests.map(({ parts }) => VALUE_OF[part](parts));
    const [p50Ms, p90Ms] = weightedQuantiles(values, weights, [0.5, 0.9]);
    return { p50Ms: p50Ms!, p90Ms: p90Ms! };
  });
}

function each<T>(of: (part: PartName) => T): Record<PartName, T> {
  return {
    duration: of("duration"),
    firstCall: of("firstCall"),
    outbound: of("outbound"),
    outboundSum: of("outboundSum"),
    rest: of("rest"),
  };
}
