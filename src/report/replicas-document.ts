import { z } from "zod";
import { inputSchema, settingsSchema, warningSchema } from "./document.ts";

/** The document of `coldstart replicas`, `coldstart.replicas/1`; units as in the report's document. */
const figure = z.number().nullable();
const count = z.number().int().nonnegative();
const share = z.number().min(0).max(1).nullable();
const interval = z.tuple([figure, figure]);

const cause = z.enum(["deployment", "rollout", "scaling", "restart", "crash-loop", "unknown"]);
const certainty = z.enum(["told", "inferred", "none"]);
const countsByCause = z.object({
  deployment: z.number(),
  rollout: z.number(),
  scaling: z.number(),
  restart: z.number(),
  "crash-loop": z.number(),
  unknown: z.number(),
});

const slotSchema = z.object({
  label: z.string(),
  births: count,
  byCause: countsByCause,
  /** Hours of this day, hour or weekday that the log covers: 0 births in 0 hours is no zero. */
  coveredHours: z.number(),
});

const phaseSchema = z.object({
  name: z.enum([
    "assigned-pulling",
    "pulling-pulled",
    "pulled-created",
    "created-started",
    "assigned-started",
    "started-last-refusal",
    "last-refusal-port-open",
    "started-first-request",
  ]),
  n: count,
  p50Ms: figure,
  p90Ms: figure,
  /** Births of which an end has only the time of a batch of the log. */
  batchTimed: count,
  /** Their quantiles in whole seconds; null for phases shorter than the error of such a time. */
  batchP50Seconds: figure,
  batchP90Seconds: figure,
  unknown: count,
});

export const replicaGroupSchema = z.object({
  app: z.string(),
  window: z.enum(["all", "before", "after"]),
  from: z.string().nullable(),
  to: z.string().nullable(),
  coveredHours: z.number(),
  births: count,
  newReplicas: count,
  birthsPerDay: figure,
  neverStarted: count,
  failedCreations: z.object({
    count,
    replicas: count,
    /** The log's texts, the most frequent first. */
    reasons: z.array(z.object({ text: z.string(), count })),
  }),
  causes: z.array(
    z.object({
      cause,
      count,
      share,
      told: count,
      inferred: count,
      evidence: z.array(z.object({ name: z.string(), meaning: z.string(), certainty, count })),
    }),
  ),
  calendar: z.object({
    perDay: z.array(slotSchema),
    byHour: z.array(slotSchema),
    byWeekday: z.array(slotSchema),
  }),
  lifetime: z.object({
    n: count,
    censored: count,
    /** Lives of which the start has only the time of a batch of the log. */
    batchTimed: count,
    p10Minutes: figure,
    p50Minutes: figure,
    p90Minutes: figure,
    curve: z.array(z.object({ minutes: z.number(), survival: share, atRisk: count })),
  }),
  phases: z.object({ newReplicas: z.array(phaseSchema), restarts: z.array(phaseSchema) }),
  neverServed: z
    .object({
      n: count,
      count,
      share,
      ci95: interval,
      undecided: count,
      minutes: z.number(),
      cost: figure,
    })
    .nullable(),
  perThousand: z
    .object({
      source: z.enum(["ingress-metric", "request-rows"]),
      starts: count,
      requests: z.number(),
      startsPerThousand: figure,
      from: z.string(),
      to: z.string(),
    })
    .nullable(),
  cycles: z.object({
    cooldownSeconds: z.number(),
    n: count,
    count,
    share,
    ci95: interval,
    p50GapSeconds: figure,
    replacements: count,
  }),
  startSeconds: z.object({
    n: count,
    unknown: count,
    totalSeconds: figure,
    meanSeconds: figure,
    batchTimed: count,
    untilStartOnly: count,
    cost: figure,
    byCause: countsByCause,
  }),
});

export const replicaBirthSchema = z.object({
  at: z.string(),
  app: z.string(),
  revision: z.string(),
  replica: z.string(),
  window: z.enum(["all", "before", "after"]),
  isNewReplica: z.boolean(),
  cause,
  certainty,
  evidence: z.string(),
  ownClock: z.boolean(),
  lifeMinutes: z.number(),
  ended: z.boolean(),
  userRequests: count.nullable(),
});

export const replicasSchema = z.object({
  schema: z.literal("coldstart.replicas/1"),
  settings: settingsSchema.extend({
    /** The apps that were chosen; null for all of the log. */
    apps: z.array(z.string()).nullable(),
    cooldownSeconds: z.number(),
    rates: z
      .object({ vcpu: z.number(), memoryGib: z.number(), vcpuRate: z.number(), gibRate: z.number() })
      .nullable(),
  }),
  inputs: z.array(inputSchema),
  log: z.object({
    from: z.string().nullable(),
    to: z.string().nullable(),
    events: count,
    /** Events that carry their own time. */
    ownClock: count,
    apps: z.array(z.string()),
  }),
  groups: z.array(replicaGroupSchema),
  births: z.array(replicaBirthSchema),
  /** Container starts that are no birth of an app's process. */
  setAside: z.object({
    platformContainers: count,
    daprContainers: count,
    initContainers: count,
    jobs: count,
    withoutReplica: count,
  }),
  /** Cost of one second of one replica at the given rates. */
  costPerSecond: figure,
  unknown: z.array(z.string()),
  warnings: z.array(warningSchema),
});

export type ReplicasDocument = z.infer<typeof replicasSchema>;
export type ReplicaGroupDocument = z.infer<typeof replicaGroupSchema>;
export type PhaseDocument = z.infer<typeof phaseSchema>;
export type SlotDocument = z.infer<typeof slotSchema>;
