import { addCompany, strayRequests } from "./extras.mjs";
import { planLives } from "./lives.mjs";
import { SEED } from "./plan.mjs";
import { randomSource } from "./random.mjs";
import { writeRows } from "./rows.mjs";
import { writeSystemLog } from "./system-log.mjs";
import { serve, serveEarly } from "./traffic.mjs";

/** The whole fleet: its lives, their requests, and both as the lines that an export would hold. */
export function makeFleet() {
  const { early, lives } = planLives(randomSource(SEED, "lives"));
  serve(randomSource(SEED, "traffic"), lives);
  addCompany(randomSource(SEED, "company"), lives);
  const earlyTraffic = randomSource(SEED, "early");
  for (const replica of early) replica.requests = serveEarly(earlyTraffic, replica);

  for (const life of [...early, ...lives]) {
    life.requests.sort((left, right) => left.start - right.start);
    for (const request of life.requests) {
      request.instance = life.replica;
      request.revision = life.revision;
    }
  }
  const strays = strayRequests(randomSource(SEED, "strays"), lives);
  const served = [...early, ...lives].flatMap((life) => life.requests);
  const rows = writeRows(randomSource(SEED, "rows"), [...served, ...strays]);
  const log = writeSystemLog(randomSource(SEED, "events"), early, lives);
  return { early, lives, strays, rows, log };
}
