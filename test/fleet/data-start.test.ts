import { expect, it } from "vitest";
import { analysisSettings } from "../../src/cli/analysis-options.ts";
import { cohortsOf } from "../../src/fleet/cohort.ts";
import { buildFleet } from "../../src/fleet/fleet.ts";
import { RequestTable } from "../../src/telemetry/table.ts";
import { TICKS_PER_MINUTE } from "../../src/telemetry/time.ts";

const HOUR = 60 * TICKS_PER_MINUTE;

/** Cohort of one instance whose first row starts at `HOUR`; the guard is ten minutes. */
async function cohort(dataFrom: number | null) {
  const table = new RequestTable();
  const identity = table.identityOf("quotes", "quotes--1-abcdefgh-aaaaa", "");
  table.push(HOUR, 100, 1, identity, 4, 1, 0, new Uint8Array(0), 0, 0);
  const { fleet } = await analysisSettings({});
  return cohortsOf(buildFleet(table, null, fleet, dataFrom))[0]!;
}

// definitions: data start is a capture's recorded start, otherwise the earliest row's start.
it("takes the recorded start of a capture for the start of the data", async () => {
  expect((await cohort(HOUR - 10 * TICKS_PER_MINUTE)).instances).toHaveLength(1);
  expect((await cohort(HOUR - 10 * TICKS_PER_MINUTE + 1)).instances).toHaveLength(0);
});

it("takes the earliest row where no start is recorded", async () => {
  expect((await cohort(null)).instances).toHaveLength(0);
});
