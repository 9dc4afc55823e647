import type {
  PhaseDocument,
  ReplicaGroupDocument,
  ReplicasDocument,
} from "../../src/report/replicas-document.ts";

/** A replicas document written by hand. */

const none = { deployment: 0, rollout: 0, scaling: 0, restart: 0, "crash-loop": 0, unknown: 0 };
const slot = (label: string, births: number, byCause: Partial<typeof none>, coveredHours: number) => ({
  label,
  births,
  byCause: { ...none, ...byCause },
  coveredHours,
});
const phase = (name: PhaseDocument["name"], more: Partial<PhaseDocument>): PhaseDocument => ({
  name,
  n: 0,
  p50Ms: null,
  p90Ms: null,
  batchTimed: 0,
  batchP50Seconds: null,
  batchP90Seconds: null,
  unknown: 0,
  ...more,
});

export const replicasGroup: ReplicaGroupDocument = {
  app: "quotes-api",
  window: "all",
  from: "2026-09-01T00:00:00Z",
  to: "2026-09-08T00:00:00Z",
  coveredHours: 168,
  births: 17,
  newReplicas: 12,
  birthsPerDay: 17 / 7,
  neverStarted: 1,
  failedCreations: {
    count: 3,
    replicas: 1,
    reasons: [
      { text: "Container 'app' was terminated with reason 'ContainerCreateFailure'", count: 2 },
      {
        text: "Container 'app' was terminated with reason 'ContainerCreateFailure'. no \u001b[2J|`disk",
        count: 1,
      },
    ],
  },
  causes: [
    {
      cause: "scaling",
      count: 8,
      share: 8 / 17,
      told: 8,
      inferred: 0,
      evidence: [
        { name: "rescaled", meaning: "SuccessfulRescale at most 1 min before", certainty: "told", count: 8 },
      ],
    },
    {
      cause: "restart",
      count: 5,
      share: 5 / 17,
      told: 5,
      inferred: 0,
      evidence: [{ name: "same-replica", meaning: "started again", certainty: "told", count: 5 }],
    },
    {
      cause: "unknown",
      count: 4,
      share: 4 / 17,
      told: 0,
      inferred: 0,
      evidence: [{ name: "no-sign", meaning: "no event tells", certainty: "none", count: 4 }],
    },
  ],
  calendar: {
    perDay: [
      slot("2026-09-01", 10, { scaling: 8, unknown: 2 }, 24),
      slot("2026-09-02", 7, { restart: 5, unknown: 2 }, 24),
    ],
    byHour: Array.from({ length: 24 }, (_, hour) => slot(String(hour).padStart(2, "0"), 0, {}, 7)),
    byWeekday: [slot("Mon", 0, {}, 0), slot("Tue", 10, { scaling: 8, unknown: 2 }, 24)],
  },
  lifetime: {
    n: 17,
    censored: 4,
    batchTimed: 1,
    p10Minutes: 2.2,
    p50Minutes: 20,
    p90Minutes: null,
    curve: [
      { minutes: 1, survival: 1, atRisk: 17 },
      { minutes: 30, survival: 0.4, atRisk: 5 },
      { minutes: 60, survival: null, atRisk: 0 },
    ],
  },
  phases: {
    newReplicas: [
      phase("pulling-pulled", { n: 14, p50Ms: 1620, p90Ms: 2980, batchTimed: 1 }),
      phase("assigned-started", {
        n: 14,
        p50Ms: 15_450,
        p90Ms: 16_800,
        batchTimed: 1,
        batchP50Seconds: 16,
        batchP90Seconds: 17,
      }),
    ],
    restarts: [phase("created-started", { n: 5, p50Ms: 11, p90Ms: 12 })],
  },
  neverServed: { n: 16, count: 2, share: 0.125, ci95: [0.035, 0.36], undecided: 1, minutes: 40, cost: 0.036 },
  perThousand: {
    source: "ingress-metric",
    starts: 17,
    requests: 10_000,
    startsPerThousand: 1.7,
    from: "2026-09-01T00:00:00Z",
    to: "2026-09-08T00:00:00Z",
  },
  cycles: {
    cooldownSeconds: 300,
    n: 12,
    count: 3,
    share: 0.25,
    ci95: [0.0889, 0.5323],
    p50GapSeconds: 120,
    replacements: 0,
  },
  startSeconds: {
    n: 15,
    unknown: 2,
    totalSeconds: 255,
    meanSeconds: 17,
    batchTimed: 1,
    untilStartOnly: 4,
    cost: 0.003825,
    byCause: { ...none, scaling: 200, unknown: 55 },
  },
};

export const replicasDocument: ReplicasDocument = {
  schema: "coldstart.replicas/1",
  settings: {
    from: null,
    to: null,
    deployedAt: null,
    role: null,
    revision: null,
    container: null,
    timezone: "Europe/Vienna",
    days: "all",
    holidays: [],
    thresholdMs: 2000,
    guardMinutes: 10,
    probePaths: [],
    weight: "auto",
    seed: 1,
    resamples: 9999,
    quantileDefinition: "inverse-ecdf",
    apps: null,
    cooldownSeconds: 300,
    rates: { vcpu: 0.5, memoryGib: 1, vcpuRate: 0.00002, gibRate: 0.000005 },
  },
  inputs: [
    {
      path: "logs.json",
      form: "json",
      rows: 400,
      otherRows: 0,
      partial: false,
      warnings: [{ code: "truncation-invisible", message: "cut without a sign", count: 1 }],
    },
  ],
  log: {
    from: "2026-09-01T00:00:00Z",
    to: "2026-09-08T00:00:00Z",
    events: 400,
    ownClock: 390,
    apps: ["quotes-api"],
  },
  groups: [replicasGroup],
  births: [
    {
      at: "2026-09-01T00:00:15Z",
      app: "quotes-api",
      revision: "quotes-api--7kd02mq",
      replica: "quotes-api--7kd02mq-6fd86b5c7c-7mbtg",
      window: "all",
      isNewReplica: true,
      cause: "scaling",
      certainty: "told",
      evidence: "rescaled",
      ownClock: true,
      lifeMinutes: 12.5,
      ended: true,
      userRequests: 3,
    },
  ],
  setAside: { platformContainers: 3, daprContainers: 1, initContainers: 0, jobs: 2, withoutReplica: 0 },
  costPerSecond: 0.000015,
  unknown: ["why 4 of 17 births happened"],
  warnings: [{ code: "several-roles", message: "the figures mix 2 roles", count: 2 }],
};
