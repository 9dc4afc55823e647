import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import type { ReportDocument } from "../../src/report/document.ts";
import { logsShow } from "../forms/events.ts";
import { type Fleet, formRowsArbitrary, seededFleet } from "../forms/random.ts";
import { csvIso } from "../forms/request-csv.ts";
import { ndjsonClassic } from "../forms/request-objects.ts";
import { Rng } from "../forms/rng.ts";
import { oracleReport } from "../oracle/oracle.ts";
import { differences, oraclePart } from "./agreement.ts";
import { oracleEvent, oracleRow } from "./conversion.ts";
import { InputFolder, report, withoutInputs } from "./pipeline.ts";
import { moved, randomScenario, randomShift, type Scenario, shuffled } from "./scenarios.ts";

const folder = new InputFolder();
afterAll(() => folder.remove());

interface Case extends Scenario {
  readonly fleet: Fleet;
  readonly hasLog: boolean;
  readonly rng: Rng;
}

/** A fleet with rows and a choice of options; the same seed gives the same case. */
function caseOf(seed: number): Case {
  const rng = new Rng(seed ^ 0x5eed);
  const size = { apps: rng.int(1, 3), replicas: rng.int(1, 9) };
  const drawn = seededFleet(seed, size);
  const fleet = moved(drawn.rows.length === 0 ? seededFleet(seed) : drawn, randomShift(rng));
  return { fleet, ...randomScenario(rng, fleet), hasLog: rng.chance(0.7), rng };
}

async function documentOf({ fleet, flags, hasLog, rng }: Case): Promise<ReportDocument> {
  const write = rng.pick([csvIso, ndjsonClassic]);
  const paths = [folder.write("requests", write(fleet.rows))];
  if (hasLog) paths.push(folder.write("events", logsShow(fleet.events)));
  const { result } = await report(paths, flags);
  return result.document;
}

const FLEETS = 240;
const BATCH = 40;

/** What the fleets have reached, so that no agreement is one on nothing. */
const reached = new Map<string, number>();
function note(document: ReportDocument, { settings }: Case): void {
  const seen = (what: string, happened: boolean): void => {
    reached.set(what, (reached.get(what) ?? 0) + (happened ? 1 : 0));
  };
  for (const {
    instances,
    firstRequest,
    byOrder,
    second,
    overlap,
    afterFirst,
    lifetime,
  } of document.cohorts) {
    seen("instances", instances.total > 2);
    seen("day types", instances.weekday > 0 && instances.weekend > 0);
    seen("idle", (instances.idle ?? 0) > 0);
    seen("idle unknown", instances.idle === null);
    seen("already running", instances.excluded.alreadyRunning > 0);
    seen("birth unknown", instances.excluded.birthUnknown > 0);
    for (const [what, count] of Object.entries(instances.warmedBy)) seen(`warmed by ${what}`, count > 0);
    seen("failed", (firstRequest.failed.count ?? 0) > 0);
    seen("uncertain order", firstRequest.certainOrder.count < firstRequest.n);
    seen("over the threshold", firstRequest.overThreshold.count > 0);
    seen("interval of the median", firstRequest.p50Ci95Ms[0] !== null);
    for (const bucket of byOrder) seen(`order ${bucket.label}`, bucket.observed > 0);
    seen("second", second.sequential.n > 0 && second.overlapping.n > 0);
    seen("overlap", overlap.n > 0 && afterFirst.n > 0);
    seen(`lifetime by ${lifetime.source}`, lifetime.n > 0);
    seen("censored", lifetime.censored > 0);
    seen("median lifetime unknown", lifetime.source === "system-logs" && lifetime.p50Minutes === null);
  }
  for (const [what, count] of Object.entries(document.rows)) seen(`rows ${what}`, count > 0);
  seen("comparable", document.comparison?.comparable === true);
  seen("not comparable", document.comparison?.comparable === false);
  seen("both cohorts", (document.comparison?.firstRequest.probabilityFaster ?? null) !== null);
  seen("weekdays", settings.days === "weekdays" && document.cohorts.some((one) => one.instances.total > 0));
}

describe.each(Array.from({ length: FLEETS / BATCH }, (_, i) => i * BATCH))("fleets from %i on", (first) => {
  test("the pipeline and the oracle agree on every figure", { timeout: 120_000 }, async () => {
    for (let seed = first; seed < first + BATCH; seed++) {
      const one = caseOf(seed);
      const document = await documentOf(one);
      note(document, one);
      const events = one.hasLog ? one.fleet.events.map(oracleEvent) : null;
      const expected = oracleReport(one.fleet.rows.map(oracleRow), events, one.settings);
      const about = `seed ${seed}, ${JSON.stringify(one.flags)}${one.hasLog ? ", with a log" : ""}`;
      expect(differences(oraclePart(document), expected), about).toEqual([]);
    }
  });
});

test("the fleets reach every part of a report", () => {
  const never = [...reached].filter(([what, times]) => times < (what === "rows malformed" ? 0 : 3));
  expect(never).toEqual([]);
  expect(reached.size).toBeGreaterThan(40);
});

test("the order of rows and events does not change the document", { timeout: 60_000 }, async () => {
  for (let seed = 0; seed < 40; seed++) {
    const one = caseOf(seed);
    const fleet = { rows: shuffled(one.fleet.rows, one.rng), events: shuffled(one.fleet.events, one.rng) };
    const as = { rng: new Rng(seed) };
    const inOrder = withoutInputs(await documentOf({ ...one, ...as }));
    const mixed = withoutInputs(await documentOf({ ...one, fleet, rng: new Rng(seed) }));
    expect(mixed, `seed ${seed}`).toEqual(inOrder);
  }
});

test("rows of awkward text give the oracle's figures", { timeout: 60_000 }, async () => {
  const options = { guard: "0s", threshold: "1500ms" };
  await fc.assert(
    fc.asyncProperty(formRowsArbitrary(), fc.constantFrom(csvIso, ndjsonClassic), async (rows, write) => {
      fc.pre(rows.length > 0);
      const { result } = await report([folder.write("requests", write(rows))], options);
      const expected = oracleReport(rows.map(oracleRow), null, { guardMinutes: 0, thresholdMs: 1500 });
      expect(differences(oraclePart(result.document), expected)).toEqual([]);
    }),
    { numRuns: 300, seed: 19 },
  );
});
