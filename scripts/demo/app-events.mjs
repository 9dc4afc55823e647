import { nextSwitch, revisionAt } from "./births.mjs";
import { at, SECOND } from "./clock.mjs";
import { REVISIONS, ROLE } from "./plan.mjs";

const CONTROLLER = "ContainerAppController";

/** A writer of app-level events, all to the second, whose Count runs over the whole log. */
function appWriter() {
  const counts = new Map();
  return (tick, source, reason, revision, message, type = "Normal") => {
    const key = `${reason}|${message}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    const count = counts.get(key);
    return { tick, whole: true, type, revision, replica: "", message, reason, source, count };
  };
}

/** What a deployment leaves in the log, in the order in which the platform writes it. */
function deployment(write, previous, next) {
  const tick = (second) => next.from + second * SECOND;
  return [
    write(tick(0), CONTROLLER, "ContainerAppUpdate", "", `Updating containerApp: ${ROLE}`),
    write(tick(0), CONTROLLER, "RevisionCreation", previous.name, `Creating a new revision: ${next.name}`),
    write(
      tick(1),
      "KEDA",
      "ScaledObjectCheckFailed",
      next.name,
      "ScaledObject doesn't have correct scaleTargetRef specification",
      "Warning",
    ),
    write(tick(1), "KEDA", "KEDAScalersStarted", next.name, "Scaler external-push is built"),
    write(
      tick(1),
      "KEDA",
      "KEDAScalersStarted",
      next.name,
      `KEDA is starting a watch for revision '${next.name}' to monitor scale operations for this revision`,
    ),
    write(
      tick(3),
      CONTROLLER,
      "RevisionReady",
      next.name,
      `Successfully provisioned revision '${next.name}'`,
    ),
    write(
      tick(40),
      CONTROLLER,
      "RevisionUpdate",
      next.name,
      `Setting traffic weight of '100%' for revision '${next.name}'`,
    ),
    write(
      tick(42),
      CONTROLLER,
      "RollingRevisionCompleted",
      "",
      `Rolling Transition: Successfully completed rolling over existing to latest revision for containerApp: ${ROLE}`,
    ),
    write(tick(43), CONTROLLER, "ContainerAppReady", "", `Successfully updated containerApp: ${ROLE}`),
    write(
      tick(50),
      CONTROLLER,
      "RevisionDeactivating",
      previous.name,
      `Deactivating old revisions for ContainerApp '${ROLE}'`,
    ),
    write(
      tick(51),
      "KEDA",
      "KEDAScalersStopped",
      previous.name,
      `KEDA is stopping the watch for revision '${previous.name}' to monitor scale operations for this revision`,
    ),
  ];
}

/** Replicas that exist at a tick: scheduled and not yet ended. */
function running(replicas, tick) {
  return replicas.filter((each) => each.from <= tick && (each.to === null || each.to > tick)).length;
}

function scaling(write, replicas, lives) {
  const events = [];
  const episodes = new Map();
  for (const life of lives.filter((each) => each.episode !== undefined)) {
    episodes.set(life.episode, [...(episodes.get(life.episode) ?? []), life]);
  }
  for (const members of episodes.values()) {
    const trigger = Math.min(...members.map((life) => life.assigned)) - SECOND;
    const revision = revisionAt(trigger).name;
    const before = running(replicas, trigger);
    if (before === 0) {
      const message = `Scaled apps/v1.Deployment k8se-apps/${revision} from 0 to 1, triggered by `;
      events.push(write(trigger, "KEDA", "KEDAScaleTargetActivated", revision, message));
    }
    if (before + members.length > 1) {
      const message = `${ROLE} has been scaled to ${before + members.length} by the scaler: http-scaler.`;
      events.push(write(trigger, "Scaling", "SuccessfulRescale", revision, message));
    }
  }
  for (const { to, revision } of replicas) {
    if (to === null || running(replicas, to) > 0 || nextSwitch(to - 600 * SECOND) < to) continue;
    const message = `Deactivated apps/v1.Deployment k8se-apps/${revision} from 1 to 0`;
    events.push(write(to, "KEDA", "KEDAScaleTargetDeactivated", revision, message));
  }
  return events;
}

/** One entry a replica (its lives joined), for counting how many run. */
function replicaSpans(early, lives) {
  const spans = early.map((each) => ({ from: 0, to: each.end, revision: each.revision.name }));
  for (const life of lives.filter((each) => !each.previous)) {
    const last = lives.find((each) => each.previous === life) ?? life;
    spans.push({ from: life.assigned, to: last.end, revision: life.revision.name });
  }
  return spans;
}

/** Deployments, scaling, and a last event after everything else: the end of what the log covers. */
export function appEvents(early, lives) {
  const write = appWriter();
  const events = REVISIONS.slice(1).flatMap((next, i) => deployment(write, REVISIONS[i], next));
  events.push(...scaling(write, replicaSpans(early, lives), lives));
  const last = REVISIONS.at(-1).name;
  const message = `Revision '${last}' updated. No new revision was provisioned.`;
  const end = at("2026-10-05T21:59:41Z");
  events.push(write(end, CONTROLLER, "RevisionUpdate", last, message));
  const ready = "No revision restart or provisioning was needed.";
  events.push(write(end + SECOND, CONTROLLER, "ContainerAppReady", "", ready));
  return events;
}
