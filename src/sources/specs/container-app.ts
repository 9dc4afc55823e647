import {
  type AppSpec,
  type DeclaredProbe,
  PROBE_TYPES,
  type ProbeHandler,
  type SpecContainer,
  type SpecRemark,
} from "../../telemetry/spec.ts";
import { type Bag, dig, get, isBag, isExpression, listOf, numberOf, textOf } from "./values.ts";

/** Whether a document is a Container App, a revision of one or a job: it has a template with containers. */
export function isContainerApp(value: unknown): value is Bag {
  return isBag(value) && isBag(dig(value, "properties", "template")) && !isBag(get(value, "$schema"));
}

/**
 * A Container App (or revision, or job) as `az containerapp show`, its REST body or a template has it.
 *
 * @param place where the resource stands in the file; empty for the whole file
 */
export function containerApp(
  app: Bag,
  file: string,
  form: "container-app" | "arm-template",
  place: string,
): AppSpec {
  const at = (path: string): string => (place === "" ? path : `${place}.${path}`);
  const remarks: SpecRemark[] = [];
  const template = dig(app, "properties", "template");
  const configuration = dig(app, "properties", "configuration");
  const isJob = /\/jobs(?:\/|$)/i.test(textOf(get(app, "type")));
  const containers = [
    ...containersOf(template, "containers", at("properties.template"), remarks),
    ...containersOf(template, "initContainers", at("properties.template"), remarks),
  ];
  const name = textOf(get(app, "name"));
  return {
    file,
    form,
    platform: "container-apps",
    kind: isJob ? "job" : "app",
    name: isExpression(name) ? "" : (name.split("--")[0] ?? ""),
    ingress: isJob ? null : ingressOf(configuration, at("properties.configuration.ingress"), remarks),
    containers,
    remarks,
    place,
  };
}

function ingressOf(configuration: unknown, place: string, remarks: SpecRemark[]): AppSpec["ingress"] {
  if (configuration === undefined || configuration === null) return "unknown";
  const ingress = get(configuration, "ingress");
  if (isExpression(configuration) || isExpression(ingress)) {
    remarks.push({ kind: "unresolved", place, text: textOf(ingress ?? configuration) });
    return "unknown";
  }
  if (ingress === undefined || ingress === null) return null;
  const port = get(ingress, "targetPort");
  if (isExpression(port)) remarks.push({ kind: "unresolved", place: `${place}.targetPort`, text: port });
  const number = numberOf(port);
  // 0 and nothing leave it to the platform to find the port that the app listens on.
  return { targetPort: number === null || number <= 0 ? null : number };
}

function containersOf(
  template: unknown,
  key: "containers" | "initContainers",
  place: string,
  remarks: SpecRemark[],
): SpecContainer[] {
  const value = get(template, key);
  if (isExpression(value)) remarks.push({ kind: "unresolved", place: `${place}.${key}`, text: value });
  return listOf(value).map((container, index) => {
    const own = `${place}.${key}[${index}]`;
    const probes = get(container, "probes");
    if (isExpression(probes)) remarks.push({ kind: "unresolved", place: `${own}.probes`, text: probes });
    return {
      name: textOf(get(container, "name")),
      kind: key === "initContainers" ? "init" : index === 0 ? "main" : "sidecar",
      probes: listOf(probes).map((probe, i) => probeOf(probe, `${own}.probes[${i}]`, remarks)),
      place: own,
    };
  });
}

const HANDLERS: readonly (readonly [key: string, handler: ProbeHandler])[] = [
  ["httpGet", "http"],
  ["tcpSocket", "tcp"],
  ["grpc", "grpc"],
  ["exec", "exec"],
];

function probeOf(probe: unknown, place: string, remarks: SpecRemark[]): DeclaredProbe {
  const typeText = textOf(get(probe, "type"));
  const found = HANDLERS.filter(([key]) => isBag(get(probe, key)));
  const [key = "", handler = "unknown" as const] = found[0] ?? [];
  if (found.length > 1) {
    const keys = found.map(([name]) => name).join(" and ");
    remarks.push({ kind: "rejected", place, text: `a probe has one handler; this one has ${keys}` });
  }
  const number = (name: string): number | null => {
    const value = get(probe, name);
    if (isExpression(value)) remarks.push({ kind: "unresolved", place: `${place}.${name}`, text: value });
    return numberOf(value);
  };
  const port = dig(probe, key, "port");
  const path = dig(probe, key, "path");
  if (isExpression(port)) remarks.push({ kind: "unresolved", place: `${place}.${key}.port`, text: port });
  return {
    type: PROBE_TYPES.find((type) => type === typeText.toLowerCase()) ?? null,
    typeText,
    handler,
    path: handler !== "http" ? null : typeof path === "string" && path !== "" ? path : "/",
    port: isExpression(port) ? null : (numberOf(port) ?? (textOf(port) || null)),
    initialDelaySeconds: number("initialDelaySeconds"),
    periodSeconds: number("periodSeconds"),
    timeoutSeconds: number("timeoutSeconds"),
    successThreshold: number("successThreshold"),
    failureThreshold: number("failureThreshold"),
    isWritten: true,
    budgetSeconds: null,
    place,
  };
}
