import type { Command } from "commander";
import type { LeaksDocument } from "../../report/leaks-document.ts";
import { ExitCode, UsageError } from "../exit-codes.ts";
import type { LeaksFlags } from "../leaks-run.ts";
import type { OutputFlags } from "../report-output.ts";
import { say } from "../say.ts";
import type { World } from "../world.ts";
import { addAnalysisOptions, addOutputOptions, collect } from "./shared-options.ts";

const EXAMPLES = `
Examples:
  coldstart leaks --data export/ --path /quotes/today --since 2026-09-21T06:00:00Z
  coldstart leaks --data capture/ --path /quotes/today --method GET --deployed-at 2026-09-21 --format json
  coldstart leaks --data export/ --path /ready-check --warmed-message "/(?<outcome>warmed) (?<path>\\S+) in (?<ms>\\d+) ms/"
`;

const FORMATS = ["text", "json", "csv", "markdown"] as const;
const CODES = {
  leak: ExitCode.found,
  clean: ExitCode.done,
  "cannot-tell": ExitCode.inconclusive,
} as const;

/** `coldstart leaks`: did the warm-up request leave telemetry? */
export function addLeaks(program: Command, world: World, done: (code: number) => void): void {
  const command = program
    .command("leaks")
    .description("did the warm-up request leave telemetry?")
    .option(
      "--path <path>",
      "path, or route template, that the warm-up requests (repeatable, required)",
      collect,
    )
    .option("--method <method>", "method of the warm-up request (all)")
    .option("--since <time>", "the deployment of the warm-up (--deployed-at, or the data's start)")
    .option(
      "--warmed-message <text>",
      "text, or /expression/, of the trace that ends a warm-up (warm-up finished)",
    )
    .option("--rate-assumed <share>", "share of rows kept, such as 20%, in place of the observed one")
    .addHelpText("after", EXAMPLES)
    .action(async (flags: LeaksFlags & OutputFlags) => {
      const format = FORMATS.find((candidate) => candidate === (flags.format ?? "text"));
      if (format === undefined) {
        throw new UsageError(`--format: "${flags.format}" is not one of ${FORMATS.join(", ")}`);
      }
      const { leakQuestion, leaksDocument } = await import("../leaks-run.ts");
      const { deliver, checkOut } = await import("../output.ts");
      const { runAudit } = await import("../audit-run.ts");
      const { dataPaths } = await import("../data.ts");
      dataPaths(flags);
      const question = await leakQuestion(flags);
      await checkOut(flags.out, world);
      const input = await runAudit(flags, world);
      const document = leaksDocument(input, question);
      await deliver(await render(document, format, flags.out, world), flags.out, world);
      if (input.faults.length > 0) {
        for (const { message } of input.faults) await world.stderr.write(`coldstart: ${message}\n`);
        return done(ExitCode.data);
      }
      if (document.verdict !== "clean" && flags.quiet !== true) {
        const verdict = document.verdict === "leak" ? "leak" : "cannot tell";
        await say(world, `coldstart: ${verdict}: ${document.reasons[0]?.text ?? ""}`);
      }
      done(CODES[document.verdict]);
    });
  addOutputOptions(addAnalysisOptions(command), FORMATS);
}

async function render(
  document: LeaksDocument,
  format: (typeof FORMATS)[number],
  out: string | undefined,
  world: World,
): Promise<string> {
  switch (format) {
    case "json":
      return (await import("../../report/leaks-json.ts")).renderLeaksJson(document);
    case "csv":
      return (await import("../../report/leaks-csv.ts")).renderLeaksCsv(document);
    case "markdown":
      return (await import("../../report/leaks-markdown.ts")).renderLeaksMarkdown(document);
    default: {
      const { textOptions } = await import("../output.ts");
      return (await import("../../report/leaks-text.ts")).renderLeaksText(document, textOptions(world, out));
    }
  }
}
