import { readFile } from "node:fs/promises";
import type { FleetSettings, Window } from "../fleet/settings.ts";
import { DEFAULT_PROBE_PATHS } from "../telemetry/path.ts";
import { TICKS_PER_MS } from "../telemetry/time.ts";
import type { WeightMode } from "../telemetry/weight.ts";
import { parseDuration } from "./durations.ts";
import { UsageError } from "./exit-codes.ts";
import { checkTimezone, parseUserInstant } from "./instants.ts";

/** The shared options of every analysis, as commander hands them over. */
export interface AnalysisFlags {
  readonly data?: readonly string[];
  readonly from?: string;
  readonly to?: string;
  readonly deployedAt?: string;
  readonly before?: string;
  readonly after?: string;
  readonly role?: string;
  readonly revision?: string;
  readonly container?: string;
  readonly timezone?: string;
  readonly days?: string;
  readonly holidays?: readonly string[];
  readonly threshold?: string;
  readonly guard?: string;
  readonly probePath?: readonly string[];
  readonly weight?: string;
  readonly seed?: string;
}

/** The options of an analysis, checked. */
export interface AnalysisSettings {
  readonly fleet: FleetSettings;
  readonly from: number | null;
  readonly to: number | null;
  readonly deployedAt: number | null;
  readonly thresholdMs: number;
  readonly guardMs: number;
  readonly probePaths: readonly string[];
  readonly weight: WeightMode;
  readonly seed: number;
}

export const DEFAULT_SEED = 1;

/** Checks the flags. @throws UsageError before any data is read */
export async function analysisSettings(flags: AnalysisFlags): Promise<AnalysisSettings> {
  const timezone = checkTimezone(flags.timezone ?? "UTC");
  const guardMs = parseDuration(flags.guard ?? "10m", "--guard");
  const bounds = parseBounds(flags, timezone);
  return {
    ...bounds,
    fleet: {
      windows: bounds.windows,
      role: flags.role ?? null,
      revision: flags.revision ?? null,
      container: flags.container ?? null,
      guardTicks: guardMs * TICKS_PER_MS,
      timezone,
      days: choice(flags.days ?? "all", ["all", "weekdays"], "--days"),
      holidays: new Set(await parseHolidays(flags.holidays ?? [])),
    },
    thresholdMs: parseDuration(flags.threshold ?? "2s", "--threshold"),
    guardMs,
    probePaths: (flags.probePath ?? DEFAULT_PROBE_PATHS).map(checkProbePath),
    weight: choice(flags.weight ?? "auto", ["auto", "item-count", "sample-rate"], "--weight"),
    seed: parseSeed(flags.seed),
  };
}

interface Bounds {
  readonly windows: readonly Window[];
  readonly from: number | null;
  readonly to: number | null;
  readonly deployedAt: number | null;
}

function parseBounds(flags: AnalysisFlags, timezone: string): Bounds {
  const instant = (text: string | undefined, option: string): number | null =>
    text === undefined ? null : parseUserInstant(text, timezone, option);
  const from = instant(flags.from, "--from");
  const to = instant(flags.to, "--to");
  const deployedAt = instant(flags.deployedAt, "--deployed-at");
  const low = from ?? Number.NEGATIVE_INFINITY;
  const high = to ?? Number.POSITIVE_INFINITY;
  if (low >= high) throw new UsageError("--from must be earlier than --to");

  if (flags.before !== undefined || flags.after !== undefined) {
    if (flags.before === undefined || flags.after === undefined) {
      throw new UsageError("--before and --after go together: --before A..B --after C..D");
    }
    if (deployedAt !== null || from !== null || to !== null) {
      throw new UsageError(
        "--before and --after already say both windows; leave out --from, --to and --deployed-at",
      );
    }
    const before = parseRange(flags.before, "before", timezone);
    const after = parseRange(flags.after, "after", timezone);
    if (before.to > after.from) throw new UsageError("--before must end before --after begins");
    return { windows: [before, after], from, to, deployedAt };
  }
  if (deployedAt === null) return { windows: [{ name: "all", from: low, to: high }], from, to, deployedAt };
  if (deployedAt <= low || deployedAt >= high) {
    throw new UsageError("--deployed-at must lie between --from and --to");
  }
  return {
    windows: [
      { name: "before", from: low, to: deployedAt },
      { name: "after", from: deployedAt, to: high },
    ],
    from,
    to,
    deployedAt,
  };
}

function parseRange(text: string, name: "before" | "after", timezone: string): Window {
  const parts = text.split("..");
  if (parts.length !== 2 || parts[0] === "" || parts[1] === "") {
    throw new UsageError(`--${name}: "${text}" is no range; write A..B, such as 2026-09-01..2026-09-08`);
  }
  const from = parseUserInstant(parts[0]!, timezone, `--${name}`);
  const to = parseUserInstant(parts[1]!, timezone, `--${name}`);
  if (from >= to) throw new UsageError(`--${name}: the range ends before it begins`);
  return { name, from, to };
}

/** Dates, or files that hold one a line with comments after `#`. */
async function parseHolidays(values: readonly string[]): Promise<string[]> {
  const dates: string[] = [];
  for (const value of values) {
    const entries = /^[\d,\s-]+$/.test(value) ? value.split(",") : await holidayFile(value);
    for (const entry of entries) {
      const date = entry.replace(/#.*/, "").trim();
      if (date === "") continue;
      if (!/^\d{4}-\d\d-\d\d$/.test(date) || !isDate(date)) {
        throw new UsageError(`--holidays: "${date}" is no date; write YYYY-MM-DD`);
      }
      dates.push(date);
    }
  }
  return [...new Set(dates)].sort();
}

function isDate(date: string): boolean {
  const ms = Date.parse(date);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date);
}

async function holidayFile(path: string): Promise<string[]> {
  try {
    return (await readFile(path, "utf8")).split("\n");
  } catch {
    throw new UsageError(
      `--holidays: "${path}" is neither a list of dates (YYYY-MM-DD,…) nor a readable file`,
    );
  }
}

function checkProbePath(path: string): string {
  if (path.startsWith("/")) return path;
  throw new UsageError(`--probe-path: "${path}" must begin with a slash, such as /health/ready`);
}

function parseSeed(text: string | undefined): number {
  if (text === undefined) return DEFAULT_SEED;
  const seed = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(seed <= 0x7fffffff)) {
    throw new UsageError(`--seed: "${text}" is no whole number from 0 to 2147483647`);
  }
  return seed;
}

function choice<T extends string>(value: string, choices: readonly T[], option: string): T {
  const found = choices.find((candidate) => candidate === value);
  if (found === undefined) throw new UsageError(`${option}: "${value}" is not one of ${choices.join(", ")}`);
  return found;
}
