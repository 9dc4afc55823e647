import type { ReportDocument, ReportResult, Warning } from "../report/document.ts";
import { ExitCode, UsageError } from "./exit-codes.ts";
import type { FullAudit } from "./full-report.ts";
import { deliver, textOptions } from "./output.ts";
import type { ReportRun } from "./report-run.ts";
import { say } from "./say.ts";
import type { World } from "./world.ts";

export interface OutputFlags {
  readonly format?: string;
  readonly out?: string;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

export const REPORT_FORMATS = ["text", "json", "csv", "markdown"] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** Checks `--format`. */
export function reportFormat(value: string | undefined): ReportFormat {
  const format = REPORT_FORMATS.find((candidate) => candidate === (value ?? "text"));
  if (format === undefined) {
    throw new UsageError(`--format: "${value}" is not one of ${REPORT_FORMATS.join(", ")}`);
  }
  return format;
}

/** Prints a report and what must be said beside it; returns the exit code. */
export async function printReport(
  run: ReportRun,
  flags: OutputFlags,
  world: World,
  audits: readonly FullAudit[] = [],
): Promise<ExitCode> {
  const format = reportFormat(flags.format);
  await deliver(await render(run.result, format, flags.out, world, audits), flags.out, world);
  const tell = (line: string): Promise<void> => say(world, line);
  const { document } = run.result;
  // In text and Markdown the warnings stand in the result itself, as footnotes.
  if (flags.quiet !== true && (format === "json" || format === "csv")) {
    for (const { code, path, message, count } of allWarnings(document)) {
      // These are said again below, as the reason for the exit code.
      if (code === "partial-input" || code === "role-not-found" || code === "revision-not-found") continue;
      await tell(`warning: ${path === null ? "" : `${path}: `}${message} (${count})`);
    }
  }
  if (flags.verbose === true) {
    for (const { path, row, reason } of run.malformed)
      await tell(`malformed: ${path}, row ${row}: ${reason}`);
  }
  return verdict(run, tell);
}

async function render(
  result: ReportResult,
  format: ReportFormat,
  out: string | undefined,
  world: World,
  audits: readonly FullAudit[],
): Promise<string> {
  switch (format) {
    case "json":
      return (await import("../report/json.ts")).renderJson(result);
    case "csv":
      return (await import("../report/csv.ts")).renderCsv(result);
    case "markdown": {
      const { renderMarkdown } = await import("../report/markdown.ts");
      return [renderMarkdown(result), ...audits.map((audit) => audit.markdown())].join("\n");
    }
    default: {
      const { renderText } = await import("../report/text.ts");
      const options = textOptions(world, out);
      return [renderText(result, options), ...audits.map((audit) => audit.text(options))].join("\n");
    }
  }
}

function allWarnings(document: ReportDocument): (Warning & { readonly path: string | null })[] {
  return [
    ...document.warnings.map((warning) => ({ path: null, ...warning })),
    ...document.inputs.flatMap(({ path, warnings }) => warnings.map((warning) => ({ path, ...warning }))),
  ];
}

/** The exit code, with one line for each reason why it is not 0. */
async function verdict(run: ReportRun, tell: (line: string) => Promise<void>): Promise<ExitCode> {
  const { document } = run.result;
  if (run.faults.length > 0) {
    for (const fault of run.faults) await tell(`coldstart: ${fault.message}`);
    return ExitCode.data;
  }
  if (document.requests.observed === 0) {
    await tell(`coldstart: no user request in the window: ${whereRowsWent(document)}`);
    return ExitCode.inconclusive;
  }
  if (document.rows.noInstance === document.rows.user) {
    await tell(
      `coldstart: none of the ${document.rows.user} user requests names a role instance, so none can be given to a process; set the role instance in the app's telemetry, or add the column to the query`,
    );
    return ExitCode.inconclusive;
  }
  const empty = document.cohorts.filter(({ instances }) => instances.total === 0);
  if (empty.length > 0) {
    for (const { name, instances } of empty) {
      const { alreadyRunning, birthUnknown } = instances.excluded;
      await tell(
        `coldstart: no new instance in the window "${name}" (${alreadyRunning} already running, ${birthUnknown} of unknown birth); widen the window, or add system logs`,
      );
    }
    return ExitCode.inconclusive;
  }
  if (document.comparison?.comparable === false) {
    for (const reason of document.comparison.reasons) await tell(`coldstart: not comparable: ${reason}`);
    return ExitCode.inconclusive;
  }
  return ExitCode.done;
}

function whereRowsWent({ rows, warnings }: ReportDocument): string {
  const missing = warnings.find(({ code }) => code === "role-not-found" || code === "revision-not-found");
  if (missing !== undefined) return missing.message;
  if (rows.read === 0) return "no request rows were read; check the query and its time range";
  const classes = [
    "malformed",
    "duplicate",
    "otherRole",
    "outsideWindow",
    "consumer",
    "other",
    "synthetic",
    "probe",
  ] as const;
  const parts = classes.filter((name) => rows[name] > 0).map((name) => `${rows[name]} ${name}`);
  return `${rows.read} ${rows.read === 1 ? "row" : "rows"} read (${parts.join(", ")}); check --from, --to, --role and --probe-path`;
}
