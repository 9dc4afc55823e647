import { storedDimensions } from "../forms/columns.ts";
import type { FormEvent, FormRow } from "../forms/types.ts";
import type { OracleEvent, OracleRow } from "../oracle/types.ts";

/** A row as the oracle takes it; the sample rate stands among the dimensions, as every form stores it. */
export function oracleRow(row: FormRow): OracleRow {
  const { startTicks, durationTicks, sampleRate: _rate, dimensions: _own, ...same } = row;
  const { parentId: _parent, version: _version, ...fields } = same;
  const dimensions = storedDimensions(row);
  return {
    ...fields,
    start: startTicks,
    durationMs: durationTicks / 10_000,
    ...(dimensions === undefined ? {} : { dimensions }),
  };
}

/** An event as the oracle takes it. */
export function oracleEvent(event: FormEvent): OracleEvent {
  const { timeTicks: time, reason, replica, text, app, count } = event;
  return { time, reason, replica, text, app, ...(count === undefined ? {} : { count }) };
}
