import { appOfReplica, containerOf, type SystemEvent } from "../telemetry/events.ts";
import { TICKS_PER_MINUTE, TICKS_PER_SECOND } from "../telemetry/time.ts";
import { eventsBetween, isAlive, type LogIndex, lowerBound, type ReplicaLog } from "./replicas-log.ts";

export const CAUSES = ["deployment", "rollout", "scaling", "restart", "crash-loop", "unknown"] as const;
export type CauseName = (typeof CAUSES)[number];

/** Why a process was born: exactly one cause, and what in the log says so. */
export interface Cause {
  readonly name: CauseName;
  /** `told` by an event that says so, `inferred` from what else lived at that time, or `none`. */
  readonly certainty: "told" | "inferred" | "none";
  readonly evidence: Evidence;
}

export const EVIDENCE = {
  "same-replica": "the container started again in the same replica",
  "failed-before": "the container failed again and again in the same replica",
  "start-counter": "the start's counter says that it was not the first in this replica",
  "ended-before":
    "the container had ended in this replica before, and the replica's assignment is not in the log",
  "revision-created": "RevisionCreation named the revision at most 10 min before",
  "scaler-activated": "KEDAScaleTargetActivated at most 1 min before",
  rescaled: "SuccessfulRescale at most 1 min before",
  "app-updated":
    "the app's update told within 1 min (RollingRevisionCompleted, RevisionDeactivating), the revision's first replicas in the log",
  "revision-first-seen": "the log's first replicas of the revision, while the app had another before",
  "new-replicaset": "the revision's replicas were replaced: a new replicaset beside an older one",
  "replaces-replica": "another replica of the same replicaset was stopped within 1 min of its start",
  "from-zero": "the replicaset was known, and none of its replicas had been left for at least 1 min",
  "beside-others": "the replicaset grew: older replicas of it lived on",
  "log-begins": "no replica of the app stands in the log before it",
  "no-assignment": "the log holds other assignments of the app, but none of this replica",
  "no-sign": "no event tells",
} as const;
export type Evidence = keyof typeof EVIDENCE;

/** Replicas that a deployment brings come together; those born within this time of the first belong to it. */
const BATCH = TICKS_PER_MINUTE;
/** A rollout that has not finished by then has failed: the platform's own deadline. */
const ROLLOUT = 10 * TICKS_PER_MINUTE;
/** A scaler's message comes at most so long before the replicas it asks for. */
const SCALER = TICKS_PER_MINUTE;
/** How far an event's time may lie behind what it caused: by a whole second, or by a batch of the log. */
const OWN_SLACK = 2 * TICKS_PER_SECOND;
const BATCH_SLACK = 15 * TICKS_PER_SECOND;
/** So many failures in one replica are a loop. */
const LOOP = 2;

interface Told {
  readonly at: number;
  readonly revision: string;
  readonly app: string;
  readonly slack: number;
  readonly evidence: "scaler-activated" | "rescaled";
}

interface Kin {
  readonly replicas: ReplicaLog[];
  /** Ticks of the earliest birth among them. */
  from: number;
}

/** Finds why processes were born. */
export class CauseFinder {
  /** By app, by app and revision, by app and replicaset. */
  readonly #kin = new Map<string, Kin>();
  readonly #created = new Map<string, { at: number; slack: number }[]>();
  readonly #scalers: Told[] = [];
  readonly #updates: { readonly at: number; readonly app: string }[] = [];
  readonly #failures = new Map<ReplicaLog, ReadonlySet<number>>();
  readonly #assigns = new Set<string>();

  constructor(index: LogIndex, events: readonly SystemEvent[]) {
    for (const replica of index.replicas.values()) {
      for (const key of keysOf(replica)) {
        const kin = this.#kin.get(key);
        if (kin === undefined) this.#kin.set(key, { replicas: [replica], from: replica.from });
        else {
          kin.replicas.push(replica);
          kin.from = Math.min(kin.from, replica.from);
        }
      }
      if (replica.assigned !== null) this.#assigns.add(replica.app);
    }
    for (const event of events) this.#note(event);
    this.#scalers.sort((a, b) => a.at - b.at);
  }

  #note(event: SystemEvent): void {
    const slack = event.ownClock ? OWN_SLACK : BATCH_SLACK;
    if (event.reason === "RevisionCreation") {
      const revision = /new revision: (\S+)/i.exec(event.text)?.[1];
      if (revision === undefined) return;
      const list = this.#created.get(revision);
      if (list === undefined) this.#created.set(revision, [{ at: event.ticks, slack }]);
      else list.push({ at: event.ticks, slack });
    } else if (event.reason === "RollingRevisionCompleted" || event.reason === "RevisionDeactivating") {
      const named = /(?:containerApp: |ContainerApp ')([^\s']+)/.exec(event.text)?.[1] ?? "";
      this.#updates.push({ at: event.ticks, app: event.app === "" ? named : event.app });
    } else if (event.reason === "KEDAScaleTargetActivated") {
      const revision = /k8se-apps\/(\S+)/.exec(event.text)?.[1] ?? event.revision;
      const app = event.app === "" ? appOfReplica(revision) : event.app;
      this.#scalers.push({ at: event.ticks, revision, app, slack, evidence: "scaler-activated" });
    } else if (event.reason === "SuccessfulRescale") {
      const match = /^(\S+) has been scaled to \d+/.exec(event.text);
      if (match === null) return;
      const app = event.app === "" ? appOfReplica(match[1]!) : event.app;
      this.#scalers.push({ at: event.ticks, revision: event.revision, app, slack, evidence: "rescaled" });
    }
  }

  /** The cause of the replica's start at `position` among its starts. */
  causeOf(replica: ReplicaLog, position: number): Cause {
    return this.#restart(replica, position) ?? this.#newReplica(replica);
  }

  #restart(replica: ReplicaLog, position: number): Cause | null {
    if (position > 0) {
      const failures = this.#failuresOf(replica);
      return failures.size >= LOOP && failures.has(position)
        ? told("crash-loop", "failed-before")
        : told("restart", "same-replica");
    }
    const start = replica.starts[0]!;
    const own = eventsBetween(replica, start.at, start.at).filter(
      ({ reason, text }) => reason === "ContainerStarted" && start.containers.has(containerOf(text) ?? ""),
    );
    if (own.length > 0 && own.every(({ count }) => count !== null && count > 1)) {
      return told("restart", "start-counter");
    }
    const hasEnded = replica.events.some(
      ({ text, ticks }) =>
        ticks < start.at && /was terminated/.test(text) && start.containers.has(containerOf(text) ?? ""),
    );
    return replica.assigned === null && hasEnded ? told("restart", "ended-before") : null;
  }

  /** The positions of the replica's starts before which its process had failed. */
  #failuresOf(replica: ReplicaLog): ReadonlySet<number> {
    let failures = this.#failures.get(replica);
    if (failures === undefined) {
      const positions = replica.starts.map((_, at) => at).filter((at) => at > 0 && failedBefore(replica, at));
      failures = new Set(positions);
      this.#failures.set(replica, failures);
    }
    return failures;
  }

  #newReplica(replica: ReplicaLog): Cause {
    const at = replica.from;
    if (replica.assigned === null && this.#assigns.has(replica.app)) return unknown("no-assignment");
    const [family, ofRevision, ofSet] = keysOf(replica).map((key) => this.#kin.get(key)!);
    const revisionFrom = ofRevision!.from;

    const created = this.#created
      .get(replica.revision)
      ?.some((event) => event.at <= at + event.slack && at - event.at <= ROLLOUT);
    if (created === true && at <= revisionFrom + BATCH) return told("deployment", "revision-created");
    const scaler = this.#scalerOf(replica);
    if (scaler !== null) return told("scaling", scaler.evidence);
    if (created === true) return told("deployment", "revision-created");

    if (isHandover(at, revisionFrom, family!, ({ revision }) => revision !== replica.revision)) {
      return inferred("deployment", "revision-first-seen");
    }
    const isFirst = at <= revisionFrom + BATCH;
    if (isFirst && this.#updates.some((update) => update.app === replica.app && near(update.at, at))) {
      return inferred("deployment", "app-updated");
    }
    if (isHandover(at, ofSet!.from, ofRevision!, ({ set }) => set !== replica.set)) {
      return inferred("rollout", "new-replicaset");
    }
    return this.#sameSet(replica, ofSet!, family!);
  }

  /** The scaler's message that asked for the replica; null where there is none. */
  #scalerOf({ app, revision, from: at }: ReplicaLog): Told | null {
    const first = lowerBound(this.#scalers, at - SCALER, (message) => message.at);
    for (let i = first; i < this.#scalers.length; i++) {
      const message = this.#scalers[i]!;
      if (message.at > at + BATCH_SLACK) break;
      const isOwn = message.app === app && (message.revision === "" || message.revision === revision);
      if (isOwn && message.at <= at + message.slack) return message;
    }
    return null;
  }

  #sameSet(replica: ReplicaLog, ofSet: Kin, family: Kin): Cause {
    const at = replica.from;
    const started = replica.starts[0]!.at;
    const older = ofSet.replicas.filter(({ from }) => from < at - BATCH);
    const replaced = older.some(
      ({ died, isStopped }) => isStopped && died !== null && died > at && died <= started + BATCH,
    );
    if (replaced) return inferred("rollout", "replaces-replica");
    if (older.length > 0) {
      if (older.some((other) => isAlive(other, at))) return inferred("scaling", "beside-others");
      const lastDeath = older.reduce(
        (last, { died }) => Math.max(last, died ?? last),
        Number.NEGATIVE_INFINITY,
      );
      if (at - lastDeath >= BATCH) return inferred("scaling", "from-zero");
      return unknown("no-sign");
    }
    return unknown(family.from < at - BATCH ? "no-sign" : "log-begins");
  }
}

/**
 * Whether a birth belongs to a handover that began at `begin`: something older had lived before, and the
 * birth is among the first ones, or the older ones are still being stopped one after the other.
 */
function isHandover(at: number, begin: number, kin: Kin, isOther: (replica: ReplicaLog) => boolean): boolean {
  if (at > begin + ROLLOUT) return false;
  const older = kin.replicas.filter((replica) => replica.from < begin && isOther(replica));
  if (older.length === 0) return false;
  return at <= begin + BATCH || older.some(({ died }) => died === null || died >= at - BATCH);
}

function near(a: number, b: number): boolean {
  return Math.abs(a - b) <= BATCH;
}

/** Whether the process before the start at `position` ended by a failure. */
function failedBefore(replica: ReplicaLog, position: number): boolean {
  const from = replica.starts[position - 1]!.at;
  const to = replica.starts[position]!.at;
  const names = replica.starts[position - 1]!.containers;
  return eventsBetween(replica, from, to).some(
    ({ text }) =>
      names.has(containerOf(text) ?? "") &&
      (/failed (?:startup|liveness) probe, will be restarted/.test(text) || isFailure(text)),
  );
}

function isFailure(text: string): boolean {
  if (!/was terminated/.test(text) || /ManuallyStopped/.test(text)) return false;
  return !/exit code '?0'?(?!\d)/.test(text);
}

function keysOf({ app, revision, set }: ReplicaLog): readonly string[] {
  return [app, `${app}\n${revision}`, `${app}\n\n${set}`];
}

function told(name: CauseName, evidence: Evidence): Cause {
  return { name, certainty: "told", evidence };
}

function inferred(name: CauseName, evidence: Evidence): Cause {
  return { name, certainty: "inferred", evidence };
}

function unknown(evidence: Evidence): Cause {
  return { name: "unknown", certainty: "none", evidence };
}
