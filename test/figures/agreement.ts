import type { ReportDocument } from "../../src/report/document.ts";
import type { OracleReport } from "../oracle/types.ts";

/** Names of figures that are computed in floating point; every other number is a count. */
const FLOAT =
  /(?:Ms|Share|share|[cC]i95(?:Ms)?|estimated|[pP]erInstance|PerSecond|Minutes|Ratio|probabilityFaster)(?:\[\d\])?$/;
const RELATIVE = 1e-9;
/** Where a figure is zero but for rounding, such as the lower end of an interval. */
const ABSOLUTE = 1e-12;

/** Where two values differ: counts, texts and nulls exactly, floats by more than 1e-9 of their size. */
export function differences(actual: unknown, expected: unknown, path = ""): string[] {
  if (typeof actual === "number" && typeof expected === "number" && FLOAT.test(path)) {
    const allowed = ABSOLUTE + RELATIVE * Math.max(Math.abs(actual), Math.abs(expected));
    return Math.abs(actual - expected) <= allowed ? [] : [`${path}: ${actual}, expected ${expected}`];
  }
  if (Array.isArray(actual) && Array.isArray(expected) && actual.length === expected.length) {
    return actual.flatMap((item, i) => differences(item, expected[i], `${path}[${i}]`));
  }
  if (isRecord(actual) && isRecord(expected)) {
    const keys = new Set([...Object.keys(actual), ...Object.keys(expected)]);
    return [...keys].flatMap((key) =>
      differences(actual[key], expected[key], path === "" ? key : `${path}.${key}`),
    );
  }
  return Object.is(actual, expected)
    ? []
    : [`${path}: ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The part of a document that the oracle gives as well, reasons in the oracle's words. */
export function oraclePart(document: ReportDocument): OracleReport {
  const { rows, requests, cohorts, comparison } = document;
  return {
    rows,
    requests,
    cohorts: cohorts.map(({ from: _from, to: _to, ...figures }) => figures),
    comparison:
      comparison === null
        ? null
        : {
            firstRequest: withoutDraw(comparison.firstRequest),
            comparable: comparison.comparable,
            reasons: comparison.reasons.map(plainReason),
          },
  };
}

function withoutDraw<T extends { p50DeltaCi95Ms: unknown }>(figures: T): Omit<T, "p50DeltaCi95Ms"> {
  const { p50DeltaCi95Ms: _draw, ...rest } = figures;
  return rest;
}

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^no new instance before/, "no instance before"],
  [/^no new instance after/, "no instance after"],
  [
    /^the order is certain for only .* before: less than half/,
    "less than half of the orders before are certain",
  ],
  [
    /^the order is certain for only .* after: less than half/,
    "less than half of the orders after are certain",
  ],
  [/^the order is certain for .* more than 10 points/, "certain orders differ by more than 10 points"],
  [/warmed by a probe .* more than 10 points/, "shares warmed by a probe differ by more than 10 points"],
];

function plainReason(reason: string): string {
  return REASONS.find(([pattern]) => pattern.test(reason))?.[1] ?? reason;
}
