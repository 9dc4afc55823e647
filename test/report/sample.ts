import type { CohortDocument, ReportDocument, ReportResult } from "../../src/report/document.ts";

/** Report documents written by hand, their figures computed apart from the code under test. */

const BEFORE_MS = [
  1204.6, 1890, 5792.6, 6132.8, 6321.5, 6435.7, 6500.2, 6541.2, 6586.1, 6653.7, 6747.9, 6856.5, 6957.5,
  7030.2, 7066.5, 7075.4, 7079.1, 7101.5, 7157.1, 7244, 7344.8, 7434.6, 7493.1, 7515.7, 7516.1, 7519.1,
  7548.7, 7616.6, 7716.6, 7827.4, 7922.6, 7984.2, 8012.1, 8024.9, 8051, 8114.8, 8226.3, 8377.1, 8546.1, 8712,
  8872.1, 9064.9, 9467.9, 31842.7,
];

const AFTER_MS = [
  952.7, 1002.7, 1040.1, 1077.7, 1101.3, 1107.6, 1114, 1134.9, 1162.2, 1176, 1176.6, 1179.2, 1199.1, 1224.3,
  1231.9, 1235, 1235.4, 1256.6, 1281.4, 1286.1, 1290, 1291.6, 1315.5, 1341, 1345.8, 1348.8, 1355.3, 1383.8,
  1412, 1421.7, 1423.4, 1441.6, 1481.3, 1521.5, 1547.6, 1580.6, 1679.4, 2000.4,
];

type Bucket = CohortDocument["byOrder"][number];

function bucket(
  label: string,
  observed: number,
  estimated: number,
  p50Ms: number | null,
  p90Ms: number | null,
  overThresholdShare: number | null,
): Bucket {
  return { label, observed, estimated, p50Ms, p90Ms, overThresholdShare };
}

const before: CohortDocument = {
  name: "before",
  from: "2026-03-02T00:00:00Z",
  to: "2026-03-09T10:12:30Z",
  instances: {
    total: 44,
    weekday: 35,
    weekend: 9,
    idle: 3,
    excluded: { alreadyRunning: 6, birthUnknown: 2 },
    warmedBy: { nothing: 28, probe: 12, synthetic: 1, consumer: 2, other: 1 },
  },
  firstRequest: {
    n: 44,
    p50Ms: 7434.6,
    p90Ms: 8712,
    p99Ms: 31842.7,
    p50Ci95Ms: [7075.4, 7716.6],
    overThreshold: { count: 42, share: 42 / 44, ci95: [0.8486500156237035, 0.987444890050405] },
    failed: { count: 1, share: 1 / 44 },
    certainOrder: { count: 41, share: 41 / 44 },
  },
  byOrder: [
    bucket("1", 44, 44, 7434.6, 8712, 42 / 44),
    bucket("2", 41, 52.5, 6210.4, 7990.1, 0.61),
    bucket("3", 40, 55, 5804, 7702, 0.5412),
    bucket("4-5", 77, 104, 3120.2, 6811, 0.52),
    bucket("6-10", 181, 260.5, 412.9, 5017, 0.183),
    bucket("11-20", 340, 522, 143, 904.3, 0.0412),
    bucket("21-100", 1902, 4123, 88.2, 310, 0.0003),
    bucket(">100", 15230, 60210.5, 61.4, 151, 0),
  ],
  second: {
    sequential: { n: 17, p50Ms: 1102.3, p90Ms: 2240.9, overThresholdShare: 3 / 17 },
    overlapping: { n: 24, p50Ms: 6733.2, p90Ms: 8014.7, overThresholdShare: 1 },
  },
  overlap: { n: 168, perInstance: 4.811, p50Ms: 5520.7 },
  afterFirst: { n: 171, p50Ms: 161.8 },
  slowEarlyPerInstance: 5.636,
  arrivals: { firstTenSecondsPerSecond: 0.8423, laterPerSecond: 1.377 },
  lifetime: { source: "system-logs", n: 42, censored: 4, p50Minutes: 37.25, within10MinutesShare: 0.1429 },
};

const after: CohortDocument = {
  name: "after",
  from: "2026-03-09T10:12:30Z",
  to: "2026-03-16T00:00:00Z",
  instances: {
    total: 38,
    weekday: 30,
    weekend: 8,
    idle: 5,
    excluded: { alreadyRunning: 4, birthUnknown: 0 },
    warmedBy: { nothing: 25, probe: 10, synthetic: 0, consumer: 2, other: 1 },
  },
  firstRequest: {
    n: 38,
    p50Ms: 1281.4,
    p90Ms: 1547.6,
    p99Ms: 2000.4,
    p50Ci95Ms: [1199.1, 1348.8],
    overThreshold: { count: 1, share: 1 / 38, ci95: [0.004660587685768783, 0.1349487611595213] },
    failed: { count: 0, share: 0 },
    certainOrder: { count: 36, share: 36 / 38 },
  },
  byOrder: [
    bucket("1", 38, 38, 1281.4, 1547.6, 1 / 38),
    bucket("2", 36, 45, 402.1, 1120.4, 0),
    bucket("3", 35, 48.5, 233, 950, 0),
    bucket("4-5", 68, 92, 160.4, 610.3, 0),
    bucket("6-10", 160, 231, 118, 402, 0.0005),
    bucket("11-20", 301, 468, 99.6, 288.4, 0.0021),
    bucket("21-100", 1711, 3702, 84, 296.6, 0.0002),
    bucket(">100", 14002, 55190, 60.2, 149.1, 0),
  ],
  second: {
    sequential: { n: 27, p50Ms: 310.2, p90Ms: 744, overThresholdShare: 0 },
    overlapping: { n: 9, p50Ms: 901.5, p90Ms: 1203.8, overThresholdShare: 0 },
  },
  overlap: { n: 21, perInstance: 0.763, p50Ms: 644.4 },
  afterFirst: { n: 278, p50Ms: 121.3 },
  slowEarlyPerInstance: 0.0263,
  arrivals: { firstTenSecondsPerSecond: 0.9117, laterPerSecond: 1.402 },
  lifetime: { source: "system-logs", n: 38, censored: 7, p50Minutes: 41.5, within10MinutesShare: 0.1053 },
};

const common: Omit<ReportDocument, "cohorts" | "comparison"> = {
  schema: "coldstart.report/1",
  settings: {
    from: "2026-03-02T00:00:00Z",
    to: "2026-03-16T00:00:00Z",
    deployedAt: "2026-03-09T10:12:30Z",
    role: "orders-api",
    revision: null,
    container: null,
    timezone: "Europe/Berlin",
    days: "all",
    holidays: ["2026-03-08"],
    thresholdMs: 2000,
    guardMinutes: 10,
    probePaths: ["/healthz", "/readyz"],
    weight: "auto",
    seed: 20260302,
    resamples: 9999,
    quantileDefinition: "inverse-ecdf",
  },
  inputs: [
    { path: "exports/requests.csv", form: "csv", rows: 41877, otherRows: 0, partial: false, warnings: [] },
    {
      path: "exports/system-logs.ndjson",
      form: "ndjson",
      rows: 613,
      otherRows: 88,
      partial: false,
      warnings: [
        {
          code: "late-events",
          message:
            "Container starts carry only the time of their batch; export the TimeStamp column to date births to the second.",
          count: 14,
        },
      ],
    },
  ],
  rows: {
    read: 41877,
    malformed: 2,
    duplicate: 31,
    otherRole: 1204,
    outsideWindow: 960,
    consumer: 3310,
    other: 415,
    synthetic: 1440,
    probe: 290,
    user: 34225,
    noInstance: 19,
  },
  requests: { observed: 34225, estimated: 125230.5 },
  warnings: [
    {
      code: "ambiguous-weight",
      message:
        "Item count and sample rate disagree; the sample rate was used. If the rows come from ingestion sampling, set --weight item-count.",
      count: 12,
    },
    {
      code: "no-instance",
      message:
        "User requests without a role instance cannot be ranked; set the role instance in the telemetry.",
      count: 19,
    },
  ],
};

function fresh(document: ReportDocument, firstRequestMs: ReportResult["firstRequestMs"]): ReportResult {
  return { document: structuredClone(document), firstRequestMs: structuredClone(firstRequestMs) };
}

/** Before and after a deployment, comparable, with sampling and system logs. */
export function twoCohorts(): ReportResult {
  const comparison: ReportDocument["comparison"] = {
    firstRequest: {
      p50DeltaMs: -6153.2,
      p50Ratio: 7434.6 / 1281.4,
      p50DeltaCi95Ms: [-6431.1, -5803.6],
      probabilityFaster: 0.9844497607655502,
    },
    comparable: true,
    reasons: [],
  };
  return fresh({ ...common, cohorts: [before, after], comparison }, { before: BEFORE_MS, after: AFTER_MS });
}

/** The same two cohorts, which may not be compared, and whose interval includes no change. */
export function notComparable(): ReportResult {
  const result = twoCohorts();
  result.document.comparison = {
    firstRequest: { p50DeltaMs: -212, p50Ratio: 1.03, p50DeltaCi95Ms: [-640, 215], probabilityFaster: 0.53 },
    comparable: false,
    reasons: [
      "the shares of instances warmed by a probe are 27.3 % and 58.0 %, more than 10 points apart",
      "less than half of the instances after have a certain order.",
    ],
  };
  return result;
}

/** One cohort, no split, without system logs, no warnings and no sampling. */
export function oneCohort(): ReportResult {
  const all: CohortDocument = {
    ...before,
    name: "all",
    from: "2026-03-02T00:00:00Z",
    to: "2026-03-16T00:00:00Z",
    instances: { ...before.instances, idle: null },
    firstRequest: { ...before.firstRequest, failed: { count: null, share: null } },
    lifetime: { source: "requests", n: 44, censored: 0, p50Minutes: 21.5, within10MinutesShare: 0.25 },
  };
  const document: ReportDocument = {
    ...common,
    settings: { ...common.settings, deployedAt: null, holidays: [], days: "weekdays" },
    inputs: [{ ...common.inputs[0]!, rows: 41877 }],
    rows: { ...common.rows, noInstance: 0 },
    cohorts: [all],
    comparison: null,
    warnings: [],
  };
  return fresh(document, { all: BEFORE_MS });
}

function emptyCohort(name: CohortDocument["name"]): CohortDocument {
  const second = { n: 0, p50Ms: null, p90Ms: null, overThresholdShare: null };
  return {
    name,
    from: null,
    to: null,
    instances: {
      total: 0,
      weekday: 0,
      weekend: 0,
      idle: null,
      excluded: { alreadyRunning: 0, birthUnknown: 0 },
      warmedBy: { nothing: 0, probe: 0, synthetic: 0, consumer: 0, other: 0 },
    },
    firstRequest: {
      n: 0,
      p50Ms: null,
      p90Ms: null,
      p99Ms: null,
      p50Ci95Ms: [null, null],
      overThreshold: { count: 0, share: null, ci95: [null, null] },
      failed: { count: null, share: null },
      certainOrder: { count: 0, share: null },
    },
    byOrder: before.byOrder.map(({ label }) => bucket(label, 0, 0, null, null, null)),
    second: { sequential: second, overlapping: second },
    overlap: { n: 0, perInstance: null, p50Ms: null },
    afterFirst: { n: 0, p50Ms: null },
    slowEarlyPerInstance: null,
    arrivals: { firstTenSecondsPerSecond: null, laterPerSecond: null },
    lifetime: { source: "requests", n: 0, censored: 0, p50Minutes: null, within10MinutesShare: null },
  };
}

/** A window in which nothing happened. */
export function emptyReport(): ReportResult {
  const rows = Object.fromEntries(Object.keys(common.rows).map((key) => [key, 0])) as ReportDocument["rows"];
  const document: ReportDocument = {
    ...common,
    settings: {
      ...common.settings,
      from: null,
      to: null,
      deployedAt: null,
      role: null,
      holidays: [],
      probePaths: [],
    },
    inputs: [],
    rows,
    requests: { observed: 0, estimated: 0 },
    cohorts: [emptyCohort("all")],
    comparison: null,
    warnings: [],
  };
  return fresh(document, { all: [] });
}

/** A full cohort before and nothing after the deployment. */
export function emptyAfter(): ReportResult {
  const document: ReportDocument = {
    ...common,
    cohorts: [before, { ...emptyCohort("after"), from: after.from, to: after.to }],
    comparison: {
      firstRequest: {
        p50DeltaMs: null,
        p50Ratio: null,
        p50DeltaCi95Ms: [null, null],
        probabilityFaster: null,
      },
      comparable: false,
      reasons: ["the cohort after holds no new instance"],
    },
  };
  return fresh(document, { before: BEFORE_MS, after: [] });
}

/** Numbers and texts at the edges: huge, tiny, hostile, and a partial input. */
export function extreme(): ReportResult {
  const { document } = twoCohorts();
  const [first, second] = document.cohorts;
  if (first === undefined || second === undefined) throw new Error("the sample has two cohorts");
  first.firstRequest = {
    ...first.firstRequest,
    n: 1234567,
    p50Ms: 98765432.1,
    p90Ms: 1e12,
    p99Ms: 8.9e18,
    p50Ci95Ms: [99.5, null],
    overThreshold: { count: 1234566, share: 0.99999919, ci95: [0.9999954, 1] },
  };
  first.instances.total = 1234567;
  first.byOrder[7] = bucket(">100", 9007199254740991, 1.7e300, 2000.00004, 123456789.4, 0.9996);
  first.overlap.perInstance = 123456.7;
  first.arrivals.laterPerSecond = 0.0000042;
  second.firstRequest.p50Ms = 0;
  second.firstRequest.p90Ms = 0.0004;
  second.firstRequest.p50Ci95Ms = [0, 3.25];
  second.slowEarlyPerInstance = 0.0000123;
  document.comparison = {
    firstRequest: {
      p50DeltaMs: -98765432.1,
      p50Ratio: null,
      p50DeltaCi95Ms: [-99999999, -12.5],
      probabilityFaster: 0.99999,
    },
    comparable: true,
    reasons: [],
  };
  document.settings.role = "näme\u001b[31m|`x`\r\n@team";
  document.inputs[0] = {
    path: `exports/${"very-long-folder-name/".repeat(9)}请求.csv`,
    form: "csv",
    rows: 9007199254740991,
    otherRows: 1,
    partial: true,
    warnings: [
      {
        code: "partial-input",
        message: "The export stops in the middle of a row\u0007; export it again → whole.",
        count: 1,
      },
    ],
  };
  return { document, firstRequestMs: { before: [0, 0.02, 2000, 98765432.1, 8.9e18], after: [0, 0, 0.0004] } };
}

/** Every sample by name. */
export const SAMPLES: Readonly<Record<string, () => ReportResult>> = {
  "two-cohorts": twoCohorts,
  "not-comparable": notComparable,
  "one-cohort": oneCohort,
  "empty-report": emptyReport,
  "empty-after": emptyAfter,
  extreme,
};
