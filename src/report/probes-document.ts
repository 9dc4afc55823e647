import { z } from "zod";
import { inputSchema, settingsSchema, warningSchema } from "./document.ts";

/** The document of `coldstart probes`, `coldstart.probes/1`. Seconds where the name says so; null is unknown. */
const figure = z.number().nullable();
const count = z.number().int().nonnegative();
const type = z.enum(["startup", "readiness", "liveness"]);
const handler = z.enum(["http", "tcp", "process", "grpc", "exec", "unknown"]);
/** A text is a port by name. */
const port = z.union([z.number(), z.string()]).nullable();
const text = z.string().nullable();
const distribution = z.object({ n: count, p50Seconds: figure, maxSeconds: figure });

export const probeSchema = z.object({
  type,
  declared: z.object({
    origin: z.enum(["written", "default", "partial-default", "none", "unknown"]),
    handler: handler.nullable(),
    path: text,
    port,
    initialDelaySeconds: figure,
    periodSeconds: figure,
    timeoutSeconds: figure,
    successThreshold: figure,
    failureThreshold: figure,
    budgetSeconds: figure,
    place: text,
    handlers: z.array(handler),
  }),
  inferred: z.object({
    handler: z.enum([...handler.options, "none"]).nullable(),
    port,
    path: text,
    periodSeconds: figure,
    failureThreshold: figure,
  }),
  confidence: z.enum(["certain", "likely", "unknown"]),
  evidence: z.array(z.object({ side: z.enum(["spec", "log", "rows"]), text: z.string() })),
  contradiction: text,
  expectedRows: z
    .object({ path: z.string(), expected: z.number(), seen: z.number(), expectedRowCount: z.number() })
    .nullable(),
  refusals: z
    .object({
      count,
      byStatus: z.array(z.object({ status: z.string(), count })),
      perStart: z.object({ n: count, p50: figure, max: figure }),
      kills: count,
      periodSeconds: z.object({ n: count, p50: figure }),
      failureThreshold: figure,
      timeoutSeconds: figure,
      handler: handler.nullable(),
      isCertain: z.boolean(),
      port: figure,
      path: text,
      shared: count,
    })
    .nullable(),
});

export const appProbesSchema = z.object({
  app: z.string(),
  spec: z
    .object({
      file: z.string(),
      form: z.enum(["container-app", "arm-template", "cf-manifest", "cf-process"]),
      kind: z.enum(["app", "job"]),
    })
    .nullable(),
  log: z
    .object({
      events: count,
      excluded: z.object({ duplicate: count, platform: count, afterStop: count, job: count }),
      platformContainers: z.array(z.string()),
      hasReplicas: z.boolean(),
      ownClock: z.boolean(),
    })
    .nullable(),
  rows: z
    .object({
      app: z.string(),
      namedBy: z.enum(["replica", "role"]),
      instances: count,
      rows: count,
      estimated: z.number(),
      observedSeconds: z.number(),
      paths: z.array(
        z.object({
          path: z.string(),
          rows: count,
          estimated: z.number(),
          instances: count,
          isProbePath: z.boolean(),
          impliedPeriodSeconds: figure,
          perInstanceDay: figure,
        }),
      ),
    })
    .nullable(),
  probes: z.array(probeSchema),
  starts: z
    .object({
      starts: count,
      killed: count,
      silent: count,
      lastRefusal: distribution,
      firstRow: distribution,
    })
    .nullable(),
});

export const probesSchema = z.object({
  schema: z.literal("coldstart.probes/1"),
  /** Null where no telemetry was read. */
  settings: settingsSchema.nullable(),
  inputs: z.array(inputSchema),
  specs: z.array(z.string()),
  apps: z.array(appProbesSchema),
  findings: z.array(
    z.object({
      code: z.string(),
      level: z.enum(["problem", "caution", "note"]),
      app: z.string(),
      place: z.string(),
      message: z.string(),
      remedy: z.string(),
    }),
  ),
  expectations: z.array(
    z.object({
      app: z.string(),
      type,
      handler: z.enum(["http", "tcp", "process", "none"]),
      inferred: text,
      confidence: z.string(),
      result: z.enum(["met", "missed", "unknown"]),
      reason: z.string(),
    }),
  ),
  /** What could not be known. */
  unknown: z.array(z.string()),
  warnings: z.array(warningSchema),
});

export type ProbesDocument = z.infer<typeof probesSchema>;
export type AppProbesDocument = z.infer<typeof appProbesSchema>;
export type ProbeDocument = z.infer<typeof probeSchema>;
