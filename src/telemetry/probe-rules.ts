import type { ProbeNumbers, ProbeType } from "./spec.ts";

/**
 * The numbers of the probes that Container Apps adds to a main container with ingress and without any
 * probe of its own (health-probes, learn.microsoft.com); of liveness nothing is documented.
 */
export const DEFAULT_NUMBERS: Readonly<Record<ProbeType, ProbeNumbers>> = {
  startup: {
    initialDelaySeconds: 1,
    periodSeconds: 1,
    timeoutSeconds: 3,
    successThreshold: 1,
    failureThreshold: 240,
  },
  readiness: {
    initialDelaySeconds: 3,
    periodSeconds: 5,
    timeoutSeconds: 5,
    successThreshold: 1,
    failureThreshold: 48,
  },
  liveness: {
    initialDelaySeconds: null,
    periodSeconds: null,
    timeoutSeconds: null,
    successThreshold: null,
    failureThreshold: null,
  },
};

/** What counts for a key that a probe leaves out. */
export const OMITTED: Readonly<Record<keyof ProbeNumbers, number>> = {
  initialDelaySeconds: 0,
  periodSeconds: 10,
  timeoutSeconds: 1,
  successThreshold: 1,
  failureThreshold: 3,
};

/** The ranges that the platform accepts; failure thresholds as far as any of its validators goes. */
export function limitsOf(key: keyof ProbeNumbers, type: ProbeType): readonly [low: number, high: number] {
  switch (key) {
    case "initialDelaySeconds":
      return [0, 60];
    case "periodSeconds":
    case "timeoutSeconds":
      return [1, 240];
    case "successThreshold":
      return type === "readiness" ? [1, 10] : [1, 1];
    case "failureThreshold":
      return [1, type === "startup" ? 240 : type === "readiness" ? 48 : 30];
  }
}

/**
 * The seconds that failures may last before the platform acts: initial delay + period × failure
 * threshold, with the values that count for keys left out.
 */
export function budgetOf(numbers: ProbeNumbers): number {
  const value = (key: keyof ProbeNumbers): number => numbers[key] ?? OMITTED[key];
  return value("initialDelaySeconds") + value("periodSeconds") * value("failureThreshold");
}
