import { isProbe, kindOf } from "./kinds.ts";
import { inWindow, type OracleRow, type OracleSettings, type OracleWindow } from "./types.ts";

/** What a row is, whatever its role and its time. */
export type RowClass = "consumer" | "other" | "synthetic" | "probe" | "user";
/** Where a row read ends in the counts. */
export type Ending = "malformed" | "duplicate" | "otherRole" | "outsideWindow" | RowClass;

/** A well-formed row. */
export interface GoodRow {
  start: bigint;
  durationMs: number;
  /** Start and end in thousandths of a tick, so that sums are exact. */
  fineStart: bigint;
  fineEnd: bigint;
  /** "" when missing, as are the next three. */
  id: string;
  operationId: string;
  role: string;
  instance: string;
  success: boolean | undefined;
  weight: number;
  class: RowClass;
}

export interface ReadRow {
  ending: Ending;
  /** Null for a malformed row. */
  row: GoodRow | null;
}

/** Reads the rows in input order and gives each its one ending. */
export function readRows(input: OracleRow[], settings: OracleSettings, windows: OracleWindow[]): ReadRow[] {
  const read: ReadRow[] = [];
  for (const raw of input) {
    const row = goodRow(raw, settings);
    if (row === null) read.push({ ending: "malformed", row: null });
    else if (read.some((earlier) => isSameRequest(earlier.row, row))) read.push({ ending: "duplicate", row });
    else if (settings.role !== undefined && row.role !== settings.role)
      read.push({ ending: "otherRole", row });
    else if (!windows.some((window) => inWindow(row.start, window)))
      read.push({ ending: "outsideWindow", row });
    else read.push({ ending: row.class, row });
  }
  return read;
}

function goodRow(raw: OracleRow, settings: OracleSettings): GoodRow | null {
  const { start, durationMs } = raw;
  if (start === null || durationMs === null) return null;
  if (!Number.isFinite(durationMs) || durationMs < 0) return null;
  const fineStart = start * 1000n;
  return {
    start,
    durationMs,
    fineStart,
    fineEnd: fineStart + fineDuration(durationMs),
    id: raw.id ?? "",
    operationId: raw.operationId ?? "",
    role: raw.role ?? "",
    instance: raw.instance ?? "",
    success: raw.success,
    weight: weightOf(raw, settings.weight ?? "auto"),
    class: classOf(raw, settings),
  };
}

/** Milliseconds to thousandths of a tick (1 ms = 10,000 ticks), rounded. */
function fineDuration(durationMs: number): bigint {
  const fine = Math.round(durationMs * 10_000_000);
  return Number.isFinite(fine) ? BigInt(fine) : BigInt(Math.round(durationMs)) * 10_000_000n;
}

function isSameRequest(earlier: GoodRow | null, row: GoodRow): boolean {
  return (
    earlier !== null &&
    row.id !== "" &&
    earlier.id === row.id &&
    earlier.operationId === row.operationId &&
    earlier.role === row.role &&
    earlier.instance === row.instance &&
    earlier.start === row.start
  );
}

function classOf(raw: OracleRow, settings: OracleSettings): RowClass {
  const kind = kindOf(raw);
  if (kind === "consumer") return "consumer";
  if (kind === "other") return "other";
  if ((raw.syntheticSource ?? "") !== "") return "synthetic";
  if (isProbe(raw, settings.probePaths)) return "probe";
  return "user";
}

const RATE_KEYS = [
  "microsoft.sample_rate",
  "_ms.samplerate",
  "samplerate",
  "applicationinsights.internal.sample_rate",
];

/** The weight table of the definitions, row by row. */
export function weightOf(raw: OracleRow, choice: "auto" | "item-count" | "sample-rate"): number {
  const count = itemCountOf(raw);
  const rate = sampleRateOf(raw);
  if (rate === null) return count === null ? 1 : count;
  const fromRate = 100 / rate;
  if (count === null || count === 1) return fromRate;
  if (Math.abs(count - fromRate) <= 1) return fromRate;
  return choice === "item-count" ? count : fromRate;
}

/** Null when absent, below 1 or not a number. */
function itemCountOf(raw: OracleRow): number | null {
  const count = numberOf(raw.itemCount);
  return count !== null && count >= 1 ? count : null;
}

/** Percent kept; null without a valid rate. */
function sampleRateOf(raw: OracleRow): number | null {
  for (const bag of [raw.dimensions ?? {}, raw.measurements ?? {}]) {
    for (const wanted of RATE_KEYS) {
      for (const [key, value] of Object.entries(bag)) {
        const rate = numberOf(value);
        if (key.toLowerCase() !== wanted || rate === null) continue;
        if (rate >= 99.99 && rate <= 100) return 100;
        if (rate > 0 && rate <= 100) return rate;
      }
    }
  }
  return null;
}

function numberOf(value: number | string | undefined): number | null {
  if (value === undefined) return null;
  if (typeof value === "string" && !/^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value)) return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}
