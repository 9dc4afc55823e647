import type { Command } from "commander";
import type { ProbesDocument } from "../../report/probes-document.ts";
import { UsageError } from "../exit-codes.ts";
import type { ProbesFlags } from "../probes-run.ts";
import type { OutputFlags } from "../report-output.ts";
import type { World } from "../world.ts";
import { addAnalysisOptions, addOutputOptions, collect } from "./shared-options.ts";

const EXAMPLES = `
Examples:
  coldstart probes --spec app.yaml --expect startup=tcp --expect readiness=http
  coldstart probes --data system-logs.ndjson --data requests.json --spec app.yaml
  az containerapp show -n quotes-api -g rg | coldstart probes --spec - --format json
`;

const FORMATS = ["text", "json", "csv", "markdown"] as const;
type Format = (typeof FORMATS)[number];

/** `coldstart probes`: which probes does the platform really run, and of which type? */
export function addProbes(program: Command, world: World, done: (code: number) => void): void {
  const command = program
    .command("probes")
    .description("which probes does the platform really run, and of which type?")
    .option(
      "--spec <file>",
      "what is declared: az containerapp show, ARM template, CF manifest or process, or - (repeatable)",
      collect,
    )
    .option("--expect <type=kind>", "exit 1 unless it is so, such as startup=tcp (repeatable)", collect)
    .addHelpText("after", EXAMPLES)
    .action(async (flags: ProbesFlags & OutputFlags) => {
      const format = FORMATS.find((candidate) => candidate === (flags.format ?? "text"));
      if (format === undefined) {
        throw new UsageError(`--format: "${flags.format}" is not one of ${FORMATS.join(", ")}`);
      }
      const { probesOutcome, probesQuestion, runProbes } = await import("../probes-run.ts");
      const { deliver, checkOut } = await import("../output.ts");
      const question = await probesQuestion(flags);
      await checkOut(flags.out, world);
      const run = await runProbes(flags, question, world);
      await deliver(await render(run.document, format, flags.out, world), flags.out, world);
      const { code, reasons } = probesOutcome(run);
      for (const reason of reasons) await world.stderr.write(`coldstart: ${reason}\n`);
      done(code);
    });
  addOutputOptions(addAnalysisOptions(command), FORMATS);
}

async function render(
  document: ProbesDocument,
  format: Format,
  out: string | undefined,
  world: World,
): Promise<string> {
  switch (format) {
    case "json":
      return (await import("../../report/probes-json.ts")).renderProbesJson(document);
    case "csv":
      return (await import("../../report/probes-csv.ts")).renderProbesCsv(document);
    case "markdown":
      return (await import("../../report/probes-markdown.ts")).renderProbesMarkdown(document);
    default: {
      const { textOptions } = await import("../output.ts");
      return (await import("../../report/probes-text.ts")).renderProbesText(
        document,
        textOptions(world, out),
      );
    }
  }
}
