import type { Command } from "commander";
import { dataPaths } from "../data.ts";
import type { GateFlags } from "../gate-settings.ts";
import type { World } from "../world.ts";
import { collect } from "./shared-options.ts";

const EXAMPLES = `
Examples:
  coldstart gate --data export/ --deployed-at 2026-09-21T06:00:00Z
  coldstart gate --bar bars/first-request.yaml --data requests.json --deployed-at 2026-09-21T06:00:00Z --format junit --out gate.xml

What the bar declares (role, days, time zone, threshold, …) is no option here: it was fixed before the deployment.
`;

/** `coldstart gate`: does this deployment meet the bar that was declared before it? */
export function addGate(program: Command, world: World, done: (code: number) => void): void {
  program
    .command("gate")
    .description("does this deployment meet the bar that was declared before it?")
    .option("--bar <file>", "the bar, with its lock beside it (coldstart.bar.yaml)")
    .option("--data <path>", "capture, export file, folder, or - for standard input (repeatable)", collect)
    .option("--deployed-at <time>", "when the deployment began (ISO 8601)")
    .option(
      "--allow-retrospective",
      "judge a bar that is not proved to be older than the deployment, and say so everywhere",
    )
    .option(
      "--config <file>",
      "where the data is, without --data (the nearest coldstart.config.yaml upwards)",
    )
    .option("--accept-row-cap", "take a row count at which exports stop for a complete export")
    .option("--values <file>", "write the judged values as CSV")
    .option("--format <format>", "text, json, markdown, junit (text)")
    .option("--out <file>", "write the verdict to a file")
    .option("--quiet", "nothing on standard error but what Actions reads")
    .addHelpText("after", EXAMPLES)
    .action(async (flags: GateFlags) => {
      const { gateFormat, printVerdict } = await import("../gate-output.ts");
      const { checkOut } = await import("../output.ts");
      gateFormat(flags.format);
      const paths = dataPaths(flags);
      const inputs = [...paths, flags.bar ?? "coldstart.bar.yaml"];
      await checkOut(flags.out, world, inputs);
      await checkOut(flags.values, world, [...inputs, flags.out]);
      const { runGate } = await import("../gate-run.ts");
      done(await printVerdict(await runGate(paths, flags, world), flags, world));
    });
}
