import type { Fleet } from "../fleet/fleet.ts";
import { Sum } from "../stats/sum.ts";
import type { Detail } from "../telemetry/detail.ts";
import type { SortedRow } from "./reconcile-rows.ts";

const CLASS_NAMES = ["consumer", "other", "synthetic", "probe", "user"] as const;
type ClassName = (typeof CLASS_NAMES)[number];

/** Rows and what they stand for. */
export interface Tally {
  readonly rows: number;
  readonly weighted: number;
}

/** What the table of requests holds in the windows, duplicates left out, whatever the role. */
export interface Contents extends Tally {
  readonly classes: readonly ({ readonly class: ClassName } & Tally)[];
  readonly roles: readonly ({ readonly role: string; readonly isCounted: boolean } & Tally)[];
  readonly names: readonly ({ readonly class: ClassName; readonly name: string } & Tally)[];
  /** Names beyond the listed ones. */
  readonly moreNames: number;
  readonly resultCodes: readonly ({ readonly class: ClassName; readonly resultCode: string } & Tally)[];
}

const MOST_NAMES = 20;

export function contentsOf(fleet: Fleet, detail: Detail, rows: readonly SortedRow[]): Contents {
  const inside = rows.filter(({ window, isDuplicate }) => window !== -1 && !isDuplicate);
  const classOf = ({ rowClass }: SortedRow): ClassName => CLASS_NAMES[rowClass]!;
  const classes = tallies(inside, (row) => ({ class: classOf(row) }));
  const roles = tallies(inside, ({ role }) => ({
    role,
    isCounted: fleet.settings.role === null || fleet.settings.role === role,
  }));
  const names = tallies(inside, (row) => ({
    class: classOf(row),
    name: detail.requests.get(row.row)?.name ?? "",
  }));
  const resultCodes = tallies(inside, (row) => ({
    class: classOf(row),
    resultCode: detail.requests.get(row.row)?.resultCode ?? "",
  }));
  return {
    ...tally(inside),
    classes,
    roles,
    names: names.slice(0, MOST_NAMES),
    moreNames: Math.max(0, names.length - MOST_NAMES),
    resultCodes,
  };
}

function tally(rows: readonly SortedRow[]): Tally {
  const sum = new Sum();
  for (const { weight } of rows) sum.add(weight);
  return { rows: rows.length, weighted: sum.value };
}

/** Rows by a key, the heaviest first. */
function tallies<K extends object>(rows: readonly SortedRow[], keyOf: (row: SortedRow) => K): (K & Tally)[] {
  const groups = new Map<string, { key: K; rows: number; sum: Sum }>();
  for (const row of rows) {
    const key = keyOf(row);
    const text = JSON.stringify(key);
    const known = groups.get(text) ?? { key, rows: 0, sum: new Sum() };
    groups.set(text, known);
    known.rows++;
    known.sum.add(row.weight);
  }
  return [...groups]
    .map(([text, { key, rows: count, sum }]) => ({
      text,
      value: { ...key, rows: count, weighted: sum.value },
    }))
    .sort((a, b) => b.value.weighted - a.value.weighted || (a.text < b.text ? -1 : 1))
    .map(({ value }) => value);
}
