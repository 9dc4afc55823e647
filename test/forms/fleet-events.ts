import type { Rng } from "./rng.ts";
import type { FormEvent } from "./types.ts";

export const SECOND = 10_000_000n;

/** How the platform words its events: with quotes around names (legion) or without (kubelet). */
export type Dialect = "legion" | "kubelet";

export interface AppPlan {
  readonly app: string;
  readonly revision: string;
  readonly dialect: Dialect;
  readonly dapr: boolean;
}

/** Collects the events of a fleet and keeps the counter of each (replica, reason, text). */
export class EventLog {
  readonly events: FormEvent[] = [];
  readonly #counts = new Map<string, number>();
  readonly #snap: (ticks: bigint) => bigint;

  constructor(snap: (ticks: bigint) => bigint) {
    this.#snap = snap;
  }

  /** Adds an event; controller events of whole seconds are cut to one, as the platform does. */
  add(
    plan: AppPlan,
    at: bigint,
    replica: string,
    reason: string,
    text: string,
    options: { whole?: boolean; source?: string; warning?: boolean } = {},
  ): FormEvent {
    const key = JSON.stringify([plan.app, replica, reason, text]);
    const count = reason === "AssigningReplica" ? 0 : (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    const event: FormEvent = {
      timeTicks: options.whole ? at - (at % SECOND) : this.#snap(at),
      reason,
      type: options.warning ? "Warning" : "Normal",
      text,
      app: plan.app,
      revision: plan.revision,
      replica,
      source: options.source ?? "ContainerAppController",
      count,
    };
    this.events.push(event);
    return event;
  }

  /** Repeats an event a few milliseconds later with the same count, as the exports of 2022 show it. */
  double(event: FormEvent, milliseconds: number): void {
    this.events.push({ ...event, timeTicks: event.timeTicks + BigInt(milliseconds) * 10_000n });
  }
}

const quoted = (plan: AppPlan, name: string): string => (plan.dialect === "legion" ? `'${name}'` : name);

/** A container's start; returns its own time. */
export function startContainer(
  log: EventLog,
  plan: AppPlan,
  replica: string,
  name: string,
  at: bigint,
): FormEvent {
  log.add(plan, at - SECOND / 70n, replica, "ContainerCreated", `Created container ${quoted(plan, name)}`);
  return log.add(plan, at, replica, "ContainerStarted", `Started container ${quoted(plan, name)}`);
}

/** Everything the platform says until the app's container of a new replica has started at `started`. */
export function startReplica(log: EventLog, plan: AppPlan, replica: string, started: bigint, rng: Rng): void {
  const scheduled = started - rng.seconds(8, 18);
  const scheduledText = `Replica '${replica}' has been scheduled to run on a node.`;
  log.add(plan, scheduled, replica, "AssigningReplica", scheduledText, { whole: true });
  const image = "registry.example.test/app:latest";
  if (plan.dialect === "legion") {
    log.add(plan, scheduled + 2n * SECOND, replica, "PullingImage", `Pulling image '${image}'`);
    const pulled = `Successfully pulled image "${image}" in 1.62s. Image size: 33554432 bytes.`;
    log.add(plan, scheduled + 4n * SECOND, replica, "PulledImage", pulled);
  } else {
    const present = `Container image "${image}" already present on machine`;
    log.add(plan, scheduled + 2n * SECOND, replica, "ImagePulled", present);
  }
  if (plan.dapr) startContainer(log, plan, replica, "daprd", started - rng.seconds(0.2, 7));
  if (rng.chance(0.3)) {
    const sidecar = startContainer(log, plan, replica, "k8se-envoysc", started + rng.seconds(0.1, 2));
    const done = "Container 'k8se-envoysc' was terminated with exit code '0'";
    log.add(plan, sidecar.timeTicks + SECOND, replica, "Completed", done, { warning: true });
  }
  const event = startContainer(log, plan, replica, plan.app, started);
  if (plan.dialect === "kubelet" && rng.chance(0.5)) log.double(event, rng.int(8, 14));
  const failure =
    plan.dialect === "legion"
      ? ["ProbeFailed", "Probe of StartUp failed with status code: 1"]
      : ["ReplicaUnhealthy", "startup probe failed: connection refused"];
  const failures = rng.int(0, 3);
  for (let i = 1; i <= failures; i++) {
    log.add(plan, started + BigInt(i) * SECOND, replica, failure[0]!, failure[1]!, { warning: true });
  }
}

/** The end of the app's container: by the platform (`stopped`) or by its own exit. */
export function endContainer(
  log: EventLog,
  plan: AppPlan,
  replica: string,
  at: bigint,
  stopped: boolean,
): void {
  if (plan.dialect === "kubelet" && stopped) {
    log.add(plan, at, replica, "StoppingContainer", `Stopping container ${plan.app}`);
    return;
  }
  const why = stopped
    ? "exit code '' and reason 'ManuallyStopped'"
    : "exit code '137' and reason 'ProcessExited'";
  const text = `Container '${plan.app}' was terminated with ${why}`;
  log.add(plan, at, replica, "ContainerTerminated", text, { warning: true });
  if (stopped) return;
  const echo = `Container '${plan.app}' was terminated with exit code '137'`;
  log.add(plan, at, replica, "ProcessExited", echo, { warning: true, whole: true });
}

/** What the platform says about the app itself when its revision comes up. */
export function revisionEvents(log: EventLog, plan: AppPlan, at: bigint): void {
  const keda = { source: "KEDA", whole: true };
  log.add(plan, at, "", "RevisionCreation", `Creating a new revision: ${plan.revision}`, { whole: true });
  log.add(plan, at + SECOND, "", "KEDAScalersStarted", "Scaler external-push is built", keda);
  const scaled = `Scaled apps/v1.Deployment k8se-apps/${plan.revision} from 0 to 1, triggered by `;
  log.add(plan, at + 2n * SECOND, "", "KEDAScaleTargetActivated", scaled, keda);
}
