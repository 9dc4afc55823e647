import type { Cohort } from "../fleet/cohort.ts";
import type { Fleet } from "../fleet/fleet.ts";
import { type EarlyFigures, earlyFigures } from "./early.ts";
import {
  type FirstRequestFigures,
  firstRequestFigures,
  firstRequestMs,
  type SecondFigures,
  secondFigures,
} from "./first.ts";
import { type LifetimeFigures, lifetimeFigures } from "./lifetime.ts";

export interface InstanceFigures {
  readonly total: number;
  readonly weekday: number;
  readonly weekend: number;
  readonly idle: number | null;
  readonly excluded: { readonly alreadyRunning: number; readonly birthUnknown: number };
  readonly warmedBy: {
    readonly nothing: number;
    readonly probe: number;
    readonly synthetic: number;
    readonly consumer: number;
    readonly other: number;
  };
}

/** Every figure of a cohort, under the names of the report document. */
export interface CohortFigures extends EarlyFigures {
  readonly name: "all" | "before" | "after";
  /** Ticks; infinite where the window is open. */
  readonly from: number;
  readonly to: number;
  readonly instances: InstanceFigures;
  readonly firstRequest: FirstRequestFigures;
  readonly second: { readonly sequential: SecondFigures; readonly overlapping: SecondFigures };
  readonly lifetime: LifetimeFigures;
  /** First-request durations in ms, ascending. */
  readonly firstMs: Float64Array;
}

/** Computes the figures of one cohort. */
export function cohortFigures(fleet: Fleet, cohort: Cohort, thresholdMs: number): CohortFigures {
  const { table } = fleet;
  const firstMs = firstRequestMs(table, cohort);
  const { window } = cohort;
  return {
    name: window.name,
    from: window.from,
    to: window.to,
    instances: instanceFigures(cohort),
    firstRequest: firstRequestFigures(table, cohort, firstMs, thresholdMs),
    ...earlyFigures(table, cohort, thresholdMs),
    second: secondFigures(table, cohort, thresholdMs),
    lifetime: lifetimeFigures(fleet, cohort),
    firstMs,
  };
}

function instanceFigures(cohort: Cohort): InstanceFigures {
  const warmedBy = { nothing: 0, probe: 0, synthetic: 0, consumer: 0, other: 0 };
  let weekday = 0;
  for (const instance of cohort.instances) {
    warmedBy[instance.warmedBy]++;
    if (instance.day === "weekday") weekday++;
  }
  const total = cohort.instances.length;
  return {
    total,
    weekday,
    weekend: total - weekday,
    idle: cohort.idle,
    excluded: cohort.excluded,
    warmedBy,
  };
}
