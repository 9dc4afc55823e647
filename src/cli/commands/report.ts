import type { Command } from "commander";
import { type DataFlags, dataFor, dataPaths, reachOf } from "../data.ts";
import { UsageError } from "../exit-codes.ts";
import type { LeaksFlags } from "../leaks-run.ts";
import type { OutputFlags } from "../report-output.ts";
import type { World } from "../world.ts";
import { addAnalysisOptions, addOutputOptions, collect } from "./shared-options.ts";

const EXAMPLES = `
Examples:
  coldstart report --data requests.json --data system-logs.ndjson --role quotes-api
  coldstart report --data export/ --deployed-at 2026-09-21T06:00:00Z --timezone Europe/Vienna
  coldstart report --data requests.csv --before 2026-09-01..2026-09-08 --after 2026-09-21..2026-09-28 --format markdown
  coldstart report --data export/ --deployed-at 2026-09-21T06:00:00Z --full
  az monitor app-insights query … | coldstart report --data - --format json
`;

/** `coldstart report`: how do first requests behave, and how do two periods compare? */
export function addReport(program: Command, world: World, done: (code: number) => void): void {
  const command = program
    .command("report")
    .description("how do first requests behave, and how do two periods compare?")
    .addHelpText("after", EXAMPLES)
    .option("--full", "add the audits: probes, replicas, anatomy, reconcile, and with --path leaks")
    .option("--path <path>", "with --full: the path that the warm-up requests (repeatable)", collect)
    .action(async (flags: LeaksFlags & OutputFlags & DataFlags & { readonly full?: boolean }) => {
      const { reportFormat, printReport } = await import("../report-output.ts");
      const { analysisSettings } = await import("../analysis-options.ts");
      const { checkOut } = await import("../output.ts");
      reportFormat(flags.format);
      const paths = dataPaths(flags);
      const settings = await analysisSettings(flags);
      await checkOut(flags.out, world, paths);
      if (flags.path !== undefined && flags.full !== true) throw new UsageError("--path goes with --full");
      if (flags.full === true) {
        const { runAudit } = await import("../audit-run.ts");
        const { fullAudits } = await import("../full-report.ts");
        const input = await runAudit(flags, world);
        const audits = await fullAudits(input, flags);
        input.report.audits = Object.fromEntries(
          audits.map(({ name, document }) => [name, document as { schema: string }]),
        );
        done(await printReport(input.run, flags, world, audits));
        return;
      }
      const { runReport } = await import("../report-run.ts");
      const data = await dataFor(flags, reachOf(settings), flags, world);
      done(await printReport(await runReport(data, settings, world.stdin), flags, world));
    });
  addOutputOptions(addAnalysisOptions(command), ["text", "json", "csv", "markdown"]);
}
