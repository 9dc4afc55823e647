import { isoSeconds } from "./clock.mjs";
import {
  arrivals,
  byOrder,
  lifetime,
  OVER,
  plain,
  quantile,
  ranked,
  second,
  share,
  sum,
} from "./figures.mjs";
import {
  COHORTS,
  DAY,
  FIRST_DAY_OF_WEEK,
  FROM,
  GUARD_MINUTES,
  ROLE,
  SEED,
  THRESHOLD_MS,
  TIMEZONE,
  TO,
} from "./plan.mjs";

function isWeekend(tick) {
  const day = (FIRST_DAY_OF_WEEK + Math.floor(tick / DAY)) % 7;
  return day === 0 || day === 6;
}

function instances(name, fresh, { early, lives }) {
  const cohort = COHORTS[name];
  const inWindow = (life) =>
    life.requests.some((each) => each.kind === "user" && each.start >= cohort.from && each.start < cohort.to);
  const warmed = (kind) => fresh.filter((life) => (life.warmedBy ?? "nothing") === kind).length;
  const weekend = fresh.filter((life) => isWeekend(ranked(life)[0].start)).length;
  return {
    total: fresh.length,
    weekday: fresh.length - weekend,
    weekend,
    idle: lives.filter((life) => life.cohort === name && life.idle).length,
    excluded: {
      alreadyRunning: lives.filter((life) => life.start < cohort.from && inWindow(life)).length,
      birthUnknown: early.filter(inWindow).length,
    },
    warmedBy: Object.fromEntries(
      ["nothing", "probe", "synthetic", "consumer", "other"].map((kind) => [kind, warmed(kind)]),
    ),
  };
}

function cohortFigures(name, fleet) {
  const fresh = fleet.lives.filter((life) => life.cohort === name && !life.idle);
  const sets = fresh.map(ranked);
  const all = sets.flat();
  const firsts = sets.map((set) => set[0]);
  const seconds = sets.flatMap((set) => set.slice(1, 2));
  const overlapping = all.filter((each) => each.overlaps);
  const after = all.filter((each) => each.rank >= 2 && each.order <= 10 && !each.overlaps);
  const slowEarly = all.filter((each) => each.order <= 10 && each.tenths > OVER);
  const counted = (count) => ({ count, share: share(count, firsts.length) });
  return {
    name,
    from: isoSeconds(COHORTS[name].from),
    to: isoSeconds(COHORTS[name].to),
    instances: instances(name, fresh, fleet),
    firstRequest: {
      n: firsts.length,
      p50Ms: quantile(firsts, 0.5, plain),
      p90Ms: quantile(firsts, 0.9, plain),
      p99Ms: quantile(firsts, 0.99, plain),
      overThreshold: counted(firsts.filter((each) => each.tenths > OVER).length),
      failed: counted(fresh.filter((life) => life.failed).length),
      certainOrder: counted(firsts.filter((each) => each.weight === 1).length),
    },
    byOrder: byOrder(all),
    second: {
      sequential: second(seconds.filter((each) => !each.overlaps)),
      overlapping: second(seconds.filter((each) => each.overlaps)),
    },
    overlap: {
      n: overlapping.length,
      perInstance: sum(overlapping, (each) => each.weight) / fresh.length,
      p50Ms: quantile(overlapping, 0.5),
    },
    afterFirst: { n: after.length, p50Ms: quantile(after, 0.5) },
    slowEarlyPerInstance: sum(slowEarly, (each) => (each.rank === 1 ? 1 : each.weight)) / fresh.length,
    arrivals: arrivals(sets),
    lifetime: lifetime(fresh, fleet.log.lastTick),
  };
}

/** Each row's one class, told from what the generator meant it to be. */
function rowCounts({ early, lives, strays, rows }) {
  const all = [...[...early, ...lives].flatMap((life) => life.requests), ...strays];
  const kind = (name) => all.filter((each) => each.kind === name && !each.role && !each.durationText);
  return {
    read: rows.length,
    malformed: all.filter((each) => each.durationText).length,
    duplicate: rows.length - all.length,
    otherRole: all.filter((each) => each.role).length,
    outsideWindow: 0,
    consumer: kind("consumer").length,
    other: 0,
    synthetic: kind("synthetic").length,
    probe: kind("probe").length,
    user: kind("user").length,
    noInstance: kind("user").filter((each) => each.instance === "").length,
  };
}

/** Nearly the same shares of certain order and of probed instances, and certain order for half of both. */
function comparable(before, after) {
  const certain = [before, after].map((each) => each.firstRequest.certainOrder.share);
  const probed = [before, after].map((each) => each.instances.warmedBy.probe / each.instances.total);
  const apart = ([left, right]) => Math.abs(left - right);
  return apart(certain) <= 0.1 && apart(probed) <= 0.1 && Math.min(...certain) >= 0.5;
}

function comparison({ lives }, [before, after]) {
  const firsts = (name) =>
    lives.filter((life) => life.cohort === name && !life.idle).map((life) => life.firstTenths);
  let faster = 0;
  for (const left of firsts("before")) {
    for (const right of firsts("after")) faster += right < left ? 1 : right === left ? 0.5 : 0;
  }
  return {
    firstRequest: {
      p50DeltaMs: Math.round((after.firstRequest.p50Ms - before.firstRequest.p50Ms) * 10) / 10,
      p50Ratio: before.firstRequest.p50Ms / after.firstRequest.p50Ms,
      probabilityFaster: faster / (before.instances.total * after.instances.total),
    },
    comparable: comparable(before, after),
  };
}

/** The figures that a report on the fixture should arrive at, from the generator's own list of lives. */
export function expectedFigures(fleet) {
  const cohorts = Object.keys(COHORTS).map((name) => cohortFigures(name, fleet));
  const users = [...fleet.early, ...fleet.lives].flatMap((life) => life.requests);
  const windowed = [...users, ...fleet.strays.filter((each) => !each.role && !each.durationText)];
  const counted = windowed.filter((each) => each.kind === "user" && each.start >= FROM && each.start < TO);
  return {
    synthetic: true,
    generator: "scripts/make-demo.mjs",
    seed: SEED,
    settings: {
      role: ROLE,
      from: isoSeconds(FROM),
      to: isoSeconds(TO),
      deployedAt: cohorts[1].from,
      timezones: ["UTC", TIMEZONE],
      thresholdMs: THRESHOLD_MS,
      guardMinutes: GUARD_MINUTES,
    },
    rows: rowCounts(fleet),
    requests: { observed: counted.length, estimated: sum(counted, (each) => each.weight) },
    cohorts,
    comparison: comparison(fleet, cohorts),
  };
}
