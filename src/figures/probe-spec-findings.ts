import { limitsOf } from "../telemetry/probe-rules.ts";
import {
  type AppSpec,
  type DeclaredProbe,
  mainProbes,
  PROBE_TYPES,
  type ProbeNumbers,
  type SpecContainer,
} from "../telemetry/spec.ts";
import { type Found, found } from "./probe-finding.ts";

/** What the platform does not take of a spec, and where a file alone does not say enough. */
export function specFaults(spec: AppSpec): Found[] {
  const remarks = spec.remarks.map(({ kind, place, text }) =>
    kind === "rejected"
      ? found("not-accepted", "problem", place, text, "keep one of the two, or correct the type")
      : found(
          "unresolved-expression",
          "note",
          place,
          `${text} is only known when the template is deployed`,
          "give what az containerapp show prints of the deployed app as well",
        ),
  );
  if (spec.platform === "cloud-foundry") return remarks;
  return [
    ...remarks,
    ...spec.containers.flatMap((container) => [
      ...container.probes.flatMap(probeFaults),
      ...repeatedTypes(container),
    ]),
  ];
}

function probeFaults(probe: DeclaredProbe): Found[] {
  const faults: Found[] = [];
  const { place, handler, port, type, typeText } = probe;
  if (type === null) {
    const what = typeText === "" ? "the probe has no type" : `"${typeText}" is no probe type`;
    faults.push(found("unknown-type", "problem", place, what, "write Startup, Readiness or Liveness"));
  }
  if (handler === "grpc" || handler === "exec") {
    faults.push(
      found(
        "handler-not-allowed",
        "problem",
        place,
        `a ${handler} probe: Container Apps knows HTTP and TCP alone`,
        handler === "grpc"
          ? "use tcpSocket on the port, or an HTTP endpoint beside gRPC"
          : "use httpGet or tcpSocket",
      ),
    );
  }
  if (handler === "unknown") {
    faults.push(
      found("no-handler", "problem", place, "the probe asks nothing", "add httpGet or tcpSocket with a port"),
    );
  }
  if (typeof port === "string") {
    faults.push(
      found(
        "named-port",
        "problem",
        place,
        `port "${port}" is a name: containers here have no named ports`,
        "write the number of the port",
      ),
    );
  }
  if (handler !== "grpc" && handler !== "exec" && type !== null) faults.push(...rangeFaults(probe));
  return faults;
}

const KEYS: readonly (keyof ProbeNumbers)[] = [
  "initialDelaySeconds",
  "periodSeconds",
  "timeoutSeconds",
  "successThreshold",
  "failureThreshold",
];

function rangeFaults(probe: DeclaredProbe): Found[] {
  return KEYS.flatMap((key) => {
    const value = probe[key];
    if (value === null || probe.type === null) return [];
    const [low, high] = limitsOf(key, probe.type);
    if (value < low || value > high) {
      return [
        found(
          "out-of-range",
          "problem",
          `${probe.place}.${key}`,
          `${key} is ${value}; ${probe.type} takes ${low === high ? low : `${low} to ${high}`}`,
          "bring it into the range: the deployment is refused otherwise",
        ),
      ];
    }
    if (key !== "failureThreshold" || value <= 30) return [];
    return [
      found(
        "high-threshold",
        "note",
        `${probe.place}.${key}`,
        `failureThreshold is ${value}: some versions of the API refuse more than 30 (FailureThresholdOutOfRange)`,
        "if the deployment is refused, make the period longer and the threshold smaller",
      ),
    ];
  });
}

function repeatedTypes({ probes, place }: SpecContainer): Found[] {
  return PROBE_TYPES.flatMap((type) => {
    const own = probes.filter((probe) => probe.type === type);
    if (own.length < 2) return [];
    return [
      found(
        "type-repeated",
        "problem",
        own[1]!.place,
        `${own.length} ${type} probes in ${place}: a container has one of each type`,
        "keep one of them",
      ),
    ];
  });
}

/** Containers that no default probe looks after. */
export function unprobedContainers(spec: AppSpec): Found[] {
  return spec.containers.flatMap(({ kind, name, place, probes }) => {
    if (kind === "main" || probes.length > 0) return [];
    return kind === "init"
      ? [
          found(
            "init-not-probed",
            "note",
            place,
            `init container "${name}" is not probed: one that never ends holds the start up for ever`,
            "make sure that it ends by itself",
          ),
        ]
      : [
          found(
            "sidecar-not-probed",
            "note",
            place,
            `sidecar "${name}" has no probe, and defaults are added to the main container alone`,
            "if the app needs it from its first request on, write a probe for it",
          ),
        ];
  });
}

/** Probe ports that are not the one that requests come in by. */
export function portDifferences(spec: AppSpec): Found[] {
  if (spec.ingress === null || spec.ingress === "unknown" || spec.platform === "cloud-foundry") return [];
  const { targetPort } = spec.ingress;
  if (targetPort === null) return [];
  return mainProbes(spec).flatMap(({ type, port, place }) =>
    typeof port !== "number" || port === targetPort
      ? []
      : [
          found(
            "port-differs",
            "caution",
            place,
            `the ${type ?? "untyped"} probe asks port ${port}, requests come in on ${targetPort}: it passes without the port that users need, or fails although that one works`,
            `probe port ${targetPort}, unless ${port} is a health port on purpose`,
          ),
        ],
  );
}
