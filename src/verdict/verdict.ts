import type { Samples } from "../figures/sample.ts";
import type { Bar } from "./bar.ts";
import { boundOf, metricOf } from "./bar-units.ts";
import type { Guard } from "./guards.ts";
import { type JudgedCondition, judgeCondition } from "./judge.ts";
import type { VerdictName } from "./judgement.ts";
import type { Registration } from "./registration.ts";
import { type Selection, select } from "./select.ts";

/** The judged sample: which instances, and why not the others. */
export interface JudgedSample {
  readonly before: Selection;
  readonly after: Selection;
}

/** A bar judged on data: conditions, guards, registration, and what follows from them. */
export interface Verdict {
  readonly verdict: VerdictName;
  readonly retrospective: boolean;
  readonly reasons: string[];
  readonly conditions: JudgedCondition[];
  readonly guards: readonly Guard[];
  readonly registration: Registration;
  readonly sample: JudgedSample;
}

/** Chooses the instances that a bar judges. */
export function judgedSample(bar: Bar, samples: Samples): JudgedSample {
  return { before: select(bar, samples.before, false), after: select(bar, samples.after, true) };
}

/**
 * The verdict on a bar. It passes only if every condition does, no guard objects, and the bar was
 * registered before the deployment; an unregistered bar is judged only if the user insists, and then
 * the verdict says so.
 */
export function judge(
  bar: Bar,
  samples: Samples,
  guards: readonly Guard[],
  registration: Registration,
  allowRetrospective: boolean,
): Verdict {
  const sample = judgedSample(bar, samples);
  const take = bar.sample.take === "all" ? 0 : bar.sample.take.first;
  const shortOf = Math.max(0, take - sample.after.chosen.length);
  const conditions = bar.conditions.map((condition) => {
    const metric = metricOf(condition);
    const values = samples.values(metric, { before: sample.before.chosen, after: sample.after.chosen });
    const bound = boundOf(condition, metric);
    const side = condition.below === undefined ? "above" : "below";
    return judgeCondition(
      bar,
      condition,
      metric,
      { side, value: bound },
      values,
      sample.after.excluded,
      shortOf,
    );
  });
  const isRegistered = registration.status === "registered";
  const reasons = [
    ...guards
      .filter(({ status }) => status === "violated" || status === "unknown")
      .map(({ name, detail }) => `${name}: ${detail}`),
    ...(isRegistered || allowRetrospective ? [] : registration.reasons),
  ];
  return {
    verdict: reasons.length > 0 ? "inconclusive" : conjunction(conditions.map(({ verdict }) => verdict)),
    retrospective: !isRegistered && allowRetrospective,
    reasons,
    conditions,
    guards,
    registration,
    sample,
  };
}

/**
 * All conditions must hold. No correction for their number is needed: a false pass needs every missed
 * condition to pass by luck.
 */
function conjunction(verdicts: readonly VerdictName[]): VerdictName {
  if (verdicts.length === 0) return "error";
  for (const worst of ["error", "fail", "inconclusive"] as const) if (verdicts.includes(worst)) return worst;
  return "pass";
}
