import { bootstrapMedianDifference } from "../stats/bootstrap.ts";
import type { Interval } from "../stats/intervals.ts";
import { quantileSorted } from "../stats/quantile.ts";
import type { Random } from "../stats/random.ts";
import { probabilityLess } from "../stats/ranks.ts";

/** What a comparison needs of a cohort. */
export interface Comparand extends Comparability {
  /** First-request durations in ms, ascending. */
  readonly firstMs: Float64Array;
}

/** What decides whether cohorts may be compared. */
export interface Comparability {
  readonly instances: number;
  readonly certainOrder: number;
  readonly warmedByProbe: number;
}

export interface ComparisonFigures {
  readonly firstRequest: {
    readonly p50DeltaMs: number | null;
    readonly p50Ratio: number | null;
    readonly p50DeltaCi95Ms: Interval;
    readonly probabilityFaster: number | null;
  };
  readonly comparable: boolean;
  readonly reasons: string[];
}

const MOST_DIFFERENCE = 0.1;
const LEAST_CERTAIN = 0.5;
const SLACK = 1e-9;

/** The first requests of two cohorts against each other, and whether they may be compared at all. */
export function compare(
  before: Comparand,
  after: Comparand,
  resamples: number,
  random: Random,
): ComparisonFigures {
  const p50Before = quantileSorted(before.firstMs, 0.5);
  const p50After = quantileSorted(after.firstMs, 0.5);
  const both = p50Before !== null && p50After !== null;
  const reasons = reasonsAgainst(before, after);
  return {
    firstRequest: {
      p50DeltaMs: both ? p50After - p50Before : null,
      p50Ratio: both && p50After > 0 ? p50Before / p50After : null,
      p50DeltaCi95Ms: both
        ? bootstrapMedianDifference(before.firstMs, after.firstMs, 0.5, resamples, random)
        : [null, null],
      probabilityFaster: probabilityLess(after.firstMs, before.firstMs),
    },
    comparable: reasons.length === 0,
    reasons,
  };
}

/** Why two cohorts cannot be compared; empty where they can. */
export function reasonsAgainst(before: Comparability, after: Comparability): string[] {
  const empty = [before, after].flatMap((cohort, i) =>
    cohort.instances === 0 ? [i === 0 ? "before" : "after"] : [],
  );
  if (empty.length > 0)
    return empty.map((name) => `no new instance ${name}: an empty cohort compares with nothing`);
  const reasons: string[] = [];
  const share = (count: number, cohort: Comparability): number => count / cohort.instances;
  const certain = [share(before.certainOrder, before), share(after.certainOrder, after)] as const;
  const probed = [share(before.warmedByProbe, before), share(after.warmedByProbe, after)] as const;
  if (Math.abs(certain[0] - certain[1]) > MOST_DIFFERENCE + SLACK) {
    reasons.push(
      `the order is certain for ${percent(certain[0])} of the instances before and ${percent(certain[1])} after: sampling differs by more than 10 points`,
    );
  }
  if (Math.abs(probed[0] - probed[1]) > MOST_DIFFERENCE + SLACK) {
    reasons.push(
      `${percent(probed[0])} of the instances were warmed by a probe before and ${percent(probed[1])} after: more than 10 points apart`,
    );
  }
  certain.forEach((value, i) => {
    if (value >= LEAST_CERTAIN) return;
    reasons.push(
      `the order is certain for only ${percent(value)} of the instances ${i === 0 ? "before" : "after"}: less than half`,
    );
  });
  return reasons;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
