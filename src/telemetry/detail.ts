/** What the audits need of a request row besides the columns of the table. */
export interface RequestDetail {
  readonly name: string;
  /** Lower-case path without query; empty where neither URL nor name tells. */
  readonly path: string;
  /** Upper-case method; empty where the name does not begin with one. */
  readonly method: string;
  readonly id: string;
  readonly operationId: string;
  readonly resultCode: string;
}

/** A row of `dependencies` / `AppDependencies`: an outbound call. */
export interface DependencyRow {
  readonly ticks: number;
  readonly durationMs: number;
  readonly operationId: string;
  readonly parentId: string;
  readonly name: string;
  readonly target: string;
  readonly type: string;
  readonly weight: number;
  readonly role: string;
  readonly instance: string;
}

/** A row of `traces` / `AppTraces`. */
export interface TraceRow {
  readonly ticks: number;
  readonly message: string;
  readonly operationId: string;
  readonly weight: number;
  readonly role: string;
  readonly instance: string;
  /** Dimensions by lower-case key. */
  readonly dimensions: ReadonlyMap<string, unknown>;
}

/** A row of `customMetrics` / `AppMetrics`: measurements aggregated over an export interval. */
export interface MetricRow {
  /** Time of the export, not of the measurements. */
  readonly ticks: number;
  readonly name: string;
  /** How many measurements were aggregated; null where the row does not say. */
  readonly count: number | null;
  readonly sum: number | null;
  readonly role: string;
  readonly instance: string;
  readonly dimensions: ReadonlyMap<string, unknown>;
}

/** Everything that the audits read beside the table of requests. */
export class Detail {
  /** By row number of the request table. */
  readonly requests = new Map<number, RequestDetail>();
  readonly dependencies: DependencyRow[] = [];
  readonly traces: TraceRow[] = [];
  readonly metrics: MetricRow[] = [];
  /** Rows of these tables without a valid time (or, for dependencies, duration). */
  malformed = 0;
  /** Which tables the input holds, even if empty. */
  readonly tables = new Set<"dependencies" | "traces" | "metrics">();
}
