import type { AppSpec } from "../telemetry/spec.ts";
import type { ProbeSet } from "./probe-consequences.ts";
import type { DeclaredFigures } from "./probe-declared.ts";
import { type Found, found } from "./probe-finding.ts";
import type { Distribution, MeasuredStarts } from "./probe-starts.ts";

/** Less than this is soon used up by a start that has not been measured; the default gives 241 s. */
const SHORT_BUDGET_SECONDS = 60;

const NONE: Distribution = { n: 0, p50Seconds: null, maxSeconds: null };

/** The time that a start may take against the time that starts take here. */
export function budgetFindings(
  spec: AppSpec | null,
  set: ProbeSet,
  measured: MeasuredStarts | null,
): Found[] {
  const { startup, liveness } = set.declared;
  const findings: Found[] = [];
  if (startup.budgetSeconds !== null && (startup.origin === "written" || startup.origin === "default")) {
    findings.push(...compare(startup.budgetSeconds, startup, measured, spec?.platform === "cloud-foundry"));
  }
  const guarded = startup.origin === "written" || startup.origin === "default";
  if (spec?.platform === "container-apps" && liveness.origin === "written" && !guarded) {
    const budget = liveness.budgetSeconds;
    if (budget !== null && budget <= 240) {
      findings.push(
        found(
          "liveness-ends-slow-starts",
          "caution",
          liveness.place ?? "liveness",
          `liveness gives up after ${budget} s, and no startup probe is written to hold it back: a start that takes longer is ended and begun again`,
          "write a startup probe with the time that a start may take",
        ),
      );
    }
  }
  return findings;
}

function compare(
  budget: number,
  declared: DeclaredFigures,
  measured: MeasuredStarts | null,
  isFoundry: boolean,
): Found[] {
  const place = declared.place ?? "startup";
  const { lastRefusal, firstRow } = measured ?? { lastRefusal: NONE, firstRow: NONE };
  const remedy = isFoundry
    ? "raise timeout until the slowest start fits twice"
    : "raise failureThreshold or periodSeconds until the slowest start fits twice";
  if (lastRefusal.maxSeconds !== null) {
    const longest = lastRefusal.maxSeconds;
    if (longest * 2 <= budget) return [];
    return [
      found(
        "startup-budget-short",
        longest >= budget ? "problem" : "caution",
        place,
        `a start may take ${budget} s; the longest of ${lastRefusal.n} measured here took ${longest.toFixed(1)} s`,
        remedy,
      ),
    ];
  }
  // A first request says when a start was over at the latest: a replica that nobody asks is no slow one.
  if (firstRow.maxSeconds !== null && firstRow.maxSeconds * 2 <= budget) return [];
  if (budget >= SHORT_BUDGET_SECONDS) return [];
  return [
    found(
      "startup-budget-short",
      "caution",
      place,
      `a start may take ${budget} s, which is shorter than many a cold start${isFoundry ? "" : " (the default gives 241 s)"}; ${
        firstRow.maxSeconds === null
          ? "no start that passed was measured here"
          : `how long starts take is not known: ${firstRow.n} passed without a refusal, the first request came ${firstRow.maxSeconds.toFixed(1)} s after the start at the latest, which is only an upper bound`
      }`,
      remedy,
    ),
  ];
}
