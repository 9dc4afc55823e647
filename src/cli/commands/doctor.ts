import type { Command } from "commander";
import { ExitCode, UsageError } from "../exit-codes.ts";
import type { PullFlags } from "../pull-settings.ts";
import type { World } from "../world.ts";
import { addSourceOptions, collect } from "./shared-options.ts";

const EXAMPLES = `
Examples:
  coldstart doctor
  coldstart doctor --workspace 00000000-0000-0000-0000-000000000000 --role quotes-api --from 2026-09-01
`;

interface Flags extends PullFlags {
  readonly format?: string;
}

/** `coldstart doctor`: can I reach the data, and is it fit for the question? */
export function addDoctor(program: Command, world: World, done: (code: number) => void): void {
  const command = program
    .command("doctor")
    .description("can I reach the data, and is it fit for the question?")
    .addHelpText("after", EXAMPLES)
    .option("--from <time>", "begin of the window (seven days ago)")
    .option("--to <time>", "end of the window, exclusive (the last quarter of an hour that has settled)")
    .option("--timezone <iana>", "time zone of times without offset (UTC)")
    .option("--role <name>", "only rows of this role (repeatable)", collect)
    .option("--app <name>", "container app whose system log is read (all of the environment)")
    .option("--format <format>", "text, json (text)")
    .action(async (flags: Flags) => {
      const { format = "text" } = flags;
      if (format !== "text" && format !== "json") {
        throw new UsageError(`--format: "${format}" is not one of text, json`);
      }
      const { loadConfig } = await import("../config.ts");
      const { config, path } = await loadConfig(flags.config, world);
      const { pullSettings, settledBefore } = await import("../pull-settings.ts");
      const { formatTicks, TICKS_PER_MINUTE } = await import("../../telemetry/time.ts");
      const week = 7 * 24 * 60 * TICKS_PER_MINUTE;
      const from = flags.from ?? formatTicks(settledBefore(world.now()) - week);
      const settings = pullSettings({ ...flags, from }, config, world);
      const { examine } = await import("../doctor-run.ts");
      const { findings, fault } = await examine(settings.source, settings, world);
      const { renderDoctor } = await import("../doctor-text.ts");
      const { targetName } = await import("../azure-sources.ts");
      const window = { from: formatTicks(settings.from), to: formatTicks(settings.to) };
      const target = targetName(settings.source);
      await world.stdout.write(
        format === "json"
          ? `${JSON.stringify({ schema: "coldstart.doctor/1", target, config: path, window, findings }, null, 2)}\n`
          : renderDoctor(findings, { target, config: path, ...window }),
      );
      if (fault !== null) return done(ExitCode.source);
      done(findings.some(({ state }) => state === "fail") ? ExitCode.inconclusive : ExitCode.done);
    });
  addSourceOptions(command);
}
