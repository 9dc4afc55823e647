import { at, seconds } from "./clock.mjs";
import { EXTRAS, FROM, OTHER_ROLE, REVISIONS, TO } from "./plan.mjs";
import { endOf } from "./traffic.mjs";

/** Messages, probes and availability tests while a life serves: never before its first user request. */
function amid(rng, kind, life, tenths) {
  const first = endOf(life.requests.find((request) => request.kind === "user"));
  const start = Math.round(rng.between(first, life.lastRequest));
  return { kind, start, tenths, weight: 1 };
}

/** Adds the rows beside the user requests to the lives: consumers, probes, availability tests. */
export function addCompany(rng, lives) {
  const serving = lives.filter((life) => !life.idle);
  for (let i = 0; i < EXTRAS.consumer; i += 1) {
    const life = rng.pick(serving);
    life.requests.push(amid(rng, "consumer", life, Math.round(rng.logNormal(900, 0.7))));
  }
  for (let i = 0; i < EXTRAS.probe; i += 1) {
    const life = rng.pick(serving);
    life.requests.push(amid(rng, "probe", life, rng.int(8, 60)));
  }
  for (let i = 0; i < EXTRAS.synthetic; i += 1) {
    const life = rng.pick(serving);
    life.requests.push(amid(rng, "synthetic", life, rng.int(60, 700)));
  }
  const idle = rng.shuffled(lives.filter((life) => life.idle)).slice(0, EXTRAS.idleWithMessages);
  for (const life of idle) {
    const start = life.start + seconds(life.portOpens + rng.between(5, 120));
    life.requests.push({ kind: "consumer", start, tenths: rng.int(30_000, 60_000), weight: 1 });
  }
}

/** Rows of another app in the same resource; the very last row of the data is one of them. */
function otherRole(rng) {
  const pod = `${OTHER_ROLE}--0000003-7c9d5b8f4-`;
  const instances = ["bq7rm", "x2ktd"].map((hash) => pod + hash);
  return Array.from({ length: EXTRAS.otherRole }, (_, i) => ({
    kind: "consumer",
    start:
      i === 0
        ? at("2026-10-05T21:58:12.345Z")
        : Math.round(rng.between(FROM + seconds(600), TO - seconds(600))),
    tenths: Math.round(rng.logNormal(1_500, 0.6)),
    weight: 1,
    role: OTHER_ROLE,
    instance: rng.pick(instances),
    revision: { name: `${OTHER_ROLE}--0000003`, sampling: "item-count" },
  }));
}

function noInstance(rng) {
  return Array.from({ length: EXTRAS.noInstance }, () => ({
    kind: "user",
    start: Math.round(rng.between(FROM + seconds(7 * 3_600), TO - seconds(7 * 3_600))),
    tenths: rng.int(80, 600),
    weight: 1,
    instance: "",
    revision: REVISIONS[0],
  }));
}

/** Rows whose duration is no number, each in the middle of a real life. */
function malformed(rng, lives) {
  return EXTRAS.malformedDurations.map((durationText) => {
    const life = rng.pick(lives.filter((each) => !each.idle));
    const request = amid(rng, "user", life, 0);
    return { ...request, durationText, instance: life.replica, revision: life.revision };
  });
}

/** The rows that belong to no life of the role. */
export function strayRequests(rng, lives) {
  return [...otherRole(rng), ...noInstance(rng), ...malformed(rng, lives)];
}
