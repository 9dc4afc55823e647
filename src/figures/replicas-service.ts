import type { Fleet } from "../fleet/fleet.ts";
import { type Interval, wilson } from "../stats/intervals.ts";
import { Sum } from "../stats/sum.ts";
import { appOfReplica } from "../telemetry/events.ts";
import type { MetricPoint } from "../telemetry/metric-point.ts";
import { RowClass } from "../telemetry/table.ts";
import { TICKS_PER_MINUTE } from "../telemetry/time.ts";
import { ingressOf } from "./ingress.ts";
import type { Birth } from "./replicas-births.ts";

/** Births whose process served no user request. */
export interface NeverServed {
  /** Births that can be judged: ended, and started while request rows were recorded. */
  readonly n: number;
  readonly count: number;
  readonly share: number | null;
  readonly ci95: Interval;
  /** Still running at the log's end without a request so far, or started after the last request row. */
  readonly undecided: number;
  /** Minutes that the ones without a request lived. */
  readonly minutes: number;
}

/** What the request rows of the app's replicas cover; null where no row bears the name of one. */
export interface RowCoverage {
  readonly from: number;
  readonly to: number;
  /** Σw of the user and synthetic requests, which came through the ingress, by start in ticks. */
  readonly requests: readonly { readonly at: number; readonly weight: number }[];
  /** Whether a user request stands for more than itself: then a replica's only request may be missing. */
  readonly isSampled: boolean;
}

/** The request rows whose instance is a replica of the app. */
export function rowCoverage(fleet: Fleet, app: string, replicas: ReadonlySet<string>): RowCoverage | null {
  const { table } = fleet;
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  let isSampled = false;
  const requests: { at: number; weight: number }[] = [];
  for (const life of fleet.lives) {
    const isOwn =
      replicas.has(life.instance) || (life.instance.includes("--") && appOfReplica(life.instance) === app);
    if (!isOwn) continue;
    for (const row of life.rows) {
      const at = table.start(row);
      from = Math.min(from, at);
      to = Math.max(to, at);
      const rowClass = table.rowClass(row);
      if (rowClass !== RowClass.user && rowClass !== RowClass.synthetic) continue;
      const weight = table.weight(row);
      if (weight > 1.001) isSampled = true;
      requests.push({ at, weight });
    }
  }
  return to < from ? null : { from, to, requests, isSampled };
}

/** The births without a user request; null without request rows of the app. */
export function neverServed(births: readonly Birth[], rows: RowCoverage | null): NeverServed | null {
  if (rows === null) return null;
  let served = 0;
  let count = 0;
  let undecided = 0;
  let minutes = 0;
  for (const birth of births) {
    if (birth.life !== null && birth.life.users.length > 0) served++;
    else if (!birth.ended || birth.start.at > rows.to || birth.end! < rows.from) undecided++;
    else {
      count++;
      minutes += birth.minutes;
    }
  }
  const n = served + count;
  return { n, count, share: n === 0 ? null : count / n, ci95: wilson(count, n), undecided, minutes };
}

/** Starts against the requests that came through the ingress. */
export interface PerThousand {
  readonly source: "ingress-metric" | "request-rows";
  readonly starts: number;
  readonly requests: number;
  /** Null without requests. */
  readonly startsPerThousand: number | null;
  /** What was compared: the time that both sources cover. */
  readonly from: number;
  readonly to: number;
}

/** Starts per 1,000 requests over the time that the log and the requests both cover; null where there is none. */
export function perThousand(
  births: readonly Birth[],
  span: { readonly from: number; readonly to: number },
  metrics: readonly MetricPoint[],
  rows: RowCoverage | null,
): PerThousand | null {
  const { spans } = ingressOf(metrics);
  const first = spans[0];
  const last = spans[spans.length - 1];
  if (first !== undefined && last !== undefined) {
    const points = spans.map(({ from: at, total }) => ({ at, weight: total }));
    const from = Math.max(first.from, span.from);
    return ratio("ingress-metric", births, points, from, Math.min(last.to, span.to));
  }
  if (rows === null) return null;
  // Rows are points in time: the last one belongs to what they cover.
  const to = Math.min(rows.to + 1, span.to);
  return ratio("request-rows", births, rows.requests, Math.max(rows.from, span.from), to);
}

function ratio(
  source: PerThousand["source"],
  births: readonly Birth[],
  requests: readonly { readonly at: number; readonly weight: number }[],
  from: number,
  to: number,
): PerThousand | null {
  if (from >= to) return null;
  // A cold start's first request arrives after its start: births shortly before the first row belong to it.
  const lead = source === "request-rows" ? TICKS_PER_MINUTE : 0;
  const starts = births.filter(({ start }) => start.at >= from - lead && start.at < to).length;
  const sum = new Sum();
  for (const { at, weight } of requests) if (at >= from && at < to) sum.add(weight);
  const total = sum.value;
  return {
    source,
    starts,
    requests: total,
    startsPerThousand: total > 0 ? (1000 * starts) / total : null,
    from,
    to,
  };
}
