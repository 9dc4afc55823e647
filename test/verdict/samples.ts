import type { Metric } from "../../src/figures/metric-names.ts";
import type { MetricValues } from "../../src/figures/metric-values.ts";
import type { Sample, SampleInstance, Samples } from "../../src/figures/sample.ts";
import type { Registration } from "../../src/verdict/registration.ts";

/** An instance that no population leaves out, unless told otherwise. */
export function instance(more: Partial<SampleInstance> = {}): SampleInstance {
  return {
    role: "api",
    instance: "api-1",
    born: 0,
    firstStart: 10,
    firstMs: 1000,
    isCertain: true,
    isFailed: false,
    day: "weekday",
    warmedBy: "nothing",
    ...more,
  };
}

export function sampleOf(name: string, instances: readonly SampleInstance[]): Sample {
  return { name, instances, excluded: { alreadyRunning: 0, birthUnknown: 0 }, idle: null };
}

/** Instances born one after the other, each with a first request of so many milliseconds. */
export function instancesOf(...firstMs: readonly number[]): SampleInstance[] {
  return firstMs.map((ms, i) => instance({ instance: `api-${i + 100}`, born: i, firstMs: ms }));
}

/**
 * Samples with values of their own: a quantile metric is over the chosen first requests, a share counts those
 * over 2,000 ms, and a bootstrap metric is the number chosen after / the number chosen before, in every draw.
 */
export function samplesOf(before: readonly SampleInstance[], after: readonly SampleInstance[]): Samples {
  return {
    before: sampleOf("before", before),
    after: sampleOf("after", after),
    values: (metric: Metric, chosen): MetricValues => {
      const ms = chosen.after.map((i) => after[i]!.firstMs);
      switch (metric.judged.kind) {
        case "quantile":
          return { kind: "quantile", q: metric.judged.q, values: Float64Array.from(ms).sort() };
        case "share":
          return { kind: "share", count: ms.filter((value) => value > 2000).length, n: ms.length };
        case "bootstrap": {
          const estimate = chosen.before.length === 0 ? null : ms.length / chosen.before.length;
          const draw = (): number | null => estimate;
          return { kind: "bootstrap", n: ms.length, estimate, nonZero: null, ceiling: null, draw };
        }
      }
    },
  };
}

export function registration(status: Registration["status"]): Registration {
  return {
    status,
    digest: "d".repeat(64),
    analysisVersion: 1,
    frozenAt: null,
    newestDataAtFreeze: null,
    commit: null,
    committedAt: null,
    deployedAt: null,
    supersedes: [],
    reasons: status === "registered" ? [] : [`the bar is ${status}`],
  };
}
