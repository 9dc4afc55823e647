import type { Sample, SampleInstance } from "../figures/sample.ts";
import { byBirthAndName, type Selection } from "./select.ts";
import type { JudgedSample } from "./verdict.ts";

/** One line of the values' file: an instance, whether it was judged, and why not. */
export interface ValueRow {
  readonly cohort: string;
  readonly instance: SampleInstance;
  readonly judged: boolean;
  readonly reason: string;
}

/** Every new instance of both windows in order of birth, so that a reviewer can judge again. */
export function valueRows(samples: { before: Sample; after: Sample }, chosen: JudgedSample): ValueRow[] {
  return [...rowsOf(samples.before, chosen.before), ...rowsOf(samples.after, chosen.after)];
}

function rowsOf(sample: Sample, selection: Selection): ValueRow[] {
  const chosen = new Set(selection.chosen);
  return sample.instances
    .map((instance, i) => ({
      cohort: sample.name,
      instance,
      judged: chosen.has(i),
      reason: selection.reasons.get(i) ?? "",
    }))
    .sort((a, b) => byBirthAndName(a.instance, b.instance));
}
