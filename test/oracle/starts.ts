import { type OracleEvent, sortedInstants, TICKS_PER_SECOND } from "./types.ts";

/** One start of an app's containers in one replica: one life begins. */
export interface ContainerStart {
  replica: string;
  /** The latest start of the group's containers. */
  time: bigint;
  containers: { name: string; time: bigint }[];
  /** The replica's next start; undefined for its last. */
  next: bigint | undefined;
}

/** The container starts of a log, by replica and time. */
export function containerStarts(events: OracleEvent[], container: string | undefined): ContainerStart[] {
  const started = withoutRepeats(
    events.filter((event) => event.reason === "ContainerStarted" && event.replica !== ""),
  ).filter((event) => isAppContainer(startedContainer(event), container));

  const starts: ContainerStart[] = [];
  for (const replica of new Set(started.map((event) => event.replica))) {
    const groups: ContainerStart[] = [];
    for (const event of started.filter((one) => one.replica === replica)) {
      const name = startedContainer(event);
      const group = groups.at(-1);
      const joins =
        group !== undefined &&
        event.time - group.containers[0]!.time <= 60n * TICKS_PER_SECOND &&
        !group.containers.some((member) => member.name === name);
      if (joins) {
        group.containers.push({ name, time: event.time });
        group.time = event.time;
      } else {
        groups.push({ replica, time: event.time, containers: [{ name, time: event.time }], next: undefined });
      }
    }
    for (const [index, group] of groups.entries()) group.next = groups[index + 1]?.time;
    starts.push(...groups);
  }
  return starts;
}

/** The events by time, less those that the last kept one of the same replica, reason and text repeats. */
function withoutRepeats(events: OracleEvent[]): OracleEvent[] {
  const kept: OracleEvent[] = [];
  for (const event of byTime(events)) {
    const last = kept.findLast(
      (one) => one.replica === event.replica && one.reason === event.reason && one.text === event.text,
    );
    const repeats =
      last !== undefined &&
      event.time - last.time <= TICKS_PER_SECOND &&
      (event.count === undefined || last.count === undefined || event.count === last.count);
    if (!repeats) kept.push(event);
  }
  return kept;
}

function byTime(events: OracleEvent[]): OracleEvent[] {
  return [...events].sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
}

/** The container named by a start's text; "" when the text names none. */
function startedContainer(event: OracleEvent): string {
  const match = /^Started container (?:'([^']+)'|([^\s']+))/.exec(event.text.trim());
  return match?.[1] ?? match?.[2] ?? "";
}

function isAppContainer(name: string, container: string | undefined): boolean {
  if (container !== undefined) return name === container;
  return !name.startsWith("k8se-") && name !== "daprd";
}

/** How long a life lasted, in ticks; censored when it was still running at the log's last event. */
export interface Life {
  ticks: bigint;
  censored: boolean;
}

export function lifeOf(start: ContainerStart, events: OracleEvent[]): Life {
  const ends: bigint[] = [];
  for (const container of start.containers) {
    const terminations = events
      .filter((event) => event.replica === start.replica && isTermination(event.text, container.name))
      .map((event) => event.time);
    const isInit =
      start.containers.length > 1 &&
      terminations.some((time) => time >= container.time && time <= start.time);
    if (isInit) continue;
    for (const time of terminations) {
      if (time >= start.time && (start.next === undefined || time < start.next)) ends.push(time);
    }
  }
  if (start.next !== undefined) ends.push(start.next);
  const end = sortedInstants(ends)[0];
  if (end !== undefined) return { ticks: end - start.time, censored: false };
  const lastEvent = sortedInstants(events.map((event) => event.time)).at(-1)!;
  return { ticks: lastEvent - start.time, censored: true };
}

function isTermination(text: string, container: string): boolean {
  if (container === "") return false;
  return (
    text.startsWith(`Container '${container}' was terminated`) ||
    text.startsWith(`Container ${container} was terminated`)
  );
}

/** The app that a replica belongs to: as an event says, otherwise the replica's name before `--`. */
export function appOf(replica: string, events: OracleEvent[]): string {
  const said = events.find((event) => event.replica === replica && (event.app ?? "") !== "");
  return said?.app ?? replica.split("--")[0]!;
}
