import type { ProbeType } from "../telemetry/spec.ts";
import type { AppProbes } from "./probes.ts";

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
  const { inferred, confidence, declared, contradiction } = probe;
  const base = { ...expectation, app: app.app, inferred: inferred.handler, confidence };
  const other = declared.handlers.find((handler) => handler !== expectation.handler);
  if (declared.origin === "written" && other !== undefined) {
    return { ...base, result: "missed", reason: `the spec has ${other} at ${declared.place}` };
  }
  if (inferred.handler === null || confidence === "unknown") {
    const reason =
      declared.origin === "partial-default"
        ? "nothing is written for this type, and whether the default applies beside other probes is not documented"
        : "no side tells: successful attempts are not logged, and no spec says it";
    return { ...base, result: "unknown", reason };
  }
  if (inferred.handler === expectation.handler) {
    return { ...base, result: "met", reason: `${inferred.handler}, ${confidence}` };
  }
  const reason = contradiction ?? `it is ${inferred.handler} (${confidence})`;
  return { ...base, result: "missed", reason };
}
