import type { SystemEvent } from "../telemetry/events.ts";
import { TICKS_PER_SECOND } from "../telemetry/time.ts";

const STARTUP = /\bstart-?up probe failed\b|\bprobe of start-?up failed\b/i;
/** Both dialects of "nobody listens": a refused connection, or status code 1. */
const NOBODY = /connection refused|status code: ?1\s*$/i;
/** Dapr's own ports answer for Dapr. */
const DAPR = /:350[01]\b/;

/**
 * Whether an event says that the startup probe found no listener. A probe that was answered with an HTTP
 * status, timed out or got no status at all says nothing of that kind: the port may have been open.
 */
export function isRefusal(event: SystemEvent): boolean {
  return STARTUP.test(event.text) && NOBODY.test(event.text) && !DAPR.test(event.text);
}

/** How far the platform's clock may be off, and how late a batch's time may be besides. */
const SLACK = TICKS_PER_SECOND;
const BATCH = 10 * TICKS_PER_SECOND;

/** For each replica the instants, in order, before which its port was certainly still closed. */
export function refusals(events: readonly SystemEvent[]): Map<string, number[]> {
  const byReplica = new Map<string, number[]>();
  for (const event of events) {
    if (event.replica === "" || !isRefusal(event)) continue;
    const until = event.ticks - SLACK - (event.ownClock ? 0 : BATCH);
    const list = byReplica.get(event.replica);
    if (list === undefined) byReplica.set(event.replica, [until]);
    else list.push(until);
  }
  for (const list of byReplica.values()) list.sort((a, b) => a - b);
  return byReplica;
}
