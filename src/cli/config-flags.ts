import type { Command } from "commander";
import { loadConfig } from "./config.ts";
import type { Config } from "./config-schema.ts";
import { UsageError } from "./exit-codes.ts";
import type { World } from "./world.ts";

/** What the configuration says in the words of the options. */
function optionValues(config: Config): Readonly<Record<string, unknown>> {
  const { role, probePaths, warmup } = config;
  return {
    // Analyses look at one role; several are for a pull.
    role: role?.length === 1 ? role[0] : undefined,
    revision: config.revision,
    container: config.container,
    timezone: config.timezone,
    days: config.days,
    holidays: config.holidays === undefined ? undefined : [config.holidays.join(",")],
    threshold: config.threshold,
    guard: config.guard,
    probePath: probePaths,
    weight: config.weight,
    path: warmup?.path,
    method: warmup?.method,
    warmedMessage: warmup?.message,
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
  const { config } = await loadConfig(typeof file === "string" ? file : undefined, world);
  command.setOptionValueWithSource("configuration", config, "config");
  if (command.getOptionValue("deployedAt") === "last") {
    command.setOptionValueWithSource("deployedAt", lastDeployment(config, world), "config");
  }
  if (command.name() === "gate") return;
  for (const [name, value] of Object.entries(optionValues(config))) {
    if (value === undefined || !has(name) || command.getOptionValue(name) !== undefined) continue;
    // The path of a warm-up goes with the audits of a full report alone.
    if (name === "path" && has("full") && command.getOptionValue("full") !== true) continue;
    command.setOptionValueWithSource(name, value, "config");
  }
}

/** The latest deployment that has happened. */
function lastDeployment({ deployments = [] }: Config, world: World): string {
  const now = world.now().getTime();
  const past = deployments.filter(({ at }) => Date.parse(at) <= now);
  const last = past.sort((a, b) => Date.parse(a.at) - Date.parse(b.at)).at(-1);
  if (last === undefined) {
    throw new UsageError("--deployed-at last: the configuration lists no deployment before now");
  }
  return last.at;
}
