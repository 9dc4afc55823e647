import { OMITTED } from "../telemetry/probe-rules.ts";
import type { ProbeHandler, ProbeType } from "../telemetry/spec.ts";
import type { DeclaredFigures } from "./probe-declared.ts";
import { count, type Evidence, logEvidence, specEvidence } from "./probe-evidence.ts";
import { ENOUGH, type ExpectedRows, expectRows, isRegular, rowsFor, unwritten } from "./probe-expected.ts";
import type { Refusals } from "./probe-refusals.ts";
import type { AppRows, PathRows } from "./probe-rows.ts";

/**
 * `certain`: seen at work, by an answer or a text that only this handler leaves. `likely`: declared, or
 * the documented default of an app without any probe, or a text that nearly always means it. `unknown`:
 * neither; a handler then only says what the platform would do if its default applied.
 */
export type Confidence = "certain" | "likely" | "unknown";

export interface Inferred {
  /** `none`: this probe does not run. Null where nothing tells. */
  readonly handler: ProbeHandler | "none" | null;
  readonly port: number | string | null;
  readonly path: string | null;
  readonly periodSeconds: number | null;
  readonly failureThreshold: number | null;
}

export interface Inference {
  readonly inferred: Inferred;
  readonly confidence: Confidence;
  readonly evidence: readonly Evidence[];
  /** What the log shows, where it is not what the spec declares. */
  readonly contradiction: string | null;
  /** Requests on the path of a declared HTTP probe: what it would leave, and what there is. */
  readonly expectedRows: ExpectedRows | null;
}

/**
 * What really runs for one probe type, by all that is known about it.
 *
 * @param others the app's other probes that last as long as its life, which may ask the same path
 */
export function inferProbe(
  type: ProbeType,
  declared: DeclaredFigures,
  refusals: Refusals | null,
  rows: AppRows | null,
  others: readonly DeclaredFigures[] = [],
): Inference {
  const evidence: Evidence[] = [...specEvidence(declared), ...logEvidence(refusals)];
  const expectedRows = expectRows(type, declared, rows, others);
  const own = rows === null ? null : rowsFor(type, declared, rows);
  if (expectedRows !== null) {
    const { path, seen, expected } = expectedRows;
    const text = `${count(seen)} requests on ${path}, where this probe alone would leave about ${count(expected)} over the observed lives`;
    evidence.push({ side: "rows", text });
  } else if (own !== null) {
    const every =
      own.impliedPeriodSeconds === null ? "" : `, one every ${own.impliedPeriodSeconds.toFixed(1)} s of life`;
    evidence.push({
      side: "rows",
      text: `${count(own.estimated)} requests on ${own.path} (${count(own.rows)} rows of ${own.instances} instances)${every}`,
    });
  }
  if (rows !== null && type !== "startup" && declared.origin !== "written" && own === null) {
    evidence.push(...unwritten(rows));
  }
  const base = fromSpec(declared);
  const seen = fromLog(refusals);
  const contradiction = contradictionOf(base, seen, declared);
  const decided = decide(base, seen, contradiction, expectedRows, own, declared.origin === "written");
  return { ...decided, evidence, contradiction, expectedRows };
}

interface Claim {
  readonly inferred: Inferred;
  readonly confidence: Confidence;
}

const NOTHING: Inferred = {
  handler: null,
  port: null,
  path: null,
  periodSeconds: null,
  failureThreshold: null,
};

function fromSpec(declared: DeclaredFigures): Claim {
  const { origin, handler } = declared;
  const { port, path, periodSeconds, failureThreshold } = declared;
  if (origin === "unknown") return { inferred: NOTHING, confidence: "unknown" };
  if (origin === "none") return { inferred: { ...NOTHING, handler: "none" }, confidence: "likely" };
  // What the platform does not take cannot run.
  if (handler === "grpc" || handler === "exec" || handler === "unknown" || declared.handlers.length > 1) {
    return { inferred: NOTHING, confidence: "unknown" };
  }
  const inferred: Inferred = {
    handler,
    port,
    path,
    periodSeconds:
      origin === "written" && handler !== "process"
        ? (periodSeconds ?? OMITTED.periodSeconds)
        : periodSeconds,
    failureThreshold,
  };
  return { inferred, confidence: origin === "partial-default" ? "unknown" : "likely" };
}

function fromLog(refusals: Refusals | null): Claim | null {
  if (refusals === null || refusals.handler === null) return null;
  const { handler, port, path, periodSeconds, failureThreshold } = refusals;
  const inferred = { handler, port, path, periodSeconds: periodSeconds.p50, failureThreshold };
  return { inferred, confidence: refusals.isCertain ? "certain" : "likely" };
}

function contradictionOf(base: Claim, seen: Claim | null, declared: DeclaredFigures): string | null {
  if (seen === null || declared.origin === "unknown" || declared.origin === "partial-default") return null;
  const { handler, port } = base.inferred;
  if (handler === null || (handler === seen.inferred.handler && agree(port, seen.inferred.port))) return null;
  const say = ({ handler: kind, port: number }: Inferred): string =>
    `${kind}${number === null ? "" : ` on ${number}`}`;
  return `the spec has ${say(base.inferred)}, the log shows ${say(seen.inferred)}`;
}

function agree(a: number | string | null, b: number | string | null): boolean {
  return a === null || b === null || a === b;
}

function decide(
  base: Claim,
  seen: Claim | null,
  contradiction: string | null,
  expected: ExpectedRows | null,
  own: PathRows | null,
  isWritten: boolean,
): Claim {
  // A refused connection nearly always means TCP; against a spec that says otherwise it proves nothing.
  if (contradiction !== null && isWritten && seen?.confidence !== "certain") {
    return { inferred: base.inferred, confidence: "unknown" };
  }
  if (seen !== null) {
    const isAgreed = base.inferred.handler === seen.inferred.handler;
    const merged: Inferred = {
      handler: seen.inferred.handler,
      port: seen.inferred.port ?? (isAgreed ? base.inferred.port : null),
      path: seen.inferred.path ?? (isAgreed ? base.inferred.path : null),
      periodSeconds: seen.inferred.periodSeconds ?? (isAgreed ? base.inferred.periodSeconds : null),
      failureThreshold: seen.inferred.failureThreshold ?? (isAgreed ? base.inferred.failureThreshold : null),
    };
    // Two sides that agree without knowing of each other leave no doubt.
    const isCertain = seen.confidence === "certain" || (isAgreed && base.confidence === "likely");
    return { inferred: merged, confidence: isCertain && contradiction === null ? "certain" : "likely" };
  }
  if (expected !== null && expected.seen >= expected.expected / 2 && expected.expected >= ENOUGH) {
    return { inferred: base.inferred, confidence: "certain" };
  }
  if (base.inferred.handler === null && own !== null && isRegular(own)) {
    const inferred = { ...NOTHING, handler: "http" as const, path: own.path, periodSeconds: null };
    return { inferred, confidence: "likely" };
  }
  return base;
}
