import { cohortFigures, cohortInstances, type Fleet } from "./figures.ts";
import { type Instance, instancesOf, warmedBy } from "./instances.ts";
import { type Ending, type GoodRow, type ReadRow, readRows } from "./rows.ts";
import { containerStarts } from "./starts.ts";
import { quantile, unweighted } from "./stats.ts";
import {
  type OracleComparison,
  type OracleEvent,
  type OracleReport,
  type OracleRow,
  type OracleSettings,
  type OracleWindow,
  sortedInstants,
} from "./types.ts";

/**
 * The report's figures, written a second time from their definitions as plainly as possible, for
 * tests to hold the real implementation against. `events` null means that no system log was given.
 */
export function oracleReport(
  input: OracleRow[],
  events: OracleEvent[] | null,
  settings: OracleSettings,
): OracleReport {
  const windows = windowsOf(settings);
  const read = readRows(input, settings, windows);
  const wellFormed = read.flatMap((one) => (one.row === null ? [] : [one.row]));
  const dataStart = sortedInstants(wellFormed.map((row) => row.start))[0] ?? 0n;
  const rows = rowsEndingIn(read, (ending) => !["malformed", "duplicate", "otherRole"].includes(ending));
  const starts = containerStarts(events ?? [], settings.container);
  const instances = instancesOf(rows, starts, dataStart, settings.guardMinutes ?? 10);
  const isInputEmpty = wellFormed.length === 0;
  const fleet: Fleet = { rows, instances, starts, events, settings, isInputEmpty };
  const users = rowsEndingIn(read, (ending) => ending === "user");
  return {
    rows: rowCounts(read, users),
    requests: { observed: users.length, estimated: users.reduce((sum, row) => sum + row.weight, 0) },
    cohorts: windows.map((window) => cohortFigures(fleet, window)),
    comparison:
      windows.length === 2
        ? compare(cohortInstances(fleet, windows[0]!), cohortInstances(fleet, windows[1]!))
        : null,
  };
}

function windowsOf(settings: OracleSettings): OracleWindow[] {
  const { from, to, deployedAt, before, after } = settings;
  if (before !== undefined && after !== undefined) {
    return [
      { name: "before", from: before[0], to: before[1] },
      { name: "after", from: after[0], to: after[1] },
    ];
  }
  if (deployedAt !== undefined) {
    return [
      { name: "before", from, to: deployedAt },
      { name: "after", from: deployedAt, to },
    ];
  }
  return [{ name: "all", from, to }];
}

function rowsEndingIn(read: ReadRow[], wanted: (ending: Ending) => boolean): GoodRow[] {
  return read.flatMap((one) => (one.row !== null && wanted(one.ending) ? [one.row] : []));
}

function rowCounts(read: ReadRow[], users: GoodRow[]): OracleReport["rows"] {
  const count = (ending: Ending): number => read.filter((one) => one.ending === ending).length;
  return {
    read: read.length,
    malformed: count("malformed"),
    duplicate: count("duplicate"),
    otherRole: count("otherRole"),
    outsideWindow: count("outsideWindow"),
    consumer: count("consumer"),
    other: count("other"),
    synthetic: count("synthetic"),
    probe: count("probe"),
    user: count("user"),
    noInstance: users.filter((row) => row.instance === "").length,
  };
}

function compare(before: Instance[], after: Instance[]): OracleComparison {
  const firstMs = (instances: Instance[]): number[] => instances.map((one) => one.users[0]!.durationMs);
  const p50Before = quantile(unweighted(firstMs(before)), 0.5);
  const p50After = quantile(unweighted(firstMs(after)), 0.5);
  let wins = 0;
  for (const a of firstMs(after)) {
    for (const b of firstMs(before)) wins += a < b ? 1 : a === b ? 0.5 : 0;
  }
  const pairs = before.length * after.length;
  const bothKnown = p50Before !== null && p50After !== null;
  const reasons = reasonsAgainst(before, after);
  return {
    firstRequest: {
      p50DeltaMs: bothKnown ? p50After - p50Before : null,
      p50Ratio: bothKnown && p50After > 0 ? p50Before / p50After : null,
      probabilityFaster: pairs === 0 ? null : wins / pairs,
    },
    comparable: reasons.length === 0,
    reasons,
  };
}

function reasonsAgainst(before: Instance[], after: Instance[]): string[] {
  const reasons: string[] = [];
  if (before.length === 0) reasons.push("no instance before");
  if (after.length === 0) reasons.push("no instance after");
  if (reasons.length > 0) return reasons;

  const certain = (instances: Instance[]): number =>
    instances.filter((one) => one.users[0]!.weight === 1).length;
  const probed = (instances: Instance[]): number =>
    instances.filter((one) => warmedBy(one) === "probe").length;
  // a/n - b/m > 1/10, multiplied out, so that exactly ten points never depends on rounding
  const differ = (a: number, b: number): boolean =>
    10 * Math.abs(a * after.length - b * before.length) > before.length * after.length;

  if (differ(certain(before), certain(after))) reasons.push("certain orders differ by more than 10 points");
  if (differ(probed(before), probed(after)))
    reasons.push("shares warmed by a probe differ by more than 10 points");
  if (2 * certain(before) < before.length) reasons.push("less than half of the orders before are certain");
  if (2 * certain(after) < after.length) reasons.push("less than half of the orders after are certain");
  return reasons;
}
