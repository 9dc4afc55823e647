import type { Command } from "commander";
import { formatTicks, ticksOfEpochMs } from "../telemetry/time.ts";
import { CONFIG_FILE, loadConfig } from "./config.ts";
import type { Config } from "./config-schema.ts";
import { UsageError } from "./exit-codes.ts";
import type { World } from "./world.ts";

/** What the configuration says in the words of the options. */
function optionValues(config: Config): Readonly<Record<string, unknown>> {
  const { role, holidays, probePaths } = config;
  return {
    // Analyses look at one role; several are for a pull.
    role: role?.length === 1 ? role[0] : undefined,
    revision: config.revision,
    container: config.container,
    timezone: config.timezone,
    days: config.days,
    holidays: holidays === undefined || holidays.length === 0 ? undefined : [holidays.join(",")],
    threshold: config.threshold,
    guard: config.guard,
    probePath: probePaths,
    weight: config.weight,
    warmedMessage: config.warmup?.message,
  };
}

/**
 * Gives a command the configuration: what the user did not say in options, and where data is when there is no
 * `--data`. A gate takes only where the data is: what it judges stands in its bar.
 *
 * @throws UsageError for a configuration that cannot be read
 */
export async function applyConfig(command: Command, world: World): Promise<void> {
  const has = (name: string): boolean => command.options.some((option) => option.attributeName() === name);
  if (!has("config") || !has("data")) return;
  const file: unknown = command.getOptionValue("config");
  const { config, path } = await loadConfig(typeof file === "string" ? file : undefined, world);
  const isGate = command.name() === "gate";
  command.setOptionValueWithSource("configuration", isGate ? whereDataIs(config) : config, "config");
  if (command.getOptionValue("deployedAt") === "last") {
    command.setOptionValueWithSource("deployedAt", lastDeployment(config, path, world), "config");
  }
  if (isGate) return;
  const fill = (name: string, value: unknown): void => {
    if (value === undefined || !has(name) || command.getOptionValue(name) !== undefined) return;
    command.setOptionValueWithSource(name, value, "config");
  };
  const hasPath = command.getOptionValue("path") !== undefined;
  for (const [name, value] of Object.entries(optionValues(config))) fill(name, value);
  // The method belongs to the configured path: with another one it would hide what other methods left.
  // In a report the path goes with the audits of --full alone.
  if (hasPath || (has("full") && command.getOptionValue("full") !== true)) return;
  fill("path", config.warmup?.path);
  fill("method", config.warmup?.method);
}

/** A bar without a role judges all of them, so not even the rows that are pulled follow a configured one. */
function whereDataIs({ source, app, warmup }: Config): Config {
  return { source, app, warmup };
}

/** The latest deployment that has happened, with its offset. */
function lastDeployment({ deployments = [] }: Config, path: string | null, world: World): string {
  const now = ticksOfEpochMs(world.now().getTime());
  const past = deployments.map(({ at }) => at).filter((at) => at <= now);
  if (past.length > 0) return formatTicks(Math.max(...past));
  const where = path === null ? `there is no ${CONFIG_FILE}` : `${path} lists no deployment up to now`;
  throw new UsageError(`--deployed-at last: ${where}; add it to deployments, or give the time itself`);
}
