import type { ProbeType } from "../telemetry/spec.ts";
import { count } from "./probe-evidence.ts";
import { isMissing } from "./probe-expected.ts";
import type { AppProbes, ProbeFigures } from "./probes.ts";

export const EXPECTED_HANDLERS = ["http", "tcp", "process", "none"] as const;
export type ExpectedHandler = (typeof EXPECTED_HANDLERS)[number];

export interface Expectation {
  readonly type: ProbeType;
  readonly handler: ExpectedHandler;
}

export interface ExpectationResult extends Expectation {
  readonly app: string;
  readonly inferred: string | null;
  readonly confidence: string;
  /** `unknown`: nothing tells, or only a default that is not known to apply. */
  readonly result: "met" | "missed" | "unknown";
  readonly reason: string;
}

/** Holds each expectation against each app. */
export function checkExpectations(
  expectations: readonly Expectation[],
  apps: readonly AppProbes[],
): ExpectationResult[] {
  return apps.flatMap((app) => expectations.map((expectation) => check(expectation, app)));
}

function check(expectation: Expectation, app: AppProbes): ExpectationResult {
  const probe = app.probes.find(({ type }) => type === expectation.type)!;
  const { inferred, confidence, declared, contradiction, expectedRows } = probe;
  const base = { ...expectation, app: app.app, inferred: inferred.handler, confidence };
  const other = declared.handlers.find((handler) => handler !== expectation.handler);
  if (declared.origin === "written" && other !== undefined) {
    const conflict = contradiction === null ? "" : `; that is a conflict with the log: ${contradiction}`;
    return { ...base, result: "missed", reason: `the spec has ${other} at ${declared.place}${conflict}` };
  }
  if (inferred.handler === null || confidence === "unknown") {
    return { ...base, result: "unknown", reason: openReason(app, probe) };
  }
  if (inferred.handler !== expectation.handler) {
    const reason =
      contradiction === null
        ? `it is ${inferred.handler} (${confidence})`
        : `spec and log are in conflict: ${contradiction}`;
    return { ...base, result: "missed", reason };
  }
  const met = `${inferred.handler}, ${confidence}`;
  if (isMissing(expectedRows) && confidence !== "certain") {
    const { path, expectedRowCount } = expectedRows;
    const reason = `the spec has ${inferred.handler}, but of about ${count(expectedRowCount)} rows that it would leave on ${path} there is none: its telemetry is filtered, or it does not run`;
    return { ...base, confidence: "unknown", result: "unknown", reason };
  }
  return {
    ...base,
    result: "met",
    reason: contradiction === null ? met : `${met}; spec and log are in conflict: ${contradiction}`,
  };
}

/** Why it cannot be told; a side that was given is not asked for again. */
function openReason({ spec }: AppProbes, { declared, contradiction, type }: ProbeFigures): string {
  if (contradiction !== null) {
    return `spec and log are in conflict: ${contradiction}, and a refused connection does not settle it; check that the spec is of the revision in the log`;
  }
  if (declared.origin === "partial-default") {
    return "nothing is written for this type, and whether the default applies beside other probes is not documented";
  }
  if (declared.origin === "written") {
    const written = declared.handlers.join(" and ");
    return `the spec has ${written} at ${declared.place}, of which the platform's handling is not known`;
  }
  return spec === null
    ? "no side tells: successful attempts are not logged, and no spec was given"
    : `no side tells: successful attempts are not logged, and the spec leaves ${type} open`;
}
