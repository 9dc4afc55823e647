import { appendFile } from "node:fs/promises";
import { githubAnnotations } from "../report/github.ts";
import type { VerdictDocument } from "../report/verdict-document.ts";
import { ExitCode, UsageError } from "./exit-codes.ts";
import type { GateFlags } from "./gate-settings.ts";
import { deliver, textOptions } from "./output.ts";
import { say } from "./say.ts";
import type { World } from "./world.ts";

export const GATE_FORMATS = ["text", "json", "markdown", "junit"] as const;
type GateFormat = (typeof GATE_FORMATS)[number];

const CODES: Readonly<Record<VerdictDocument["verdict"], ExitCode>> = {
  pass: ExitCode.done,
  fail: ExitCode.found,
  inconclusive: ExitCode.inconclusive,
  error: ExitCode.data,
};

/** Checks `--format`. */
export function gateFormat(value: string | undefined): GateFormat {
  const format = GATE_FORMATS.find((candidate) => candidate === (value ?? "text"));
  if (format === undefined)
    throw new UsageError(`--format: "${value}" is not one of ${GATE_FORMATS.join(", ")}`);
  return format;
}

/** Prints a verdict, tells GitHub Actions where it runs there, and returns the exit code. */
export async function printVerdict(
  document: VerdictDocument,
  flags: GateFlags,
  world: World,
): Promise<ExitCode> {
  const format = gateFormat(flags.format);
  await deliver(await render(document, format, flags.out, world), flags.out, world);
  const isInActions = world.env.GITHUB_ACTIONS === "true";
  if (isInActions) {
    // Actions reads its commands from standard error too, where they do not spoil a document.
    for (const line of githubAnnotations(document)) await world.stderr.write(`${line}\n`);
    const summary = world.env.GITHUB_STEP_SUMMARY;
    if (summary !== undefined && summary !== "") {
      const { renderVerdictMarkdown } = await import("../report/verdict-markdown.ts");
      await appendFile(summary, `${renderVerdictMarkdown(document)}\n`).catch(
        (error: NodeJS.ErrnoException) =>
          say(world, `warning: the step summary cannot be written (${error.code})`),
      );
    }
  }
  const code = CODES[document.verdict];
  if (code !== ExitCode.done && flags.quiet !== true) {
    const reason = document.reasons[0] ?? document.bars.find(({ verdict }) => verdict !== "pass")?.reasons[0];
    await say(world, `coldstart: ${document.verdict}${reason === undefined ? "" : `: ${reason}`}`);
  }
  return code;
}

async function render(
  document: VerdictDocument,
  format: GateFormat,
  out: string | undefined,
  world: World,
): Promise<string> {
  switch (format) {
    case "json":
      return (await import("../report/verdict-json.ts")).renderVerdictJson(document);
    case "markdown":
      return (await import("../report/verdict-markdown.ts")).renderVerdictMarkdown(document);
    case "junit":
      return (await import("../report/junit.ts")).renderJunit(document);
    default:
      return (await import("../report/verdict-text.ts")).renderVerdictText(document, textOptions(world, out));
  }
}
