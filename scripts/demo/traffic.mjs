import { SECOND, seconds, TICKS_PER_TENTH } from "./clock.mjs";
import { firstDurations } from "./durations.mjs";
import { COHORTS, THRESHOLD_MS } from "./plan.mjs";
import { sample } from "./sampling.mjs";

/** The platform's router lets the first request through at most this long after the container's start. */
const LATEST_FIRST_SECONDS = 29.5;

function laterTenths(rng) {
  return Math.round(Math.min(Math.max(rng.logNormal(190, 0.55), 50), 800));
}

/** What runs before the first user request of a few lives: a message, a probe or an availability test. */
function warmUp(rng, life, cohort) {
  const start = life.start + seconds(life.portOpens + rng.between(0.3, 2));
  const tenths = Math.round(rng.between(...cohort.warmingMs) * 10);
  return { kind: life.warmedBy, start, tenths, weight: 1 };
}

/** Requests that arrive while the first is still running wait for the same initialisation. */
function overlapping(rng, first) {
  const count = Math.min(1 + rng.weighted([50, 25, 13, 7, 3, 2]), 6);
  return Array.from({ length: count }, () => {
    const offset = Math.round(first.tenths * rng.between(0.01, 0.92));
    const rest = Math.max(first.tenths - offset, 60);
    const tenths = Math.round(rest * rng.between(0.9, 1.08) + rng.between(150, 3_000));
    return { kind: "user", start: first.start + offset * TICKS_PER_TENTH, tenths };
  });
}

function afterwards(rng, first, lastRequest) {
  const from = first.start + first.tenths * TICKS_PER_TENTH + Math.round(0.02 * SECOND);
  const span = lastRequest - from;
  const requests = [];
  const add = (offset) =>
    requests.push({ kind: "user", start: from + Math.round(offset), tenths: laterTenths(rng) });
  const soon = rng.int(1, 5);
  for (let i = 0; i < soon; i += 1) add(Math.min(rng.exponential(12) * SECOND, span));
  const later = rng.int(2, 11);
  for (let i = 0; i < later; i += 1) add(rng.next() * span);
  if (rng.chance(0.27)) {
    const begin = rng.next() * span * 0.95;
    const length = seconds(rng.between(1, 4));
    const size = rng.int(15, 110);
    for (let i = 0; i < size; i += 1) add(Math.min(begin + rng.next() * length, span));
  }
  return requests;
}

/** A replaced replica still serves until it is stopped, past the deployment. */
function untilReplaced(rng, life) {
  if (life.replacedBy === null) return [];
  return Array.from({ length: rng.int(2, 4) }, () => ({
    kind: "user",
    start: life.replacedBy + seconds(rng.between(1, 28)),
    tenths: laterTenths(rng),
  }));
}

function lifeRequests(rng, life, cohort) {
  const warming = life.warmedBy === undefined ? [] : [warmUp(rng, life, cohort)];
  const earliest = warming.length === 0 ? life.start + seconds(life.portOpens) : endOf(warming[0]);
  const room = life.start + seconds(LATEST_FIRST_SECONDS) - earliest;
  const wait = Math.min(rng.between(0.2, 1.5) + rng.exponential(4), (room / SECOND) * 0.99);
  const first = { kind: "user", start: earliest + seconds(wait), tenths: life.firstTenths };
  const burst = rng.chance(cohort.overlapping) ? overlapping(rng, first) : [];
  const rest = [...burst, ...afterwards(rng, first, life.lastRequest), ...untilReplaced(rng, life)];
  const kept = sample(rng, [first, ...rest], life.uncertain ? rng.pick([2, 2, 3, 4]) : 1);
  if (life.failed) kept[0].failed = true;
  return [...warming, ...kept];
}

/** The tick at which a request ends. */
export function endOf(request) {
  return request.start + request.tenths * TICKS_PER_TENTH;
}

/** Gives each life of a cohort its first-request duration and its traits; warmed processes are fast ones. */
function dealTraits(rng, cohort, lives) {
  const { fast, slow } = firstDurations(rng, cohort, THRESHOLD_MS);
  const order = rng.shuffled(lives);
  const durations = [...rng.shuffled(fast), ...slow];
  for (const [i, life] of order.entries()) life.firstTenths = durations[i];
  let dealt = 0;
  for (const [kind, count] of Object.entries(cohort.warmed)) {
    for (let i = 0; i < count; i += 1, dealt += 1) order[dealt].warmedBy = kind;
  }
  for (const life of rng.shuffled(lives).slice(0, cohort.failed)) life.failed = true;
  for (const life of rng.shuffled(lives).slice(0, cohort.uncertain)) life.uncertain = true;
}

/** Fills `life.requests` for every life (none for the idle), sampled as they would have been written. */
export function serve(rng, lives) {
  for (const [name, cohort] of Object.entries(COHORTS)) {
    const serving = lives.filter((life) => life.cohort === name && !life.idle);
    dealTraits(rng, cohort, serving);
    for (const life of serving) life.requests = lifeRequests(rng, life, cohort);
  }
  for (const life of lives.filter((each) => each.idle)) life.requests = [];
}

/** Requests of a replica that was there before the data began. */
export function serveEarly(rng, replica) {
  const first = { kind: "user", start: replica.firstRequest, tenths: laterTenths(rng) };
  return sample(rng, [first, ...afterwards(rng, first, replica.end - seconds(310))], 1);
}
