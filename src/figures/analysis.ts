import { cohortsOf } from "../fleet/cohort.ts";
import type { Fleet, RowCounts } from "../fleet/fleet.ts";
import { createRandom } from "../stats/random.ts";
import { Sum } from "../stats/sum.ts";
import type { Tallies } from "../telemetry/builder.ts";
import { type CohortFigures, cohortFigures } from "./cohort.ts";
import { type Comparand, type ComparisonFigures, compare } from "./compare.ts";
import { copyWeights } from "./series.ts";
import { type FigureWarning, warningsOf } from "./warnings.ts";

/** How many resamples a bootstrap interval takes. */
export const RESAMPLES = 9_999;

/** Rows whose weights are copied at a time. */
const CHUNK = 4096;

export interface AnalysisOptions {
  readonly thresholdMs: number;
  readonly seed: number;
}

/** What reading the rows left behind besides the table. */
export interface ReadAccount {
  readonly malformed: number;
  readonly tallies: Tallies;
}

/** Every figure of a report. */
export interface Analysis {
  readonly rows: RowCounts & { readonly read: number; readonly malformed: number };
  readonly requests: { readonly observed: number; readonly estimated: number };
  readonly cohorts: CohortFigures[];
  /** Null without two cohorts. */
  readonly comparison: ComparisonFigures | null;
  readonly warnings: FigureWarning[];
}

/** Computes a report's figures from a fleet. Equal fleets and seeds give equal results. */
export function analyse(fleet: Fleet, account: ReadAccount, options: AnalysisOptions): Analysis {
  const cohorts = cohortsOf(fleet).map((cohort) => cohortFigures(fleet, cohort, options.thresholdMs));
  const rows = {
    read: fleet.table.length + fleet.table.duplicatesLeftOut + account.malformed,
    malformed: account.malformed,
    ...fleet.counts,
  };
  const [before, after] = cohorts;
  return {
    rows,
    requests: { observed: fleet.counts.user, estimated: totalWeight(fleet) },
    cohorts,
    comparison:
      before !== undefined && after !== undefined
        ? compare(comparand(before), comparand(after), RESAMPLES, createRandom(options.seed))
        : null,
    warnings: warningsOf(fleet, cohorts, account),
  };
}

function totalWeight({ table, userRows }: Fleet): number {
  const sum = new Sum();
  const weights = new Float64Array(Math.min(userRows.length, CHUNK));
  for (let from = 0; from < userRows.length; from += CHUNK) {
    const to = Math.min(userRows.length, from + CHUNK);
    copyWeights(table, userRows, from, to, weights);
    sum.addAll(weights, 0, to - from);
  }
  return sum.value;
}

function comparand(cohort: CohortFigures): Comparand {
  return {
    instances: cohort.instances.total,
    firstMs: cohort.firstMs,
    certainOrder: cohort.firstRequest.certainOrder.count,
    warmedByProbe: cohort.instances.warmedBy.probe,
  };
}
