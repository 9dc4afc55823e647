import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

const PROBES = new Set(
  (
    "/alive /health /healthz /health/live /health/ready /health/startup /livez /ready /readyz /startupz " +
    "/actuator/health /actuator/health/liveness /actuator/health/readiness"
  ).split(" "),
);
const BUCKETS = [
  ["1", 1],
  ["2", 2],
  ["3", 3],
  ["4-5", 5],
  ["6-10", 10],
  ["11-20", 20],
  ["21-100", 100],
  [">100", Number.POSITIVE_INFINITY],
];

/** The figures of duckdb.sql once more, from NDJSON, in the plainest way and sharing no code with either side. */
export async function naiveFigures(path) {
  const rows = [];
  const counts = { read: 0, consumer: 0, other: 0, synthetic: 0, probe: 0, user: 0 };
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const record = JSON.parse(line);
    const row = {
      instance: record.cloud_RoleInstance,
      id: record.id,
      ticks: toTicks(record.timestamp),
      durationTicks: BigInt(Math.round(record.duration * 10_000)),
      ms: record.duration,
      kind: classify(record),
      w: weigh(record),
    };
    counts.read += 1;
    counts[row.kind] += 1;
    rows.push(row);
  }

  let dataStart = rows[0].ticks;
  for (const { ticks } of rows) if (ticks < dataStart) dataStart = ticks;
  const lives = [...groupByInstance(rows).values()].map((life) =>
    life.sort((a, b) => Number(a.ticks - b.ticks) || (a.id < b.id ? -1 : 1)),
  );
  const withUsers = lives.filter((life) => life.some(({ kind }) => kind === "user"));
  const isNew = (life) => life[0].ticks - dataStart >= 6_000_000_000n;
  const cohort = withUsers.filter(isNew).map((life) => life.filter(({ kind }) => kind === "user"));

  const firsts = cohort.map(([first]) => first.ms);
  const users = rows.filter(({ kind }) => kind === "user");
  const sequential = [];
  const overlapping = [];
  const buckets = new Map(BUCKETS.map(([label]) => [label, []]));
  let overlapWeight = 0;
  for (const life of cohort) {
    const firstEnd = life[0].ticks + life[0].durationTicks;
    let order = 1;
    for (const [i, { ms, w, ticks }] of life.entries()) {
      const rounded = Math.floor(order + 0.5 + 1e-9);
      const [label] = BUCKETS.find(([, upTo]) => rounded <= upTo);
      buckets.get(label).push({ ms, w: i === 0 ? 1 : w });
      if (i === 1) (ticks < firstEnd ? overlapping : sequential).push(ms);
      if (i > 0 && ticks < firstEnd) overlapWeight += w;
      order += w;
    }
  }

  return {
    rows: counts,
    requests: { observed: users.length, estimated: sum(users.map(({ w }) => w)) },
    instances: { total: cohort.length, excluded: { birthUnknown: withUsers.length - cohort.length } },
    firstRequest: {
      n: firsts.length,
      p50Ms: quantile(unweighted(firsts), 0.5),
      p90Ms: quantile(unweighted(firsts), 0.9),
      p99Ms: quantile(unweighted(firsts), 0.99),
      overThreshold: { count: firsts.filter((ms) => ms > 2000).length, share: over(unweighted(firsts)) },
    },
    byOrder: [...buckets]
      .filter(([, values]) => values.length > 0)
      .map(([label, values]) => ({
        label,
        observed: values.length,
        estimated: sum(values.map(({ w }) => w)),
        p50Ms: quantile(values, 0.5),
        p90Ms: quantile(values, 0.9),
        overThresholdShare: over(values),
      })),
    second: { sequential: second(sequential), overlapping: second(overlapping) },
    overlap: { perInstance: overlapWeight / cohort.length },
  };
}

function groupByInstance(rows) {
  const groups = new Map();
  for (const row of rows) {
    if (!groups.has(row.instance)) groups.set(row.instance, []);
    groups.get(row.instance).push(row);
  }
  return groups;
}

function second(values) {
  const weighted = unweighted(values);
  return {
    n: values.length,
    p50Ms: quantile(weighted, 0.5),
    p90Ms: quantile(weighted, 0.9),
    overThresholdShare: over(weighted),
  };
}

function classify(record) {
  const { url = "", name = "", resultCode = "", operation_SyntheticSource: synthetic = "" } = record;
  if (!/^https?:/.test(url)) return /\.Process(Session)?Message$/.test(name) ? "consumer" : "other";
  if (resultCode === "101") return "other";
  if (synthetic !== "") return "synthetic";
  const path = new URL(url).pathname.toLowerCase().replace(/\/$/, "");
  return PROBES.has(path) ? "probe" : "user";
}

function weigh(record) {
  const rate = record.customDimensions["microsoft.sample_rate"];
  return rate === undefined ? record.itemCount : 100 / Number(rate);
}

function toTicks(timestamp) {
  return BigInt(Date.parse(`${timestamp.slice(0, 19)}Z`)) * 10_000n + BigInt(timestamp.slice(20, 27));
}

const unweighted = (values) => values.map((ms) => ({ ms, w: 1 }));
const sum = (values) => values.reduce((total, value) => total + value, 0);
const over = (values) => {
  const slow = values.filter(({ ms }) => ms > 2000);
  return values.length === 0 ? null : sum(slow.map(({ w }) => w)) / sum(values.map(({ w }) => w));
};

function quantile(values, q) {
  const sorted = [...values].sort((a, b) => a.ms - b.ms);
  const total = sum(sorted.map(({ w }) => w));
  let upTo = 0;
  for (const { ms, w } of sorted) {
    upTo += w;
    if (upTo >= q * total * (1 - 1e-9)) return ms;
  }
  return null;
}
