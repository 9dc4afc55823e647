import type { CohortDocument, ComparisonDocument, RowsDocument } from "../../src/report/document.ts";

export interface OracleRow {
  /** Ticks of 100 ns since 1970; null = no valid timestamp. */
  start: bigint | null;
  durationMs: number | null;
  id?: string;
  operationId?: string;
  name?: string;
  url?: string;
  resultCode?: string;
  success?: boolean;
  itemCount?: number | string;
  dimensions?: Record<string, string>;
  measurements?: Record<string, number>;
  role?: string;
  instance?: string;
  source?: string;
  syntheticSource?: string;
  sdkVersion?: string;
}

export interface OracleEvent {
  /** Ticks of 100 ns since 1970. */
  time: bigint;
  reason: string;
  replica: string;
  text: string;
  count?: number;
  app?: string;
}

/** Instants are ticks of 100 ns since 1970; pairs are half-open windows. */
export interface OracleSettings {
  from?: bigint;
  to?: bigint;
  deployedAt?: bigint;
  before?: [bigint, bigint];
  after?: [bigint, bigint];
  role?: string;
  container?: string;
  timezone?: string;
  days?: "all" | "weekdays";
  holidays?: string[];
  thresholdMs?: number;
  guardMinutes?: number;
  probePaths?: string[];
  weight?: "auto" | "item-count" | "sample-rate";
}

export type OracleCohort = Omit<CohortDocument, "from" | "to">;

export interface OracleComparison {
  /** Without `p50DeltaCi95Ms`, which is a random draw. */
  firstRequest: Omit<ComparisonDocument["firstRequest"], "p50DeltaCi95Ms">;
  comparable: boolean;
  reasons: string[];
}

/** The part of the report document that follows from the rows alone. */
export interface OracleReport {
  rows: RowsDocument;
  requests: { observed: number; estimated: number };
  cohorts: OracleCohort[];
  comparison: OracleComparison | null;
}

/** A half-open window in ticks; a missing side is unbounded. */
export interface OracleWindow {
  name: "all" | "before" | "after";
  from: bigint | undefined;
  to: bigint | undefined;
}

export function inWindow(instant: bigint, window: OracleWindow): boolean {
  const afterFrom = window.from === undefined || instant >= window.from;
  const beforeTo = window.to === undefined || instant < window.to;
  return afterFrom && beforeTo;
}

export const TICKS_PER_SECOND = 10_000_000n;
export const TICKS_PER_MINUTE = 600_000_000n;

/** Sorts instants, the earliest first. */
export function sortedInstants(instants: bigint[]): bigint[] {
  return [...instants].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}
