import type { Fleet } from "../fleet/fleet.ts";
import { Sum } from "../stats/sum.ts";
import type { Ingress } from "./ingress.ts";
import type { SortedRow } from "./reconcile-rows.ts";
import { type Compared, isWithin, ratioOf, type Totals } from "./reconcile-totals.ts";

/** A usual reason for a ratio beside 1, tested in the data. */
export interface Reason {
  readonly id: string;
  /** What was tried. */
  readonly tried: string;
  /** The ratio that is left if this is the reason; null where the data hold nothing to try it with. */
  readonly ratio: number | null;
  /** That ratio lies within the tolerance. */
  readonly explains: boolean;
  /** What was seen, and what to do where it is the reason. */
  readonly detail: string;
}

export interface ReasonInput {
  readonly fleet: Fleet;
  readonly rows: readonly SortedRow[];
  readonly compared: readonly Compared[];
  readonly ingress: Ingress;
  readonly total: Totals;
  readonly tolerance: number;
  readonly files: number;
}

export type Tell = (
  id: string,
  tried: string,
  detail: string,
  trial: { readonly weighted: number; readonly ingress?: number } | null,
) => Reason;

export function teller({ total, tolerance }: ReasonInput): Tell {
  return (id, tried, detail, trial) => {
    const ratio = trial === null ? null : ratioOf(trial.weighted, trial.ingress ?? total.ingress);
    return { id, tried, ratio, explains: ratio !== null && isWithin(ratio, tolerance), detail };
  };
}

export function sumOf(rows: readonly SortedRow[]): number {
  const sum = new Sum();
  for (const { weight } of rows) sum.add(weight);
  return sum.value;
}

/** The selected rows of the compared intervals. */
export function comparedRows({ compared }: ReasonInput): SortedRow[] {
  return compared.flatMap(({ rows }) => rows);
}

/** Rows of any role and revision in the compared intervals, duplicates included. */
export function anyRows({ rows, compared }: ReasonInput): SortedRow[] {
  const spans = new Set(compared.map(({ index }) => index));
  return rows.filter(({ span }) => spans.has(span));
}

export function round(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}
