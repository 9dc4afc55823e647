import { type ContainerStart, isAppContainer } from "../fleet/starts.ts";
import {
  appOfReplica,
  containerOf,
  isPlatformContainer,
  revisionOfReplica,
  type SystemEvent,
} from "../telemetry/events.ts";
import { TICKS_PER_SECOND } from "../telemetry/time.ts";

/** What the system log says of one replica. */
export interface ReplicaLog {
  readonly name: string;
  readonly app: string;
  /** Empty where neither the event nor the name tells. */
  readonly revision: string;
  /** The replica's name without its last part: revision and replicaset hash. */
  readonly set: string;
  /** In time order. */
  readonly events: readonly SystemEvent[];
  readonly assigned: SystemEvent | null;
  /** Starts of the app's container, in time order. */
  readonly starts: readonly ContainerStart[];
  /** Ticks of its birth: assigned, or its first sign; −∞ where the log begins in the middle of its life. */
  readonly from: number;
  /** Ticks of the last termination of the app's container that no start follows; null where none is seen. */
  readonly died: number | null;
  /** Failed creations of the app's container, in time order. */
  readonly failures: readonly SystemEvent[];
  /** Whether that last termination was the platform's doing (`ManuallyStopped`), not a failure. */
  readonly isStopped: boolean;
}

/** The system log by replica, with what belongs to no replica of an app. */
export interface LogIndex {
  readonly replicas: ReadonlyMap<string, ReplicaLog>;
  /** Starts that are no birth, told apart. */
  readonly aside: SetAside;
  readonly from: number;
  readonly to: number;
}

/** Container starts in the log that are not births of an app's process. */
export interface SetAside {
  platformContainers: number;
  daprContainers: number;
  initContainers: number;
  jobs: number;
  withoutReplica: number;
}

const BEGINNINGS = new Set([
  "AssigningReplica",
  "PullingImage",
  "PulledImage",
  "ImagePulled",
  "ContainerCreated",
  "ContainerStarted",
]);

const CREATE_FAILURE = /^Container \S+ was terminated .*reason '?ContainerCreateFailure/;
const STOPPED = /^Container \S+ was terminated/;
const ENDED = /^Container \S+ was terminated|^Stopping container /;

/** Sorts the log by replica. Null for a log without events. */
export function indexLog(
  events: readonly SystemEvent[],
  starts: ReadonlyMap<string, readonly ContainerStart[]>,
  container: string | null,
): LogIndex | null {
  if (events.length === 0) return null;
  const aside = { platformContainers: 0, daprContainers: 0, initContainers: 0, jobs: 0, withoutReplica: 0 };
  const byName = new Map<string, SystemEvent[]>();
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const event of events) {
    from = Math.min(from, event.ticks);
    to = Math.max(to, event.ticks);
    if (event.replica === "") {
      if (event.reason === "ContainerStarted" && event.job === "") aside.withoutReplica++;
      if (event.reason === "ContainerStarted" && event.job !== "") aside.jobs++;
      continue;
    }
    const list = byName.get(event.replica);
    if (list === undefined) byName.set(event.replica, [event]);
    else list.push(event);
  }
  const replicas = new Map<string, ReplicaLog>();
  for (const [name, list] of [...byName].sort(([a], [b]) => (a < b ? -1 : 1))) {
    list.sort((a, b) => a.ticks - b.ticks);
    const own = starts.get(name) ?? [];
    // A job's execution has no revision, so its name lacks the double hyphen.
    if (list.some(({ job }) => job !== "") || (!name.includes("--") && list.every(({ app }) => app === ""))) {
      aside.jobs += own.length;
      continue;
    }
    countSidecars(list, aside);
    replicas.set(name, replicaLog(name, list, withoutInit(own, list, aside), container));
  }
  return { replicas, aside, from, to };
}

function countSidecars(events: readonly SystemEvent[], aside: SetAside): void {
  const last = new Map<string, SystemEvent>();
  for (const event of events) {
    if (event.reason !== "ContainerStarted") continue;
    const name = containerOf(event.text);
    if (name === null || !isPlatformContainer(name)) continue;
    const before = last.get(event.text);
    last.set(event.text, event);
    // Some exports hold every event twice, some milliseconds apart.
    if (before !== undefined && event.ticks - before.ticks <= 10_000_000 && event.count === before.count)
      continue;
    if (name === "daprd") aside.daprContainers++;
    else aside.platformContainers++;
  }
}

/** An init container that runs for more than a minute stands as a start of its own: it is none of the app. */
function withoutInit(
  starts: readonly ContainerStart[],
  events: readonly SystemEvent[],
  aside: SetAside,
): ContainerStart[] {
  return starts.filter((start, index) => {
    const next = starts[index + 1];
    if (next === undefined) return true;
    const names = [...start.containers.keys()];
    const isInit = names.every(
      (name) =>
        !next.containers.has(name) &&
        eventsBetween({ events }, start.at, next.at).some(
          ({ text }) =>
            STOPPED.test(text) && containerOf(text) === name && /exit code '?0'?(?!\d)/.test(text),
        ),
    );
    if (isInit) aside.initContainers += names.length;
    return !isInit;
  });
}

function replicaLog(
  name: string,
  events: readonly SystemEvent[],
  starts: readonly ContainerStart[],
  container: string | null,
): ReplicaLog {
  const first = events[0]!;
  const assigned = events.find(({ reason }) => reason === "AssigningReplica") ?? null;
  const isBorn = assigned !== null || BEGINNINGS.has(first.reason);
  const revision = events.find((event) => event.revision !== "")?.revision ?? revisionOfReplica(name) ?? "";
  const app = events.find((event) => event.app !== "")?.app ?? appOfReplica(name);
  const lastStart = starts[starts.length - 1]?.at ?? Number.NEGATIVE_INFINITY;
  const ends = events.filter(
    ({ text, ticks }) =>
      ticks >= lastStart && ENDED.test(text) && isAppContainer(containerOf(text), container),
  );
  // A container that ends by itself is started again; only one that was stopped takes its replica along.
  const isStopped = ends.some(({ text }) => /ManuallyStopped|^Stopping/.test(text));
  return {
    name,
    app,
    revision,
    set: name.slice(0, Math.max(0, name.lastIndexOf("-"))),
    events,
    assigned,
    starts,
    from: isBorn ? (assigned?.ticks ?? first.ticks) : Number.NEGATIVE_INFINITY,
    died: ends[ends.length - 1]?.ticks ?? null,
    failures: failedCreations(events, container),
    isStopped,
  };
}

/** Rows that say so twice within a second, as some exports do, are one. */
function failedCreations(events: readonly SystemEvent[], container: string | null): SystemEvent[] {
  const failures: SystemEvent[] = [];
  for (const event of events) {
    if (!CREATE_FAILURE.test(event.text) || !isAppContainer(containerOf(event.text), container)) continue;
    const before = failures.findLast(({ text }) => text === event.text);
    if (
      before === undefined ||
      event.ticks - before.ticks > TICKS_PER_SECOND ||
      event.count !== before.count
    ) {
      failures.push(event);
    }
  }
  return failures;
}

/** Whether the replica is known to exist at an instant: born by then, and not seen to have been stopped. */
export function isAlive(replica: ReplicaLog, ticks: number): boolean {
  return replica.from <= ticks && (replica.died === null || replica.died > ticks);
}

/** The replica's events from `from` to `to`, both inclusive, found without going through all of them. */
export function eventsBetween(
  { events }: Pick<ReplicaLog, "events">,
  from: number,
  to: number,
): readonly SystemEvent[] {
  const ticksOf = ({ ticks }: SystemEvent): number => ticks;
  return events.slice(lowerBound(events, from, ticksOf), lowerBound(events, to, ticksOf, true));
}

/** The first position whose time is at least `ticks`, or more than it where `after`, in a list in time order. */
export function lowerBound<T>(
  list: readonly T[],
  ticks: number,
  timeOf: (entry: T) => number,
  after = false,
): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = timeOf(list[middle]!);
    if (at < ticks || (after && at === ticks)) low = middle + 1;
    else high = middle;
  }
  return low;
}
