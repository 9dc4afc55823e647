import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import type { AnalysisFlags } from "../../src/cli/analysis-options.ts";
import { TICKS_PER_SECOND } from "../forms/text.ts";
import { iso7 } from "../forms/times.ts";
import { oracleReport } from "../oracle/oracle.ts";
import type { OracleEvent, OracleRow, OracleSettings } from "../oracle/types.ts";
import { differences, oraclePart } from "./agreement.ts";
import { ORIGIN, oddEvent, oddEventsFile, oddRow, oddRowsFile, REPLICAS } from "./odd-rows.ts";
import { InputFolder, report } from "./pipeline.ts";

const folder = new InputFolder();
afterAll(() => folder.remove());

const RUNS = 400;
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

test("a container that had ended before it started with the others is no init container", async () => {
  const replica = "app--1-abc-x1";
  const event = (seconds: number, container: string, ended = false): OracleEvent => ({
    time: at(seconds),
    replica,
    ...(ended
      ? { reason: "ContainerTerminated", text: `Container '${container}' was terminated with exit code '1'` }
      : { reason: "ContainerStarted", text: `Started container '${container}'` }),
  });
  // The sidecar starts again, then the app crashes and starts again: one start, at the app's.
  const events = [
    event(600, "side"),
    event(601, "app", true),
    event(602, "app"),
    event(4000, "app", true),
    event(5000, "side"),
  ];
  const row = (start: bigint, instance: string): OracleRow => ({
    start,
    durationMs: 1,
    name: "GET /",
    instance,
  });
  const rows = [row(at(0), "early"), row(at(3000), replica)];
  const paths = [
    folder.write("restart.ndjson", oddRowsFile(rows)),
    folder.write("restart-events.ndjson", oddEventsFile(events)),
  ];
  const { result } = await report(paths);
  const expected = oracleReport(rows, events, {});
  expect(expected.cohorts[0]!.lifetime).toMatchObject({ n: 1, censored: 0, p50Minutes: 3398 / 60 });
  expect(differences(oraclePart(result.document), expected)).toEqual([]);
});

test("an instance that a container start puts at or after the window's end counts nowhere", async () => {
  const [replica] = REPLICAS;
  const started = { reason: "ContainerStarted", text: "Started container 'app'", replica };
  const row = (start: bigint, instance: string): OracleRow => ({
    start,
    durationMs: 1,
    name: "GET /",
    instance,
  });
  // The host's clock is half a second ahead: its first request lies in the window, its start does not.
  const rows = [row(at(0), "early"), row(at(4000) - 5_000_000n, replica)];
  const counted: number[] = [];
  for (const time of [at(4000), at(4000) - 1n]) {
    const events = [{ ...started, time }];
    const paths = [
      folder.write("late.ndjson", oddRowsFile(rows)),
      folder.write("late-events.ndjson", oddEventsFile(events)),
    ];
    const { result } = await report(paths, { from: iso7(at(600)), to: iso7(at(4000)) });
    const expected = oracleReport(rows, events, { from: at(600), to: at(4000) });
    expect(differences(oraclePart(result.document), expected)).toEqual([]);
    const { total, excluded } = expected.cohorts[0]!.instances;
    expect(excluded).toEqual({ alreadyRunning: 0, birthUnknown: 0 });
    counted.push(total);
  }
  expect(counted).toEqual([0, 1]);
});
