import { analysisSettings } from "../../src/cli/analysis-options.ts";
import { type Analysis, analyse } from "../../src/figures/analysis.ts";
import { type Fleet as BuiltFleet, buildFleet } from "../../src/fleet/fleet.ts";
import { RequestBuilder } from "../../src/telemetry/builder.ts";
import { DateReader } from "../../src/telemetry/dates.ts";
import type { SystemEvent } from "../../src/telemetry/events.ts";
import { type Cells, FIELD_COUNT, requestField } from "../../src/telemetry/fields.ts";
import { startFile } from "../../src/telemetry/file-state.ts";
import { RequestTable } from "../../src/telemetry/table.ts";
import { parseInstant } from "../../src/telemetry/time.ts";
import type { Scenario } from "../figures/scenarios.ts";
import { requestColumns } from "../forms/columns.ts";
import type { Fleet } from "../forms/random.ts";
import { iso7 } from "../forms/times.ts";
import type { FormEvent, FormRow } from "../forms/types.ts";

/** Rows and events put together without any file between. */
export interface Built {
  readonly fleet: BuiltFleet;
  readonly builder: RequestBuilder;
  readonly analysis: Analysis;
}

/** The fleet and its figures; rows at the positions in `spoilt` lose their duration. */
export async function built(
  { rows, events }: Fleet,
  { flags }: Pick<Scenario, "flags">,
  spoilt: ReadonlySet<FormRow> = new Set(),
): Promise<Built> {
  const settings = await analysisSettings(flags);
  const builder = new RequestBuilder(new RequestTable(), settings);
  const file = startFile("rows", new DateReader(false), "column");
  for (const row of rows) builder.add(cellsOf(row, spoilt.has(row)), file);
  const fleet = buildFleet(builder.table, events.map(systemEvent), settings.fleet);
  return { fleet, builder, analysis: analyse(fleet, builder, settings) };
}

function cellsOf(row: FormRow, isSpoilt: boolean): Cells {
  const cells: Cells = new Array(FIELD_COUNT);
  requestColumns.forEach((column, index) => {
    const field = requestField(column.classic);
    const value = column.value(row, index);
    if (field !== undefined) cells[field] = typeof value === "bigint" ? iso7(value) : value;
  });
  if (isSpoilt) cells[requestField("duration")!] = "long";
  return cells;
}

function systemEvent(event: FormEvent): SystemEvent {
  const { reason, text, app, revision, replica, source, type, count } = event;
  const { ticks } = parseInstant(iso7(event.timeTicks))!;
  const rest = { ticks, ownClock: true, severity: type, job: "", count: count ?? null };
  return { reason, text, app, revision, replica, source, ...rest };
}
