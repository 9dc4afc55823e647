import { plain } from "../report/plain.ts";
import type { Bar } from "../verdict/bar.ts";
import { explainCondition, paragraph, percent } from "./bar-odds.ts";

/**
 * What a bar means, in plain words: who is judged, and for each condition how many values must lie on its
 * right side and how likely that is.
 */
export function explainBar(file: string, bar: Bar, digest: string): string {
  const { length } = bar.conditions;
  const sentences = [population(bar), sample(bar), looks(bar), guards(bar)];
  const all = length === 1 ? "this is" : `all ${length} of these are`;
  const how =
    bar.confidence === "none"
      ? "met by the point estimate"
      : `shown with ${percent(bar.confidence)} confidence${length === 1 ? "" : " each"}`;
  return [
    plain(`${file}: ${bar.name}`, true),
    `sha256 ${digest}`,
    "",
    ...paragraph(bar.hypothesis, ""),
    "",
    ...paragraph(sentences.join(" "), ""),
    "",
    `It passes when ${all} ${how}:`,
    ...bar.conditions.flatMap((condition, i) => ["", ...explainCondition(condition, `${i + 1}. `, bar)]),
    "",
  ].join("\n");
}

function population({ population: of }: Bar): string {
  const parts = [
    of.role === undefined ? "of all roles" : `of the role ${of.role}`,
    ...(of.revision === undefined ? [] : [`of the revision ${of.revision}`]),
    of.days === "all" ? "on all days" : `on weekdays in ${of.timezone}${holidays(of.holidays.length)}`,
    ...(of.order === "certain" ? ["with a certain arrival order"] : []),
    ...(of.warmedByProbe === "exclude" ? ["not warmed by a probe"] : []),
  ];
  return `Judged are the new instances ${parts.join(", ")}; slow is over ${of.threshold}.`;
}

function holidays(count: number): string {
  return count === 0 ? "" : count === 1 ? " without 1 holiday" : ` without ${count} holidays`;
}

function sample({ sample: of }: Bar): string {
  const within =
    of.within === undefined ? "after the deployment" : `within ${of.within} after the deployment`;
  const which = of.take === "all" ? "all that are" : `the first ${of.take.first}`;
  return `It takes ${which} born ${within}, and needs at least ${of.minimum}.`;
}

function looks(bar: Bar): string {
  if (bar.looks === "anytime") return "It may be asked at any time, again and again.";
  if (bar.sample.take !== "all") return "Later instances cannot change the verdict.";
  return "It is meant to be asked once: asking again as instances come in passes by luck more often.";
}

function guards({ guards: of }: Bar): string {
  const parts = [
    ...(of.comparable ? ["the cohorts before and after cannot be compared"] : []),
    ...(of.leak === undefined ? [] : [`the warm-up request ${of.leak.path} left rows`]),
    ...(of.reconciliation === undefined
      ? []
      : [`rows and ingress metrics differ by more than ${percent(of.reconciliation.within)}`]),
  ];
  return parts.length === 0 ? "It has no guards." : `It is inconclusive when ${parts.join(", or ")}.`;
}
