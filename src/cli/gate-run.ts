import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type Samples, samplesOf } from "../figures/sample.ts";
import { buildError, buildVerdict } from "../report/build-verdict.ts";
import type { Warning } from "../report/document.ts";
import type { VerdictDocument } from "../report/verdict-document.ts";
import { DataFault } from "../telemetry/fault.ts";
import { formatTicks, TICKS_PER_MINUTE } from "../telemetry/time.ts";
import { ANALYSIS_VERSION, type Bar } from "../verdict/bar.ts";
import { parseBar } from "../verdict/bar-file.ts";
import { lockPathOf, parseLock } from "../verdict/lock.ts";
import { type Registration, register } from "../verdict/registration.ts";
import type { BarLock } from "../verdict/types.ts";
import { valueRows } from "../verdict/values.ts";
import { judge, type Verdict } from "../verdict/verdict.ts";
import type { AnalysisSettings } from "./analysis-options.ts";
import { type DataFlags, dataFor, type Reach, reachOf } from "./data.ts";
import { UsageError } from "./exit-codes.ts";
import { guardsOf } from "./gate-guards.ts";
import { deploymentOf, type GateFlags, gateSettings } from "./gate-settings.ts";
import { gitFacts } from "./git-facts.ts";
import { deliver } from "./output.ts";
import { type ReportRun, runReport } from "./report-run.ts";
import type { World } from "./world.ts";

/**
 * Judges a bar on data.
 *
 * @throws UsageError for a bar that cannot be judged; faults of the data become the verdict `error`
 */
export async function runGate(
  paths: readonly string[],
  flags: GateFlags & DataFlags,
  world: World,
): Promise<VerdictDocument> {
  const file = flags.bar ?? "coldstart.bar.yaml";
  const path = resolve(world.cwd, file);
  const { bar, digest } = await readBar(path, file);
  const deployedAt = deploymentOf(flags, bar);
  const registration = await proveRegistration(path, digest, formatTicks(deployedAt), world);
  const settings = await gateSettings(bar, formatTicks(deployedAt));
  const insists = flags.allowRetrospective === true;
  const data = await dataFor(
    { ...flags, data: paths },
    gateReach(settings, deployedAt),
    {
      ...(bar.population.role === undefined ? {} : { role: bar.population.role }),
      guard: bar.population.guard,
    },
    world,
  );
  let run: ReportRun;
  try {
    run = await runReport(
      data,
      settings,
      world.stdin,
      bar.guards.leak === undefined ? {} : { markedPath: bar.guards.leak.path },
    );
  } catch (error) {
    if (!(error instanceof DataFault)) throw error;
    return buildError(bar, [error.message], registration, insists, null);
  }
  const { document } = run.result;
  if (run.faults.length > 0) {
    return buildError(
      bar,
      run.faults.map(({ message }) => message),
      registration,
      insists,
      document,
    );
  }
  const samples = samplesOf(run.fleet, settings.thresholdMs);
  const verdict = judge(bar, samples, guardsOf(bar, run, samples, flags), registration, insists);
  return buildVerdict(verdict, {
    name: bar.name,
    hypothesis: bar.hypothesis,
    report: document,
    values: await writeValues(verdict, samples, flags.values, world),
    warnings: verdictWarnings(bar),
  });
}

/** How far a comparison looks back where its bar does not say. */
const LOOK_BACK_TICKS = 14 * 24 * 60 * TICKS_PER_MINUTE;

function gateReach(settings: AnalysisSettings, deployedAt: number): Reach {
  const { from, to } = reachOf(settings);
  return { from: from ?? deployedAt - LOOK_BACK_TICKS, to };
}

async function readBar(path: string, name: string): Promise<{ bar: Bar; digest: string }> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`--bar: cannot read ${name} (${error.code}); write one with coldstart bar new`);
  });
  const parsed = parseBar(text);
  if ("bar" in parsed) return parsed;
  const [first, ...more] = parsed.problems;
  const place = first!.line === null ? "" : `:${first!.line}:${first!.column ?? 1}`;
  const rest = more.length === 0 ? "" : ` (and ${more.length} more)`;
  throw new UsageError(
    `${name}${place}: ${first!.message}${rest}; coldstart bar check ${name} lists every problem`,
  );
}

async function proveRegistration(
  path: string,
  digest: string,
  deployedAt: string,
  world: World,
): Promise<Registration> {
  const lockPath = lockPathOf(path);
  const text = await readFile(lockPath, "utf8").catch(() => null);
  const lock = text === null ? null : readableLock(text);
  const digestOfText = (content: string): string | null => {
    const parsed = parseBar(content);
    return "bar" in parsed ? parsed.digest : null;
  };
  const git = await gitFacts(path, lockPath, digestOfText, world.env);
  return register({
    digest,
    analysisVersion: ANALYSIS_VERSION,
    lock,
    git,
    deployedAt,
    windowFrom: deployedAt,
  });
}

/** A lock that was edited or cut counts as none: registration says so. */
function readableLock(text: string): BarLock | null {
  try {
    return parseLock(text);
  } catch {
    return null;
  }
}

async function writeValues(
  verdict: Verdict,
  samples: Samples,
  out: string | undefined,
  world: World,
): Promise<{ path: string; sha256: string; rows: number } | null> {
  if (out === undefined) return null;
  const { renderValues } = await import("../report/values-csv.ts");
  const rows = valueRows(samples, verdict.sample);
  const text = renderValues(rows, formatTicks);
  await deliver(text, out, world);
  return { path: out, sha256: createHash("sha256").update(text).digest("hex"), rows: rows.length };
}

function verdictWarnings(bar: Bar): Warning[] {
  const warnings: Warning[] = [];
  if (bar.looks === "once" && bar.sample.take === "all") {
    warnings.push({
      code: "open-sample",
      message:
        "the bar judges all instances in the data and one look: asked again with more data it may pass by luck; say take: { first: N } or looks: anytime",
      count: 1,
    });
  }
  if (bar.confidence === "none") {
    warnings.push({
      code: "no-confidence",
      message: "the bar judges point estimates: a service exactly on it passes about every second time",
      count: 1,
    });
  }
  return warnings;
}
