import type { Sample, SampleInstance } from "../figures/sample.ts";
import type { Bar } from "./bar.ts";

/** Why an instance of the window is not judged. */
export type Exclusion = "weekend" | "uncertainOrder" | "warmedByProbe" | "beyondFirst";

export interface Selection {
  /** Indexes of the judged instances, in order of birth. */
  readonly chosen: readonly number[];
  /** Why each other instance is left out, by index. */
  readonly reasons: ReadonlyMap<number, Exclusion>;
  /** Instances of the window that do not count, by reason. */
  readonly excluded: Record<string, number>;
}

/**
 * The instances of a sample that a bar judges: those of its population, the first N by birth where it
 * says so. Ties in birth are broken by name, so that the order of the input cannot matter.
 *
 * @param isJudged false for the cohort before the deployment, of which all instances count
 */
export function select(bar: Bar, sample: Sample, isJudged: boolean): Selection {
  const { population } = bar;
  const reasons = new Map<number, Exclusion>();
  const eligible: number[] = [];
  const byBirth = sample.instances
    .map((_, i) => i)
    .sort((a, b) => byBirthAndName(sample.instances[a]!, sample.instances[b]!));
  for (const i of byBirth) {
    const reason = exclusion(sample.instances[i]!, population);
    if (reason === null) eligible.push(i);
    else reasons.set(i, reason);
  }
  const take = isJudged && bar.sample.take !== "all" ? bar.sample.take.first : eligible.length;
  for (const i of eligible.slice(take)) reasons.set(i, "beyondFirst");
  const excluded: Record<string, number> = { ...sample.excluded };
  for (const reason of reasons.values()) excluded[reason] = (excluded[reason] ?? 0) + 1;
  return { chosen: eligible.slice(0, take), reasons, excluded };
}

function exclusion(instance: SampleInstance, population: Bar["population"]): Exclusion | null {
  if (population.days === "weekdays" && instance.day === "weekend") return "weekend";
  if (population.order === "certain" && !instance.isCertain) return "uncertainOrder";
  if (population.warmedByProbe === "exclude" && instance.warmedBy === "probe") return "warmedByProbe";
  return null;
}

/** The order of birth; ties are broken by name. */
export function byBirthAndName(a: SampleInstance, b: SampleInstance): number {
  return (
    a.born - b.born ||
    (a.instance < b.instance ? -1 : a.instance > b.instance ? 1 : 0) ||
    (a.role < b.role ? -1 : a.role > b.role ? 1 : 0)
  );
}
