import { z } from "zod";
import { inputSchema, settingsSchema, warningSchema } from "./document.ts";

/**
 * The document of `coldstart leaks`, `coldstart.leaks/1`. Instants are ISO 8601 in UTC, durations
 * milliseconds, shares 0..1. What cannot be computed is null, never NaN; what was not looked at is null too.
 */
const figure = z.number().nullable();
const count = z.number().int().nonnegative();
const share = z.number().min(0).max(1).nullable();
const interval = z.tuple([figure, figure]);
const instant = z.string().nullable();
const counted = z.object({ count, share, ci95: interval });

const requestsSchema = z.object({
  /** Starts with at least one request row. */
  starts: count,
  /** Starts with rows of the path before, or in place of, other user requests. */
  withPath: counted,
  /** Starts whose earliest row of any kind has the path. */
  firstIsPath: counted,
  rows: z.object({ observed: count, estimated: z.number() }),
  /** Begun before the port was open, by the warm-up's line or by a refused startup probe. */
  inside: z.object({ rows: count, starts: count, byLine: count, byRefusal: count }),
  /** Starts all of whose rows of the path began after the warm-up's line. */
  outsideStarts: count,
  undecidedStarts: count,
});

const surplusSchema = z.object({
  starts: count,
  counted: z.number(),
  explained: z.number(),
  surplusPerStart: figure,
  withSurplus: counted,
  withDeficit: count,
  /** All starts together have a surplus beyond three standard errors. */
  beyondError: z.boolean(),
});

export const leaksSchema = z.object({
  schema: z.literal("coldstart.leaks/1"),
  verdict: z.enum(["leak", "clean", "cannot-tell"]),
  reasons: z.array(z.object({ code: z.string(), text: z.string() })),
  question: z.object({
    paths: z.array(z.string()),
    /** Null for any. */
    method: z.string().nullable(),
    since: instant,
    to: instant,
    /** Begin of the period before; its end is `since`, or `beforeTo`. Null where it is open or there is none. */
    beforeFrom: instant,
    beforeTo: instant,
    warmedMessage: z.string(),
    rateAssumed: share,
  }),
  warmUp: z.object({
    /** Starts since the deployment that left a request row or a line. */
    starts: count,
    logged: counted,
    ran: count,
    /** Starts whose line says that a request to an asked path succeeded. */
    succeeded: count,
    /** Starts in whose time the input holds request rows. */
    covered: count,
    outcomes: z.array(z.object({ outcome: z.string(), starts: count })),
    p50Ms: figure,
    p50Ci95Ms: interval,
    timed: count,
    paths: z.array(z.string()),
    linesWithoutInstance: count,
  }),
  requests: z.object({
    since: requestsSchema,
    before: requestsSchema.nullable(),
    baseline: z
      .object({
        from: z.enum(["before", "later"]),
        n: count,
        withPath: count,
        share: z.number(),
        expectedStarts: z.number(),
        excessStarts: z.number(),
        p: z.number(),
        jumpP: figure,
        firstExcessStarts: figure,
        firstRiseP: figure,
      })
      .nullable(),
    othersBeforeLine: count,
    withoutInstance: count,
    withoutPath: count,
  }),
  operations: z
    .object({
      sameOperation: z.object({ dependencies: count, traces: count, starts: count }),
      during: z.object({
        starts: count,
        asRoute: count,
        asRouteStarts: count,
        other: count,
        otherStarts: count,
        traces: count,
      }),
      earlier: count,
      earlierAsRoute: count,
      undated: count,
      stray: count,
      knownCalls: count,
    })
    .nullable(),
  metrics: z.array(
    z.object({
      name: z.string(),
      scope: z.enum(["route", "all"]),
      since: surplusSchema,
      before: surplusSchema.nullable(),
      p: figure,
      unusable: count,
      strayCount: z.number(),
    }),
  ),
  zero: z.object({
    /** Starts that logged a successful warm-up at a time that request rows cover. */
    n: count,
    rate: share,
    rateFrom: z.enum(["rows", "assumed"]),
    rateN: count,
    everyStartUnseen: share,
    oneInTenUnseen: share,
  }),
  starts: z.object({
    birthUnknown: count,
    idle: count.nullable(),
    refused: count,
    sharedPort: count,
  }),
  held: z.object({
    requests: z.boolean(),
    dependencies: z.boolean(),
    traces: z.boolean(),
    metrics: z.boolean(),
    systemLog: z.boolean(),
  }),
  examples: z.array(
    z.object({
      instance: z.string(),
      at: z.string(),
      name: z.string(),
      path: z.string(),
      operationId: z.string(),
      place: z.enum(["inside", "undecided"]),
      by: z.enum(["line", "refusal"]).nullable(),
    }),
  ),
  /** What could not be known, a sentence each. */
  unknown: z.array(z.string()),
  settings: settingsSchema,
  inputs: z.array(inputSchema),
  warnings: z.array(warningSchema),
});

export type LeaksDocument = z.infer<typeof leaksSchema>;
export type LeaksRequests = z.infer<typeof requestsSchema>;
export type LeaksSurplus = z.infer<typeof surplusSchema>;
