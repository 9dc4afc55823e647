import { RowClass } from "../telemetry/table.ts";
import {
  anyRows,
  comparedRows,
  type Reason,
  type ReasonInput,
  round,
  sumOf,
  teller,
} from "./reconcile-reason.ts";
import { isOutside, type SortedRow } from "./reconcile-rows.ts";

/** So many roles and revisions are tried one by one. */
const MOST = 5;

/** Rows of other classes. */
export function classReasons(input: ReasonInput): Reason[] {
  const tell = teller(input);
  const { total } = input;
  const rows = comparedRows(input);
  const of = (test: (row: SortedRow) => boolean): SortedRow[] => rows.filter(test);
  const one = (
    id: string,
    tried: string,
    found: readonly SortedRow[],
    what: string,
    sign: 1 | -1,
    advice: string,
  ) =>
    tell(
      id,
      tried,
      found.length === 0
        ? `no ${what}`
        : `${found.length} ${what} stand for ${round(sumOf(found))}: ${advice}`,
      found.length === 0 ? null : { weighted: total.weighted + sign * sumOf(found) },
    );
  return [
    one(
      "probes",
      "probes count too",
      of(({ rowClass }) => rowClass === RowClass.probe),
      "probe rows",
      1,
      "the platform's probes go past the ingress, but somebody outside may call these paths; then give the real ones with --probe-path",
    ),
    one(
      "synthetic",
      "synthetic requests do not count",
      of(({ rowClass }) => rowClass === RowClass.synthetic),
      "rows of a synthetic source",
      -1,
      "they count here because availability tests come through the ingress",
    ),
    one(
      "consumers",
      "consumer rows count too",
      of(({ rowClass }) => rowClass === RowClass.consumer),
      "consumer rows",
      1,
      "messages do not come through the ingress, so HTTP rows may have been taken for them; look at the names below",
    ),
    one(
      "other-rows",
      "rows of other kinds count too",
      of(({ rowClass, isUpgrade }) => rowClass === RowClass.other && !isUpgrade),
      "rows of other kinds",
      1,
      "timers and background work do not come through the ingress; look at the names below",
    ),
    one(
      "upgrades",
      "upgraded connections count too",
      of(({ isUpgrade }) => isUpgrade),
      "upgraded connections (result code 101)",
      1,
      "each began as a request at the ingress",
    ),
    one(
      "no-instance",
      "rows without a role instance do not count",
      of((row) => isOutside(row) && row.instance === ""),
      "rows without a role instance",
      -1,
      "they may come from a process that is not behind this ingress",
    ),
  ];
}

/** Rows that are in there more than once. */
export function repeatReasons(input: ReasonInput): Reason[] {
  const tell = teller(input);
  const { total } = input;
  const duplicates = anyRows(input).filter((row) => row.isDuplicate && row.isSelected && isOutside(row));
  const twins = comparedRows(input).filter((row) => row.isTwin && isOutside(row));
  return [
    tell(
      "duplicates",
      "duplicates count again",
      duplicates.length === 0
        ? "no duplicates"
        : `${duplicates.length} duplicates were left out: if they were requests of their own, their ids repeat`,
      duplicates.length === 0 ? null : { weighted: total.weighted + sumOf(duplicates) },
    ),
    tell(
      "duplicates-without-id",
      "rows without an id that equal another one do not count",
      twins.length === 0
        ? "no rows without an id that equal another one"
        : `${twins.length} rows have no id and equal an earlier one: the export may be in there twice; add id to the query`,
      twins.length === 0 ? null : { weighted: total.weighted - sumOf(twins) },
    ),
  ];
}

/** Rows of other apps. */
export function roleReasons(input: ReasonInput): Reason[] {
  const { role } = input.fleet.settings;
  const rows = anyRows(input).filter((row) => !row.isDuplicate && isOutside(row));
  return partsReasons(input, "roles", rows, role, (row) => row.role, "--role");
}

/** Rows of other revisions. */
export function revisionReasons(input: ReasonInput): Reason[] {
  const { role, revision } = input.fleet.settings;
  const rows = anyRows(input).filter(
    (row) => !row.isDuplicate && isOutside(row) && (role === null || row.role === role),
  );
  return partsReasons(input, "revisions", rows, revision, (row) => row.revision, "--revision");
}

/** The metric is of one app, and may be of one revision: each part alone, or all where one was asked for. */
function partsReasons(
  input: ReasonInput,
  id: string,
  rows: readonly SortedRow[],
  asked: string | null,
  partOf: (row: SortedRow) => string,
  option: string,
): Reason[] {
  const tell = teller(input);
  const parts = new Map<string, SortedRow[]>();
  for (const row of rows) parts.set(partOf(row), []);
  for (const row of rows) parts.get(partOf(row))!.push(row);
  if (asked !== null) {
    const isAlone = parts.size < 2;
    return [
      tell(
        id,
        `all ${id} count`,
        isAlone
          ? `no other ${id} in the data`
          : `the rows are those of "${asked}", and the metric may be of all ${parts.size} ${id}`,
        isAlone ? null : { weighted: sumOf(rows) },
      ),
    ];
  }
  if (parts.size < 2) return [tell(id, `each of the ${id} alone`, `no more than one in the data`, null)];
  return [...parts]
    .map(([name, own]) => ({ name, own, weighted: sumOf(own) }))
    .sort((a, b) => b.weighted - a.weighted || (a.name < b.name ? -1 : 1))
    .slice(0, MOST)
    .map(({ name, own, weighted }) =>
      tell(
        id,
        `only "${name === "" ? "(none)" : name}" counts`,
        `${own.length} of ${rows.length} rows; the metric is of one app, choose with ${option}`,
        { weighted },
      ),
    );
}
