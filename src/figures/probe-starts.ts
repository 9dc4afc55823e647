import type { Fleet } from "../fleet/fleet.ts";
import type { ContainerStart } from "../fleet/starts.ts";
import { quantile } from "../stats/quantile.ts";
import { TICKS_PER_SECOND } from "../telemetry/time.ts";
import type { AppLog } from "./probe-log.ts";

/** How long containers took from their start to the open port, as far as the data tells. */
export interface MeasuredStarts {
  /** Starts in the log. */
  readonly starts: number;
  /** Starts that the platform ended for their startup or liveness probe, or for an unnamed one. */
  readonly killed: number;
  /** Starts with neither a refusal nor a row: how long they took is not known. */
  readonly silent: number;
  /** Seconds to the last startup refusal: the port opened within one period of it. */
  readonly lastRefusal: Distribution;
  /** Seconds to the first request row of starts without a refusal: the port was open by then. */
  readonly firstRow: Distribution;
}

export interface Distribution {
  readonly n: number;
  readonly p50Seconds: number | null;
  readonly maxSeconds: number | null;
}

/** Measures the starts of an app's log, with the rows of its instances where there are any. */
export function measureStarts(log: AppLog, fleet: Fleet): MeasuredStarts {
  const killed = new Set(log.kills.flatMap(({ start, type }) => (type === "readiness" ? [] : (start ?? []))));
  const lastRefusal = new Map<ContainerStart, number>();
  for (const { start, event, ticks } of log.failures) {
    if (start === null || event.type !== "startup") continue;
    lastRefusal.set(start, Math.max(ticks, lastRefusal.get(start) ?? ticks));
  }
  // The fleet has its own objects for the same starts.
  const key = ({ replica, at }: { replica: string; at: number }): string => `${replica} ${at}`;
  const firstRows = new Map<string, number>();
  for (const { start, rows } of fleet.lives) {
    if (start !== null) firstRows.set(key(start), fleet.table.start(rows[0]!));
  }
  const refusals: number[] = [];
  const rows: number[] = [];
  let silent = 0;
  for (const start of log.starts) {
    if (killed.has(start)) continue;
    const refused = lastRefusal.get(start);
    const row = firstRows.get(key(start));
    if (refused !== undefined) refusals.push(seconds(start.at, refused));
    else if (row !== undefined) rows.push(seconds(start.at, row));
    else silent++;
  }
  return {
    starts: log.starts.length,
    killed: killed.size,
    silent,
    lastRefusal: distribution(refusals),
    firstRow: distribution(rows),
  };
}

function seconds(from: number, to: number): number {
  return Math.max(0, to - from) / TICKS_PER_SECOND;
}

function distribution(values: readonly number[]): Distribution {
  return {
    n: values.length,
    p50Seconds: quantile(values, 0.5),
    maxSeconds: quantile(values, 1),
  };
}
