import type { AppSpec, DeclaredProbe, ProbeHandler, SpecRemark } from "../../telemetry/spec.ts";
import { type Bag, dig, get, isBag, listOf, numberOf, textOf } from "./values.ts";

/** The startup check asks every 2 s until the start's time is over. */
const STARTUP_PERIOD_SECONDS = 2;
const INTERVAL_SECONDS = 30;
const INVOCATION_TIMEOUT_SECONDS = 1;

export function isManifest(value: unknown): value is Bag {
  return Array.isArray(get(value, "applications"));
}

export function isProcess(value: unknown): value is Bag {
  return isBag(get(value, "health_check")) || isBag(get(value, "readiness_health_check"));
}

/** One spec a process of each app of a manifest; attributes of the app are those of its web process. */
export function manifestApps(manifest: Bag, file: string): AppSpec[] {
  return listOf(get(manifest, "applications")).flatMap((app, index) => {
    if (!isBag(app)) return [];
    const place = `applications[${index}]`;
    const name = textOf(get(app, "name"));
    const listed = listOf(get(app, "processes")).filter(isBag);
    const sidecars = listOf(get(app, "sidecars")).map((sidecar, i) => ({
      name: textOf(get(sidecar, "name")),
      place: `${place}.sidecars[${i}]`,
    }));
    const others = listed.map((process, i) => {
      const type = textOf(get(process, "type")) || "web";
      const merged = type === "web" ? { ...app, ...process } : process;
      return specOf(manifestHealth(merged), {
        file,
        form: "cf-manifest",
        name: type === "web" ? name : `${name} (${type})`,
        place: `${place}.processes[${i}]`,
        isWeb: type === "web",
        sidecars,
      });
    });
    if (listed.some((process) => (textOf(get(process, "type")) || "web") === "web")) return others;
    return [
      specOf(manifestHealth(app), { file, form: "cf-manifest", name, place, isWeb: true, sidecars }),
      ...others,
    ];
  });
}

/** A process as the v3 API gives it. */
export function processApp(process: Bag, file: string, place = ""): AppSpec {
  const type = textOf(get(process, "type")) || "web";
  const check = (key: string): Check => ({
    type: textOf(dig(process, key, "type")) || null,
    endpoint: textOf(dig(process, key, "data", "endpoint")) || null,
    interval: numberOf(dig(process, key, "data", "interval")),
    invocationTimeout: numberOf(dig(process, key, "data", "invocation_timeout")),
    place: key,
  });
  return specOf(
    {
      liveness: check("health_check"),
      readiness: check("readiness_health_check"),
      timeout: numberOf(dig(process, "health_check", "data", "timeout")),
    },
    { file, form: "cf-process", name: type, place, isWeb: type === "web", sidecars: [] },
  );
}

interface Check {
  readonly type: string | null;
  readonly endpoint: string | null;
  readonly interval: number | null;
  readonly invocationTimeout: number | null;
  readonly place: string;
}

interface Health {
  readonly liveness: Check;
  readonly readiness: Check;
  readonly timeout: number | null;
}

interface Context {
  readonly file: string;
  readonly form: "cf-manifest" | "cf-process";
  readonly name: string;
  readonly place: string;
  readonly isWeb: boolean;
  readonly sidecars: readonly { readonly name: string; readonly place: string }[];
}

function manifestHealth(app: Bag): Health {
  const check = (prefix: string): Check => ({
    type: textOf(get(app, `${prefix}health-check-type`)) || null,
    endpoint: textOf(get(app, `${prefix}health-check-http-endpoint`)) || null,
    interval: numberOf(get(app, `${prefix}health-check-interval`)),
    invocationTimeout: numberOf(get(app, `${prefix}health-check-invocation-timeout`)),
    place: `${prefix}health-check-type`,
  });
  return { liveness: check(""), readiness: check("readiness-"), timeout: numberOf(get(app, "timeout")) };
}

function specOf(health: Health, context: Context): AppSpec {
  const remarks: SpecRemark[] = [];
  const at = (place: string): string => (context.place === "" ? place : `${context.place}.${place}`);
  // A web process is asked on its port unless the file says otherwise; nobody routes to the others.
  const liveness = handlerOf(health.liveness, context.isWeb ? "tcp" : "process", at, remarks);
  const readiness = handlerOf(health.readiness, "process", at, remarks);
  const probe = (type: "startup" | "readiness" | "liveness"): DeclaredProbe => {
    const check = type === "readiness" ? health.readiness : health.liveness;
    const handler = type === "readiness" ? readiness : liveness;
    const asks = handler !== "process";
    return {
      type,
      typeText: type,
      handler,
      path: handler === "http" ? (check.endpoint ?? "/") : null,
      port: null,
      initialDelaySeconds: null,
      periodSeconds: !asks
        ? null
        : type === "startup"
          ? STARTUP_PERIOD_SECONDS
          : (check.interval ?? INTERVAL_SECONDS),
      timeoutSeconds: asks ? (check.invocationTimeout ?? INVOCATION_TIMEOUT_SECONDS) : null,
      successThreshold: null,
      failureThreshold: null,
      isWritten: check.type !== null,
      budgetSeconds: type === "startup" ? health.timeout : null,
      place: at(check.place),
    };
  };
  return {
    file: context.file,
    form: context.form,
    platform: "cloud-foundry",
    kind: "app",
    name: context.name,
    ingress: context.isWeb ? { targetPort: null } : null,
    containers: [
      {
        name: context.name,
        kind: "main",
        probes: [probe("startup"), probe("readiness"), probe("liveness")],
        place: context.place,
      },
      ...context.sidecars.map((sidecar) => ({ ...sidecar, kind: "sidecar" as const, probes: [] })),
    ],
    remarks,
    place: context.place,
  };
}

function handlerOf(
  check: Check,
  standard: ProbeHandler,
  at: (place: string) => string,
  remarks: SpecRemark[],
): ProbeHandler {
  const isReadiness = check.place.startsWith("readiness");
  const handler = check.type === null ? standard : CHECKS[check.type.toLowerCase()];
  if (handler === undefined || (isReadiness && check.type?.toLowerCase() === "none")) {
    const known = isReadiness ? "http, port and process" : "http, port and process (none is its old name)";
    remarks.push({
      kind: "rejected",
      place: at(check.place),
      text: `"${check.type}" is not one of ${known}`,
    });
    return "unknown";
  }
  if (check.endpoint !== null && handler !== "http") {
    const text = "an endpoint is given, but the type is not http, which the platform rejects";
    remarks.push({ kind: "rejected", place: at(check.place), text });
  }
  return handler;
}

const CHECKS: Readonly<Record<string, ProbeHandler>> = {
  http: "http",
  port: "tcp",
  process: "process",
  none: "process",
};
