import { type ReplicaFigures, type ReplicaSettings, replicaFigures } from "../../src/figures/replicas.ts";
import { buildFleet } from "../../src/fleet/fleet.ts";
import type { FleetSettings } from "../../src/fleet/settings.ts";
import type { SystemEvent } from "../../src/telemetry/events.ts";
import { RequestTable } from "../../src/telemetry/table.ts";
import { parseInstant, TICKS_PER_SECOND } from "../../src/telemetry/time.ts";

/** Small system logs, written by hand: seconds after 2026-09-01T00:00:00Z, reason, replica, text. */

export const MIDNIGHT = parseInstant("2026-09-01T00:00:00Z")!.ticks;

export function event(
  second: number,
  reason: string,
  replica: string,
  text: string,
  more: Partial<SystemEvent> = {},
): SystemEvent {
  return {
    ticks: MIDNIGHT + Math.round(second * TICKS_PER_SECOND),
    ownClock: true,
    reason,
    text,
    app: "api",
    revision: "",
    replica,
    source: "ContainerAppController",
    severity: "Normal",
    count: null,
    job: "",
    ...more,
  };
}

export const assigned = (second: number, replica: string): SystemEvent =>
  event(second, "AssigningReplica", replica, `Replica '${replica}' has been scheduled to run on a node.`);
export const started = (second: number, replica: string, container = "app", more = {}): SystemEvent =>
  event(second, "ContainerStarted", replica, `Started container '${container}'`, more);
export const stopped = (second: number, replica: string, container = "app"): SystemEvent =>
  event(
    second,
    "ContainerTerminated",
    replica,
    `Container '${container}' was terminated with exit code '' and reason 'ManuallyStopped'`,
  );
export const crashed = (second: number, replica: string, code = "137", container = "app"): SystemEvent =>
  event(
    second,
    "ContainerTerminated",
    replica,
    `Container '${container}' was terminated with exit code '${code}' and reason 'ProcessExited'`,
  );
export const refused = (second: number, replica: string): SystemEvent =>
  event(second, "ProbeFailed", replica, "Probe of StartUp failed with status code: 1");

/** A replica's name: revision, replicaset hash, pod hash. */
export const A1 = "api--rev0001-6fd86b5c7c-aaaaa";
export const A2 = "api--rev0001-6fd86b5c7c-bbbbb";
export const A3 = "api--rev0001-dd8bd99b64-ccccc";
export const B1 = "api--rev0002-85c54486bf-ddddd";
export const B2 = "api--rev0002-85c54486bf-eeeee";

const SETTINGS: FleetSettings = {
  windows: [{ name: "all", from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }],
  role: null,
  revision: null,
  container: null,
  guardTicks: 0,
  timezone: "UTC",
  days: "all",
  holidays: new Set(),
};

export function figuresOf(
  events: readonly SystemEvent[],
  fleet: Partial<FleetSettings> = {},
  settings: Partial<ReplicaSettings> = {},
): ReplicaFigures {
  const built = buildFleet(new RequestTable(), events, { ...SETTINGS, ...fleet });
  return replicaFigures(built, [], { apps: null, cooldownMs: 300_000, rates: null, ...settings });
}

/** `replica's last part: cause, certainty, evidence` of each birth. */
export function causes(figures: ReplicaFigures): string[] {
  return figures.births.map(
    ({ replica, cause, certainty, evidence }) => `${replica.slice(-5)}: ${cause}, ${certainty}, ${evidence}`,
  );
}
