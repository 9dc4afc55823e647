import { appOfReplica, containerOf, isPlatformContainer, type SystemEvent } from "../telemetry/events.ts";
import { TICKS_PER_SECOND } from "../telemetry/time.ts";

/** One start of the app's container in a replica. */
export interface ContainerStart {
  readonly replica: string;
  readonly app: string;
  readonly revision: string;
  /** Ticks of the start: the latest of the containers that started together. */
  readonly at: number;
  readonly ownClock: boolean;
  /** The app's containers that started together, each with the ticks of its own start. */
  readonly containers: ReadonlyMap<string, number>;
}

const REPEAT = TICKS_PER_SECOND;
const TOGETHER = 60 * TICKS_PER_SECOND;

/** Starts of the app's container by replica, in time order. */
export function containerStarts(
  events: readonly SystemEvent[],
  container: string | null,
): Map<string, ContainerStart[]> {
  const byReplica = new Map<string, SystemEvent[]>();
  for (const event of events) {
    if (event.reason !== "ContainerStarted" || event.replica === "") continue;
    if (!isAppContainer(containerOf(event.text), container)) continue;
    const list = byReplica.get(event.replica);
    if (list === undefined) byReplica.set(event.replica, [event]);
    else list.push(event);
  }
  const starts = new Map<string, ContainerStart[]>();
  for (const [replica, list] of byReplica) {
    list.sort(byTime);
    starts.set(replica, together(withoutRepeats(list)));
  }
  return starts;
}

/** Whether a container is the app's own: the one named, or else any but the platform's and Dapr's. */
export function isAppContainer(name: string | null, container: string | null): boolean {
  if (container !== null) return name === container;
  return name === null || !isPlatformContainer(name);
}

function byTime(a: SystemEvent, b: SystemEvent): number {
  return a.ticks - b.ticks || (a.text < b.text ? -1 : a.text > b.text ? 1 : 0);
}

/** Exports repeat events a few milliseconds apart; a higher counter is a new occurrence. */
function withoutRepeats(events: readonly SystemEvent[]): SystemEvent[] {
  const kept: SystemEvent[] = [];
  const lastOf = new Map<string, SystemEvent>();
  for (const event of events) {
    const last = lastOf.get(event.text);
    const isRepeat =
      last !== undefined &&
      event.ticks - last.ticks <= REPEAT &&
      (event.count === null || last.count === null || event.count === last.count);
    if (isRepeat) continue;
    lastOf.set(event.text, event);
    kept.push(event);
  }
  return kept;
}

/** Different containers that start within a minute of the first are one start of the replica, at the latest. */
function together(events: readonly SystemEvent[]): ContainerStart[] {
  const starts: ContainerStart[] = [];
  let group: SystemEvent[] = [];
  const close = (): void => {
    const last = group[group.length - 1];
    if (last === undefined) return;
    starts.push({
      replica: last.replica,
      app: last.app === "" ? appOfReplica(last.replica) : last.app,
      revision: last.revision,
      at: last.ticks,
      ownClock: last.ownClock,
      containers: new Map(group.map((event) => [containerOf(event.text) ?? "", event.ticks])),
    });
  };
  for (const event of events) {
    const name = containerOf(event.text) ?? "";
    const first = group[0];
    const joins =
      first !== undefined &&
      event.ticks - first.ticks <= TOGETHER &&
      !group.some((member) => (containerOf(member.text) ?? "") === name);
    if (!joins) {
      close();
      group = [];
    }
    group.push(event);
  }
  close();
  return starts;
}
