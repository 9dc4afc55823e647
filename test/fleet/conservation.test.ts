import fc from "fast-check";
import { expect, test } from "vitest";
import { cohortsOf } from "../../src/fleet/cohort.ts";
import { RowClass } from "../../src/telemetry/table.ts";
import { moved, randomScenario, randomShift, shuffled } from "../figures/scenarios.ts";
import { type Fleet, fleetArbitrary } from "../forms/random.ts";
import { Rng } from "../forms/rng.ts";
import type { FormRow } from "../forms/types.ts";
import { built } from "./random-fleet.ts";

const RUNS = { numRuns: 200, seed: 41 };

interface Drawn {
  readonly fleet: Fleet;
  readonly rng: Rng;
  readonly spoilt: ReadonlySet<FormRow>;
}

/** A fleet at some time, a source of choices for it, and the rows that are malformed. */
const drawn: fc.Arbitrary<Drawn> = fc
  .tuple(fleetArbitrary(), fc.nat())
  .filter(([fleet]) => fleet.rows.length > 0)
  .map(([still, seed]) => {
    const rng = new Rng(seed);
    const fleet = moved(still, randomShift(rng));
    return { fleet, rng, spoilt: new Set(fleet.rows.filter(() => rng.chance(0.05))) };
  });

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

test("every row read ends in exactly one class", async () => {
  let malformed = 0;
  await fc.assert(
    fc.asyncProperty(drawn, async ({ fleet, rng, spoilt }) => {
      const { analysis } = await built(fleet, randomScenario(rng, fleet), spoilt);
      const { read, noInstance, ...classes } = analysis.rows;
      expect(read).toBe(fleet.rows.length);
      expect(sum(Object.values(classes))).toBe(read);
      expect(classes.malformed).toBe(spoilt.size);
      expect(noInstance).toBeLessThanOrEqual(classes.user);
      malformed += spoilt.size;
    }),
    RUNS,
  );
  expect(malformed).toBeGreaterThan(100);
});

test("the buckets hold every user request of the new instances, and all its weight", async () => {
  let instances = 0;
  await fc.assert(
    fc.asyncProperty(drawn, async ({ fleet: rows, rng }) => {
      const { fleet, analysis } = await built(rows, randomScenario(rng, rows));
      for (const [i, cohort] of cohortsOf(fleet).entries()) {
        const { byOrder, firstRequest, instances: counted } = analysis.cohorts[i]!;
        const users = cohort.instances.map(({ life }) => [...life.users]);
        expect(sum(byOrder.map(({ observed }) => observed))).toBe(users.flat().length);
        // In the first bucket each row weighs 1; every other row has its own weight.
        const first = byOrder[0]!;
        const inFirst = users.map((life) => life[0]!);
        const rest = users.flatMap((life) => life.slice(1));
        expect(first.estimated).toBe(first.observed);
        expect(first.observed).toBe(inFirst.length);
        expect(sum(byOrder.slice(1).map(({ estimated }) => estimated))).toBeCloseTo(
          sum(rest.map((row) => fleet.table.weight(row))),
          6,
        );
        expect(firstRequest.n).toBe(counted.total);
        expect(counted.weekday + counted.weekend).toBe(counted.total);
        expect(sum(Object.values(counted.warmedBy))).toBe(counted.total);
        instances += counted.total;
      }
    }),
    RUNS,
  );
  expect(instances).toBeGreaterThan(200);
});

test("the lives hold every row that has an instance and is no duplicate, each once", async () => {
  await fc.assert(
    fc.asyncProperty(drawn, async ({ fleet: rows }) => {
      const { fleet } = await built(rows, { flags: {} });
      const inLives = fleet.lives.flatMap((life) => [...life.rows]);
      expect(new Set(inLives).size).toBe(inLives.length);
      let without = 0;
      fleet.table.forEach((row) => {
        if (fleet.table.identities[fleet.table.identity(row)]!.instance === "") without++;
      });
      const { duplicate } = fleet.counts;
      // Copies are only made of rows with an instance.
      expect(inLives.length).toBe(rows.rows.length - without - duplicate);
      for (const life of fleet.lives) {
        const users = [...life.rows].filter((row) => fleet.table.rowClass(row) === RowClass.user);
        expect([...life.users]).toEqual(users);
        const starts = [...life.rows].map((row) => fleet.table.start(row));
        expect(starts).toEqual([...starts].sort((a, b) => a - b));
      }
    }),
    RUNS,
  );
});

test("the order of rows and events changes nothing", async () => {
  await fc.assert(
    fc.asyncProperty(drawn, async ({ fleet, rng, spoilt }) => {
      const scenario = randomScenario(rng, fleet);
      const mixed = { rows: shuffled(fleet.rows, rng), events: shuffled(fleet.events, rng) };
      const inOrder = await built(fleet, scenario, spoilt);
      const inDisorder = await built(mixed, scenario, spoilt);
      expect(inDisorder.analysis).toEqual(inOrder.analysis);
    }),
    RUNS,
  );
});
