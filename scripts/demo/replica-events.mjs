import { SECOND, seconds } from "./clock.mjs";
import { ROLE } from "./plan.mjs";

const IMAGE_BYTES = 98_566_144;

function imageOf(revision) {
  return `registry.example.com/${ROLE}:${revision.tag}`;
}

/** A writer of one replica's events that counts repeats as the platform does: by reason and text. */
function eventWriter(life, counts) {
  return (tick, reason, message, { type = "Normal", whole = false, count } = {}) => {
    const key = `${reason}|${message}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return {
      tick,
      whole,
      type,
      revision: life.revision.name,
      replica: life.replica,
      message,
      reason,
      source: "ContainerAppController",
      count: count ?? counts.get(key),
    };
  };
}

/** Scheduling and the first pull, from the container's start backwards: most of it is between pull and create. */
function firstStart(rng, life, write) {
  const image = imageOf(life.revision);
  const created = life.start - seconds(rng.between(0.01, 0.015));
  const pulled = created - seconds(rng.chance(0.25) ? rng.between(3.6, 5.2) : rng.between(10.2, 12.6));
  const pullSeconds = Math.round(rng.between(1.4, 3.2) * 100) / 100;
  const pulling = pulled - seconds(pullSeconds);
  life.assigned = pulling - seconds(rng.between(1.85, 2.35));
  return [
    write(
      life.assigned,
      "AssigningReplica",
      `Replica '${life.replica}' has been scheduled to run on a node.`,
      {
        whole: true,
        count: 0,
      },
    ),
    write(pulling, "PullingImage", `Pulling image '${image}'`),
    write(
      pulled,
      "PulledImage",
      `Successfully pulled image "${image}" in ${pullSeconds}s. Image size: ${IMAGE_BYTES} bytes.`,
    ),
    write(created, "ContainerCreated", `Created container '${ROLE}'`),
  ];
}

/** A restart in the same replica finds the image on the node. */
function secondStart(rng, life, write) {
  const image = imageOf(life.revision);
  const created = life.start - seconds(rng.between(0.01, 0.015));
  const pulled = created - seconds(rng.between(0.09, 0.11));
  const pullMs = rng.int(9, 35);
  return [
    write(pulled - seconds(pullMs / 1_000), "PullingImage", `Pulling image '${image}'`),
    write(
      pulled,
      "PulledImage",
      `Successfully pulled image "${image}" in ${pullMs}ms. Image size: ${IMAGE_BYTES} bytes.`,
    ),
    write(created, "ContainerCreated", `Created container '${ROLE}'`),
  ];
}

/** The default startup probe is TCP, once a second from the first on, refused until the port is open. */
function refusals(rng, life, write) {
  const events = [];
  const phase = rng.between(0, 0.08);
  for (let second = 1; second + phase < life.portOpens; second += 1) {
    const tick = life.start + seconds(second + phase + rng.between(0, 0.006));
    const message = "Probe of StartUp failed with status code: 1";
    events.push(write(tick, "ProbeFailed", message, { type: "Warning" }));
  }
  return events;
}

function termination(life, write) {
  if (life.end === null) return [];
  const code = life.exit === "ProcessExited" ? "137" : "";
  const message = `Container '${ROLE}' was terminated with exit code '${code}' and reason '${life.exit}'`;
  const events = [write(life.end, "ContainerTerminated", message, { type: "Warning" })];
  if (life.exit === "ProbeFailure") {
    const probe = `Container ${ROLE} failed liveness probe, will be restarted`;
    events.unshift(write(life.end - Math.round(SECOND / 50), "ProbeFailed", probe, { type: "Warning" }));
  }
  return events;
}

/** The events of every replica; lives of one replica share its counters. Sets `life.assigned` on first lives. */
export function replicaEvents(rng, lives) {
  const counters = new Map();
  return lives.flatMap((life) => {
    if (!counters.has(life.replica)) counters.set(life.replica, new Map());
    const write = eventWriter(life, counters.get(life.replica));
    const start = life.previous ? secondStart(rng, life, write) : firstStart(rng, life, write);
    const started = write(life.start, "ContainerStarted", `Started container '${ROLE}'`);
    return [...start, started, ...refusals(rng, life, write), ...termination(life, write)];
  });
}

/** A replica from before the data has no start in the log, only its end. */
export function earlyEvents(early) {
  return early.map((replica) => {
    const life = { ...replica, exit: "ManuallyStopped" };
    return termination(life, eventWriter(life, new Map()))[0];
  });
}
