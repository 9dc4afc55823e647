import { createHash } from "node:crypto";
import { metricByName } from "../figures/metric-names.ts";
import type { Bar, Condition } from "./bar.ts";
import { durationMs } from "./bar-units.ts";

/**
 * JSON with the keys of every object in the order of their code units and no white space, members that are
 * undefined left out: RFC 8785 for the values that a bar can hold.
 *
 * @throws TypeError for what JSON cannot hold (NaN, infinite numbers, functions, cycles)
 */
export function canonicalJson(value: unknown): string {
  return write(value, []);
}

/**
 * SHA-256 of what a bar says, in hex. Comments, the order of keys, quoting, `2s` for `2000ms`, a default
 * that is written out, and the order of holidays and probe paths make no difference; the wording of the
 * hypothesis and the order of the conditions do.
 */
export function digestOf(bar: Bar): string {
  return createHash("sha256")
    .update(canonicalJson(meaningOf(bar)))
    .digest("hex");
}

/** The bar with durations in milliseconds and everything that has several spellings in one. */
function meaningOf(bar: Bar): unknown {
  const { population, sample } = bar;
  return {
    ...bar,
    name: bar.name.trim(),
    hypothesis: bar.hypothesis.trim(),
    conditions: bar.conditions.map((condition) => conditionMeaning(condition, sample.minimum)),
    population: {
      ...population,
      threshold: milliseconds(population.threshold),
      guard: milliseconds(population.guard),
      holidays: sortedSet(population.holidays),
      probePaths: population.probePaths === undefined ? undefined : sortedSet(population.probePaths),
    },
    sample: { ...sample, within: milliseconds(sample.within), before: milliseconds(sample.before) },
  };
}

function conditionMeaning(condition: Condition, minimum: number): unknown {
  return {
    metric: metricByName(condition.metric)?.name ?? condition.metric,
    below: milliseconds(condition.below),
    above: milliseconds(condition.above),
    minimum: condition.minimum ?? minimum,
  };
}

function milliseconds(bound: string | number | undefined): string | number | undefined {
  return typeof bound === "string" ? (durationMs(bound) ?? bound) : bound;
}

function sortedSet(values: readonly string[]): string[] {
  return [...new Set(values)].sort();
}

function write(value: unknown, open: readonly object[]): string {
  if (value === null || typeof value === "string" || typeof value === "boolean") return JSON.stringify(value);
  if (typeof value === "number" && Number.isFinite(value)) return JSON.stringify(value);
  if (typeof value !== "object") throw new TypeError(`JSON cannot hold ${String(value)}`);
  if (open.includes(value)) throw new TypeError("JSON cannot hold a cycle");
  const within = [...open, value];
  if (Array.isArray(value)) return `[${value.map((item) => write(item, within)).join(",")}]`;
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${write(member, within)}`);
  return `{${members.join(",")}}`;
}
