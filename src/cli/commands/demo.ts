import { join } from "node:path";
import type { Command } from "commander";
import type { OutputFlags } from "../report-output.ts";
import type { World } from "../world.ts";
import { addOutputOptions } from "./shared-options.ts";

const FILES = ["requests.csv.gz", "system-logs.ndjson.gz"];
const FLAGS = { role: "quotes-api", deployedAt: "2026-09-21T06:00:00Z", timezone: "Europe/Vienna" };

/** `coldstart demo`: the whole story on the bundled fleet. */
export function addDemo(program: Command, world: World, done: (code: number) => void): void {
  const command = program
    .command("demo")
    .description("the whole story on bundled, synthetic data")
    .action(async (flags: OutputFlags) => {
      const { reportFormat, printReport } = await import("../report-output.ts");
      const { analysisSettings } = await import("../analysis-options.ts");
      const { runReport } = await import("../report-run.ts");
      const { checkOut } = await import("../output.ts");
      await checkOut(flags.out, world);
      const format = reportFormat(flags.format);
      const paths = FILES.map((name) => join(world.bundled, "fixtures", "demo", name));
      const run = await runReport(paths, await analysisSettings(FLAGS), world.stdin);
      // The bundled files are named, not the place where the program happens to be installed.
      run.result.document.inputs.forEach((input, i) => {
        input.path = `fixtures/demo/${FILES[i]!}`;
      });
      run.result.document.warnings.push({
        code: "synthetic-data",
        message: "the data is synthetic: drawn by a seeded script and shaped like a published study",
        count: run.result.document.rows.read,
      });
      const isStory = format === "text" && (flags.out === undefined || flags.out === "-");
      if (isStory) await world.stdout.write(INTRODUCTION);
      const code = await printReport(run, flags, world);
      if (isStory) await world.stdout.write(NEXT);
      done(code);
    });
  addOutputOptions(command, ["text", "json", "csv", "markdown"]);
}

const INTRODUCTION = `SYNTHETIC DATA: a made-up fleet, drawn by a seeded script and shaped like a published
study of a service on Azure Container Apps. On 2026-09-21 at 06:00 UTC a deployment
begins to send itself one request before it opens its port. Did that help?

`;

const NEXT = `
The same on your own data:
  coldstart report --data requests.json --data system-logs.ndjson \\
    --role ${FLAGS.role} --deployed-at ${FLAGS.deployedAt} --timezone ${FLAGS.timezone}
`;
