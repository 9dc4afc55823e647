import { containerOf, type SystemEvent } from "../telemetry/events.ts";
import type { ProbeType } from "../telemetry/spec.ts";

/** What one event of the system log says about a probe. */
export interface ProbeEvent {
  readonly type: ProbeType;
  /**
   * `failure`: one attempt failed. `verdict`: the platform acts on a container. `threshold`: the failures
   * in a row that it allows.
   */
  readonly kind: "failure" | "verdict" | "threshold";
  readonly handler: "http" | "tcp" | null;
  /** Whether the text leaves no doubt about the handler. */
  readonly isCertain: boolean;
  /** The HTTP status, `1` for a refused connection, `timeout`; empty where nothing is known. */
  readonly status: string;
  readonly port: number | null;
  readonly path: string | null;
  readonly timeoutSeconds: number | null;
  /** The container that the text names. */
  readonly container: string | null;
  readonly threshold: number | null;
}

const LEGION =
  /\bProbe of (StartUp|Readiness|Liveness) failed with (?:status code: ?(\S*)|timeout in (\d+) seconds?)/i;
const KUBELET = /^\s*(startup|readiness|liveness) probe (?:failed|errored): ?(.*)$/is;
const VERDICT = /^\s*Container '?(.+?)'? failed (startup|readiness|liveness) probe\b/i;
const THRESHOLD = /\b(StartUp|Readiness|Liveness) reached failure threshold (\d+)/i;

/** What an event of either dialect says about a probe, whatever its reason is called; null for any other. */
export function probeEvent(event: SystemEvent): ProbeEvent | null {
  const legion = LEGION.exec(event.text);
  if (legion !== null) return fromLegion(legion[1]!, legion[2] ?? "", legion[3]);
  const threshold = THRESHOLD.exec(event.text);
  if (threshold !== null) {
    return { ...NOTHING, type: typeOf(threshold[1]!), kind: "threshold", threshold: Number(threshold[2]) };
  }
  const verdict = VERDICT.exec(event.text);
  if (verdict !== null) {
    return { ...NOTHING, type: typeOf(verdict[2]!), kind: "verdict", container: verdict[1]! };
  }
  const kubelet = KUBELET.exec(event.text);
  return kubelet === null ? null : fromKubelet(typeOf(kubelet[1]!), kubelet[2]!);
}

const NOTHING = {
  handler: null,
  isCertain: false,
  status: "",
  port: null,
  path: null,
  timeoutSeconds: null,
  container: null,
  threshold: null,
} as const;

function typeOf(text: string): ProbeType {
  return text.toLowerCase() as ProbeType;
}

/** A status of three digits only HTTP gives; 1 is a refused connection; an empty one says nothing. */
function fromLegion(type: string, status: string, seconds: string | undefined): ProbeEvent {
  const base = { ...NOTHING, type: typeOf(type), kind: "failure" } as const;
  if (seconds !== undefined) return { ...base, status: "timeout", timeoutSeconds: Number(seconds) };
  if (/^[1-5]\d\d$/.test(status)) return { ...base, status, handler: "http", isCertain: true };
  return status === "1" ? { ...base, status, handler: "tcp" } : { ...base, status };
}

function fromKubelet(type: ProbeType, text: string): ProbeEvent {
  const base = { ...NOTHING, type, kind: "failure" } as const;
  const status = /statuscode: (\d+)/i.exec(text)?.[1];
  const url = /\bGet "?https?:\/\/[^/\s"]*?:(\d+)(\/[^\s"]*)?"?/i.exec(text);
  if (url !== null) {
    return {
      ...base,
      handler: "http",
      isCertain: true,
      port: Number(url[1]),
      path: url[2] ?? "/",
      status: reasonOf(text),
    };
  }
  if (status !== undefined) return { ...base, handler: "http", isCertain: true, status };
  const dial = /\bdial tcp \S*?:(\d+)/i.exec(text);
  if (dial !== null) {
    return { ...base, handler: "tcp", isCertain: true, port: Number(dial[1]), status: reasonOf(text) };
  }
  return { ...base, status: reasonOf(text) };
}

function reasonOf(text: string): string {
  if (/connection refused/i.test(text)) return "refused";
  return /timeout|deadline exceeded/i.test(text) ? "timeout" : "";
}

/** How the platform ended a container, where the event says so. */
export type Stop = "probe" | "stopped" | "exited";

/** The end of a container that an event reports, with the container; null for any other event. */
export function stopOf(event: SystemEvent): { readonly how: Stop; readonly container: string | null } | null {
  const container = containerOf(event.text);
  if (/^stopping container /i.test(event.text)) return { how: "stopped", container };
  if (!/\bwas terminated with\b/.test(event.text)) return null;
  if (/reason 'ProbeFailure'/.test(event.text)) return { how: "probe", container };
  return { how: /reason 'ManuallyStopped'/.test(event.text) ? "stopped" : "exited", container };
}

/** The two ports of a mismatch between ingress and listener; null for any other event. */
export function portMismatch(
  event: SystemEvent,
): { readonly target: number; readonly listening: number } | null {
  const match = /TargetPort (\d+) does not match the listening port (\d+)/i.exec(event.text);
  return match === null ? null : { target: Number(match[1]), listening: Number(match[2]) };
}
