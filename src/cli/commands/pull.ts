import { resolve } from "node:path";
import type { Command } from "commander";
import { ExitCode, UsageError } from "../exit-codes.ts";
import type { PullFlags } from "../pull-settings.ts";
import type { World } from "../world.ts";
import { addSourceOptions, collect } from "./shared-options.ts";

const EXAMPLES = `
Examples:
  coldstart pull --from 2026-09-07 --to 2026-09-28 --role quotes-api --app quotes-api --out capture
  coldstart pull --workspace 00000000-0000-0000-0000-000000000000 --from 2026-09-21 --credential azure-cli
  coldstart pull --from-files requests.json --from-files system-logs.ndjson --out capture

The same command goes on where an interrupted one stopped.
`;

interface Flags extends PullFlags {
  readonly fromFiles?: readonly string[];
  readonly format?: string;
  readonly quiet?: boolean;
}

/** `coldstart pull`: fetch a window from Azure into a capture. */
export function addPull(program: Command, world: World, done: (code: number) => void): void {
  const command = program
    .command("pull")
    .description("fetch a window from Azure into a capture")
    .addHelpText("after", EXAMPLES)
    .option("--from <time>", "begin of the window (ISO 8601; a date alone is midnight in --timezone)")
    .option("--to <time>", "end of the window, exclusive (the last quarter of an hour that has settled)")
    .option("--guard <duration>", "look-back before --from that is pulled too (10m)")
    .option("--timezone <iana>", "time zone of times without offset (UTC)")
    .option("--out <folder>", "the capture (capture, from the configuration, or coldstart-capture)")
    .option("--role <name>", "only rows of this role (repeatable)", collect)
    .option("--app <name>", "container app whose system log is read (all of the environment)")
    .option(
      "--table <name>",
      "requests, system-events, dependencies, traces, metrics, ingress (repeatable; all that the source has)",
      collect,
    )
    .option("--include <what>", "personal data that is left out otherwise: query-strings", collect)
    .option("--from-files <path>", "make a capture of export files instead (repeatable)", collect)
    .option("--format <format>", "text, json (text)")
    .option("--quiet", "no progress on standard error")
    .action(async (flags: Flags) => {
      const { format = "text" } = flags;
      if (format !== "text" && format !== "json") {
        throw new UsageError(`--format: "${format}" is not one of text, json`);
      }
      const { loadConfig } = await import("../config.ts");
      const { config } = await loadConfig(flags.config, world);
      const name = flags.out ?? config.capture ?? "coldstart-capture";
      const path = resolve(world.cwd, name);
      const { renderPull } = await import("../pull-text.ts");
      const show = async (manifest: Parameters<typeof renderPull>[0]): Promise<void> => {
        const text =
          format === "json" ? `${JSON.stringify(manifest, null, 2)}\n` : renderPull(manifest, name);
        await world.stdout.write(text);
      };
      if (flags.fromFiles !== undefined) {
        const { captureFiles } = await import("../pull-files.ts");
        await show(await captureFiles(path, flags.fromFiles, world));
        return done(ExitCode.done);
      }
      const { pullSettings, withEndOf } = await import("../pull-settings.ts");
      const settings = pullSettings(await withEndOf(path, flags), config, world);
      const { pullWindow } = await import("../pull-run.ts");
      const warmedMessage = config.warmup?.message;
      const manifest = await pullWindow(
        path,
        settings,
        { isQuiet: flags.quiet === true, ...(warmedMessage === undefined ? {} : { warmedMessage }) },
        world,
      );
      await show(manifest);
      const rows = manifest.slices.reduce((sum, slice) => sum + slice.rows, 0);
      if (rows === 0) {
        const { say } = await import("../say.ts");
        await say(
          world,
          "coldstart: the window holds no rows; coldstart doctor shows which tables hold some, and from when",
        );
        return done(ExitCode.inconclusive);
      }
      done(ExitCode.done);
    });
  addSourceOptions(command);
}
