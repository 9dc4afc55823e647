import type { DateReader } from "../../telemetry/dates.ts";
import { numberOf } from "../../telemetry/dimensions.ts";
import type { SystemEvent } from "../../telemetry/events.ts";
import { type Cells, EventField } from "../../telemetry/fields.ts";
import type { Input } from "./input.ts";

const OWN_CLOCKS = [EventField.timeStamp, EventField.timeStampText, EventField.timeT, EventField.timeText];
/** What the log stream says about itself at the head of every call. */
const STREAM_REASONS = new Set(["StartingGettingEvents", "ConnectedToEventsServer"]);

/** Adds one system event; its own clock counts before the time of the batch it was logged in. */
export function addEvent(cells: Cells, input: Input, dates: DateReader): void {
  const reason = text(cells[EventField.reason]);
  if (STREAM_REASONS.has(reason)) {
    input.otherRows++;
    return;
  }
  input.eventRows++;
  let event: SystemEvent | null = null;
  const correct = (ticks: number): void => {
    if (event !== null) event.ticks = ticks;
  };
  let ticks: number | null = null;
  let ownClock = true;
  for (const field of OWN_CLOCKS) {
    ticks ??= read(cells[field], dates, correct);
  }
  if (ticks === null) {
    ticks = read(cells[EventField.batchTime], dates, correct);
    ownClock = false;
  }
  if (ticks === null) {
    input.malformedEvents++;
    return;
  }
  event = {
    ticks,
    ownClock,
    reason,
    text: text(cells[EventField.text]),
    app: text(cells[EventField.app]),
    revision: text(cells[EventField.revision]),
    replica: text(cells[EventField.replica]),
    source: text(cells[EventField.source]),
    severity: text(cells[EventField.severity]),
    count: numberOf(cells[EventField.count]),
    job: text(cells[EventField.job]),
  };
  input.sink.events.push(event);
}

function read(value: unknown, dates: DateReader, correct: (ticks: number) => void): number | null {
  return typeof value === "string" && value !== "" ? dates.read(value, correct) : null;
}

function text(value: unknown): string {
  if (typeof value === "string") return value === "None" ? "" : value.trim();
  return typeof value === "number" ? String(value) : "";
}
