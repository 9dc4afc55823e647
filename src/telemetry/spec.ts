/** What a deployment declares about its health probes, whichever platform and file it comes from. */
export const PROBE_TYPES = ["startup", "readiness", "liveness"] as const;
export type ProbeType = (typeof PROBE_TYPES)[number];

/** How a probe asks; `process` is Cloud Foundry's check that the process exists, which asks nothing. */
export type ProbeHandler = "http" | "tcp" | "process" | "grpc" | "exec" | "unknown";

/** The numbers of a probe as they were written; null where they were not. Seconds and counts. */
export interface ProbeNumbers {
  readonly initialDelaySeconds: number | null;
  readonly periodSeconds: number | null;
  readonly timeoutSeconds: number | null;
  readonly successThreshold: number | null;
  readonly failureThreshold: number | null;
}

export interface DeclaredProbe extends ProbeNumbers {
  /** Null where the file gives no type that exists. */
  readonly type: ProbeType | null;
  readonly typeText: string;
  readonly handler: ProbeHandler;
  readonly path: string | null;
  /** A text is a port by name, which no platform here resolves. */
  readonly port: number | string | null;
  /** False where the platform's documented default stands in for what the file leaves out. */
  readonly isWritten: boolean;
  /** All the time that a start may take, where the platform takes it as one number (Cloud Foundry). */
  readonly budgetSeconds: number | null;
  /** Where it stands in the file, such as `properties.template.containers[0].probes[1]`. */
  readonly place: string;
}

export interface SpecContainer {
  readonly name: string;
  /** The platform adds its default probes to the main container alone. */
  readonly kind: "main" | "sidecar" | "init";
  readonly probes: readonly DeclaredProbe[];
  readonly place: string;
}

/** Something of a file that could not be taken as it stands. */
export interface SpecRemark {
  readonly kind: "unresolved" | "rejected";
  readonly place: string;
  readonly text: string;
}

/** One app, job or process of a file. */
export interface AppSpec {
  readonly file: string;
  readonly form: "container-app" | "arm-template" | "cf-manifest" | "cf-process";
  readonly platform: "container-apps" | "cloud-foundry";
  readonly kind: "app" | "job";
  /** Empty where the file does not name it. */
  readonly name: string;
  /** Null without ingress; `unknown` where the file does not speak of it. */
  readonly ingress: { readonly targetPort: number | null } | null | "unknown";
  readonly containers: readonly SpecContainer[];
  readonly remarks: readonly SpecRemark[];
  readonly place: string;
}

/** The probes of the container that the platform looks after by default. */
export function mainProbes(spec: AppSpec): readonly DeclaredProbe[] {
  return spec.containers.find(({ kind }) => kind === "main")?.probes ?? [];
}
