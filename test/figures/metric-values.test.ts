import { afterAll, describe, expect, it } from "vitest";
import { allMetrics, metricByName } from "../../src/figures/metric-names.ts";
import type { MetricValues } from "../../src/figures/metric-values.ts";
import { samplesOf } from "../../src/figures/sample.ts";
import type { CohortDocument, ReportDocument } from "../../src/report/document.ts";
import { quantileSorted } from "../../src/stats/quantile.ts";
import { eventForms } from "../forms/events.ts";
import { seededFleet } from "../forms/random.ts";
import { requestForms } from "../forms/requests.ts";
import { InputFolder, report } from "./pipeline.ts";

const folder = new InputFolder();
afterAll(() => folder.remove());

const csv = requestForms.find(({ name }) => name === "csv-iso")!;
const log = eventForms[0]!;

/** The report's figure of a metric's name. */
function figureOf(name: string, document: ReportDocument): number | null {
  const after = document.cohorts[1]!;
  if (name.startsWith("comparison.")) {
    const key = name.split(".").pop() as "p50Ratio" | "p50DeltaMs" | "probabilityFaster";
    return document.comparison!.firstRequest[key];
  }
  const bucket = /^byOrder\.(.+)\.(\w+)$/.exec(name);
  if (bucket !== null) {
    const entry = after.byOrder.find(({ label }) => label === bucket[1])!;
    return entry[({ p50: "p50Ms", p90: "p90Ms" }[bucket[2]!] ?? bucket[2]) as "p50Ms"];
  }
  let value: unknown = after satisfies CohortDocument;
  for (const key of name.split(".")) {
    const bag = value as Record<string, unknown>;
    value = key in bag ? bag[key] : bag[`${key}Ms`];
  }
  return value as number | null;
}

function estimateOf(values: MetricValues): number | null {
  if (values.kind === "quantile") return quantileSorted(values.values, values.q);
  if (values.kind === "share") return values.n === 0 ? null : values.count / values.n;
  return values.estimate;
}

describe.each([1, 2, 3, 4, 5, 6])("the metrics of a bar, on fleet %i", (seed) => {
  it.each(["with", "without"])("are the report's figures of the same name, %s system logs", async (logs) => {
    const fleet = seededFleet(seed, { replicas: 40 });
    const paths = [folder.write(`${seed}.csv`, csv.write(fleet.rows))];
    if (logs === "with") paths.push(folder.write(`${seed}-${log.fileName}`, log.write(fleet.events)));
    const starts = fleet.rows.map(({ startTicks }) => startTicks).sort((a, b) => (a < b ? -1 : 1));
    const middle = Number(starts[Math.floor(starts.length / 2)]! / 10_000n);
    const run = await report(paths, { deployedAt: new Date(middle).toISOString(), guard: "1m" });
    const samples = samplesOf(run.fleet, 2000);
    const all = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
    const chosen = {
      before: all(samples.before.instances.length),
      after: all(samples.after.instances.length),
    };
    expect(chosen.after.length).toBeGreaterThan(3);
    for (const metric of allMetrics()) {
      const expected = figureOf(metric.name, run.result.document);
      const actual = estimateOf(samples.values(metric, chosen));
      if (expected === null || actual === null) expect(actual, metric.name).toBe(expected);
      else expect(actual, metric.name).toBeCloseTo(expected, 9);
    }
  });
});

describe("metricByName", () => {
  it("knows the report's names as well", () => {
    expect(metricByName("firstRequest.p50Ms")?.name).toBe("firstRequest.p50");
    expect(metricByName("byOrder.4-5.p90Ms")?.name).toBe("byOrder.4-5.p90");
    expect(metricByName("firstRequest.p51")).toBeUndefined();
  });
});
