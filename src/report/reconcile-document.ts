import { z } from "zod";
import { inputSchema, rowsSchema, settingsSchema, warningSchema } from "./document.ts";

/** The document of `coldstart reconcile`, `coldstart.reconcile/1`; units as in the report's document. */
const figure = z.number().nullable();
const count = z.number().int().nonnegative();
const amount = z.number().nonnegative();
const instant = z.string().nullable();
const className = z.enum(["consumer", "other", "synthetic", "probe", "user"]);

const totalsSchema = z.object({
  from: z.string(),
  to: z.string(),
  /** Rows without probes: users and synthetic callers. */
  rows: count,
  /** Σw of these rows. */
  weighted: amount,
  /** Σw of the user requests among them. */
  users: amount,
  withProbes: amount,
  ingress: amount,
  /** `weighted / ingress`. */
  ratio: figure,
  /** Error of the sampling alone. */
  ratioCi95: z.tuple([figure, figure]),
  ratioWithProbes: figure,
  isWithin: z.boolean().nullable(),
});

const tally = { rows: count, weighted: amount };

export const reconcileSchema = z.object({
  schema: z.literal("coldstart.reconcile/1"),
  settings: settingsSchema,
  inputs: z.array(inputSchema),
  rows: rowsSchema,
  /** Share by which a ratio may differ from 1. */
  tolerance: z.number(),
  verdict: z.enum(["within", "outside", "unknown"]),
  metric: z.object({
    points: count,
    /** How often the files hold the same requests; counted once. */
    copies: count,
    /** Points of a coarser interval, left out. */
    coarser: count,
    from: instant,
    to: instant,
    intervalMinutes: figure,
    total: amount,
    /** In the windows, but before the first and after the last row: not compared. */
    beforeRows: amount,
    afterRows: amount,
    /** Why the metrics files cannot be put together. */
    unclear: z.string().nullable(),
  }),
  /** What lies in the windows on one side only. */
  uncompared: z.object({
    rows: count,
    weighted: amount,
    /** Of all weighted rows in the windows. */
    weightedShare: figure,
    ingress: amount,
    ingressShare: figure,
    /** More than 20 % of one side: no verdict. */
    isTooMuch: z.boolean(),
  }),
  /** Intervals of the metric that are compared. */
  intervals: count,
  /** The sampling error of a ratio is wider than four times the tolerance. */
  isBlurred: z.boolean(),
  total: totalsSchema.nullable(),
  periods: z.array(totalsSchema.extend({ name: z.enum(["all", "before", "after"]) })),
  hours: z.array(totalsSchema.extend({ window: z.enum(["all", "before", "after"]) })),
  /** Tested where a ratio lies outside the tolerance, those that explain it first. */
  reasons: z.array(
    z.object({
      id: z.string(),
      tried: z.string(),
      ratio: figure,
      explains: z.boolean(),
      detail: z.string(),
    }),
  ),
  contents: z.object({
    ...tally,
    classes: z.array(z.object({ class: className, ...tally })),
    roles: z.array(z.object({ role: z.string(), isCounted: z.boolean(), ...tally })),
    names: z.array(z.object({ class: className, name: z.string(), ...tally })),
    moreNames: count,
    resultCodes: z.array(z.object({ class: className, resultCode: z.string(), ...tally })),
  }),
  warnings: z.array(warningSchema),
  /** What the data cannot tell, in sentences. */
  unknown: z.array(z.string()),
});

export type ReconcileDocument = z.infer<typeof reconcileSchema>;
export type ReconcileTotals = z.infer<typeof totalsSchema>;
