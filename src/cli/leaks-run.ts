import { DEFAULT_WARMED_MESSAGE, type WarmedPattern, warmedPattern } from "../figures/leak-line.ts";
import { leakVerdict } from "../figures/leak-verdict.ts";
import type { LeakQuestion } from "../figures/leaks.ts";
import { leakFigures } from "../figures/leaks.ts";
import type { Window } from "../fleet/settings.ts";
import { buildLeaks } from "../report/leaks-build.ts";
import type { LeaksDocument } from "../report/leaks-document.ts";
import { foldPath } from "../telemetry/path.ts";
import { formatTicks } from "../telemetry/time.ts";
import { type AnalysisFlags, type AnalysisSettings, analysisSettings } from "./analysis-options.ts";
import type { AuditInput } from "./audit-run.ts";
import { UsageError } from "./exit-codes.ts";
import { parseUserInstant } from "./instants.ts";

/** The options of `coldstart leaks`, as commander hands them over. */
export interface LeaksFlags extends AnalysisFlags {
  readonly path?: readonly string[];
  readonly method?: string;
  readonly since?: string;
  readonly warmedMessage?: string;
  readonly rateAssumed?: string;
}

/** Checks the flags. @throws UsageError before any data is read */
export async function leakQuestion(flags: LeaksFlags): Promise<LeakQuestion> {
  const settings = await analysisSettings(flags);
  const paths = (flags.path ?? []).map(checkPath);
  if (paths.length === 0) {
    throw new UsageError("no path: name what the warm-up requests with --path, such as --path /quotes/today");
  }
  return {
    match: { paths: new Set(paths), method: checkMethod(flags.method) },
    ...periodsOf(flags, settings),
    warmed: checkMessage(flags.warmedMessage),
    rateAssumed: flags.rateAssumed === undefined ? null : parseRate(flags.rateAssumed),
  };
}

/** The audit's document. */
export function leaksDocument(input: AuditInput, question: LeakQuestion): LeaksDocument {
  const { fleet, detail, report } = input;
  const figures = leakFigures(fleet, detail, question);
  const instant = (ticks: number | undefined): string | null =>
    ticks !== undefined && Number.isFinite(ticks) ? formatTicks(ticks) : null;
  return buildLeaks(figures, leakVerdict(figures, question.match.paths), {
    question: {
      paths: [...question.match.paths],
      method: question.match.method,
      since: instant(question.since.from),
      to: instant(question.since.to),
      beforeFrom: instant(question.before?.from),
      beforeTo: instant(question.before?.to),
      warmedMessage: question.warmed.text,
      rateAssumed: question.rateAssumed,
    },
    examples: figures.examples.map(({ start, row, place, by }) => ({
      instance: start.instance,
      at: formatTicks(fleet.table.start(row)),
      name: detail.requests.get(row)?.name ?? "",
      path: detail.requests.get(row)?.path ?? "",
      operationId: detail.requests.get(row)?.operationId ?? "",
      place: place === "inside" ? "inside" : "undecided",
      by,
    })),
    report,
  });
}

function periodsOf(flags: LeaksFlags, { fleet }: AnalysisSettings): { since: Window; before: Window | null } {
  const windows = fleet.windows;
  const first = windows[0]!;
  const last = windows[windows.length - 1]!;
  if (flags.since === undefined) {
    return { since: last, before: windows.length > 1 ? first : null };
  }
  if (flags.before !== undefined || flags.deployedAt !== undefined) {
    throw new UsageError("--since says the deployment; leave out --deployed-at, --before and --after");
  }
  const since = parseUserInstant(flags.since, fleet.timezone, "--since");
  if (since >= last.to) throw new UsageError("--since must lie before --to");
  if (since <= first.from)
    throw new UsageError("--since must lie after --from; leave out --since, or begin earlier");
  return {
    since: { name: "after", from: since, to: last.to },
    before: { name: "before", from: first.from, to: since },
  };
}

function checkPath(path: string): string {
  if (path.startsWith("/")) return foldPath(path);
  throw new UsageError(`--path: "${path}" must begin with a slash, such as /quotes/today`);
}

function checkMethod(method: string | undefined): string | null {
  if (method === undefined) return null;
  const folded = method.toUpperCase();
  if (!/^[A-Z]+$/.test(folded))
    throw new UsageError(`--method: "${method}" is no HTTP method; write it like GET`);
  return folded;
}

function checkMessage(text: string | undefined): WarmedPattern {
  if (text?.trim() === "") throw new UsageError("--warmed-message: an empty text would match every trace");
  try {
    return warmedPattern(text ?? DEFAULT_WARMED_MESSAGE);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UsageError(
      `--warmed-message: ${error.message}; write text, or an expression like /warmed in \\d+/`,
    );
  }
}

/** A share kept, as `20%` or `0.2`. */
function parseRate(text: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*(%)?$/.exec(text.trim());
  const rate = match === null ? Number.NaN : Number(match[1]) / (match[2] === undefined ? 1 : 100);
  if (rate > 0 && rate <= 1) return rate;
  throw new UsageError(`--rate-assumed: "${text}" is no share of rows kept; write 20% or 0.2`);
}
