import type { InputDocument, Warning } from "../report/document.ts";
import type { TextOptions } from "../report/text.ts";
import type { DataFault } from "../telemetry/fault.ts";
import type { AnalysisFlags } from "./analysis-options.ts";
import { analysisSettings } from "./analysis-options.ts";
import { dataPaths } from "./data.ts";
import { ExitCode } from "./exit-codes.ts";
import { checkOut, deliver, textOptions } from "./output.ts";
import { type OutputFlags, type ReportFormat, reportFormat } from "./report-output.ts";
import type { World } from "./world.ts";

interface Remarked {
  readonly warnings: readonly Warning[];
  readonly inputs: readonly InputDocument[];
}

interface Renderers<T> {
  readonly text: (document: T, options: TextOptions) => string;
  readonly json: (document: T) => string;
  readonly csv: (document: T) => string;
  readonly markdown: (document: T) => string;
}

/** What commands that print an audit's document have in common. */
export const auditDocument = {
  /** Checks the options before any data is read. @throws UsageError */
  async prepare(flags: AnalysisFlags & OutputFlags, world: World): Promise<ReportFormat> {
    const format = reportFormat(flags.format);
    dataPaths(flags);
    await analysisSettings(flags);
    await checkOut(flags.out, world);
    return format;
  },

  /** Prints a document; in JSON and CSV its warnings are said on standard error as well. */
  async print<T extends Remarked>(
    document: T,
    format: ReportFormat,
    flags: OutputFlags,
    world: World,
    renderers: Renderers<T>,
  ): Promise<void> {
    const text =
      format === "text"
        ? renderers.text(document, textOptions(world, flags.out))
        : renderers[format](document);
    await deliver(text, flags.out, world);
    if (flags.quiet === true || (format !== "json" && format !== "csv")) return;
    const all = [
      ...document.warnings.map((warning) => ({ where: "", ...warning })),
      ...document.inputs.flatMap(({ path, warnings }) =>
        warnings.map((warning) => ({ where: `${path}: `, ...warning })),
      ),
    ];
    for (const { where, code, message, count } of all) {
      // Said again below, as the reason for the exit code.
      if (code !== "partial-input") await world.stderr.write(`warning: ${where}${message} (${count})\n`);
    }
  },

  /** The exit code: incomplete inputs come first, one line each. */
  async finish(
    faults: readonly DataFault[],
    world: World,
    otherwise: () => { readonly code: ExitCode; readonly reason?: string },
  ): Promise<ExitCode> {
    for (const fault of faults) await world.stderr.write(`coldstart: ${fault.message}\n`);
    if (faults.length > 0) return ExitCode.data;
    const { code, reason } = otherwise();
    if (reason !== undefined) await world.stderr.write(`coldstart: ${reason}\n`);
    return code;
  },
};
