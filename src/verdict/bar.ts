import { z } from "zod";

/**
 * A bar: what must hold after a deployment, declared before it (`coldstart.bar.yaml`). Durations carry
 * their unit (`2s`, `1500ms`, `14d`), shares are 0..1, dates and times are ISO 8601. Unknown keys are errors.
 */
const duration = z
  .string()
  .regex(/^\d+(?:\.\d+)?(?:ms|s|m|h|d)$/, "write a duration with its unit, such as 2s, 1500ms or 14d");

/** A bound may be negative where it is a change: `comparison.firstRequest.p50DeltaMs below -5s`. */
const change = z
  .string()
  .regex(/^-?\d+(?:\.\d+)?(?:ms|s|m|h|d)$/, "write a duration with its unit, such as 2s, 1500ms or 14d");

const conditionSchema = z
  .strictObject({
    metric: z
      .string()
      .describe("A figure of the report, such as firstRequest.p50 or comparison.firstRequest.p50Ratio"),
    below: z.union([change, z.number()]).optional().describe("The figure must be strictly smaller than this"),
    above: z.union([change, z.number()]).optional().describe("The figure must be strictly greater than this"),
    minimum: z
      .int()
      .positive()
      .optional()
      .describe("Values needed for this condition, in place of sample.minimum"),
  })
  .describe("One condition; all conditions of a bar must hold");

export const barSchema = z.strictObject({
  name: z.string().min(1),
  hypothesis: z.string().min(1).describe("What the deployment is expected to do, and why"),
  conditions: z.array(conditionSchema).min(1),
  confidence: z
    .union([z.number().gt(0.5).lt(1), z.literal("none")])
    .default(0.95)
    .describe("One-sided confidence of a pass or a fail; none judges the point estimate"),
  population: z
    .strictObject({
      role: z.string().min(1).optional(),
      revision: z.string().min(1).optional(),
      container: z.string().min(1).optional(),
      days: z.enum(["all", "weekdays"]).default("all"),
      timezone: z.string().default("UTC"),
      holidays: z.array(z.string().regex(/^\d{4}-\d\d-\d\d$/, "write YYYY-MM-DD")).default([]),
      order: z
        .enum(["all", "certain"])
        .default("all")
        .describe("certain: only instances whose first request cannot have been preceded by a dropped one"),
      warmedByProbe: z.enum(["include", "exclude"]).default("include"),
      threshold: duration.default("2s"),
      guard: duration.default("10m"),
      probePaths: z.array(z.string().startsWith("/")).optional(),
      weight: z.enum(["auto", "item-count", "sample-rate"]).default("auto"),
    })
    .prefault({}),
  sample: z.strictObject({
    minimum: z.int().positive().describe("New instances needed after the deployment"),
    take: z
      .union([z.literal("all"), z.strictObject({ first: z.int().positive() })])
      .default("all")
      .describe("first N is by birth, so that later data cannot change the verdict"),
    within: duration.optional().describe("How long after the deployment instances may be born"),
    before: duration
      .optional()
      .describe("How long before the deployment the before cohort reaches back; all data unless set"),
  }),
  looks: z
    .enum(["once", "anytime"])
    .default("once")
    .describe("anytime: the gate may be asked again and again without inflating false passes"),
  guards: z
    .strictObject({
      comparable: z.boolean().default(true).describe("Inconclusive when the cohorts cannot be compared"),
      coverage: z
        .boolean()
        .default(true)
        .describe(
          "Inconclusive when the input has a hole before the deployment, so that old instances may look new",
        ),
      leak: z
        .strictObject({ path: z.string().startsWith("/") })
        .optional()
        .describe("Inconclusive when the warm-up request left rows"),
      reconciliation: z
        .strictObject({ within: z.number().gt(0).lt(1) })
        .optional()
        .describe("Inconclusive when weighted rows and ingress metrics differ by more than this share"),
    })
    .prefault({}),
  seed: z.int().min(0).max(0x7fffffff).default(1),
});

export type Bar = z.output<typeof barSchema>;
export type BarInput = z.input<typeof barSchema>;
export type Condition = Bar["conditions"][number];

/** Raised whenever a change to the analysis can change a verdict; part of what a bar's lock pins. */
export const ANALYSIS_VERSION = 1;
