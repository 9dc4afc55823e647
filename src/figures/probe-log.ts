import { type ContainerStart, containerStarts } from "../fleet/starts.ts";
import { appOfReplica, type SystemEvent } from "../telemetry/events.ts";
import { PROBE_TYPES, type ProbeType } from "../telemetry/spec.ts";
import { TICKS_PER_SECOND } from "../telemetry/time.ts";
import { type ProbeEvent, portMismatch, probeEvent, stopOf } from "./probe-events.ts";
import { replay } from "./probe-replay.ts";

/** A failed attempt that is the app's own. */
export interface Failure {
  readonly ticks: number;
  readonly replica: string;
  readonly revision: string;
  readonly event: ProbeEvent;
  /** The start that it belongs to; null where the log does not hold it. */
  readonly start: ContainerStart | null;
  /** Whether a sidecar of the platform ran beside the app, so that it may have been the one that failed. */
  readonly isShared: boolean;
}

/** A container that the platform ended for its probe. */
export interface Kill {
  readonly ticks: number;
  readonly replica: string;
  /** Null where only the end is logged, not which probe it was. */
  readonly type: ProbeType | null;
  readonly start: ContainerStart | null;
}

/** Failures that do not count, by why. */
export interface Excluded {
  duplicate: number;
  /** Of a sidecar that the platform brings along (`daprd`, `k8se-…`). */
  platform: number;
  /** After the replica's container had been stopped. */
  afterStop: number;
  job: number;
}

/** What the system log tells about one app's probes. */
export interface AppLog {
  readonly app: string;
  readonly events: number;
  readonly starts: readonly ContainerStart[];
  readonly failures: readonly Failure[];
  readonly kills: readonly Kill[];
  /** The app's containers that failed readiness, as the platform says it. */
  readonly notReady: readonly { readonly ticks: number; readonly replica: string }[];
  /** Failures in a row that the platform says it allows. */
  readonly thresholds: ReadonlyMap<ProbeType, ReadonlySet<number>>;
  readonly mismatches: readonly {
    readonly target: number;
    readonly listening: number;
    readonly count: number;
  }[];
  readonly excluded: Readonly<Excluded>;
  /** Platform containers that were probed, by name. */
  readonly platformContainers: readonly string[];
  /** False where the log names no replicas, so that starts are only those of a revision. */
  readonly hasReplicas: boolean;
  readonly ownClock: boolean;
}

/** Rows of one event that differ only by a few milliseconds; the platform's own counter tells repeats apart. */
const REPEAT = TICKS_PER_SECOND / 50;
const SAME_COUNT = TICKS_PER_SECOND;

/**
 * The probes of each app in a system log.
 *
 * @param container the app's container; null for all but the platform's and Dapr's
 */
export function probeLogs(events: readonly SystemEvent[], container: string | null): AppLog[] {
  const jobs = new Map<string, number>();
  const byApp = new Map<string, SystemEvent[]>();
  for (const event of events) {
    const app = event.app || appOfReplica(event.replica || event.revision);
    if (event.job !== "") {
      if (probeEvent(event) !== null) jobs.set(app, (jobs.get(app) ?? 0) + 1);
      continue;
    }
    const list = byApp.get(app);
    if (list === undefined) byApp.set(app, [event]);
    else list.push(event);
  }
  // Events of the environment name no app: they matter only where nothing else does.
  const isBare = byApp.size > 1 && !(byApp.get("") ?? []).some((event) => probeEvent(event) !== null);
  return [...byApp]
    .filter(([app]) => app !== "" || !isBare)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([app, list]) => appLog(app, list, container, jobs.get(app) ?? 0));
}

function appLog(app: string, events: readonly SystemEvent[], container: string | null, jobs: number): AppLog {
  // Where the column of the replica is missing, the revision stands in for its replicas.
  const hasReplicas = events.some(({ replica }) => replica !== "");
  const named = events.map((event) =>
    event.replica === "" && event.revision !== "" ? { ...event, replica: event.revision } : event,
  );
  const starts = containerStarts(named, container);
  const excluded: Excluded = { duplicate: 0, platform: 0, afterStop: 0, job: jobs };
  const log = {
    failures: [] as Failure[],
    kills: [] as Kill[],
    notReady: [] as { ticks: number; replica: string }[],
    thresholds: new Map<ProbeType, Set<number>>(PROBE_TYPES.map((type) => [type, new Set()])),
    platformContainers: new Set<string>(),
  };
  for (const [replica, list] of grouped(named)) {
    const kept = withoutRepeats(list, excluded);
    const own = starts.get(replica) ?? [];
    replay(kept, own, { container, isReplica: hasReplicas, excluded, log });
  }
  return {
    app,
    events: events.length,
    starts: [...starts.values()].flat(),
    ...log,
    mismatches: mismatchesOf(events),
    excluded,
    platformContainers: [...log.platformContainers].sort(),
    hasReplicas,
    ownClock: events.every(({ ownClock }) => ownClock),
  };
}

function grouped(events: readonly SystemEvent[]): Map<string, SystemEvent[]> {
  const groups = new Map<string, SystemEvent[]>();
  for (const event of events) {
    if (event.replica === "") continue;
    const list = groups.get(event.replica);
    if (list === undefined) groups.set(event.replica, [event]);
    else list.push(event);
  }
  // Batches share one time: what can have caused the other stands first.
  for (const list of groups.values()) list.sort((a, b) => a.ticks - b.ticks || stageOf(a) - stageOf(b));
  return groups;
}

function stageOf(event: SystemEvent): number {
  if (event.reason === "ContainerStarted") return 0;
  const probe = probeEvent(event);
  if (probe !== null) return probe.kind === "failure" ? 1 : 2;
  return stopOf(event) === null ? 1 : 3;
}

function withoutRepeats(events: readonly SystemEvent[], excluded: Excluded): SystemEvent[] {
  const lastOf = new Map<string, SystemEvent>();
  return events.filter((event) => {
    const key = `${event.reason}\n${event.text}`;
    const last = lastOf.get(key);
    const isCounted = event.count !== null && last?.count === event.count;
    const gap = last === undefined ? Number.POSITIVE_INFINITY : event.ticks - last.ticks;
    // Without a counter, equal times of a batch may be two attempts.
    const isRepeat = isCounted
      ? gap <= SAME_COUNT
      : (event.count === null || last?.count === null) && event.ownClock && gap <= REPEAT;
    if (isRepeat && probeEvent(event) !== null) excluded.duplicate++;
    if (!isRepeat) lastOf.set(key, event);
    return !isRepeat;
  });
}

function mismatchesOf(
  events: readonly SystemEvent[],
): { target: number; listening: number; count: number }[] {
  const found = new Map<string, { target: number; listening: number; count: number }>();
  for (const event of events) {
    const ports = portMismatch(event);
    if (ports === null) continue;
    const key = `${ports.target} ${ports.listening}`;
    const known = found.get(key);
    if (known === undefined) found.set(key, { ...ports, count: 1 });
    else known.count++;
  }
  return [...found.values()];
}
