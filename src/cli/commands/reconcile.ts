import type { Command } from "commander";
import type { ReconcileDocument } from "../../report/reconcile-document.ts";
import type { AnalysisFlags } from "../analysis-options.ts";
import { ExitCode, UsageError } from "../exit-codes.ts";
import type { OutputFlags } from "../report-output.ts";
import type { World } from "../world.ts";
import { addAnalysisOptions, addOutputOptions } from "./shared-options.ts";

const EXAMPLES = `
Examples:
  coldstart reconcile --data requests.json --data metrics.json --role quotes-api
  coldstart reconcile --data export/ --from 2026-09-21 --to 2026-09-22 --tolerance 2% --format json
`;

/** Beyond it hardly anything would be outside. Percent. */
const MOST_TOLERANCE = 50;

interface ReconcileFlags extends AnalysisFlags, OutputFlags {
  readonly tolerance?: string;
}

/** `coldstart reconcile`: do the weighted totals agree with the ingress metrics? */
export function addReconcile(program: Command, world: World, done: (code: number) => void): void {
  const command = program
    .command("reconcile")
    .description("do the weighted totals agree with the ingress metrics?")
    .option("--tolerance <percent>", "how far the ratio may lie from 1 (5%)")
    .addHelpText("after", EXAMPLES)
    .action(async (flags: ReconcileFlags) => {
      const { auditDocument } = await import("../audit-output.ts");
      const tolerance = parseTolerance(flags.tolerance ?? "5%");
      const format = await auditDocument.prepare(flags, world);
      const { runAudit } = await import("../audit-run.ts");
      const { reconcile } = await import("../../figures/reconcile.ts");
      const { buildReconcile } = await import("../../report/reconcile-build.ts");
      const { formatTicks } = await import("../../telemetry/time.ts");
      const input = await runAudit(flags, world, { needsInstance: false });
      const files = input.report.inputs.filter((one) => one.form === "metrics").length;
      const figures = reconcile(input.fleet, input.detail, input.metrics, { tolerance, files });
      const document = buildReconcile(figures, input.report, formatTicks);
      const render = await import("../../report/reconcile-render.ts");
      const { renderReconcileCsv } = await import("../../report/reconcile-csv.ts");
      await auditDocument.print(document, format, flags, world, {
        text: render.renderReconcileText,
        json: render.renderReconcileJson,
        csv: renderReconcileCsv,
        markdown: render.renderReconcileMarkdown,
      });
      done(await auditDocument.finish(input.faults, world, () => outcome(document)));
    });
  addOutputOptions(addAnalysisOptions(command), ["text", "json", "csv", "markdown"]);
}

function parseTolerance(text: string): number {
  const match = /^(\d+(?:\.\d+)?) ?%$/.exec(text.trim());
  if (match === null)
    throw new UsageError(`--tolerance: "${text}" is no percentage; write it like 5% or 2.5%`);
  const percent = Number(match[1]);
  if (percent === 0 || percent > MOST_TOLERANCE) {
    throw new UsageError(`--tolerance: "${text}" is not more than 0 and at most ${MOST_TOLERANCE} %`);
  }
  return percent / 100;
}

function outcome({ verdict, metric, contents, total, uncompared }: ReconcileDocument): {
  code: ExitCode;
  reason?: string;
} {
  if (verdict === "within") return { code: ExitCode.done };
  if (verdict === "outside") return { code: ExitCode.found };
  const reason =
    metric.points === 0
      ? "no ingress metrics in the input: add the output of `az monitor metrics list --metric Requests --aggregation Total`; docs/reconcile.md has the command"
      : metric.unclear !== null
        ? metric.unclear
        : contents.rows === 0
          ? "no request row in the window; check --from and --to, and add an export of the table requests (AppRequests)"
          : total === null
            ? "rows and metric have no time in common; export both for the same window"
            : uncompared.isTooMuch
              ? "more than 20 % of the weighted rows or of the ingress count cannot be compared; export rows and metric of the same time, and give --from and --to"
              : total.ratio !== null
                ? "the sampling error is too large to say that the totals agree; take a longer window, or a larger --tolerance"
                : "the ingress counted nothing in the time that both cover; check that the metric is of this app";
  return { code: ExitCode.inconclusive, reason };
}
