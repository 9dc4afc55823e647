import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import type { AnalysisFlags } from "../../src/cli/analysis-options.ts";
import { differences } from "../figures/agreement.ts";
import { InputFolder, report, withoutInputs } from "../figures/pipeline.ts";
import { eventForms, logsShow, unseenEventForms } from "../forms/events.ts";
import { type Fleet, formRowsArbitrary, seededFleet } from "../forms/random.ts";
import { csvIso } from "../forms/request-csv.ts";
import { requestForms } from "../forms/requests.ts";
import { iso7 } from "../forms/times.ts";
import { asFormKeeps, INEVITABLE, toMilliseconds, unexplainedNotes } from "./form-documents.ts";

const folder = new InputFolder();
afterAll(() => folder.remove());

const SEEDS = [1, 2, 3, 4, 5, 6];
const fleets = SEEDS.map((seed) => seededFleet(seed, { apps: 3, replicas: 10 }));

/** A comparison with its split in the middle of the rows, so that every figure has something to say. */
function flagsFor(fleet: Fleet): AnalysisFlags {
  const starts = fleet.rows.map((row) => row.startTicks).sort((a, b) => (a < b ? -1 : 1));
  return { deployedAt: iso7(starts[starts.length >> 1]!), guard: "1m", timezone: "Europe/Vienna" };
}

describe.each(requestForms)("$name", (form) => {
  test("a fleet gives the document of plain CSV", async () => {
    for (const [i, fleet] of fleets.entries()) {
      const rows = asFormKeeps(form, fleet.rows);
      const events = folder.write("events.ndjson", logsShow(fleet.events));
      const flags = flagsFor(fleet);
      const plain = await report([folder.write("plain.csv", csvIso(rows)), events], flags);
      const other = await report([folder.write(form.fileName, form.write(rows)), events], flags);
      const [expected, actual] = [plain, other].map(({ result }) => withoutInputs(result.document));
      expect(differences(actual, expected), `seed ${SEEDS[i]}`).toEqual([]);
      expect(unexplainedNotes(other.result.document, form.name)).toEqual([]);
      expect(other.result.document.inputs[0]).toMatchObject({ rows: rows.length, partial: false });
      expect(other.faults).toEqual([]);
    }
  });

  test("rows of awkward text give the document of plain CSV", async () => {
    await fc.assert(
      fc.asyncProperty(formRowsArbitrary(), async (drawn) => {
        const [first, ...others] = drawn;
        fc.pre(first !== undefined);
        // Forms that leave out what is missing would else have no column of instances at all.
        const rows = asFormKeeps(form, [{ instance: "orders-api--1", ...first! }, ...others]);
        const plain = await report([folder.write("plain.csv", csvIso(rows))], { guard: "0s" });
        const other = await report([folder.write(form.fileName, form.write(rows))], { guard: "0s" });
        const [expected, actual] = [plain, other].map(({ result }) => withoutInputs(result.document));
        expect(differences(actual, expected)).toEqual([]);
        expect(unexplainedNotes(other.result.document, form.name)).toEqual([]);
      }),
      { numRuns: 30, seed: 3 },
    );
  });
});

describe.each([...eventForms, ...unseenEventForms])("$name", (form) => {
  test("the events give the document of the log stream", async () => {
    for (const [i, fleet] of fleets.entries()) {
      const events = form.millisecondsOnly === true ? toMilliseconds(fleet.events) : fleet.events;
      const rows = folder.write("rows.csv", csvIso(fleet.rows));
      const flags = flagsFor(fleet);
      const plain = await report([rows, folder.write("plain.ndjson", logsShow(events))], flags);
      const other = await report([rows, folder.write(form.fileName, form.write(events))], flags);
      const [expected, actual] = [plain, other].map(({ result }) => withoutInputs(result.document));
      expect(differences(actual, expected), `seed ${SEEDS[i]}`).toEqual([]);
      expect(unexplainedNotes(other.result.document, form.name)).toEqual([]);
      expect(other.result.document.inputs[1]).toMatchObject({ rows: events.length, partial: false });
      expect(other.result.document.cohorts[1]!.lifetime.source).toBe("system-logs");
    }
  });
});

test("every inevitable remark is one that is made", async () => {
  const [fleet] = fleets;
  for (const [name, codes] of Object.entries(INEVITABLE)) {
    const requests = requestForms.find((form) => form.name === name);
    const events = eventForms.find((form) => form.name === name);
    const bytes = requests?.write(fleet!.rows) ?? events!.write(fleet!.events);
    const { result } = await report([folder.write("remarks", bytes)]);
    expect(result.document.inputs[0]!.warnings.map(({ code }) => code)).toEqual(codes);
  }
});
