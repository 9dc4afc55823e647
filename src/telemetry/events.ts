/** One event of the Container Apps system log, whichever table or stream it came from. */
export interface SystemEvent {
  /** Ticks; by the event's own clock where the export has it. */
  ticks: number;
  /** False where only the batch time of the log was known, which may be ten seconds late. */
  readonly ownClock: boolean;
  readonly reason: string;
  readonly text: string;
  readonly app: string;
  readonly revision: string;
  readonly replica: string;
  readonly source: string;
  readonly severity: string;
  /** The running counter of the event, null where absent; not a number of occurrences. */
  readonly count: number | null;
  readonly job: string;
}

/** The container that an event's text speaks of, in either dialect's quoting; null where it names none. */
export function containerOf(text: string): string | null {
  const match = /\b[Cc]ontainer (?:'([^']*)'|(\S+))/.exec(text);
  return match?.[1] ?? match?.[2] ?? null;
}

/** Containers that the platform or Dapr puts beside the app's own. */
export function isPlatformContainer(name: string): boolean {
  return name.startsWith("k8se-") || name === "daprd";
}

/** The app of a replica or revision name (`app--suffix-…`), or the whole name where it has no such form. */
export function appOfReplica(replica: string): string {
  const mark = replica.indexOf("--");
  return mark === -1 ? replica : replica.slice(0, mark);
}

const REPLICA = /^(.+--[a-z0-9-]+?)-([a-z0-9]{8,10})-([a-z0-9]{5})$/;

/** The revision that a replica name belongs to, or null where the name has not the platform's form. */
export function revisionOfReplica(replica: string): string | null {
  return REPLICA.exec(replica)?.[1] ?? null;
}
