import { logAnalyticsCliCl, portalCsvCl, restCl, restResourceSpecific } from "./event-tables.ts";
import { type JsonObject, jsonText, TICKS_PER_SECOND, utf8 } from "./text.ts";
import { goUtc, iso7, isoOffset, isoTrimmed } from "./times.ts";
import type { EventForm, FormEvent } from "./types.ts";

/** The stream's four spellings of an instant; whole seconds are spelt so only where they are whole. */
function streamTime(ticks: bigint, index: number): string {
  if (index % 3 !== 2) return goUtc(ticks);
  return ticks % TICKS_PER_SECOND === 0n ? isoTrimmed(ticks) : isoOffset(ticks);
}

function streamLine(event: FormEvent, index: number): JsonObject {
  return {
    TimeStamp: streamTime(event.timeTicks, index),
    Type: event.type,
    ContainerAppName: event.app,
    RevisionName: event.revision,
    ReplicaName: event.replica,
    Msg: event.text,
    Reason: event.reason,
    EventSource: event.source,
    Count: event.count ?? 1,
  };
}

/** The two lines that begin every call: about the connection, without names, newer than the events. */
function connectionLines(events: readonly FormEvent[]): JsonObject[] {
  let last = 0n;
  for (const { timeTicks } of events) if (timeTicks > last) last = timeTicks;
  const now = isoTrimmed((last / TICKS_PER_SECOND + 120n) * TICKS_PER_SECOND);
  const line = (Reason: string, Msg: string): JsonObject => ({
    TimeStamp: now,
    Type: "Normal",
    ContainerAppName: null,
    RevisionName: null,
    ReplicaName: null,
    Msg,
    Reason,
    EventSource: "ContainerAppController",
    Count: 1,
  });
  return [
    line("StartingGettingEvents", "Connecting to the events collector..."),
    line("ConnectedToEventsServer", "Successfully connected to events server"),
  ];
}

/** `az containerapp logs show --type system`: one object a line. An event without a count gets 1. */
export function logsShow(events: readonly FormEvent[]): Uint8Array {
  const all = [...connectionLines(events), ...events.map(streamLine)];
  return utf8(all.map((line) => `${jsonText(line, { spaced: true })}\n`).join(""));
}

/** The same stream as the server sends it: no blanks, quotes and plus signs escaped as .NET does. */
export function logsShowEscaped(events: readonly FormEvent[]): Uint8Array {
  const escapeQuotes = (quoted: string): string =>
    `"${quoted
      .slice(1, -1)
      .replace(/\\(.)/g, (pair, char: string) => (char === '"' ? "\\u0022" : pair))
      .replaceAll("'", "\\u0027")
      .replaceAll("+", "\\u002B")}"`;
  const all = [...connectionLines(events), ...events.map(streamLine)];
  return utf8(all.map((line) => `${jsonText(line, { escape: escapeQuotes })}\n`).join(""));
}

/** The stream as the documentation shows it: pretty-printed objects one after another. */
export function logsShowPretty(events: readonly FormEvent[]): Uint8Array {
  return utf8(
    events.map((event, index) => `${jsonText(streamLine(event, index), { indent: "\t" })}\n`).join(""),
  );
}

const ENVIRONMENT_ID =
  "/SUBSCRIPTIONS/00000000-0000-0000-0000-000000000000/RESOURCEGROUPS/RG1/PROVIDERS/MICROSOFT.APP/MANAGEDENVIRONMENTS/ENV1";

function recordHead(event: FormEvent): JsonObject {
  return { time: iso7(event.timeTicks), resourceId: ENVIRONMENT_ID, category: "ContainerAppSystemLogs" };
}

function recordFields(event: FormEvent): JsonObject {
  return {
    ContainerAppName: event.app,
    Count: event.count,
    EnvironmentName: "env1",
    EventSource: event.source,
    Log: event.text,
    Reason: event.reason,
    ReplicaName: event.replica,
    RevisionName: event.revision,
    Type: event.type,
  };
}

/** A message of a diagnostic setting, the table's columns beside `time` as in the requests' messages. */
export function eventhubEvents(events: readonly FormEvent[]): Uint8Array {
  return utf8(
    jsonText({ records: events.map((event) => ({ ...recordHead(event), ...recordFields(event) })) }),
  );
}

/** The same message with the columns under `properties`, the common layout of resource logs. */
export function eventhubEventProperties(events: readonly FormEvent[]): Uint8Array {
  const records = events.map((event) => ({ ...recordHead(event), properties: recordFields(event) }));
  return utf8(jsonText({ records }));
}

/** Every form of system events. */
export const eventForms: readonly EventForm[] = [
  { name: "logs-show", fileName: "system-logs.ndjson", write: logsShow },
  { name: "logs-show-escaped", fileName: "eventstream.ndjson", write: logsShowEscaped },
  { name: "logs-show-pretty-concatenated", fileName: "system-logs.txt", write: logsShowPretty },
  { name: "log-analytics-cli-cl", fileName: "system-events.json", write: logAnalyticsCliCl },
  { name: "rest-cl", fileName: "system-rest-cl.json", write: restCl },
  { name: "rest-resource-specific", fileName: "system-rest.json", write: restResourceSpecific },
  { name: "portal-csv-cl", fileName: "system-query_data.csv", millisecondsOnly: true, write: portalCsvCl },
  { name: "eventhub-records", fileName: "system-eventhub.json", write: eventhubEvents },
];

/** Layouts that the common schema of resource logs suggests but no capture shows. */
export const unseenEventForms: readonly EventForm[] = [
  { name: "eventhub-records-properties", fileName: "system-eventhub-2.json", write: eventhubEventProperties },
];
