import type { z } from "zod";
import { barSchema, type Condition } from "./bar.ts";

/** The sound parts of a bar whose other parts may be wrong, so that all problems can be told at once. */
export interface Draft {
  /** Null for an item that is no map. */
  readonly conditions: readonly (DraftCondition | null)[];
  readonly confidence: number | "none" | undefined;
  readonly looks: "once" | "anytime" | undefined;
  readonly minimum: number | undefined;
  /** The N of `take: { first: N }`; null where all are taken. */
  readonly first: number | null | undefined;
  readonly within: string | undefined;
  readonly before: string | undefined;
  readonly timezone: string | undefined;
  readonly holidays: readonly (string | undefined)[];
  readonly threshold: string | undefined;
  readonly guard: string | undefined;
  readonly comparable: boolean | undefined;
}

export interface DraftCondition {
  readonly metric: string | undefined;
  readonly below: Condition["below"];
  readonly above: Condition["above"];
  readonly minimum: number | undefined;
  /** The sides that are written down, with sound bounds or not. */
  readonly sides: readonly ("below" | "above")[];
  /** False where the minimum is written down but is none. */
  readonly hasSoundMinimum: boolean;
}

const { shape } = barSchema;
const conditionShape = shape.conditions.element.shape;
const populationShape = shape.population.unwrap().shape;

/** Takes from a value as read every part that has its right form; the rest is undefined. */
export function draftOf(value: unknown): Draft {
  const root = mapOf(value);
  const sample = mapOf(root.sample);
  const population = root.population === undefined ? {} : mapOf(root.population);
  const guards = root.guards === undefined ? {} : mapOf(root.guards);
  const take = part(shape.sample.shape.take, sample.take);
  const holidays = Array.isArray(population.holidays) ? population.holidays : [];
  return {
    conditions: (Array.isArray(root.conditions) ? root.conditions : []).map((value: unknown) =>
      typeof value === "object" && value !== null ? draftCondition(value) : null,
    ),
    confidence: part(shape.confidence, root.confidence),
    looks: part(shape.looks, root.looks),
    minimum: part(shape.sample.shape.minimum, sample.minimum),
    first: take === undefined ? undefined : take === "all" ? null : take.first,
    within: part(shape.sample.shape.within, sample.within),
    before: part(shape.sample.shape.before, sample.before),
    timezone: part(populationShape.timezone, population.timezone),
    holidays: holidays.map((holiday) => part(populationShape.holidays.unwrap().element, holiday)),
    threshold: part(populationShape.threshold, population.threshold),
    guard: part(populationShape.guard, population.guard),
    comparable: part(shape.guards.unwrap().shape.comparable, guards.comparable),
  };
}

function draftCondition(value: object): DraftCondition {
  const condition = mapOf(value);
  const minimum = part(conditionShape.minimum, condition.minimum);
  return {
    metric: part(conditionShape.metric, condition.metric),
    below: part(conditionShape.below, condition.below),
    above: part(conditionShape.above, condition.above),
    minimum,
    sides: (["below", "above"] as const).filter((side) => condition[side] !== undefined),
    hasSoundMinimum: condition.minimum === undefined || minimum !== undefined,
  };
}

function part<T>(schema: z.ZodType<T>, value: unknown): T | undefined {
  const result = schema.safeParse(value);
  return result.success ? result.data : undefined;
}

function mapOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
