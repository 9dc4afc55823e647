import { batchTime } from "../../forms/event-tables.ts";
import { goUtc, iso7 } from "../../forms/times.ts";
import type { FormEvent } from "../../forms/types.ts";
import type { TableRow } from "./engine.ts";
import type { ClClocks } from "./schemas.ts";

/** The instant cut to the microsecond, which is all the engine keeps. */
export const floorTicks = (ticks: bigint): bigint => ticks - (ticks % 10n);

/** Rows of ContainerAppSystemLogs_CL; TimeGenerated is a batch's, later than the event. */
export function systemLogClRows(events: readonly FormEvent[], clocks: ClClocks = {}): TableRow[] {
  const { timeStamp = true, time = true } = clocks;
  return events.map((event) => ({
    SourceSystem: "RestAPI",
    TimeGenerated: iso7(floorTicks(batchTime(event.timeTicks))),
    ...(time ? { time_t: iso7(event.timeTicks) } : {}),
    ...(timeStamp ? { TimeStamp_s: goUtc(event.timeTicks) } : {}),
    EventSource_s: event.source,
    Reason_s: event.reason,
    ReplicaName_s: event.replica,
    Type_s: event.type,
    RevisionName_s: event.revision,
    EnvironmentName_s: "env1",
    Log_s: event.text,
    Count_d: event.count ?? null,
    ContainerAppName_s: event.app,
    Type: "ContainerAppSystemLogs_CL",
  }));
}

/** Rows of ContainerAppSystemLogs, whose only clock is TimeGenerated. */
export function systemLogRows(events: readonly FormEvent[]): TableRow[] {
  return events.map((event) => ({
    TimeGenerated: iso7(event.timeTicks),
    Count: event.count ?? null,
    ContainerAppName: event.app,
    EnvironmentName: "env1",
    EventSource: event.source,
    Log: event.text,
    Reason: event.reason,
    ReplicaName: event.replica,
    RevisionName: event.revision,
    Type: event.type,
  }));
}
