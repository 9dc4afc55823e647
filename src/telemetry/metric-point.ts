/** One value of the ingress metric `Requests`: how many requests the platform counted from `ticks` on. */
export interface MetricPoint {
  readonly ticks: number;
  readonly total: number;
  /** Length of the interval in ticks. */
  readonly interval: number;
}
