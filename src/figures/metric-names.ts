/** The unit of a metric's values, and of the bar that it is held to. */
export type MetricUnit = "ms" | "minutes" | "share" | "ratio" | "count" | "per-second";

/**
 * How a metric is judged: quantiles and shares of one value an instance exactly, everything else by a
 * bootstrap that resamples instances.
 */
export type MetricKind =
  | { readonly kind: "quantile"; readonly q: number }
  | { readonly kind: "share" }
  | { readonly kind: "bootstrap" };

export interface Metric {
  /** As in a bar file, such as `firstRequest.p50`. */
  readonly name: string;
  readonly unit: MetricUnit;
  readonly judged: MetricKind;
  /** Needs the cohort before the deployment too. */
  readonly needsBefore: boolean;
  readonly description: string;
}

const BUCKETS = ["2", "3", "4-5", "6-10", "11-20", "21-100", ">100"];

const quantile = (q: number): MetricKind => ({ kind: "quantile", q });
const share: MetricKind = { kind: "share" };
const bootstrap: MetricKind = { kind: "bootstrap" };

function metric(
  name: string,
  unit: MetricUnit,
  judged: MetricKind,
  description: string,
  needsBefore = false,
): Metric {
  return { name, unit, judged, needsBefore, description };
}

const METRICS: readonly Metric[] = [
  metric("firstRequest.p50", "ms", quantile(0.5), "median of the first requests, one value an instance"),
  metric("firstRequest.p90", "ms", quantile(0.9), "90th percentile of the first requests"),
  metric("firstRequest.p99", "ms", quantile(0.99), "99th percentile of the first requests"),
  metric("firstRequest.overThreshold.share", "share", share, "share of first requests over the threshold"),
  metric("firstRequest.failed.share", "share", share, "share of first requests that failed"),
  metric("firstRequest.certainOrder.share", "share", share, "share of instances whose order is certain"),
  metric("second.sequential.p50", "ms", quantile(0.5), "median of second requests after the first one's end"),
  metric("second.sequential.p90", "ms", quantile(0.9), "90th percentile of them"),
  metric("second.sequential.overThresholdShare", "share", share, "share of them over the threshold"),
  metric("second.overlapping.p50", "ms", quantile(0.5), "median of second requests during the first one"),
  metric("second.overlapping.p90", "ms", quantile(0.9), "90th percentile of them"),
  metric("second.overlapping.overThresholdShare", "share", share, "share of them over the threshold"),
  metric("overlap.perInstance", "count", bootstrap, "requests that overlap the first one, per instance"),
  metric("overlap.p50", "ms", bootstrap, "median of the overlapping requests"),
  metric("afterFirst.p50", "ms", bootstrap, "median of the early requests after the first one's end"),
  metric("slowEarlyPerInstance", "count", bootstrap, "slow requests among the first ten, per instance"),
  metric(
    "arrivals.firstTenSecondsPerSecond",
    "per-second",
    bootstrap,
    "arrival rate in the first ten seconds",
  ),
  metric("arrivals.laterPerSecond", "per-second", bootstrap, "arrival rate after the first ten seconds"),
  metric("lifetime.p50Minutes", "minutes", bootstrap, "median lifetime"),
  metric("lifetime.within10MinutesShare", "share", bootstrap, "share of lives of at most ten minutes"),
  // At order 1 stands one request an instance, so these are judged as exactly as the first requests.
  metric("byOrder.1.p50", "ms", quantile(0.5), "median at arrival order 1"),
  metric("byOrder.1.p90", "ms", quantile(0.9), "90th percentile at arrival order 1"),
  metric("byOrder.1.overThresholdShare", "share", share, "share over the threshold at arrival order 1"),
  ...BUCKETS.flatMap((label) => [
    metric(`byOrder.${label}.p50`, "ms", bootstrap, `median at arrival order ${label}`),
    metric(`byOrder.${label}.p90`, "ms", bootstrap, `90th percentile at arrival order ${label}`),
    metric(
      `byOrder.${label}.overThresholdShare`,
      "share",
      bootstrap,
      `share over the threshold at arrival order ${label}`,
    ),
  ]),
  metric("comparison.firstRequest.p50Ratio", "ratio", bootstrap, "median before / median after", true),
  metric("comparison.firstRequest.p50DeltaMs", "ms", bootstrap, "median after − median before", true),
  metric(
    "comparison.firstRequest.probabilityFaster",
    "share",
    bootstrap,
    "chance that a first request after is faster than one before",
    true,
  ),
];

const BY_NAME = new Map(METRICS.map((entry) => [entry.name, entry]));

/** Every metric that a bar may name. */
export function allMetrics(): readonly Metric[] {
  return METRICS;
}

/** A metric by its name in a bar; the document's names (`p50Ms`) are understood too. Undefined if unknown. */
export function metricByName(name: string): Metric | undefined {
  return BY_NAME.get(name) ?? BY_NAME.get(name.replace(/\.(p\d+)Ms$/, ".$1"));
}
