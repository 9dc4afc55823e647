import type { Bar } from "./bar.ts";

/** Something that must hold before a verdict may be trusted. */
export interface Guard {
  readonly name: string;
  readonly status: "ok" | "violated" | "unknown" | "off";
  readonly detail: string;
}

export interface GuardInput {
  /** Why the judged instances before and after cannot be compared. */
  readonly reasonsAgainst: readonly string[];
  /** Judged instances before and after the deployment. */
  readonly before: number;
  readonly after: number;
  /** Of those after it, how many have a certain order. */
  readonly certainAfter: number;
  readonly needsBefore: boolean;
  /** Remarks that the input may be incomplete: row counts at a known cap. */
  readonly caps: readonly string[];
  readonly acceptCaps: boolean;
  /** Files that were left out, and rows that could not be read. */
  readonly ignored: readonly string[];
  readonly rows: { readonly read: number; readonly malformed: number };
  /** What captures say of rows that are missing or were still arriving. */
  readonly unsettled: readonly string[];
  /** What the report says of holes before a window. */
  readonly gaps: readonly string[];
  /** What the report says of mixed or missing populations: roles, revisions, containers. */
  readonly population: readonly string[];
  readonly leak: LeakEvidence | null;
  readonly reconciliation: ReconciliationEvidence | null;
}

/** Rows with the warm-up's path before, or as, an instance's first user request. */
export interface LeakEvidence {
  readonly path: string;
  readonly instances: number;
  readonly leaking: number;
}

/** Weighted user requests against the ingress metric in the hours that both cover; null totals without metrics. */
export interface ReconciliationEvidence {
  readonly weighted: number | null;
  readonly ingress: number | null;
}

const SLACK = 1e-9;

/** Judges the guards of a bar. The inputs' completeness is always asked. */
export function judgeGuards(bar: Bar, input: GuardInput): Guard[] {
  return [
    completeGuard(input),
    populationGuard(input),
    coverageGuard(bar, input),
    comparableGuard(bar, input),
    leakGuard(bar, input),
    reconciliationGuard(bar, input),
  ];
}

/** Rows beyond this share that cannot be read may be just the slow ones. */
const MOST_MALFORMED = 0.01;

function completeGuard({ caps, acceptCaps, ignored, unsettled, rows }: GuardInput): Guard {
  const name = "complete input";
  const faults: string[] = [];
  if (caps.length > 0 && !acceptCaps) {
    faults.push(`${caps.join("; ")}; if the export is complete, say --accept-row-cap`);
  }
  for (const message of ignored) {
    faults.push(`${message}; name the exports with --data, or take the rest out of the folder`);
  }
  faults.push(...unsettled);
  if (rows.malformed > rows.read * MOST_MALFORMED) {
    faults.push(`${rows.malformed} of ${rows.read} rows cannot be read, more than 1 %; mend the export`);
  }
  if (faults.length > 0) return { name, status: "violated", detail: faults.join("; ") };
  if (caps.length > 0)
    return { name, status: "off", detail: `${caps.join("; ")} (accepted by --accept-row-cap)` };
  return {
    name,
    status: "ok",
    detail: "no row count equals a known cap, no file was left out, at most 1 % of the rows are malformed",
  };
}

function populationGuard({ population }: GuardInput): Guard {
  const name = "one population";
  return population.length === 0
    ? { name, status: "ok", detail: "the role, revision and container of the bar are in the data" }
    : { name, status: "violated", detail: population.join("; ") };
}

function coverageGuard(bar: Bar, { gaps }: GuardInput): Guard {
  const name = "coverage before the deployment";
  if (!bar.guards.coverage) return { name, status: "off", detail: "switched off by the bar" };
  return gaps.length === 0
    ? {
        name,
        status: "ok",
        detail: "no instance could be older than it looks because the input begins too late",
      }
    : {
        name,
        status: "violated",
        detail: `${gaps.join("; ")}; or add the system log, which knows when containers started`,
      };
}

function comparableGuard(bar: Bar, input: GuardInput): Guard {
  const name = "comparable cohorts";
  if (!bar.guards.comparable) return { name, status: "off", detail: "switched off by the bar" };
  if (input.before > 0 || input.needsBefore) {
    return input.reasonsAgainst.length === 0
      ? { name, status: "ok", detail: "certain order and probe warm-up differ by at most 10 points" }
      : { name, status: "violated", detail: input.reasonsAgainst.join("; ") };
  }
  if (input.certainAfter * 2 < input.after) {
    return {
      name,
      status: "violated",
      detail: `the order is certain for only ${input.certainAfter} of ${input.after} instances: less than half`,
    };
  }
  return { name, status: "ok", detail: "no cohort before the deployment, and no condition needs one" };
}

function leakGuard(bar: Bar, { leak }: GuardInput): Guard {
  const name = "no leak of the warm-up request";
  if (bar.guards.leak === undefined) return { name, status: "off", detail: "the bar does not ask for it" };
  if (leak === null || leak.instances === 0) {
    return {
      name,
      status: "unknown",
      detail: "no instance after the deployment whose rows could show a leak",
    };
  }
  return leak.leaking === 0
    ? {
        name,
        status: "ok",
        detail: `none of ${leak.instances} instances has a row of ${leak.path} as or before its first user request`,
      }
    : {
        name,
        status: "violated",
        detail: `${leak.leaking} of ${leak.instances} instances have a row of ${leak.path} as or before their first user request: the warm-up may be measured as a user`,
      };
}

function reconciliationGuard(bar: Bar, { reconciliation }: GuardInput): Guard {
  const name = "reconciliation with the ingress";
  const wanted = bar.guards.reconciliation;
  if (wanted === undefined) return { name, status: "off", detail: "the bar does not ask for it" };
  const { weighted = null, ingress = null } = reconciliation ?? {};
  if (weighted === null || ingress === null || ingress === 0) {
    return {
      name,
      status: "unknown",
      detail:
        "no ingress metrics in the data; add the output of `az monitor metrics list --metric Requests --aggregation Total`",
    };
  }
  // A difference of exactly the share that is allowed is within it: 105 / 100 − 1 is more than 0.05 in doubles.
  const isWithin = Math.abs(weighted - ingress) <= wanted.within * ingress * (1 + SLACK);
  const detail = `weighted requests are ${((weighted / ingress) * 100).toFixed(1)} % of the ingress count (${Math.round(weighted)} of ${ingress}), allowed are ± ${(wanted.within * 100).toFixed(1)} %`;
  return { name, status: isWithin ? "ok" : "violated", detail };
}
