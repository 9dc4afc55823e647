import { allMetrics, type Metric, metricByName } from "../figures/metric-names.ts";
import { type Draft, type DraftCondition, draftOf } from "./bar-draft.ts";
import { boundOf, boundProblem, durationMs } from "./bar-units.ts";
import type { BarText, Path } from "./bar-yaml.ts";
import { nearest } from "./nearest.ts";
import { countRule, MOST_VALUES, neededCount, smallestPassable } from "./power.ts";
import type { BarProblem } from "./types.ts";

/** What a bar means that it must not mean, and what its author should think over. */
export interface Findings {
  readonly problems: BarProblem[];
  readonly warnings: BarProblem[];
}

/**
 * Checks what the schema cannot: that every condition names a metric, one bound in its unit, and can be
 * shown with the sample asked for; that looks, sample and guards go together; time zone, dates and
 * durations. Parts that the schema refuses are passed over.
 */
export function checkMeaning(text: BarText): Findings {
  const draft = draftOf(text.value);
  const findings: Findings = { problems: [], warnings: [] };
  draft.conditions.forEach((condition, i) => {
    if (condition !== null) checkCondition(condition, ["conditions", i], draft, text, findings);
  });
  checkDuplicates(draft, text, findings);
  checkSample(draft, text, findings);
  checkPopulation(draft, text, findings);
  return findings;
}

function checkCondition(
  condition: DraftCondition,
  path: Path,
  draft: Draft,
  text: BarText,
  { problems, warnings }: Findings,
): void {
  const { sides } = condition;
  if (sides.length !== 1) {
    const what = sides.length === 0 ? "neither below nor above" : "both below and above";
    problems.push(text.at(path, `this condition has ${what}; give one of them`));
  }
  const at = (key: string, message: string): BarProblem => text.at([...path, key], message);
  const metric = condition.metric === undefined ? undefined : metricByName(condition.metric);
  if (metric === undefined) {
    if (condition.metric !== undefined) problems.push(at("metric", unknownMetric(condition.metric)));
    return;
  }
  if (draft.looks === "anytime" && metric.judged.kind === "bootstrap") {
    problems.push(
      at("metric", `${metric.name} is judged by a bootstrap, which allows one look; set looks: once`),
    );
  }
  if (metric.needsBefore && draft.comparable === false) {
    warnings.push(
      at(
        "metric",
        `${metric.name} compares two cohorts while guards.comparable is false: it may compare unlike ones`,
      ),
    );
  }
  for (const side of sides) {
    const problem = condition[side] === undefined ? null : boundProblem(condition[side], side, metric);
    if (problem !== null) problems.push(at(side, problem));
    else if (sides.length === 1 && condition[side] !== undefined) {
      checkReach(condition, side, metric, path, draft, text, { problems, warnings });
    }
  }
}

/** Whether the smallest sample that is judged can show the condition at all. */
function checkReach(
  condition: DraftCondition,
  side: "below" | "above",
  metric: Metric,
  path: Path,
  { confidence, looks, minimum }: Draft,
  text: BarText,
  { problems, warnings }: Findings,
): void {
  // A point estimate needs no more than one value.
  if (confidence === undefined || confidence === "none" || looks === undefined) return;
  if (!condition.hasSoundMinimum) return;
  const n = condition.minimum ?? minimum;
  if (n === undefined || n > MOST_VALUES) return;
  const bound = { metric: metric.name, [side]: condition[side] };
  const rule = countRule(metric, side, boundOf(bound, metric), confidence, looks);
  if (rule === null || neededCount(n, rule) !== null) return;
  const smallest = smallestPassable(rule);
  const enough =
    smallest === null ? "more than a million would be" : `the smallest sample that can is ${smallest}`;
  const percent = `${Math.round(confidence * 1e6) / 1e4} %`;
  const what = `${metric.name} ${side} ${condition[side]} cannot be shown with ${percent} confidence by ${n} ${n === 1 ? "instance" : "instances"}, even if all are ${rightSide(metric, side)}; ${enough}`;
  const key = condition.minimum === undefined ? [...path, side] : [...path, "minimum"];
  if (looks === "once") problems.push(text.at(key, what));
  else warnings.push(text.at(key, `${what}; looks before that are inconclusive`));
}

function rightSide(metric: Metric, side: "below" | "above"): string {
  if (metric.judged.kind === "quantile") return side === "below" ? "under it" : "over it";
  return side === "below" ? "free of it" : "among them";
}

function unknownMetric(name: string): string {
  const near = nearest(
    name,
    allMetrics().map((metric) => metric.name),
  );
  const hint = near === null ? "docs/bar.md lists the metrics" : `did you mean ${near}?`;
  return `unknown metric "${name}"; ${hint}`;
}

function checkDuplicates({ conditions }: Draft, text: BarText, { problems }: Findings): void {
  const seen = new Map<string, number>();
  conditions.forEach((condition, i) => {
    const metric = condition?.metric;
    if (metric === undefined) return;
    for (const side of condition?.sides ?? []) {
      const key = `${metricByName(metric)?.name ?? metric} ${side}`;
      const first = seen.get(key);
      if (first === undefined) seen.set(key, i);
      else {
        const message = `duplicate: conditions[${first}] already holds ${key} a bound; keep the stricter one`;
        problems.push(text.at(["conditions", i], message));
      }
    }
  });
}

function checkSample(draft: Draft, text: BarText, { problems }: Findings): void {
  const { looks, first, minimum, conditions } = draft;
  const firstPath = ["sample", "take", "first"];
  if (looks === "anytime" && draft.confidence === "none") {
    problems.push(
      text.at(["confidence"], "looks: anytime needs a confidence; without one every look may pass by luck"),
    );
  }
  if (looks === "anytime" && typeof first === "number") {
    problems.push(
      text.at(firstPath, `the first ${first} stay the same at every look; set looks: once or take: all`),
    );
  }
  const minimums: [number | undefined, Path][] = [
    [minimum, ["sample", "minimum"]],
    ...conditions.map((condition, i): [number | undefined, Path] => [
      condition?.minimum,
      ["conditions", i, "minimum"],
    ]),
  ];
  for (const [needed, path] of minimums) {
    if (needed === undefined) continue;
    if (needed > MOST_VALUES)
      problems.push(text.at(path, `${needed} instances are more than any window has`));
    else if (typeof first === "number" && first < needed) {
      const message = `first ${first} can never reach the minimum of ${needed}`;
      problems.push(path[0] === "sample" ? text.at(firstPath, message) : text.at(path, message));
    }
  }
  if (typeof first === "number" && first > MOST_VALUES) {
    problems.push(text.at(firstPath, `${first} instances are more than any window has`));
  }
  for (const key of ["within", "before"] as const) {
    const duration = draft[key];
    if (duration !== undefined && durationMs(duration) === 0) {
      problems.push(text.at(["sample", key], `sample.${key}: no instance is born in ${duration}`));
    }
  }
}

function checkPopulation(draft: Draft, text: BarText, { problems }: Findings): void {
  const { timezone, holidays, threshold } = draft;
  if (timezone !== undefined && !isTimezone(timezone)) {
    const message = `"${timezone}" is no IANA time zone; write it like Europe/Vienna`;
    problems.push(text.at(["population", "timezone"], message));
  }
  holidays.forEach((holiday, i) => {
    if (holiday === undefined || isDate(holiday)) return;
    problems.push(text.at(["population", "holidays", i], `${holiday} is a date that does not exist`));
  });
  if (threshold !== undefined && durationMs(threshold) === 0) {
    const message = "a threshold of 0 counts every request as slow; write what is slow, such as 2s";
    problems.push(text.at(["population", "threshold"], message));
  }
}

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

function isDate(text: string): boolean {
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}
