import { stringify } from "csv-stringify/sync";
import type { PhaseDocument, ReplicaGroupDocument, ReplicasDocument } from "./replicas-document.ts";

type Figure = number | null;

interface CsvRow {
  readonly app: string;
  readonly window: string;
  readonly figure: string;
  readonly label: string;
  readonly value: Figure;
  readonly unit: string;
  readonly n: Figure;
  readonly ci95Low: Figure;
  readonly ci95High: Figure;
}

const COLUMNS = ["app", "window", "figure", "label", "value", "unit", "n", "ci95Low", "ci95High"] as const;

type Add = (
  figure: string,
  value: Figure,
  unit: string,
  n: Figure,
  label?: string,
  ci95?: readonly [Figure, Figure],
) => void;

function collector(app: string, window: string, rows: CsvRow[]): Add {
  return (figure, value, unit, n, label = "", ci95 = [null, null]) => {
    rows.push({
      app: safe(app),
      window,
      figure,
      label: safe(label),
      value,
      unit,
      n,
      ci95Low: ci95[0],
      ci95High: ci95[1],
    });
  };
}

/** Text from outside must not be a formula where a spreadsheet opens the file. */
function safe(text: string): string {
  return /^[=+\-@\t\r]./s.test(text) ? `'${text}` : text;
}

/**
 * The figures of `coldstart replicas` in tidy long form: a row a figure, with its unit, the n it rests
 * on and its 95 % interval. The births one by one stand in the JSON form.
 */
export function renderReplicasCsv(document: ReplicasDocument): string {
  const rows: CsvRow[] = [];
  for (const group of document.groups) groupRows(group, collector(group.app, group.window, rows));
  const add = collector("", "", rows);
  for (const [name, value] of Object.entries(document.setAside))
    add(`setAside.${name}`, value, "starts", null);
  add("log.events", document.log.events, "events", null);
  add("log.ownClock", document.log.ownClock, "events", document.log.events);
  if (document.costPerSecond !== null) add("costPerSecond", document.costPerSecond, "cost", null);
  for (const line of document.unknown) add("unknown", null, "", null, line);
  for (const { code, count } of [
    ...document.warnings,
    ...document.inputs.flatMap(({ warnings }) => warnings),
  ]) {
    add("warnings", count, "rows", null, code);
  }
  return stringify(rows, { header: true, columns: [...COLUMNS] });
}

function groupRows(group: ReplicaGroupDocument, add: Add): void {
  const { births, lifetime, neverServed, perThousand, cycles, startSeconds } = group;
  add("births", births, "births", births);
  add("newReplicas", group.newReplicas, "replicas", births);
  add("neverStarted", group.neverStarted, "replicas", null);
  add("failedCreations.count", group.failedCreations.count, "events", null);
  add("failedCreations.replicas", group.failedCreations.replicas, "replicas", null);
  for (const { text, count } of group.failedCreations.reasons) {
    add("failedCreations.reasons", count, "events", group.failedCreations.count, text);
  }
  add("coveredHours", group.coveredHours, "h", null);
  add("birthsPerDay", group.birthsPerDay, "per day", births);
  for (const { cause, count, share, told, inferred, evidence } of group.causes) {
    add("causes.count", count, "births", births, cause);
    add("causes.share", share, "share", births, cause);
    add("causes.told", told, "births", count, cause);
    add("causes.inferred", inferred, "births", count, cause);
    for (const { name, count: own } of evidence) {
      add("causes.evidence", own, "births", count, `${cause}: ${name}`);
    }
  }
  for (const [name, slots] of Object.entries(group.calendar)) {
    for (const { label, births: own, coveredHours } of slots) {
      add(`calendar.${name}.births`, own, "births", own, label);
      add(`calendar.${name}.coveredHours`, coveredHours, "h", own, label);
    }
  }
  add("lifetime.p10Minutes", lifetime.p10Minutes, "min", lifetime.n);
  add("lifetime.p50Minutes", lifetime.p50Minutes, "min", lifetime.n);
  add("lifetime.p90Minutes", lifetime.p90Minutes, "min", lifetime.n);
  add("lifetime.batchTimed", lifetime.batchTimed, "births", lifetime.n);
  add("lifetime.censored", lifetime.censored, "births", lifetime.n);
  for (const { minutes, survival, atRisk } of lifetime.curve) {
    add("lifetime.survival", survival, "share", atRisk, `${minutes} min`);
  }
  phaseRows("newReplicas", group.phases.newReplicas, add);
  phaseRows("restarts", group.phases.restarts, add);
  if (neverServed !== null) {
    const { n } = neverServed;
    add("neverServed.count", neverServed.count, "births", n);
    add("neverServed.share", neverServed.share, "share", n, "", neverServed.ci95);
    add("neverServed.undecided", neverServed.undecided, "births", n);
    add("neverServed.minutes", neverServed.minutes, "min", neverServed.count);
    add("neverServed.cost", neverServed.cost, "cost", neverServed.count);
  }
  if (perThousand !== null) {
    const { source } = perThousand;
    add(
      "perThousand.startsPerThousand",
      perThousand.startsPerThousand,
      "per 1000",
      perThousand.starts,
      source,
    );
    add("perThousand.requests", perThousand.requests, "requests", null, source);
  }
  add("cycles.count", cycles.count, "replicas", cycles.n);
  add("cycles.share", cycles.share, "share", cycles.n, "", cycles.ci95);
  add("cycles.p50GapSeconds", cycles.p50GapSeconds, "s", cycles.count);
  add("cycles.replacements", cycles.replacements, "replicas", null);
  add("startSeconds.totalSeconds", startSeconds.totalSeconds, "s", startSeconds.n);
  add("startSeconds.meanSeconds", startSeconds.meanSeconds, "s", startSeconds.n);
  add("startSeconds.unknown", startSeconds.unknown, "births", births);
  add("startSeconds.batchTimed", startSeconds.batchTimed, "births", startSeconds.n);
  add("startSeconds.untilStartOnly", startSeconds.untilStartOnly, "births", startSeconds.n);
  add("startSeconds.cost", startSeconds.cost, "cost", startSeconds.n);
  for (const [cause, value] of Object.entries(startSeconds.byCause)) {
    add("startSeconds.byCause", value, "s", null, cause);
  }
}

function phaseRows(kind: string, phases: readonly PhaseDocument[], add: Add): void {
  for (const phase of phases) {
    const { name, n, batchTimed } = phase;
    add(`phases.${kind}.p50Ms`, phase.p50Ms, "ms", n, name);
    add(`phases.${kind}.p90Ms`, phase.p90Ms, "ms", n, name);
    add(`phases.${kind}.batchP50Seconds`, phase.batchP50Seconds, "s", batchTimed, name);
    add(`phases.${kind}.batchP90Seconds`, phase.batchP90Seconds, "s", batchTimed, name);
    add(`phases.${kind}.unknown`, phase.unknown, "births", null, name);
  }
}
