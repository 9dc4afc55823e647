import type { Anatomy, CohortAnatomy } from "../figures/anatomy.ts";
import { type AnatomyDocument, anatomySchema } from "./anatomy-document.ts";
import type { ReportDocument, Warning } from "./document.ts";

/** Row counts at which exports are known to stop. */
const CAPS = [10_000, 30_000, 500_000];

/**
 * The document of an anatomy, checked against its schema.
 *
 * @param report the report on the same data
 * @param malformed rows of dependencies (or traces and metrics) without a valid time or duration
 * @param format ISO text of ticks
 */
export function buildAnatomy(
  { dependencies, cohorts }: Anatomy,
  report: ReportDocument,
  malformed: number,
  format: (ticks: number) => string,
): AnatomyDocument {
  const bound = (ticks: number | null): string | null =>
    ticks === null || !Number.isFinite(ticks) ? null : format(ticks);
  return anatomySchema.parse({
    schema: "coldstart.anatomy/1",
    settings: report.settings,
    inputs: report.inputs,
    rows: report.rows,
    dependencies:
      dependencies === null
        ? null
        : { ...dependencies, from: bound(dependencies.from), to: bound(dependencies.to) },
    cohorts: cohorts.map((cohort) => ({ ...cohort, from: bound(cohort.from), to: bound(cohort.to) })),
    warnings: [...report.warnings, ...warningsOf(dependencies, cohorts, report, malformed)],
    unknown: unknownOf(dependencies, cohorts),
  });
}

function warningsOf(
  dependencies: Anatomy["dependencies"],
  cohorts: readonly CohortAnatomy[],
  report: ReportDocument,
  malformed: number,
): Warning[] {
  const sum = (of: (cohort: CohortAnatomy) => number): number =>
    cohorts.reduce((all, cohort) => all + of(cohort), 0);
  return [
    {
      code: "malformed-dependencies",
      message: "rows beside the requests without a valid time or duration were left out",
      count: malformed,
    },
    {
      code: "repeated-dependencies",
      message:
        "dependency rows equal another one in every column: if the export is in there twice, the sums of calls are too high (unions are not)",
      count: dependencies?.repeated ?? 0,
    },
    {
      code: "dependency-cap",
      message:
        "an input has exactly as many rows of other tables as exports stop at, so dependencies are probably missing; narrow the window or export in slices",
      count: report.inputs.filter(({ otherRows }) => CAPS.includes(otherRows)).length,
    },
    {
      code: "shared-operation",
      message:
        "first requests ran beside another request of the same operation, and the parents of their calls do not tell whose they are: a call may be counted for both",
      count: sum(({ first }) => first.shared),
    },
    {
      code: "unfinished-calls",
      message:
        "outbound calls of first requests went on after their request had ended; only the time inside it counts",
      count: sum(({ first }) => first.unfinishedCalls),
    },
  ].filter(({ count }) => count > 0);
}

function unknownOf(dependencies: Anatomy["dependencies"], cohorts: readonly CohortAnatomy[]): string[] {
  if (dependencies === null) {
    return ["Where the time goes: the input holds no table of dependencies."];
  }
  const total = (of: (cohort: CohortAnatomy) => number): number =>
    cohorts.reduce((sum, cohort) => sum + of(cohort), 0);
  const unknown = [
    "What the in-process rest is made of: loading and compiling code, waiting for CPU, locks or a free connection, and calls that no instrumentation records all look the same.",
  ];
  const { routeCalls, routeSilent } = sumWithout(cohorts);
  if (routeCalls > 0) {
    unknown.push(
      `Whether ${people(routeCalls)} without a dependency row, on routes that have calls, made none or had theirs dropped by sampling.`,
    );
  }
  if (routeSilent > 0) {
    unknown.push(
      `Whether ${people(routeSilent)} on routes without any dependency row make no calls, or calls that are not instrumented.`,
    );
  }
  const far = total(({ contention }) => contention?.startUnknown ?? 0);
  if (cohorts.some(({ contention }) => contention === null)) {
    unknown.push(
      "Whether the container's start itself slows first requests: without system logs it is not known when it was.",
    );
  } else {
    unknown.push(
      "Whether nearness to the container's start is the cause: what arrives soon after it differs in more than that (load, route, why the replica was born).",
    );
    if (far > 0)
      unknown.push(`How long after their container's start ${people(far)} came: the log does not hold it.`);
    const batch = total(({ contention }) => contention?.batchTime ?? 0);
    if (batch > 0) {
      unknown.push(
        `The exact start of ${batch} containers: the log has only the time of a batch for them, up to about 11 s late.`,
      );
    }
  }
  return unknown;
}

function people(count: number): string {
  return count === 1 ? "1 first request" : `${count} first requests`;
}

function sumWithout(cohorts: readonly CohortAnatomy[]): { routeCalls: number; routeSilent: number } {
  let [routeCalls, routeSilent] = [0, 0];
  for (const { first } of cohorts) {
    routeCalls += first.without.routeCalls;
    routeSilent += first.without.routeSilent;
  }
  return { routeCalls, routeSilent };
}
