import { z } from "zod";
import { inputSchema, rowsSchema, settingsSchema, warningSchema } from "./document.ts";

/** The document of `coldstart anatomy`, `coldstart.anatomy/1`; units as in the report's document. */
const figure = z.number().nullable();
const count = z.number().int().nonnegative();
const share = z.number().min(0).max(1).nullable();
const interval = z.tuple([figure, figure]);
const instant = z.string().nullable();

const firstPart = z.object({ p50Ms: figure, p50Ci95Ms: interval, p90Ms: figure, p90Ci95Ms: interval });
const laterPart = z.object({ p50Ms: figure, p90Ms: figure });

const partsOf = <T extends z.ZodType>(part: T) =>
  z.object({
    /** The whole request. */
    duration: part,
    /** From the request's start to the start of its first outbound call. */
    firstCall: part,
    /** Time with at least one outbound call under way. */
    outbound: part,
    /** The calls' durations added up. */
    outboundSum: part,
    /** `duration` without `outbound`. */
    rest: part,
  });
const firstParts = partsOf(firstPart);
const laterParts = partsOf(laterPart);

const firstSchema = z.object({
  n: count,
  withCalls: z.object({ count, share, ci95: interval }),
  /** Why first requests have no parts; adds up to `n` without `withCalls.count`. */
  without: z.object({
    noOperation: count,
    inProcessOnly: count,
    noCallInside: count,
    outsideDependencies: count,
    routeCalls: count,
    routeSilent: count,
  }),
  shared: count,
  unfinishedCalls: count,
  p50Calls: figure,
  /** Of the first requests with calls; unweighted, one value an instance. */
  parts: firstParts,
});

const laterSchema = z.object({
  n: count,
  estimated: z.number(),
  withCalls: count,
  /** Of the later requests with calls; weighted. */
  parts: laterParts,
});

const groupSchema = z.object({
  n: count,
  p50WaitMs: figure,
  duration: firstPart,
  withCalls: count,
  parts: firstParts,
});

const cohortSchema = z.object({
  name: z.enum(["all", "before", "after"]),
  from: instant,
  to: instant,
  first: firstSchema,
  later: laterSchema,
  routes: z.array(
    z.object({
      route: z.string(),
      basis: z.enum(["order>10", "after-first"]),
      first: firstSchema,
      later: laterSchema,
    }),
  ),
  contention: z
    .object({
      near: groupSchema,
      far: groupSchema,
      durationP50DeltaMs: figure,
      durationP50DeltaCi95Ms: interval,
      restP50DeltaMs: figure,
      restP50DeltaCi95Ms: interval,
      startUnknown: count,
      batchTime: count,
    })
    .nullable(),
});

export const anatomySchema = z.object({
  schema: z.literal("coldstart.anatomy/1"),
  settings: settingsSchema,
  inputs: z.array(inputSchema),
  rows: rowsSchema,
  /** Null where no input holds the table. */
  dependencies: z
    .object({
      rows: count,
      inProcess: count,
      noOperation: count,
      repeated: count,
      from: instant,
      to: instant,
    })
    .nullable(),
  cohorts: z.array(cohortSchema),
  warnings: z.array(warningSchema),
  /** What the data cannot tell, in sentences. */
  unknown: z.array(z.string()),
});

export type AnatomyDocument = z.infer<typeof anatomySchema>;
export type AnatomyCohort = z.infer<typeof cohortSchema>;
export type AnatomyFirst = z.infer<typeof firstSchema>;
