import type { Bar } from "../verdict/bar.ts";
import { type AnalysisSettings, analysisSettings } from "./analysis-options.ts";
import { parseDuration } from "./durations.ts";
import { UsageError } from "./exit-codes.ts";
import { checkTimezone, parseUserInstant } from "./instants.ts";

/** What a gate is told besides its bar. */
export interface GateFlags {
  readonly bar?: string;
  readonly data?: readonly string[];
  readonly deployedAt?: string;
  readonly allowRetrospective?: boolean;
  readonly acceptRowCap?: boolean;
  readonly values?: string;
  readonly format?: string;
  readonly out?: string;
  readonly quiet?: boolean;
}

const TICKS_PER_MS = 10_000;

/** The analysis that a bar asks for: its population, and the windows around the deployment. */
export async function gateSettings(bar: Bar, deployedAt: string): Promise<AnalysisSettings> {
  const { population, sample } = bar;
  const settings = await analysisSettings({
    deployedAt,
    timezone: population.timezone,
    days: population.days,
    holidays: population.holidays.length === 0 ? [] : [population.holidays.join(",")],
    threshold: population.threshold,
    guard: population.guard,
    weight: population.weight,
    seed: String(bar.seed),
    ...(population.role === undefined ? {} : { role: population.role }),
    ...(population.revision === undefined ? {} : { revision: population.revision }),
    ...(population.container === undefined ? {} : { container: population.container }),
    ...(population.probePaths === undefined ? {} : { probePath: population.probePaths }),
  });
  const at = settings.deployedAt!;
  const reach = (text: string | undefined, name: string): number =>
    text === undefined ? Number.POSITIVE_INFINITY : parseDuration(text, name) * TICKS_PER_MS;
  return {
    ...settings,
    fleet: {
      ...settings.fleet,
      windows: [
        { name: "before", from: at - reach(sample.before, "sample.before"), to: at },
        { name: "after", from: at, to: at + reach(sample.within, "sample.within") },
      ],
    },
  };
}

/** Ticks of the deployment. @throws UsageError without one: a bar is judged on what came after it */
export function deploymentOf(flags: GateFlags, bar: Bar): number {
  if (flags.deployedAt === undefined) {
    throw new UsageError("--deployed-at is missing: the gate judges what happened after the deployment");
  }
  return parseUserInstant(flags.deployedAt, checkTimezone(bar.population.timezone), "--deployed-at");
}
