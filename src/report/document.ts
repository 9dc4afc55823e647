import { z } from "zod";

/**
 * The report document, `coldstart.report/1`: one zod schema from which the types, the published
 * JSON Schema and the tests are derived. Instants are ISO 8601 in UTC, durations milliseconds
 * unless the name says minutes, shares 0..1. What cannot be computed is null, never NaN.
 */
const figure = z.number().nullable();
const count = z.number().int().nonnegative();
const share = z.number().min(0).max(1).nullable();
const instant = z.string().nullable();
/** A 95 % interval; a side that the sample cannot give is null. */
const interval = z.tuple([figure, figure]);

export const warningSchema = z.object({
  code: z.string(),
  /** What was seen and what to do about it, one sentence or two. */
  message: z.string(),
  count: z.number().nonnegative(),
});

export const settingsSchema = z.object({
  from: instant,
  to: instant,
  deployedAt: instant,
  role: z.string().nullable(),
  revision: z.string().nullable(),
  container: z.string().nullable(),
  timezone: z.string(),
  days: z.enum(["all", "weekdays"]),
  holidays: z.array(z.string()),
  thresholdMs: z.number(),
  guardMinutes: z.number(),
  probePaths: z.array(z.string()),
  weight: z.enum(["auto", "item-count", "sample-rate"]),
  seed: z.number().int(),
  resamples: z.number().int(),
  quantileDefinition: z.literal("inverse-ecdf"),
});

export const inputSchema = z.object({
  path: z.string(),
  /** The export form told from the content, such as `csv`, `ndjson` or `kusto-v2`. */
  form: z.string(),
  /** Rows of requests and system events together. */
  rows: count,
  /** Rows of other tables or record types that the report does not use. */
  otherRows: count,
  partial: z.boolean(),
  warnings: z.array(warningSchema),
});

export const rowsSchema = z.object({
  read: count,
  malformed: count,
  duplicate: count,
  otherRole: count,
  outsideWindow: count,
  consumer: count,
  other: count,
  synthetic: count,
  probe: count,
  user: count,
  /** User rows without a role instance; also counted under `user`. */
  noInstance: count,
});

const secondSchema = z.object({ n: count, p50Ms: figure, p90Ms: figure, overThresholdShare: share });

export const cohortSchema = z.object({
  name: z.enum(["all", "before", "after"]),
  from: instant,
  to: instant,
  instances: z.object({
    total: count,
    weekday: count,
    weekend: count,
    idle: count.nullable(),
    excluded: z.object({ alreadyRunning: count, birthUnknown: count }),
    warmedBy: z.object({ nothing: count, probe: count, synthetic: count, consumer: count, other: count }),
  }),
  firstRequest: z.object({
    n: count,
    p50Ms: figure,
    p90Ms: figure,
    p99Ms: figure,
    p50Ci95Ms: interval,
    overThreshold: z.object({ count, share, ci95: interval }),
    /** Null where no first request says whether it succeeded. */
    failed: z.object({ count: count.nullable(), share }),
    certainOrder: z.object({ count, share }),
  }),
  byOrder: z.array(
    z.object({
      label: z.string(),
      observed: count,
      estimated: z.number(),
      p50Ms: figure,
      p90Ms: figure,
      overThresholdShare: share,
    }),
  ),
  second: z.object({ sequential: secondSchema, overlapping: secondSchema }),
  overlap: z.object({ n: count, perInstance: figure, p50Ms: figure }),
  afterFirst: z.object({ n: count, p50Ms: figure }),
  slowEarlyPerInstance: figure,
  arrivals: z.object({ firstTenSecondsPerSecond: figure, laterPerSecond: figure }),
  lifetime: z.object({
    source: z.enum(["system-logs", "requests"]),
    n: count,
    /** Lives still running at the log's last row; 0 for source `requests`. */
    censored: count,
    p50Minutes: figure,
    within10MinutesShare: share,
  }),
});

export const comparisonSchema = z.object({
  firstRequest: z.object({
    p50DeltaMs: figure,
    p50Ratio: figure,
    p50DeltaCi95Ms: interval,
    probabilityFaster: share,
  }),
  comparable: z.boolean(),
  reasons: z.array(z.string()),
});

export const reportSchema = z.object({
  schema: z.literal("coldstart.report/1"),
  settings: settingsSchema,
  inputs: z.array(inputSchema),
  rows: rowsSchema,
  /** User requests in the window, as rows and as Σw. */
  requests: z.object({ observed: count, estimated: z.number() }),
  cohorts: z.array(cohortSchema),
  comparison: comparisonSchema.nullable(),
  warnings: z.array(warningSchema),
  /** With `--full`: the documents of the audits by name, each with a schema of its own. */
  audits: z.record(z.string(), z.looseObject({ schema: z.string() })).optional(),
});

export type ReportDocument = z.infer<typeof reportSchema>;
export type CohortDocument = z.infer<typeof cohortSchema>;
export type ComparisonDocument = z.infer<typeof comparisonSchema>;
export type RowsDocument = z.infer<typeof rowsSchema>;
export type InputDocument = z.infer<typeof inputSchema>;
export type SettingsDocument = z.infer<typeof settingsSchema>;
export type Warning = z.infer<typeof warningSchema>;

/** The document together with what pictures need and the document leaves out. */
export interface ReportResult {
  readonly document: ReportDocument;
  /** First-request durations in ms, ascending, by cohort name. */
  readonly firstRequestMs: Readonly<Record<string, readonly number[]>>;
}
