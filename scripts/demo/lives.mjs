import { cohortAt, earlyReplicas, nextSwitch, planBirths, replicaName, revisionAt } from "./births.mjs";
import { SECOND, seconds } from "./clock.mjs";
import { COHORTS, EXTRAS, TO } from "./plan.mjs";

const MEDIAN_LIFE_SECONDS = 25 * 60;
/** The platform scales in 300 s after the last request. */
const COOL_DOWN_SECONDS = 300;
/** Seconds after a deployment until which the replicas of the old revision still get requests. */
const LAST_REQUEST_OF_OLD = 45;

function drawEnd(rng, life) {
  const served = Math.min(Math.max(rng.logNormal(MEDIAN_LIFE_SECONDS, 0.75), 400), 10 * 3_600);
  const long = life.cause === "across" || life.cause === "survivor";
  const drawn = life.idle ? rng.between(COOL_DOWN_SECONDS, 420) : long ? 8 * 3_600 : served;
  return life.start + seconds(drawn);
}

/**
 * Ends a life: by scale-in after its drawn length, by the next deployment, or not before the data ends.
 * `lastRequest` is the latest start that a request may have.
 */
function settleEnd(rng, life) {
  const end = drawEnd(rng, life);
  const deployment = nextSwitch(life.start);
  const replaced =
    deployment !== undefined && end > deployment ? deployment + seconds(rng.between(55, 150)) : null;
  life.exit = "ManuallyStopped";
  life.end = replaced ?? end;
  const quiet = seconds(COOL_DOWN_SECONDS + rng.between(0, 40));
  life.lastRequest = replaced === null ? end - quiet : deployment + seconds(LAST_REQUEST_OF_OLD);
  life.replacedBy = replaced === null ? null : deployment;
  if (life.end > TO - 600 * SECOND) {
    life.end = null;
    life.exit = null;
    life.lastRequest = TO - COOL_DOWN_SECONDS * SECOND;
  }
}

/** Cuts a life short by a crash, and gives the same replica a second life after the back-off. */
function restart(rng, life) {
  life.end = life.start + seconds(rng.between(240, 900));
  life.lastRequest = life.end - seconds(30);
  life.exit = rng.chance(0.5) ? "ProcessExited" : "ProbeFailure";
  const next = {
    ...life,
    start: life.end + seconds(rng.between(10.3, 20.4)),
    cause: "restart",
    episode: undefined,
    previous: life,
  };
  settleEnd(rng, next);
  return next;
}

function canRestart(life) {
  const limit = Math.min(nextSwitch(life.start) ?? TO, TO) - 12 * 3_600 * SECOND;
  return !life.idle && life.cause === "scale-out" && life.start < limit;
}

function cohortLives(rng, name, taken) {
  const cohort = COHORTS[name];
  const births = planBirths(rng, cohort, cohort.instances - cohort.restarts + cohort.idle);
  const lives = births.map((birth) => {
    const revision = revisionAt(birth.start);
    return { ...birth, cohort: name, revision, replica: replicaName(rng, revision, taken), idle: false };
  });
  const ordinary = rng.shuffled(lives.filter((life) => life.cause === "scale-out"));
  for (const life of ordinary.slice(0, cohort.idle)) life.idle = true;
  for (const life of lives) settleEnd(rng, life);
  for (const life of rng.shuffled(lives.filter(canRestart)).slice(0, cohort.restarts)) {
    lives.push(restart(rng, life));
  }
  for (const life of lives) {
    if (cohortAt(life.start) !== cohort) throw new Error(`a start of ${name} lies outside its window`);
    life.portOpens = rng.between(...cohort.portOpens);
  }
  return lives;
}

/** Every life of the fleet, in the order of birth, and the replicas whose birth the data does not hold. */
export function planLives(rng) {
  const taken = new Set();
  const early = earlyReplicas(rng, EXTRAS.unknownBirths, taken);
  const lives = [...cohortLives(rng, "before", taken), ...cohortLives(rng, "after", taken)];
  return { early, lives: lives.sort((left, right) => left.start - right.start) };
}
