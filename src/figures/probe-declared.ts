import { budgetOf, DEFAULT_NUMBERS } from "../telemetry/probe-rules.ts";
import {
  type AppSpec,
  type DeclaredProbe,
  mainProbes,
  type ProbeHandler,
  type ProbeNumbers,
  type ProbeType,
} from "../telemetry/spec.ts";

/**
 * Where a probe of the spec comes from. `written`: it stands there. `default`: nothing does, and the
 * platform's documented default counts. `partial-default`: other types are written, for which case no
 * default is documented. `none`: no probe. `unknown`: no spec, or one that does not tell.
 */
export type Origin = "written" | "default" | "partial-default" | "none" | "unknown";

/** One probe type as the spec has it. */
export interface DeclaredFigures extends ProbeNumbers {
  readonly origin: Origin;
  readonly handler: ProbeHandler | null;
  readonly path: string | null;
  readonly port: number | string | null;
  /** Initial delay + period × failure threshold; the whole time of a start on Cloud Foundry. */
  readonly budgetSeconds: number | null;
  readonly place: string | null;
  /** Every handler written for the type, where there are several probes of it. */
  readonly handlers: readonly ProbeHandler[];
}

const NO_NUMBERS: ProbeNumbers = {
  initialDelaySeconds: null,
  periodSeconds: null,
  timeoutSeconds: null,
  successThreshold: null,
  failureThreshold: null,
};

const NOTHING = {
  handler: null,
  path: null,
  port: null,
  budgetSeconds: null,
  place: null,
  handlers: [],
} as const;

/** What a spec declares for a probe type of the main container, the platform's defaults put in. */
export function declaredProbe(spec: AppSpec | null, type: ProbeType): DeclaredFigures {
  if (spec === null) return { ...NO_NUMBERS, ...NOTHING, origin: "unknown" };
  const probes = mainProbes(spec);
  const own = probes.filter((probe) => probe.type === type);
  const first = own[0];
  if (first !== undefined) return ofProbe(first, own, spec);
  if (
    spec.remarks.some(({ kind, place }) => kind === "unresolved" && /\.(?:probes|containers)$/.test(place))
  ) {
    return { ...NO_NUMBERS, ...NOTHING, origin: "unknown" };
  }
  if (spec.ingress === null) return { ...NO_NUMBERS, ...NOTHING, origin: "none" };
  if (spec.ingress === "unknown") return { ...NO_NUMBERS, ...NOTHING, origin: "unknown" };
  const numbers = DEFAULT_NUMBERS[type];
  return {
    ...numbers,
    ...NOTHING,
    origin: probes.length === 0 ? "default" : "partial-default",
    handler: "tcp",
    port: spec.ingress.targetPort,
    budgetSeconds: numbers.failureThreshold === null ? null : budgetOf(numbers),
  };
}

function ofProbe(probe: DeclaredProbe, own: readonly DeclaredProbe[], spec: AppSpec): DeclaredFigures {
  const asks = probe.handler === "http" || probe.handler === "tcp";
  return {
    origin: probe.isWritten ? "written" : "default",
    handler: probe.handler,
    path: probe.path,
    port: probe.port,
    initialDelaySeconds: probe.initialDelaySeconds,
    periodSeconds: probe.periodSeconds,
    timeoutSeconds: probe.timeoutSeconds,
    successThreshold: probe.successThreshold,
    failureThreshold: probe.failureThreshold,
    budgetSeconds: spec.platform === "cloud-foundry" ? probe.budgetSeconds : asks ? budgetOf(probe) : null,
    place: probe.place,
    handlers: own.map(({ handler }) => handler),
  };
}
