import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import type { AnalysisFlags } from "../../src/cli/analysis-options.ts";
import { TICKS_PER_SECOND } from "../forms/text.ts";
import { iso7 } from "../forms/times.ts";
import { oracleReport } from "../oracle/oracle.ts";
import type { OracleSettings } from "../oracle/types.ts";
import { differences, oraclePart } from "./agreement.ts";
import { ORIGIN, oddEvent, oddEventsFile, oddRow, oddRowsFile } from "./odd-rows.ts";
import { InputFolder, report } from "./pipeline.ts";

const folder = new InputFolder();
afterAll(() => folder.remove());

const RUNS = Number(process.env.RUNS ?? 400);
const at = (seconds: number): bigint => ORIGIN + BigInt(seconds) * TICKS_PER_SECOND;

const options: readonly { flags: AnalysisFlags; settings: OracleSettings }[] = [
  { flags: {}, settings: {} },
  {
    flags: { guard: "0s", weight: "item-count", days: "weekdays", timezone: "Europe/Vienna" },
    settings: { guardMinutes: 0, weight: "item-count", days: "weekdays", timezone: "Europe/Vienna" },
  },
  {
    flags: { deployedAt: iso7(at(4000)), threshold: "300ms", holidays: ["2026-11-02"] },
    settings: { deployedAt: at(4000), thresholdMs: 300, holidays: ["2026-11-02"] },
  },
  {
    flags: { from: iso7(at(600)), to: iso7(at(4001)), role: "app", guard: "10m" },
    settings: { from: at(600), to: at(4001), role: "app" },
  },
  {
    flags: { before: `${iso7(at(0))}..${iso7(at(4001))}`, after: `${iso7(at(4010))}..${iso7(at(250_000))}` },
    settings: { before: [at(0), at(4001)], after: [at(4010), at(250_000)] },
  },
  { flags: { container: "side", guard: "0s" }, settings: { container: "side", guardMinutes: 0 } },
];

test("single odd rows end in the class and weigh what the oracle says", { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(oddRow, async (row) => {
      const path = folder.write("odd-row.ndjson", oddRowsFile([row]));
      const { result } = await report([path]);
      expect(differences(oraclePart(result.document), oracleReport([row], null, {}))).toEqual([]);
    }),
    { numRuns: 2 * RUNS, seed: 7 },
  );
});

test("fleets of odd rows and events give the oracle's figures", { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(oddRow, { minLength: 1, maxLength: 40 }),
      fc.option(fc.array(oddEvent, { minLength: 1, maxLength: 12 })),
      fc.constantFrom(...options),
      async (rows, events, { flags, settings }) => {
        const paths = [folder.write("odd-rows.ndjson", oddRowsFile(rows))];
        if (events !== null) paths.push(folder.write("odd-events.ndjson", oddEventsFile(events)));
        const { result } = await report(paths, flags);
        expect(differences(oraclePart(result.document), oracleReport(rows, events, settings))).toEqual([]);
      },
    ),
    { numRuns: RUNS, seed: 11 },
  );
});
