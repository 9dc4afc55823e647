import { foldPath } from "../telemetry/path.ts";
import { OMITTED } from "../telemetry/probe-rules.ts";
import type { ProbeType } from "../telemetry/spec.ts";
import type { DeclaredFigures } from "./probe-declared.ts";
import { count, type Evidence } from "./probe-evidence.ts";
import type { AppRows, PathRows } from "./probe-rows.ts";

export interface ExpectedRows {
  readonly path: string;
  readonly expected: number;
  readonly seen: number;
  /** Rows in the export that the expected requests would be, at the sampling of the other rows. */
  readonly expectedRowCount: number;
}

/** From here on a missing row is no accident. */
export const ENOUGH = 20;

/** The longest period that the platform accepts; what comes less often is no probe of its. */
const LONGEST_PERIOD_SECONDS = 240;

export function isRegular({ isProbePath, rows, impliedPeriodSeconds }: PathRows): boolean {
  return (
    isProbePath &&
    rows >= ENOUGH &&
    impliedPeriodSeconds !== null &&
    impliedPeriodSeconds <= LONGEST_PERIOD_SECONDS
  );
}

/** Whether a path is asked as a probe asks, and does not say of which type that is. */
export function isTypeless(path: PathRows): boolean {
  return isRegular(path) && !Object.values(HINTS).some((hint) => hint.test(path.path));
}

/** What the rows say of a probe that the spec does not name: found under another path, or missing. */
export function unwritten(rows: AppRows): Evidence[] {
  const { observedSeconds } = rows;
  const expected = observedSeconds / OMITTED.periodSeconds;
  if (expected < ENOUGH) return [];
  const typeless = rows.paths.find(isTypeless);
  if (typeless !== undefined) {
    const text = `${count(typeless.estimated)} requests on ${typeless.path}, one every ${typeless.impliedPeriodSeconds!.toFixed(1)} s of life; the path does not say whether readiness or liveness asks`;
    return [{ side: "rows", text }];
  }
  const seen = rows.paths.reduce((sum, { estimated }) => sum + estimated, 0);
  const text = `an HTTP probe every ${OMITTED.periodSeconds} s would leave about ${count(expected)} requests over ${(observedSeconds / 3600).toFixed(1)} h of life; there are ${count(seen)} on probe paths, so it asks over TCP, does not run, or its telemetry is filtered`;
  return [{ side: "rows", text }];
}

/** Whether a declared HTTP probe left none of the rows that it must have left in this export. */
export function isMissing(expected: ExpectedRows | null): expected is ExpectedRows {
  return expected !== null && expected.expectedRowCount >= ENOUGH && expected.seen === 0;
}

/** A startup probe ends with the start, so only the other two leave rows all along. */
export function expectRows(
  type: ProbeType,
  declared: DeclaredFigures,
  rows: AppRows | null,
  others: readonly DeclaredFigures[],
): ExpectedRows | null {
  const rate = rateOf(declared);
  if (rows === null || type === "startup" || rate === null || rows.estimated === 0) return null;
  const path = foldPath(declared.path!);
  const sharing = others.filter((other) => other.path !== null && foldPath(other.path) === path);
  const all = sharing.reduce((sum, other) => sum + (rateOf(other) ?? 0), rate);
  const found = rows.paths.find((candidate) => candidate.path === path);
  const expected = rows.observedSeconds * rate;
  return {
    path: declared.path!,
    expected,
    // Two probes on one path share what is seen there.
    seen: (found?.estimated ?? 0) * (rate / all),
    expectedRowCount: expected * (rows.rows / rows.estimated),
  };
}

/** Requests a second of a written HTTP probe; null for any other. */
function rateOf({ origin, handler, path, periodSeconds }: DeclaredFigures): number | null {
  if (origin !== "written" || handler !== "http" || path === null) return null;
  return 1 / (periodSeconds ?? OMITTED.periodSeconds);
}

const HINTS: Readonly<Record<ProbeType, RegExp>> = {
  startup: /startup/,
  readiness: /ready|readiness/,
  liveness: /live|alive/,
};

/** The rows that are this probe's: by the declared path, otherwise by what the path says. */
export function rowsFor(type: ProbeType, declared: DeclaredFigures, rows: AppRows): PathRows | null {
  if (declared.origin === "written") {
    return rows.paths.find(({ path }) => declared.path !== null && path === foldPath(declared.path)) ?? null;
  }
  return rows.paths.find(({ path }) => HINTS[type].test(path)) ?? null;
}
