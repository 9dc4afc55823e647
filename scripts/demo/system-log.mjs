import { appEvents } from "./app-events.mjs";
import { at, isoSeconds, streamTime } from "./clock.mjs";
import { ROLE } from "./plan.mjs";
import { earlyEvents, replicaEvents } from "./replica-events.mjs";

/** The two lines with which every call of `az containerapp logs show --type system` begins. */
function headLines() {
  return [
    ["2026-08-31T21:59:57Z", "StartingGettingEvents", "Connecting to the events collector..."],
    ["2026-08-31T21:59:58Z", "ConnectedToEventsServer", "Successfully connected to events server"],
  ].map(([time, reason, message]) => ({
    TimeStamp: isoSeconds(at(time)),
    Type: "Normal",
    ContainerAppName: null,
    RevisionName: null,
    ReplicaName: null,
    Msg: message,
    Reason: reason,
    EventSource: "ContainerAppController",
    Count: 1,
  }));
}

/** The system log as lines with the nine keys of the stream, in the order of the events' own time. */
export function writeSystemLog(rng, early, lives) {
  const perReplica = replicaEvents(rng, lives);
  const events = [...earlyEvents(early), ...perReplica, ...appEvents(early, lives)];
  events.sort((left, right) => left.tick - right.tick);
  const lines = events.map((event) => ({
    TimeStamp: streamTime(event.tick, event.whole),
    Type: event.type,
    ContainerAppName: ROLE,
    RevisionName: event.revision,
    ReplicaName: event.replica,
    Msg: event.message,
    Reason: event.reason,
    EventSource: event.source,
    Count: event.count,
  }));
  return { lines: [...headLines(), ...lines], lastTick: events.at(-1).tick };
}
