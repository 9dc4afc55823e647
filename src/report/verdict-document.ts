import { z } from "zod";
import { reportSchema, warningSchema } from "./document.ts";

/**
 * The verdict document, `coldstart.verdict/1`. It holds nothing that changes from run to run: the same
 * bar on the same data gives the same bytes.
 */
const figure = z.number().nullable();
const interval = z.tuple([figure, figure]);

export const verdictNames = ["pass", "fail", "inconclusive", "error"] as const;

export const judgedConditionSchema = z.object({
  /** The bar's name. */
  name: z.string(),
  metric: z.string(),
  /** In the metric's unit; one of the two is null. */
  below: figure,
  above: figure,
  unit: z.enum(["ms", "minutes", "share", "ratio", "count", "per-second"]),
  method: z.enum(["order-statistics", "exact-binomial", "bootstrap", "e-value", "point-estimate"]),
  confidence: z.number().nullable(),
  estimate: figure,
  ci95: interval,
  /** One-sided bounds at the bar's confidence. */
  lowerBound: figure,
  upperBound: figure,
  /** Values on the right side of the bar: needed for a pass, and seen. Null where the method counts none. */
  needed: z.number().nullable(),
  seen: z.number().nullable(),
  /** The e-value of anytime looks, and what it must reach. */
  eValue: z.number().nullable(),
  eNeeded: z.number().nullable(),
  n: z.number().int().nonnegative(),
  minimum: z.number().int().nonnegative(),
  /** Instances of the window that do not count, by reason. */
  excluded: z.record(z.string(), z.number()),
  verdict: z.enum(verdictNames),
  reasons: z.array(z.string()),
});

export const registrationSchema = z.object({
  status: z.enum(["registered", "retrospective", "unproved"]),
  /** SHA-256 of the canonical bar. */
  digest: z.string(),
  analysisVersion: z.number(),
  frozenAt: z.string().nullable(),
  newestDataAtFreeze: z.string().nullable(),
  commit: z.string().nullable(),
  committedAt: z.string().nullable(),
  deployedAt: z.string().nullable(),
  /** Bars that this one supersedes, oldest first. */
  supersedes: z.array(z.object({ digest: z.string(), frozenAt: z.string(), reason: z.string() })),
  reasons: z.array(z.string()),
});

export const guardSchema = z.object({
  name: z.string(),
  status: z.enum(["ok", "violated", "unknown", "off"]),
  detail: z.string(),
});

export const verdictSchema = z.object({
  schema: z.literal("coldstart.verdict/1"),
  /** The bar's name. */
  name: z.string(),
  verdict: z.enum(verdictNames),
  /** True where the bar was not proved to precede the data and the user insisted. */
  retrospective: z.boolean(),
  reasons: z.array(z.string()),
  hypothesis: z.string(),
  bars: z.array(judgedConditionSchema),
  registration: registrationSchema,
  guards: z.array(guardSchema),
  /** The file with the values that were judged. */
  values: z.object({ path: z.string(), sha256: z.string(), rows: z.number() }).nullable(),
  warnings: z.array(warningSchema),
  report: reportSchema.nullable(),
});

export type VerdictDocument = z.infer<typeof verdictSchema>;
export type JudgedCondition = z.infer<typeof judgedConditionSchema>;
export type RegistrationDocument = z.infer<typeof registrationSchema>;
export type GuardDocument = z.infer<typeof guardSchema>;
export type VerdictName = (typeof verdictNames)[number];
