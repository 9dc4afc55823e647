import { at, SECOND, seconds } from "./clock.mjs";
import {
  COHORTS,
  DAY,
  DEPLOYED_AT,
  FIRST_DAY_OF_WEEK,
  HOUR_WEIGHTS,
  REVISIONS,
  WEEKEND_WEIGHT,
} from "./plan.mjs";

const DAYS = 35;
/** Seconds after a deployment at which its own replicas start: scheduling and pulling come before. */
const ROLLOUT = [20, 26];
const POD_ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

const SWITCHES = REVISIONS.slice(1).map((revision) => revision.from);

/** The revision that a replica born at this tick belongs to. */
export function revisionAt(tick) {
  return REVISIONS.findLast((revision) => revision.from <= tick);
}

/** The next deployment after a tick, or undefined. */
export function nextSwitch(tick) {
  return SWITCHES.find((value) => value > tick);
}

/** A name that the platform would give to a new replica of this revision. */
export function replicaName(rng, revision, taken) {
  for (;;) {
    const name = `${revision.name}-${revision.hash}-${rng.text(5, POD_ALPHABET)}`;
    if (!taken.has(name)) {
      taken.add(name);
      return name;
    }
  }
}

function dayWeights() {
  return Array.from({ length: DAYS }, (_, day) => {
    const dayOfWeek = (FIRST_DAY_OF_WEEK + day) % 7;
    return dayOfWeek === 0 || dayOfWeek === 6 ? WEEKEND_WEIGHT : 1;
  });
}

/** Replicas that a person who reads the story expects: the rollouts, and some that run across the edges. */
function appointed(rng, cohort) {
  const births = [];
  for (const tick of SWITCHES.filter((value) => value >= cohort.from && value < cohort.to)) {
    for (let i = 0; i < 3; i += 1) {
      births.push({ start: tick + seconds(rng.between(...ROLLOUT)), cause: "rollout" });
    }
  }
  const [from, to] = cohort.to === DEPLOYED_AT ? [DEPLOYED_AT, "across"] : [cohort.to, "survivor"];
  const [early, late] = to === "across" ? [40 * 60, 10 * 60] : [5 * 3_600, 3 * 3_600];
  for (let i = 0; i < (to === "across" ? 5 : 2); i += 1) {
    births.push({ start: from - seconds(rng.between(late, early)), cause: to });
  }
  return births;
}

/**
 * Container starts of one cohort: `count` of them, most on business days, in scale-outs of one to three.
 * None comes within minutes of a deployment, so that no start is ambiguous about its side.
 */
export function planBirths(rng, cohort, count) {
  const births = appointed(rng, cohort);
  const days = dayWeights();
  let episode = 0;
  while (births.length < count) {
    const hour = rng.weighted(HOUR_WEIGHTS);
    const tick = rng.weighted(days) * DAY + seconds(hour * 3_600 + rng.between(0, 3_600));
    const nearSwitch = SWITCHES.some((value) => tick > value - 240 * SECOND && tick < value + 60 * SECOND);
    if (tick < cohort.from || tick >= cohort.to - 240 * SECOND || nearSwitch) continue;
    episode += 1;
    const size = Math.min(1 + rng.weighted([60, 25, 15]), count - births.length);
    for (let i = 0; i < size; i += 1) {
      const start = tick + (i === 0 ? 0 : seconds(rng.between(0.05, 8)));
      births.push({ start, cause: "scale-out", episode: `${cohort.from}/${episode}` });
    }
  }
  return births.sort((left, right) => left.start - right.start);
}

/** The cohort that a container start lies in. */
export function cohortAt(tick) {
  return tick < DEPLOYED_AT ? COHORTS.before : COHORTS.after;
}

/** When the replicas that were there before the data began served: within the guard, then a while. */
export function earlyReplicas(rng, count, taken) {
  return Array.from({ length: count }, (_, i) => ({
    replica: replicaName(rng, REVISIONS[0], taken),
    revision: REVISIONS[0],
    firstRequest: at("2026-08-31T22:00:00Z") + seconds(4 + i * 61 + rng.between(0, 40)),
    end: seconds(rng.between(1_500, 5_400)),
  }));
}
