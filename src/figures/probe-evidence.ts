import type { DeclaredFigures } from "./probe-declared.ts";
import type { Refusals } from "./probe-refusals.ts";

/** What one side says of a probe, in a sentence without its full stop. */
export interface Evidence {
  readonly side: "spec" | "log" | "rows";
  readonly text: string;
}

export function specEvidence(declared: DeclaredFigures): Evidence[] {
  const { origin, handler, path, port, place } = declared;
  const what = `${handler}${path === null ? "" : ` ${path}`}${port === null ? "" : ` on port ${port}`}`;
  switch (origin) {
    case "written":
      return [{ side: "spec", text: `${what}, written at ${place}` }];
    case "default":
      return [{ side: "spec", text: `nothing is written; the documented default is ${what}` }];
    case "partial-default":
      return [
        {
          side: "spec",
          text: `nothing is written for this type, but for another; if the default applies, ${what}`,
        },
      ];
    case "none":
      return [{ side: "spec", text: "nothing is written, and without ingress no default is added" }];
    case "unknown":
      return [];
  }
}

export function logEvidence(refusals: Refusals | null): Evidence[] {
  if (refusals === null) return [];
  if (refusals.count === 0 && refusals.kills === 0) {
    return [{ side: "log", text: "no refusal in the log; attempts that succeed are never logged" }];
  }
  const statuses = refusals.byStatus
    .map(({ status, count: n }) => `${count(n)} × ${statusText(status)}`)
    .join(", ");
  const { perStart, kills, periodSeconds } = refusals;
  const parts = [
    `${some(refusals.count, "refusal")} over ${some(perStart.n, "start")}${statuses === "" ? "" : ` (${statuses})`}`,
    ...(periodSeconds.p50 === null ? [] : [`${periodSeconds.p50} s apart`]),
    ...(kills === 0 ? [] : [`${some(kills, "container")} ended for it`]),
    ...(refusals.shared === 0 ? [] : [`${count(refusals.shared)} may have been a sidecar's`]),
  ];
  return [{ side: "log", text: parts.join("; ") }];
}

/** How a status reads; an empty one is no status. */
export function statusText(status: string): string {
  switch (status) {
    case "":
      return "unknown status";
    case "1":
      return "status 1 (connection refused)";
    case "refused":
      return "connection refused";
    case "timeout":
      return "timeout";
    default:
      return `HTTP ${status}`;
  }
}

export function some(n: number, one: string): string {
  return `${count(n)} ${one}${n === 1 ? "" : "s"}`;
}

export function count(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ",");
}
