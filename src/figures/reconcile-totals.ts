import type { Interval } from "../stats/intervals.ts";
import { Sum } from "../stats/sum.ts";
import { RowClass } from "../telemetry/table.ts";
import type { IngressSpan } from "./ingress.ts";
import { isOutside, type SortedRow } from "./reconcile-rows.ts";

const Z_95 = 1.959963984540054;

/** Rows against the metric over the same intervals. */
export interface Totals {
  /** Ticks: begin of the first interval and end of the last one. */
  readonly from: number;
  readonly to: number;
  /** Rows without probes: of users and synthetic callers, both of whom come through the ingress. */
  readonly rows: number;
  /** Σw of these rows. */
  readonly weighted: number;
  /** Σw of the user requests among them. */
  readonly users: number;
  /** Σw with the probes. */
  readonly withProbes: number;
  readonly ingress: number;
  /** `weighted / ingress`; null where the ingress counted nothing. */
  readonly ratio: number | null;
  /** Sampling error of the ratio: Horvitz–Thompson, rows kept independently with probability 1/w. */
  readonly ratioCi95: Interval;
  readonly ratioWithProbes: number | null;
  /** Null where there is no ratio. */
  readonly isWithin: boolean | null;
}

/** An interval that both cover, with the rows in it. */
export interface Compared {
  readonly span: IngressSpan;
  /** Index of the span among all of the metric's. */
  readonly index: number;
  /** Index of the window. */
  readonly window: number;
  /** Selected rows of every class, duplicates left out. */
  readonly rows: readonly SortedRow[];
  /** Rows of any role, duplicates included. */
  readonly anyRows: number;
}

/** Null for no interval. */
export function totalsOf(compared: readonly Compared[], tolerance: number): Totals | null {
  const first = compared[0];
  const last = compared[compared.length - 1];
  if (first === undefined || last === undefined) return null;
  const [users, synthetic, probes, variance, ingress] = [
    new Sum(),
    new Sum(),
    new Sum(),
    new Sum(),
    new Sum(),
  ];
  let count = 0;
  for (const { span, rows } of compared) {
    ingress.add(span.total);
    for (const row of rows) {
      if (row.rowClass === RowClass.probe) probes.add(row.weight);
      if (!isOutside(row)) continue;
      count++;
      (row.rowClass === RowClass.user ? users : synthetic).add(row.weight);
      variance.add(Math.max(0, row.weight * (row.weight - 1)));
    }
  }
  const weighted = users.value + synthetic.value;
  const withProbes = weighted + probes.value;
  const ratio = ratioOf(weighted, ingress.value);
  const half = ingress.value > 0 ? (Z_95 * Math.sqrt(variance.value)) / ingress.value : 0;
  return {
    from: first.span.from,
    to: last.span.to,
    rows: count,
    weighted,
    users: users.value,
    withProbes,
    ingress: ingress.value,
    ratio,
    ratioCi95: ratio === null ? [null, null] : [Math.max(0, ratio - half), ratio + half],
    ratioWithProbes: ratioOf(withProbes, ingress.value),
    isWithin: ratio === null ? null : isWithin(ratio, tolerance),
  };
}

export function ratioOf(weighted: number, ingress: number): number | null {
  return ingress > 0 ? weighted / ingress : null;
}

/** Exactly the tolerance is still within, whatever the last bit of the quotient says. */
export function isWithin(ratio: number, tolerance: number): boolean {
  return Math.abs(ratio - 1) <= tolerance + 1e-12;
}
