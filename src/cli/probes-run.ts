import { EXPECTED_HANDLERS, type Expectation } from "../figures/probe-expect.ts";
import { probesFigures } from "../figures/probes.ts";
import { buildProbes } from "../report/probes-build.ts";
import type { ProbesDocument } from "../report/probes-document.ts";
import { readSpec } from "../sources/specs/read-spec.ts";
import type { DataFault } from "../telemetry/fault.ts";
import { PROBE_TYPES } from "../telemetry/spec.ts";
import { type AnalysisFlags, analysisSettings } from "./analysis-options.ts";
import { runAudit } from "./audit-run.ts";
import { ExitCode, UsageError } from "./exit-codes.ts";
import type { World } from "./world.ts";

/** The options of `coldstart probes`, as commander hands them over. */
export interface ProbesFlags extends AnalysisFlags {
  readonly spec?: readonly string[];
  readonly expect?: readonly string[];
}

/** What is asked, checked. */
export interface ProbesQuestion {
  readonly specs: readonly string[];
  readonly expectations: readonly Expectation[];
  readonly hasData: boolean;
}

/** Checks the flags. @throws UsageError before any data is read */
export async function probesQuestion(flags: ProbesFlags): Promise<ProbesQuestion> {
  const specs = flags.spec ?? [];
  const data = flags.data ?? [];
  if (specs.length === 0 && data.length === 0) {
    throw new UsageError(
      "nothing to look at: name a spec with --spec FILE, or system logs and request rows with --data PATH",
    );
  }
  if ([...specs, ...data].filter((path) => path === "-").length > 1) {
    throw new UsageError("standard input (-) can be read only once, as --spec or as --data");
  }
  await analysisSettings(flags);
  return { specs, expectations: parseExpectations(flags.expect ?? []), hasData: data.length > 0 };
}

function parseExpectations(texts: readonly string[]): Expectation[] {
  const expectations: Expectation[] = [];
  for (const text of texts) {
    const [left, right, ...rest] = text.toLowerCase().split("=");
    const type = PROBE_TYPES.find((candidate) => candidate === left);
    const handler = EXPECTED_HANDLERS.find((candidate) => candidate === right);
    if (type === undefined || handler === undefined || rest.length > 0) {
      throw new UsageError(
        `--expect: "${text}" is not TYPE=KIND, where TYPE is one of ${PROBE_TYPES.join(", ")} and KIND one of ${EXPECTED_HANDLERS.join(", ")}`,
      );
    }
    const known = expectations.find((expectation) => expectation.type === type);
    if (known !== undefined && known.handler !== handler) {
      throw new UsageError(`--expect: ${type} cannot be both ${known.handler} and ${handler}`);
    }
    if (known === undefined) expectations.push({ type, handler });
  }
  return expectations;
}

/** The document, with the faults of inputs that are incomplete. */
export interface ProbesRun {
  readonly document: ProbesDocument;
  readonly faults: readonly DataFault[];
}

/** Reads the specs and the data and computes the document. @throws DataFault where one cannot be read */
export async function runProbes(
  flags: ProbesFlags,
  question: ProbesQuestion,
  world: World,
): Promise<ProbesRun> {
  const specs = [];
  for (const path of question.specs) specs.push(...(await readSpec(path, world.stdin)));
  const audit = question.hasData ? await runAudit(flags, world) : null;
  const figures = probesFigures(specs, audit, question.expectations);
  return {
    document: buildProbes(figures, question.specs, audit?.report ?? null),
    faults: audit?.faults ?? [],
  };
}

/** The exit code, with one line for each reason why it is not 0. */
export function probesOutcome({ document, faults }: ProbesRun): { code: ExitCode; reasons: string[] } {
  if (faults.length > 0) return { code: ExitCode.data, reasons: faults.map(({ message }) => message) };
  const { apps, expectations, settings } = document;
  if (apps.length === 0) {
    return { code: ExitCode.inconclusive, reasons: [`no event and no row of an app${hint(document)}`] };
  }
  const say = (result: "missed" | "unknown"): string[] =>
    expectations
      .filter((expectation) => expectation.result === result)
      .map(({ app, type, handler, reason }) => {
        const name = app === "" ? "" : `${app}: `;
        return `${name}expected ${type}=${handler}, ${result === "missed" ? "but" : "which cannot be told:"} ${reason}`;
      });
  const missed = say("missed");
  if (missed.length > 0) return { code: ExitCode.found, reasons: missed };
  const open = say("unknown");
  if (open.length > 0) return { code: ExitCode.inconclusive, reasons: open };
  if (settings !== null && apps.every(({ log, rows }) => log === null && rows === null)) {
    return {
      code: ExitCode.inconclusive,
      reasons: [`--data holds nothing of the spec's apps${hint(document)}`],
    };
  }
  if (expectations.length > 0) return { code: ExitCode.done, reasons: [] };
  if (apps.every(({ probes }) => probes.every(({ confidence }) => confidence === "unknown"))) {
    const isSpecMissing = apps.some(({ spec }) => spec === null);
    const reason = `no probe's kind can be told: ${
      isSpecMissing
        ? "successful attempts are not logged; add the spec with --spec FILE"
        : "the spec leaves it open, or is in conflict with the log"
    }`;
    return { code: ExitCode.inconclusive, reasons: [reason] };
  }
  return { code: ExitCode.done, reasons: [] };
}

function hint({ warnings }: ProbesDocument): string {
  const missing = warnings.find(({ code }) => code === "role-not-found" || code === "revision-not-found");
  return missing === undefined ? "; check --from, --to, --role and --revision" : `: ${missing.message}`;
}
