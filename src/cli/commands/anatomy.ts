import type { Command } from "commander";
import type { AnatomyDocument } from "../../report/anatomy-document.ts";
import type { AnalysisFlags } from "../analysis-options.ts";
import { ExitCode } from "../exit-codes.ts";
import type { OutputFlags } from "../report-output.ts";
import type { World } from "../world.ts";
import { addAnalysisOptions, addOutputOptions } from "./shared-options.ts";

const EXAMPLES = `
Examples:
  coldstart anatomy --data requests.json --data dependencies.json --data system-logs.ndjson
  coldstart anatomy --data export/ --deployed-at 2026-09-21T06:00:00Z --role quotes-api --format markdown
`;

/** `coldstart anatomy`: where does the first request's time go? */
export function addAnatomy(program: Command, world: World, done: (code: number) => void): void {
  const command = program
    .command("anatomy")
    .description("where does the first request's time go?")
    .addHelpText("after", EXAMPLES)
    .action(async (flags: AnalysisFlags & OutputFlags) => {
      const { auditDocument } = await import("../audit-output.ts");
      const format = await auditDocument.prepare(flags, world);
      const { runAudit } = await import("../audit-run.ts");
      const { anatomy } = await import("../../figures/anatomy.ts");
      const { buildAnatomy } = await import("../../report/anatomy-build.ts");
      const { formatTicks } = await import("../../telemetry/time.ts");
      const input = await runAudit(flags, world);
      const figures = anatomy(input.fleet, input.detail, input.report.settings.seed);
      const document = buildAnatomy(figures, input.report, input.detail.malformed, formatTicks);
      const render = await import("../../report/anatomy-render.ts");
      const { renderAnatomyCsv } = await import("../../report/anatomy-csv.ts");
      await auditDocument.print(document, format, flags, world, {
        text: render.renderAnatomyText,
        json: render.renderAnatomyJson,
        csv: renderAnatomyCsv,
        markdown: render.renderAnatomyMarkdown,
      });
      done(
        await auditDocument.finish(input.faults, world, () => {
          const missing = whatMisses(document);
          return missing === null
            ? { code: ExitCode.done }
            : { code: ExitCode.inconclusive, reason: missing };
        }),
      );
    });
  addOutputOptions(addAnalysisOptions(command), ["text", "json", "csv", "markdown"]);
}

/** Why nothing can be told; null where something can. */
function whatMisses({ dependencies, cohorts, rows }: AnatomyDocument): string | null {
  if (dependencies === null) {
    return "no dependencies in the input: export the table dependencies (AppDependencies) of the same window and add it with --data; docs/anatomy.md has the query";
  }
  if (dependencies.rows === 0) return "the table of dependencies is empty; check its query and time range";
  if (cohorts.every(({ first }) => first.n === 0)) {
    return rows.user === 0
      ? "no user request in the window; check --from, --to, --role and --probe-path"
      : "no new instance in the window, so no first request; widen the window, or add system logs";
  }
  const empty = cohorts.filter(({ first }) => first.withCalls.count === 0);
  if (empty.length === 0) return null;
  const where =
    cohorts.length > 1 ? ` of the window ${empty.map(({ name }) => `"${name}"`).join(" and ")}` : "";
  return `no first request${where} has an outbound call in the data; check that both tables cover the window and keep operation_Id and cloud_RoleInstance`;
}
