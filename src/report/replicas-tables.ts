import {
  formatCount,
  formatDecimal,
  formatEstimate,
  formatFixed,
  formatMs,
  formatShare,
  formatShareInterval,
  type Symbols,
} from "./numbers.ts";
import type { PhaseDocument, ReplicaGroupDocument, SlotDocument } from "./replicas-document.ts";
import { cell, type TableModel } from "./table.ts";

/** The tables of `coldstart replicas`, drawn as text and as Markdown. */

const CAUSE_NAMES = ["deployment", "rollout", "scaling", "restart", "crash-loop", "unknown"] as const;

/** Why: each cause with its evidence. */
export function causesTable({ causes, births }: ReplicaGroupDocument, symbols: Symbols): TableModel {
  const rows = causes.flatMap(({ cause, evidence }) =>
    evidence.map(({ meaning, count, certainty }) => [
      cell(formatCount(count, symbols)),
      cell(formatShare(count / births, symbols)),
      cell(cause, "strong"),
      cell(certainty === "none" ? symbols.none : certainty),
      cell(meaning),
    ]),
  );
  return {
    columns: [
      { head: "births", align: "right" },
      { head: "share", align: "right" },
      { head: "cause", align: "left" },
      { head: "known how", align: "left" },
      { head: "evidence", align: "left" },
    ],
    rows: [...rows, [cell(formatCount(births, symbols)), cell(""), cell("all"), cell(""), cell("")]],
  };
}

/** Births by day, hour or weekday, with what the log covers of each. */
export function slotsTable(head: string, slots: readonly SlotDocument[], symbols: Symbols): TableModel {
  const used = CAUSE_NAMES.filter((name) => slots.some(({ byCause }) => byCause[name] > 0));
  return {
    columns: [
      { head, align: "left" },
      { head: "births", align: "right" },
      ...used.map((name) => ({ head: name, align: "right" as const })),
      { head: "hours in log", align: "right" },
    ],
    rows: slots.map(({ label, births, byCause, coveredHours }) => [
      cell(label),
      cell(coveredHours === 0 && births === 0 ? symbols.none : formatCount(births, symbols)),
      ...used.map((name) => cell(byCause[name] === 0 ? "" : formatCount(byCause[name], symbols))),
      cell(formatFixed(coveredHours, 1, symbols)),
    ]),
  };
}

const PHASE_LABELS: Readonly<Record<PhaseDocument["name"], string>> = {
  "assigned-pulling": "assigned → pulling the image",
  "pulling-pulled": "pulling → pulled",
  "pulled-created": "pulled → container created",
  "created-started": "created → started",
  "assigned-started": "assigned → started, in all",
  "started-last-refusal": "started → last refused probe",
  "last-refusal-port-open": "last refused → port open, at most",
  "started-first-request": "started → first user request",
};

/** The phases of a start. */
export function phasesTable(phases: readonly PhaseDocument[], symbols: Symbols): TableModel {
  const coarse = (seconds: number | null): string =>
    seconds === null ? symbols.none : `about ${formatFixed(seconds, 0, symbols)} s`;
  const hasBatch = phases.some(({ batchTimed }) => batchTimed > 0);
  const columns: TableModel["columns"][number][] = [
    { head: "phase", align: "left" },
    { head: "n", align: "right" },
    { head: "p50", align: "right" },
    { head: "p90", align: "right" },
    { head: "unknown", align: "right" },
  ];
  if (hasBatch) {
    columns.push(
      { head: "batch-timed", align: "right" },
      { head: "p50", align: "right" },
      { head: "p90", align: "right" },
    );
  }
  return {
    columns,
    rows: phases.map((phase) => [
      cell(PHASE_LABELS[phase.name]),
      cell(formatCount(phase.n, symbols)),
      cell(formatMs(phase.p50Ms, symbols)),
      cell(formatMs(phase.p90Ms, symbols)),
      cell(formatCount(phase.unknown, symbols)),
      ...(hasBatch
        ? [
            cell(formatCount(phase.batchTimed, symbols)),
            cell(coarse(phase.batchP50Seconds)),
            cell(coarse(phase.batchP90Seconds)),
          ]
        : []),
    ]),
  };
}

/** The survival curve. */
export function survivalTable({ lifetime }: ReplicaGroupDocument, symbols: Symbols): TableModel {
  return {
    columns: [
      { head: "lived longer than", align: "left" },
      { head: "share", align: "right" },
      { head: "observed so long", align: "right" },
    ],
    rows: lifetime.curve.map(({ minutes, survival, atRisk }) => [
      cell(span(minutes, symbols)),
      cell(formatShare(survival, symbols)),
      cell(formatCount(atRisk, symbols)),
    ]),
  };
}

/** `10 min`, `4 h`, `2 days`: a time in minutes as a reader says it. */
export function span(minutes: number | null, symbols: Symbols): string {
  if (minutes === null) return symbols.none;
  if (minutes < 1) return `${formatFixed(minutes * 60, 1, symbols)} s`;
  if (minutes < 120) return `${formatFixed(minutes, Number.isInteger(minutes) ? 0 : 1, symbols)} min`;
  const [value, unit] = minutes < 2880 ? [minutes / 60, "h"] : [minutes / 1440, "days"];
  return `${formatFixed(value, Number.isInteger(value) ? 0 : 1, symbols)} ${unit}`;
}

/** A lifetime; whole minutes where a batch's time is all there is. */
function lived(minutes: number | null, batchTimed: number, symbols: Symbols): string {
  if (minutes === null || batchTimed === 0) return span(minutes, symbols);
  return minutes < 1 ? "under 1 min" : `about ${span(Math.round(minutes), symbols)}`;
}

/** What the births did: lifetimes, requests, cycles, seconds; a figure a row, with its n. */
export function serviceTable(group: ReplicaGroupDocument, symbols: Symbols): TableModel {
  const { lifetime, neverServed, perThousand, cycles, startSeconds } = group;
  const rows: [string, string, string][] = [
    ["lifetime p10", lived(lifetime.p10Minutes, lifetime.batchTimed, symbols), livesOf(group, symbols)],
    ["lifetime p50", lived(lifetime.p50Minutes, lifetime.batchTimed, symbols), livesOf(group, symbols)],
    ["lifetime p90", lived(lifetime.p90Minutes, lifetime.batchTimed, symbols), livesOf(group, symbols)],
    [
      "never served a user request",
      neverServed === null
        ? symbols.none
        : `${formatCount(neverServed.count, symbols)} (${formatShare(neverServed.share, symbols)} ${formatShareInterval(neverServed.ci95, symbols)})`,
      neverServed === null
        ? "no request rows"
        : `n ${formatCount(neverServed.n, symbols)}, ${formatCount(neverServed.undecided, symbols)} undecided${neverServed.count === 0 ? "" : `; lived ${span(neverServed.minutes, symbols)} in all`}`,
    ],
    [
      "starts per 1,000 requests",
      formatDecimal(perThousand?.startsPerThousand ?? null, symbols),
      perThousand === null
        ? "no requests known"
        : `${formatCount(perThousand.starts, symbols)} starts, ${formatEstimate(perThousand.requests, symbols)} requests (${perThousand.source === "ingress-metric" ? "ingress metric" : "request rows, sampling undone"})`,
    ],
    [
      `born within ${formatFixed(cycles.cooldownSeconds, 0, symbols)} s of a scale-in`,
      cycles.n === 0
        ? symbols.none
        : `${formatCount(cycles.count, symbols)} (${formatShare(cycles.share, symbols)} ${formatShareInterval(cycles.ci95, symbols)})`,
      `n ${formatCount(cycles.n, symbols)} new replicas born by scaling or for unknown reasons${
        cycles.replacements === 0
          ? ""
          : `; ${formatCount(cycles.replacements, symbols)} more ${cycles.replacements === 1 ? "was" : "were"} born within the cool-down by a deployment or rollout`
      }`,
    ],
    [
      "seconds of starting",
      startSeconds.totalSeconds === null
        ? symbols.none
        : `${startSeconds.batchTimed > 0 ? "about " : ""}${formatFixed(startSeconds.totalSeconds, 0, symbols)} s`,
      `n ${formatCount(startSeconds.n, symbols)}, ${formatCount(startSeconds.unknown, symbols)} unknown, ${formatCount(startSeconds.batchTimed, symbols)} batch-timed, ${formatCount(startSeconds.untilStartOnly, symbols)} only up to the container's start`,
    ],
    [
      "  a birth",
      startSeconds.meanSeconds === null
        ? symbols.none
        : startSeconds.batchTimed > 0
          ? `about ${formatFixed(startSeconds.meanSeconds, 0, symbols)} s`
          : `${formatFixed(startSeconds.meanSeconds, 1, symbols)} s`,
      "mean",
    ],
  ];
  if (startSeconds.cost !== null) {
    rows.push(["  cost of starting", formatDecimal(startSeconds.cost, symbols), "at the given rates"]);
  }
  if (neverServed !== null && neverServed.cost !== null) {
    rows.push([
      "cost of those that never served",
      formatDecimal(neverServed.cost, symbols),
      "at the given rates",
    ]);
  }
  return {
    columns: [
      { head: "figure", align: "left" },
      { head: "value", align: "right" },
      { head: "from", align: "left" },
    ],
    rows: rows.map(([name, value, from]) => [cell(name), cell(value), cell(from, "dim")]),
  };
}

function livesOf({ lifetime }: ReplicaGroupDocument, symbols: Symbols): string {
  return `n ${formatCount(lifetime.n, symbols)}, ${formatCount(lifetime.censored, symbols)} without a seen end`;
}
