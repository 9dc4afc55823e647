import { csvLine, type Json, type JsonObject, jsonText, sortKeys, utf8 } from "./text.ts";
import { enUs, goUtc, isoTrimmed } from "./times.ts";
import type { FormEvent } from "./types.ts";

const BATCH_TICKS = 100_000_000n;

/** The ingestion's time of an event: later than its own clock, shared by all events of ten seconds. */
export function batchTime(ticks: bigint): bigint {
  return (ticks / BATCH_TICKS + 1n) * BATCH_TICKS + 2_796_016n;
}

/** `az monitor log-analytics query` on the `_CL` table: all text, the event's own clock in TimeStamp_s. */
export function logAnalyticsCliCl(events: readonly FormEvent[]): Uint8Array {
  const objects = events.map((event) => ({
    TableName: "PrimaryResult",
    TimeGenerated: isoTrimmed(batchTime(event.timeTicks)),
    TimeStamp_s: goUtc(event.timeTicks),
    ContainerAppName_s: event.app,
    RevisionName_s: event.revision,
    ReplicaName_s: event.replica,
    EventSource_s: event.source,
    Reason_s: event.reason,
    Type_s: event.type,
    Log_s: event.text,
    Count_d: event.count === undefined ? "None" : String(event.count),
  }));
  return utf8(`${jsonText(sortKeys(objects), { indent: "  " })}\n`);
}

interface EventColumn {
  readonly name: string;
  readonly type: string;
  value(event: FormEvent): Json;
}

function restReply(events: readonly FormEvent[], columns: readonly EventColumn[]): Uint8Array {
  const table: JsonObject = {
    name: "PrimaryResult",
    columns: columns.map(({ name, type }) => ({ name, type })),
    rows: events.map((event) => columns.map((column) => column.value(event))),
  };
  return utf8(jsonText({ tables: [table] }));
}

const text = (name: string, value: (event: FormEvent) => string): EventColumn => ({
  name,
  type: "string",
  value,
});
const time = (name: string, value: (event: FormEvent) => bigint): EventColumn => ({
  name,
  type: "datetime",
  value: (event) => isoTrimmed(value(event)),
});

/** The REST answer on the `_CL` table: the event's own clock in time_t, TimeGenerated a batch's. */
export function restCl(events: readonly FormEvent[]): Uint8Array {
  return restReply(events, [
    text("TenantId", () => "00000000-0000-0000-0000-000000000000"),
    text("SourceSystem", () => "RestAPI"),
    time("TimeGenerated", (event) => batchTime(event.timeTicks)),
    text("Computer", () => ""),
    text("RawData", () => ""),
    time("time_t", (event) => event.timeTicks),
    text("Error_s", () => ""),
    {
      name: "_timestamp_d",
      type: "real",
      value: (event) => Number(event.timeTicks / 10_000_000n),
    },
    text("EventSource_s", (event) => event.source),
    text("Reason_s", (event) => event.reason),
    text("ReplicaName_s", (event) => event.replica),
    text("Type_s", (event) => event.type),
    text("RevisionName_s", (event) => event.revision),
    text("EnvironmentName_s", () => "env1"),
    text("Log_s", (event) => event.text),
    { name: "Count_d", type: "real", value: (event) => event.count ?? null },
    text("ContainerAppName_s", (event) => event.app),
    text("Level", () => ""),
    text("Type", () => "ContainerAppSystemLogs_CL"),
    text("_ResourceId", () => ""),
  ]);
}

/** The REST answer on the table without `_CL`: TimeGenerated is the only clock, Type the severity. */
export function restResourceSpecific(events: readonly FormEvent[]): Uint8Array {
  return restReply(events, [
    text("TenantId", () => "00000000-0000-0000-0000-000000000000"),
    time("TimeGenerated", (event) => event.timeTicks),
    text("Log", (event) => event.text),
    text("Reason", (event) => event.reason),
    text("Type", (event) => event.type),
    text("RevisionName", (event) => event.revision),
    text("ReplicaName", (event) => event.replica),
    text("ContainerAppName", (event) => event.app),
    text("EnvironmentName", () => "env1"),
    text("EventSource", (event) => event.source),
    { name: "Count", type: "int", value: (event) => event.count ?? null },
    { name: "JobName", type: "string", value: () => null },
    text("_ResourceId", () => "/subscriptions/0/x"),
  ]);
}

const PORTAL_HEADER =
  "SourceSystem|TimeGenerated [UTC]|Computer|RawData|time_t [UTC]|Error_s|_timestamp_d|EventSource_s|Reason_s|ReplicaName_s|Type_s|RevisionName_s|EnvironmentName_s|Log_s|Count_d|ContainerAppName_s|Level|TimeStamp_s|Type";

/** The portal's export of the `_CL` table in an American browser: time_t to the millisecond. */
export function portalCsvCl(events: readonly FormEvent[]): Uint8Array {
  const lines = events.map((event) => [
    "RestAPI",
    enUs(batchTime(event.timeTicks)),
    "",
    "",
    enUs(event.timeTicks),
    "",
    String(event.timeTicks / 10_000_000n),
    event.source,
    event.reason,
    event.replica,
    event.type,
    event.revision,
    "env1",
    event.text,
    event.count === undefined ? "" : String(event.count),
    event.app,
    "",
    "",
    "ContainerAppSystemLogs_CL",
  ]);
  const all = [PORTAL_HEADER.split("|"), ...lines];
  return utf8(all.map((line) => `${csvLine(line, ",", "portal")}\r\n`).join(""), true);
}
