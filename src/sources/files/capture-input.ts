import type { Input } from "./input.ts";

/**
 * Reads a capture as one input among others.
 *
 * @param withIds rows are read with their ids
 * @returns ticks from which on the capture covers its source; null where it does not know
 */
export async function addCapture(input: Input, withIds: boolean): Promise<number | null> {
  const { readCapture } = await import("../capture/read-capture.ts");
  const { manifest, rows, fields, dataFrom } = await readCapture(input.path, input.sink, withIds);
  input.form = "capture";
  const left = { requests: 0, events: 0 };
  for (const { table, duplicates, malformed } of manifest.slices) {
    if (table === "requests") left.requests += duplicates + malformed;
    if (table === "system-events") left.events += malformed;
  }
  input.requestRows = rows.requests + left.requests;
  input.eventRows = rows["system-events"] + left.events;
  input.malformedEvents = left.events;
  input.otherRows = rows.dependencies + rows.traces + rows.metrics;
  // A service answers for a table that does not exist as for one without rows.
  input.holdsEvents = rows["system-events"] > 0;
  for (const field of fields) input.fields.add(field);
  for (const { code, message, count } of manifest.warnings) input.note(code, message, count);
  if (manifest.unsettledFrom !== null) {
    input.note(
      "unsettled-rows",
      `rows from ${manifest.unsettledFrom} on were still arriving when they were pulled, slow requests last; end the window earlier, or pull it again later`,
      1,
    );
  }
  if (manifest.state === "running") {
    input.markPartial(
      "a capture whose pull has not finished",
      "run the same coldstart pull again: it goes on where it stopped",
    );
  }
  return dataFrom;
}
