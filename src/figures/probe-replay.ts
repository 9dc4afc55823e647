import { type ContainerStart, isAppContainer } from "../fleet/starts.ts";
import { containerOf, type SystemEvent } from "../telemetry/events.ts";
import type { ProbeType } from "../telemetry/spec.ts";
import { TICKS_PER_SECOND } from "../telemetry/time.ts";
import { probeEvent, stopOf } from "./probe-events.ts";
import type { Excluded, Failure, Kill } from "./probe-log.ts";

/** The same verdict may be logged under two reasons. */
const SAME_VERDICT = TICKS_PER_SECOND;

/** Where the events of a replica are counted. */
export interface Replay {
  readonly container: string | null;
  readonly isReplica: boolean;
  readonly excluded: Excluded;
  readonly log: {
    readonly failures: Failure[];
    readonly kills: Kill[];
    readonly notReady: { ticks: number; replica: string }[];
    readonly thresholds: Map<ProbeType, Set<number>>;
    readonly platformContainers: Set<string>;
  };
}

/** Goes through the events of one replica in order and gives each to the start and container it is of. */
export function replay(
  events: readonly SystemEvent[],
  starts: readonly ContainerStart[],
  context: Replay,
): void {
  const { container, excluded, log } = context;
  const isApp = (name: string | null): boolean => isAppContainer(name, container);
  const judged = verdictContainers(events);
  let index = -1;
  let hasSidecar = false;
  let stopped = false;
  let killed: { type: ProbeType; at: number } | null = null;
  for (const event of events) {
    while (index + 1 < starts.length && beginOf(starts[index + 1]!) <= event.ticks) {
      index++;
      stopped = false;
      killed = null;
    }
    const start = starts[index] ?? null;
    const at = { ticks: event.ticks, replica: event.replica };
    const probe = probeEvent(event);
    if (event.reason === "ContainerStarted") {
      // Of the platform's sidecars only Dapr's is known to be probed.
      hasSidecar ||= containerOf(event.text) === "daprd";
    } else if (probe?.kind === "failure") {
      const names = judged.get(probe.type) ?? [];
      const isPlatform =
        probe.path?.startsWith("/v1.0/healthz") === true ||
        (names.length > 0 ? !names.some(isApp) : hasSidecar && start === null);
      if (isPlatform) {
        excluded.platform++;
        if (!names.some((name) => !isApp(name))) log.platformContainers.add("daprd");
      } else if (stopped) excluded.afterStop++;
      else {
        const isShared = hasSidecar && names.length === 0;
        log.failures.push({ ...at, revision: event.revision, event: probe, start, isShared });
      }
    } else if (probe?.kind === "verdict") {
      if (!isApp(probe.container)) {
        if (probe.container !== null) log.platformContainers.add(probe.container);
      } else if (probe.type === "readiness") {
        if (!stopped) log.notReady.push(at);
      } else if (killed === null || start === null || event.ticks - killed.at > SAME_VERDICT) {
        log.kills.push({ ...at, type: probe.type, start });
        killed = { type: probe.type, at: event.ticks };
      }
    } else if (probe?.kind === "threshold") {
      const names = judged.get(probe.type) ?? [];
      if (names.length === 0 || names.some(isApp)) log.thresholds.get(probe.type)!.add(probe.threshold!);
    } else {
      const stop = stopOf(event);
      if (stop === null || !isApp(stop.container)) continue;
      if (stop.how === "probe" && !isToldBefore(killed, event)) log.kills.push({ ...at, type: null, start });
      // A revision without replica names goes on in its other replicas.
      stopped = context.isReplica;
    }
  }
}

/** A kill's own end follows it within the grace period. */
const GRACE = 600 * TICKS_PER_SECOND;

function isToldBefore(killed: { at: number } | null, event: SystemEvent): boolean {
  return killed !== null && event.ticks - killed.at <= GRACE;
}

function beginOf(start: ContainerStart): number {
  return Math.min(...start.containers.values());
}

/** The containers that the platform's verdicts name, by probe type. */
function verdictContainers(events: readonly SystemEvent[]): Map<ProbeType, string[]> {
  const names = new Map<ProbeType, string[]>();
  for (const event of events) {
    const probe = probeEvent(event);
    if (probe?.kind !== "verdict" || probe.container === null) continue;
    names.set(probe.type, [...(names.get(probe.type) ?? []), probe.container]);
  }
  return names;
}
