import type { ContainerStart } from "../fleet/starts.ts";
import { quantile } from "../stats/quantile.ts";
import type { ProbeHandler, ProbeType } from "../telemetry/spec.ts";
import { TICKS_PER_SECOND } from "../telemetry/time.ts";
import type { AppLog, Failure } from "./probe-log.ts";

/** The failed attempts of one probe type, as the log holds them. */
export interface Refusals {
  /** Attempts that failed: events, never their running counter. */
  readonly count: number;
  readonly byStatus: readonly { readonly status: string; readonly count: number }[];
  /** Refusals per container start, over all starts in the log. */
  readonly perStart: { readonly n: number; readonly p50: number | null; readonly max: number | null };
  /** Containers that the platform ended for this probe. */
  readonly kills: number;
  /** Median of the time between two refusals of one start, in seconds. */
  readonly periodSeconds: { readonly n: number; readonly p50: number | null };
  /** Refusals in a row after which the platform acted, where all cases agree; or as it said itself. */
  readonly failureThreshold: number | null;
  readonly timeoutSeconds: number | null;
  readonly handler: ProbeHandler | null;
  readonly isCertain: boolean;
  readonly port: number | null;
  readonly path: string | null;
  /** Attempts that may have been a sidecar's. */
  readonly shared: number;
}

/** Sums up what the log tells about one probe type. */
export function refusalsOf(log: AppLog, type: ProbeType): Refusals {
  const failures = log.failures.filter(({ event }) => event.type === type);
  const kills = log.kills.filter((kill) => kill.type === type);
  const byStart = groupByStart(failures);
  const counts = log.starts.map((start) => byStart.get(start)?.length ?? 0);
  const gaps = log.ownClock ? gapsOf(byStart) : [];
  const stated = [...(log.thresholds.get(type) ?? [])];
  const beforeKill = kills.flatMap(({ start }) => (start === null ? [] : [byStart.get(start)?.length ?? 0]));
  const threshold = stated.length > 0 ? single(stated) : type === "startup" ? single(beforeKill) : null;
  return {
    count: failures.length,
    byStatus: statuses(failures),
    perStart: {
      n: counts.length,
      p50: quantile(counts, 0.5),
      max: counts.length === 0 ? null : Math.max(...counts),
    },
    kills: kills.length,
    periodSeconds: { n: gaps.length, p50: round(quantile(gaps, 0.5)) },
    failureThreshold: threshold === 0 ? null : threshold,
    timeoutSeconds: single(failures.flatMap(({ event }) => event.timeoutSeconds ?? [])),
    ...handlerOf(failures),
    shared: failures.filter(({ isShared }) => isShared).length,
  };
}

function groupByStart(failures: readonly Failure[]): Map<ContainerStart, Failure[]> {
  const groups = new Map<ContainerStart, Failure[]>();
  for (const failure of failures) {
    if (failure.start === null) continue;
    const list = groups.get(failure.start);
    if (list === undefined) groups.set(failure.start, [failure]);
    else list.push(failure);
  }
  return groups;
}

function gapsOf(byStart: ReadonlyMap<ContainerStart, readonly Failure[]>): number[] {
  return [...byStart.values()].flatMap((list) =>
    list.slice(1).map((failure, i) => (failure.ticks - list[i]!.ticks) / TICKS_PER_SECOND),
  );
}

/** The value that all of them have; null for none or several. */
function single(values: readonly number[]): number | null {
  const first = values[0];
  return first !== undefined && values.every((value) => value === first) ? first : null;
}

function round(value: number | null): number | null {
  return value === null ? null : Math.round(value * 10) / 10;
}

function statuses(failures: readonly Failure[]): { status: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { event } of failures) counts.set(event.status, (counts.get(event.status) ?? 0) + 1);
  return [...counts]
    .map(([status, count]) => ({ status, count }))
    .sort((a, b) => b.count - a.count || (a.status < b.status ? -1 : 1));
}

type Handler = Pick<Refusals, "handler" | "isCertain" | "port" | "path">;

/** The handler that the failures of the latest revision show; an answer of HTTP outweighs refused connections. */
function handlerOf(failures: readonly Failure[]): Handler {
  const telling = failures.filter(({ event }) => event.handler !== null);
  const last = telling.reduce<Failure | null>(
    (latest, failure) => (latest === null || failure.ticks >= latest.ticks ? failure : latest),
    null,
  );
  if (last === null) return { handler: null, isCertain: false, port: null, path: null };
  const own = telling.filter(({ revision }) => revision === last.revision);
  const http = own.filter(({ event }) => event.handler === "http");
  const chosen = http.length > 0 ? http : own;
  const port = single(chosen.flatMap(({ event }) => event.port ?? []));
  const paths = [...new Set(chosen.flatMap(({ event }) => event.path ?? []))];
  return {
    handler: chosen[0]!.event.handler,
    // A sidecar of the platform may have been the one that answered.
    isCertain:
      chosen.some(({ event, isShared }) => event.isCertain && !isShared) && chosen.length === own.length,
    port,
    path: paths.length === 1 ? paths[0]! : null,
  };
}
