import { classify, livesOf, parseCsv, readLog, ticksOf } from "./recompute.mjs";
import { figuresOf } from "./recompute-figures.mjs";

const REPLICA = /^(.+--[a-z0-9-]+?)-([a-z0-9]{8,10})-([a-z0-9]{5})$/;

/** The expected figures in the shape in which the recomputation names them. */
function wanted(cohort) {
  const { instances, firstRequest, overlap, afterFirst, slowEarlyPerInstance, lifetime } = cohort;
  const { sequential, overlapping } = cohort.second;
  const { firstTenSecondsPerSecond, laterPerSecond } = cohort.arrivals;
  return {
    total: instances.total,
    idle: instances.idle,
    warmedBy: instances.warmedBy,
    p50Ms: firstRequest.p50Ms,
    p90Ms: firstRequest.p90Ms,
    p99Ms: firstRequest.p99Ms,
    over: firstRequest.overThreshold.count,
    failed: firstRequest.failed.count,
    certain: firstRequest.certainOrder.count,
    sequential: [sequential.n, sequential.p50Ms],
    overlapping: [
      overlapping.n,
      overlapping.p50Ms,
      Math.round(overlapping.overThresholdShare * overlapping.n),
    ],
    overlap: [overlap.n, overlap.perInstance],
    overlapP50: overlap.p50Ms,
    afterFirst: [afterFirst.n],
    afterFirstP50: afterFirst.p50Ms,
    slowEarly: slowEarlyPerInstance,
    censored: lifetime.censored,
    lifetime: [lifetime.p50Minutes, lifetime.within10MinutesShare],
    byOrder: cohort.byOrder.map((each) => Object.values(each)),
    arrivals: [firstTenSecondsPerSecond, laterPerSecond],
  };
}

/** How many of these instants' local days are Saturdays or Sundays in the zone. */
function weekends(instants, timeZone) {
  const format = new Intl.DateTimeFormat("en-GB", { weekday: "short", timeZone });
  return instants.filter((ticks) => /^S/.test(format.format(Number(ticks / 10_000n)))).length;
}

/** What must hold of every new instance, whatever the figures: names, order of events, room at the end. */
function* impossible(fresh, usable, log) {
  for (const life of fresh) {
    const wait = Number(life.users[0].start - life.born) / 1e7;
    if (!REPLICA.test(life.replica)) yield `${life.replica} is no replica name`;
    if (wait < 1 || wait > 30) yield `${life.replica} waited ${wait} s for its first request`;
    if (life.users[1]?.start === life.users[0].start) yield `${life.replica} has two first requests`;
    if (life.end !== undefined && life.rows.some((row) => row.end > life.end))
      yield `${life.replica} outlived itself`;
  }
  if (usable.some((row) => row.end >= log.last)) yield "a request ends after the system log does";
}

function differences(name, actual, expected) {
  const same = (a, b) => (typeof a === "number" && typeof b === "number" ? Math.abs(a - b) < 1e-9 : a === b);
  return Object.entries(expected).flatMap(([key, value]) => {
    if (typeof value === "object" && value !== null) return differences(`${name}.${key}`, actual[key], value);
    return same(actual[key], value) ? [] : [`${name}.${key}: the rows say ${actual[key]}, expected ${value}`];
  });
}

/**
 * Recomputes the figures from the written text of the requests (CSV) and of the system log (NDJSON) and
 * compares them with the expected ones. Returns the differences, one sentence each.
 */
export function check(csv, ndjson, expected) {
  const { role, from, to, deployedAt } = expected.settings;
  const [begin, split, end] = [from, deployedAt, to].map(ticksOf);
  const log = readLog(ndjson.trimEnd().split("\n").map(JSON.parse));
  const { usable, counts } = classify(parseCsv(csv), role, begin, end);
  const lives = livesOf(usable, log);
  const problems = differences("rows", { other: 0, outsideWindow: 0, ...counts }, expected.rows);
  const users = usable.filter((row) => row.kind === "user" && row.start >= begin && row.start < end);
  const estimated = users.reduce((total, row) => total + row.weight, 0);
  problems.push(...differences("requests", { observed: users.length, estimated }, expected.requests));

  const [dataStart] = usable.map((row) => row.start).sort((a, b) => (a < b ? -1 : 1));
  const guard = dataStart + 600_000_000n * BigInt(expected.settings.guardMinutes);
  const served = (life, a, b) => life.users.some((row) => row.start >= a && row.start < b);
  for (const [i, [a, b]] of [
    [begin, split],
    [split, end],
  ].entries()) {
    const cohort = expected.cohorts[i];
    const figures = figuresOf(lives, a, b);
    problems.push(...differences(cohort.name, figures, wanted(cohort)));
    const excluded = {
      alreadyRunning: lives.filter((life) => life.born < a && served(life, a, b)).length,
      birthUnknown: lives.filter((life) => life.born === undefined && served(life, a, b)).length,
    };
    problems.push(...differences(`${cohort.name}.excluded`, excluded, cohort.instances.excluded));
    for (const zone of expected.settings.timezones) {
      const weekend = weekends(figures.firstStarts, zone);
      problems.push(
        ...differences(`${cohort.name} in ${zone}`, { weekend }, { weekend: cohort.instances.weekend }),
      );
    }
    const running = figures.fresh.filter((life) => life.end === undefined);
    if (running.some((life) => Number(log.last - life.born) / 6e8 <= cohort.lifetime.p50Minutes)) {
      problems.push(`${cohort.name}: a running life is younger than the median`);
    }
    problems.push(...impossible(figures.fresh, usable, log));
  }
  for (const life of lives.filter((each) => each.born === undefined)) {
    if (life.rows[0].start >= guard)
      problems.push(`${life.replica} has no start, and the guard does not tell`);
  }
  return problems;
}
