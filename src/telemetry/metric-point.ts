/** One value of the ingress metric `Requests`: how many requests the platform counted from `ticks` on. */
export interface MetricPoint {
  readonly ticks: number;
  readonly total: number;
  /** Length of the interval in ticks. */
  readonly interval: number;
  /** Number of the input that holds it, from 0 on. */
  readonly file: number;
  /** Resource id of the metric in lower case; null where the file does not name it. */
  readonly resource: string | null;
  /** What the series is of: dimension and value, sorted by dimension; empty for a metric that is not split. */
  readonly labels: readonly (readonly [name: string, value: string])[];
}
