import { at, SECOND } from "./clock.mjs";

/** What the demo fixture is made of. Every name is made up; every number here is a target, not an outcome. */
export const SEED = 20260921;
export const ROLE = "quotes-api";
export const OTHER_ROLE = "quotes-worker";
export const TIMEZONE = "Europe/Vienna";
export const THRESHOLD_MS = 2000;
export const GUARD_MINUTES = 10;

export const FROM = at("2026-08-31T22:00:00Z");
export const DEPLOYED_AT = at("2026-09-21T06:00:00Z");
export const TO = at("2026-10-05T22:00:00Z");

/** Summer time throughout, so that the local day begins at 22:00 UTC, which is where the ticks begin too. */
export const DAY = 86_400 * SECOND;
/** 2026-09-01, the local day on which the ticks begin, is a Tuesday. */
export const FIRST_DAY_OF_WEEK = 2;
export const WEEKEND_WEIGHT = 0.2;
/** Chance of a scale-out by local hour, 0 to 23; nothing at night, so that UTC and local day types agree. */
// biome-ignore format: one row for the night, one for the business day, one for the evening
export const HOUR_WEIGHTS = [
  0, 0, 0, 0, 0, 1, 3,
  9, 15, 17, 15, 13, 12, 13, 15, 14, 12, 9, 7,
  3, 2, 1, 0, 0,
];

/** `sampling` says where the keep rate ends up: in itemCount, or (as with some .NET exporters) in a dimension. */
export const REVISIONS = [
  { name: "quotes-api--7kd02mq", hash: "6fd86b5c7c", from: FROM, tag: "1.14.2", sampling: "item-count" },
  {
    name: "quotes-api--m3x9v1a",
    hash: "dd8bd99b6",
    from: at("2026-09-10T11:30:00Z"),
    tag: "1.15.0",
    sampling: "sample-rate",
  },
  {
    name: "quotes-api--p8z4t6c",
    hash: "74c9f8d5b4",
    from: DEPLOYED_AT,
    tag: "1.16.0",
    sampling: "sample-rate",
  },
  {
    name: "quotes-api--d5n1r7k",
    hash: "5b7f6c9d8f",
    from: at("2026-09-29T12:15:00Z"),
    tag: "1.16.1",
    sampling: "item-count",
  },
];

/** Durations are in tenths of a millisecond, portOpens in seconds after the container's start. */
export const COHORTS = {
  before: {
    from: FROM,
    to: DEPLOYED_AT,
    instances: 705,
    restarts: 6,
    idle: 41,
    portOpens: [1.1, 3.8],
    first: { n: 705, slow: 673, p50: 74_682 },
    slow: { median: 75_000, sigma: 0.38, range: [23_000, 300_000] },
    fast: { median: 9_000, sigma: 0.45, range: [2_400, 18_500] },
    overlapping: 0.55,
    failed: 19,
    uncertain: 21,
    warmed: { consumer: 11, probe: 4, synthetic: 3 },
    warmingMs: [3_000, 7_000],
  },
  after: {
    from: DEPLOYED_AT,
    to: TO,
    instances: 363,
    restarts: 3,
    idle: 23,
    portOpens: [4.6, 9.6],
    first: { n: 363, slow: 126, p50: 12_849 },
    slow: { median: 34_000, sigma: 0.35, range: [21_500, 140_000] },
    fast: { median: 9_600, sigma: 0.36, range: [3_200, 17_500] },
    overlapping: 0.27,
    failed: 9,
    uncertain: 11,
    warmed: { consumer: 6, probe: 2, synthetic: 1 },
    warmingMs: [700, 1_900],
  },
};

/** Rows beside the user requests. */
export const EXTRAS = {
  unknownBirths: 4,
  consumer: 420,
  idleWithMessages: 5,
  probe: 36,
  synthetic: 60,
  otherRole: 30,
  noInstance: 14,
  duplicates: 7,
  malformedDurations: ["n/a", "unknown", "pending"],
};
