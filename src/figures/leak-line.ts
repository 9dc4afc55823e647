import type { TraceRow } from "../telemetry/detail.ts";
import { numberOf, openBag } from "../telemetry/dimensions.ts";
import { foldPath } from "../telemetry/path.ts";
import { TICKS_PER_MINUTE, TICKS_PER_MS } from "../telemetry/time.ts";

/** What a trace message says when it is the one that a warm-up writes at its end. */
export interface WarmedPattern {
  /** As it was given. */
  readonly text: string;
  /** Fields that the pattern itself picks out; null for other messages. */
  match(message: string): Readonly<Record<string, string | undefined>> | null;
}

/** The line that the project's own warm-up writes. */
export const DEFAULT_WARMED_MESSAGE = "warm-up finished";

/** What one warm-up's line says; what it does not say is null. */
export interface WarmedLine {
  readonly ticks: number;
  readonly role: string;
  readonly instance: string;
  readonly outcome: string | null;
  /** Folded; empty where the line names none. */
  readonly paths: readonly string[];
  readonly status: string | null;
  readonly ms: number | null;
}

/** A warm-up as the lines of one start tell it. */
export interface WarmUp {
  /** Ticks of the last line: the port opens after it. */
  readonly end: number;
  /** Ticks at which it began; null where no line gives its duration. */
  readonly begin: number | null;
  readonly ms: number | null;
  /** The last line's; null where it says none. */
  readonly outcome: string | null;
  readonly paths: readonly string[];
  /** Those of the lines that say that the request succeeded. */
  readonly warmedPaths: readonly string[];
  /** Whether a request was sent at all, as far as the line says. */
  readonly ran: boolean;
}

/**
 * The pattern of `--warmed-message`: `/…/` or `/…/i` is a regular expression, whose named groups outcome,
 * path, status and ms are read; anything else is text that the message contains, case aside.
 *
 * @throws SyntaxError for an expression that is none
 */
export function warmedPattern(text: string): WarmedPattern {
  const parts = /^\/(.+)\/([a-z]*)$/s.exec(text);
  if (parts === null) {
    const folded = text.toLowerCase();
    return { text, match: (message) => (message.toLowerCase().includes(folded) ? {} : null) };
  }
  const expression = new RegExp(parts[1]!, parts[2]!.replace(/[gy]/g, ""));
  return {
    text,
    match: (message) => {
      const found = expression.exec(message);
      return found === null ? null : (found.groups ?? {});
    },
  };
}

/** The line that a trace holds, or null. Fields: the pattern's groups, the dimensions, then `key=value` in the text. */
export function warmedLine(trace: TraceRow, pattern: WarmedPattern): WarmedLine | null {
  const groups = pattern.match(trace.message);
  if (groups === null) return null;
  const json = openBag(trace.message);
  const field = (key: string): string | null => {
    const found =
      groups[key] ?? trace.dimensions.get(key) ?? json.get(key) ?? fieldInText(trace.message, key);
    return found === undefined || found === null || found === "" ? null : String(found);
  };
  const paths = (field("path") ?? "")
    .split(",")
    .map((path) => path.trim())
    .filter((path) => path.startsWith("/"))
    .map(foldPath);
  const ms = numberOf(field("ms"));
  return {
    ticks: trace.ticks,
    role: trace.role,
    instance: trace.instance,
    outcome: field("outcome"),
    paths,
    status: field("status"),
    ms: ms !== null && ms >= 0 ? ms : null,
  };
}

function fieldInText(message: string, key: string): string | undefined {
  const found = new RegExp(`(?:^|[\\s,;({])${key}=(?:"([^"]*)"|([^\\s,;)}]+))`, "i").exec(message);
  return found?.[1] ?? found?.[2];
}

/** Outcomes that say that no request was sent. */
const NOTHING_RAN = new Set(["skipped", "aborted"]);
/** A line says success by its outcome or, without one, by a status of 2xx; without both it says nothing. */
function isWarmed({ outcome, status }: WarmedLine): boolean {
  return outcome === null ? /^2\d\d$/.test(status ?? "") : outcome.toLowerCase() === "warmed";
}

/** Lines of one warm-up stand close together; a later one belongs to something else. */
const TOGETHER = 2 * TICKS_PER_MINUTE;

/** The warm-up of a start from its lines in time order: one line, or one a request. Null without a line. */
export function warmUpOf(all: readonly WarmedLine[]): WarmUp | null {
  const first = all[0];
  if (first === undefined) return null;
  const lines = all.filter((line) => line.ticks - first.ticks <= TOGETHER);
  const last = lines[lines.length - 1]!;
  const begins = lines.flatMap((line) => (line.ms === null ? [] : [line.ticks - line.ms * TICKS_PER_MS]));
  const begin = begins.length === lines.length ? Math.min(...begins) : null;
  return {
    end: last.ticks,
    begin,
    ms: begin === null ? null : lines.length === 1 ? first.ms : (last.ticks - begin) / TICKS_PER_MS,
    outcome: last.outcome,
    paths: [...new Set(lines.flatMap((line) => line.paths))],
    warmedPaths: [...new Set(lines.filter(isWarmed).flatMap((line) => line.paths))],
    ran: lines.some((line) => !NOTHING_RAN.has(line.outcome?.toLowerCase() ?? "")),
  };
}
