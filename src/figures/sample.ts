import { type Cohort, cohortsOf, type WarmedBy } from "../fleet/cohort.ts";
import type { DayType } from "../fleet/days.ts";
import type { Fleet } from "../fleet/fleet.ts";
import { SUCCESS_FALSE, SUCCESS_UNKNOWN } from "../telemetry/table.ts";
import type { Metric } from "./metric-names.ts";
import { type MetricValues, metricValues } from "./metric-values.ts";

/** A new instance, with what decides whether it is judged. */
export interface SampleInstance {
  readonly role: string;
  readonly instance: string;
  /** Ticks. */
  readonly born: number;
  readonly firstStart: number;
  readonly firstMs: number;
  readonly isCertain: boolean;
  /** Null where the row does not say. */
  readonly isFailed: boolean | null;
  readonly day: DayType;
  readonly warmedBy: WarmedBy;
}

/** The new instances of one window, of every day type, from which a bar takes its sample. */
export interface Sample {
  readonly name: string;
  readonly instances: readonly SampleInstance[];
  readonly excluded: { readonly alreadyRunning: number; readonly birthUnknown: number };
  readonly idle: number | null;
}

/** The samples of a comparison, and the values of a metric on chosen instances of them. */
export interface Samples {
  readonly before: Sample;
  readonly after: Sample;
  /** @param chosen indexes into the instances of each sample */
  values(
    metric: Metric,
    chosen: { readonly before: readonly number[]; readonly after: readonly number[] },
  ): MetricValues;
}

/** The samples before and after a deployment. The fleet must have these two windows. */
export function samplesOf(fleet: Fleet, thresholdMs: number): Samples {
  // Day types are a reason for exclusion that the verdict counts, so no day is left out here.
  const everyDay: Fleet = { ...fleet, settings: { ...fleet.settings, days: "all" } };
  const [before, after] = cohortsOf(everyDay);
  if (before === undefined || after === undefined) throw new RangeError("a sample needs two windows");
  return {
    before: sampleOf(fleet, before),
    after: sampleOf(fleet, after),
    values: (metric, chosen) =>
      metricValues(metric, {
        fleet,
        before: chosen.before.map((i) => before.instances[i]!),
        after: chosen.after.map((i) => after.instances[i]!),
        thresholdMs,
      }),
  };
}

function sampleOf({ table }: Fleet, cohort: Cohort): Sample {
  return {
    name: cohort.window.name,
    excluded: cohort.excluded,
    idle: cohort.idle,
    instances: cohort.instances.map(({ life, day, warmedBy }) => {
      const first = life.users[0]!;
      const success = table.success(first);
      return {
        role: life.role,
        instance: life.instance,
        born: life.born,
        firstStart: table.start(first),
        firstMs: table.duration(first),
        isCertain: table.weight(first) === 1,
        isFailed: success === SUCCESS_UNKNOWN ? null : success === SUCCESS_FALSE,
        day,
        warmedBy,
      };
    }),
  };
}
