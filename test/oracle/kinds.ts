import type { OracleRow } from "./types.ts";

export type Kind = "http" | "consumer" | "other";

const DEFAULT_PROBE_PATHS = [
  "/alive",
  "/health",
  "/healthz",
  "/health/live",
  "/health/ready",
  "/health/startup",
  "/livez",
  "/ready",
  "/readyz",
  "/startupz",
  "/actuator/health",
  "/actuator/health/liveness",
  "/actuator/health/readiness",
];

const METHOD_AND_SPACE = /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|CONNECT) /;

/** The kind of a row: the ordered rules, then the exception for upgrades. */
export function kindOf(row: OracleRow): Kind {
  const kind = kindByRules(row);
  if (kind === "http" && text(row.resultCode) === "101") return "other";
  return kind;
}

function kindByRules(row: OracleRow): Kind {
  const name = text(row.name);
  const url = text(row.url);
  const code = text(row.resultCode);

  // 1. http
  if (/^https?:\/\//i.test(url)) return "http";
  if (url.startsWith("/")) return "http";
  if (METHOD_AND_SPACE.test(row.name ?? "")) return "http";
  if (dimension(row, "httpmethod") !== "") return "http";

  // 2. functions; HttpMethod was answered by rule 1
  const isFunction =
    dimension(row, "category") === "Host.Results" || /^azurefunctions/i.test(text(row.sdkVersion));
  if (isFunction) return isMessage(row) ? "consumer" : "other";

  // 3. grpc; an http url was answered by rule 1
  if (hasDimensionStartingWith(row, "rpc.")) return "http";
  const isGrpcName = name.startsWith("grpc ") || /^\w+(\.\w+)+\/\w+$/.test(name);
  const isGrpcStatus = code === "" || (/^\d+$/.test(code) && Number(code) <= 16);
  if (isGrpcName && isGrpcStatus) return "http";

  // 4. message
  if (isMessage(row)) return "consumer";

  // 5. a JS consumer
  if (name === "" && code === "0" && url === "") return "consumer";

  // 6. background
  return "other";
}

/** Rule 4: no status beside at least one sign of a broker; functions that process messages fall under it too. */
function isMessage(row: OracleRow): boolean {
  return /^0?$/.test(text(row.resultCode)) && hasMessageEvidence(row);
}

function hasMessageEvidence(row: OracleRow): boolean {
  const name = text(row.name);
  const url = text(row.url);
  const source = text(row.source);
  const endings = [" process", " receive", ".ProcessMessage", ".ProcessSessionMessage", ".ProcessEvent"];
  return (
    /^(amqp|amqps|sb|kafka):\/\//i.test(url) ||
    isHostSlashDestination(url) ||
    isHostSlashDestination(source) ||
    source.startsWith("type:Azure Service Bus") ||
    hasDimensionStartingWith(row, "messaging.") ||
    Object.keys(row.measurements ?? {}).some((key) => key.toLowerCase() === "timesinceenqueued") ||
    dimension(row, "_ms.links") !== "" ||
    endings.some((ending) => name.endsWith(ending))
  );
}

/** `host/dest` without a scheme. */
function isHostSlashDestination(value: string): boolean {
  return !value.includes("://") && /^[^/\s]+\/\S+$/.test(value);
}

/** Whether an http row's path is one of the probe paths, case and one trailing slash aside. */
export function isProbe(row: OracleRow, probePaths: string[] | undefined): boolean {
  const path = pathOf(row);
  if (path === null) return false;
  return (probePaths ?? DEFAULT_PROBE_PATHS).some((probe) => folded(probe) === folded(path));
}

function folded(path: string): string {
  return path.toLowerCase().replace(/\/$/, "");
}

/** The path of the URL, or without a URL of the name after its method; null without either. */
function pathOf(row: OracleRow): string | null {
  const url = text(row.url);
  if (url !== "") return withoutQuery(url).replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, "");
  const name = row.name ?? "";
  if (METHOD_AND_SPACE.test(name)) return withoutQuery(name.replace(METHOD_AND_SPACE, "").trim());
  return null;
}

function withoutQuery(value: string): string {
  return value.split("?")[0]!.split("#")[0]!;
}

function text(value: string | undefined): string {
  return (value ?? "").trim();
}

/** A dimension by its lower-case key; a blank value counts as missing, which is "". */
function dimension(row: OracleRow, lowerCaseKey: string): string {
  for (const [key, value] of Object.entries(row.dimensions ?? {})) {
    if (key.toLowerCase() === lowerCaseKey) return value.trim();
  }
  return "";
}

function hasDimensionStartingWith(row: OracleRow, lowerCasePrefix: string): boolean {
  return Object.entries(row.dimensions ?? {}).some(
    ([key, value]) => value.trim() !== "" && key.toLowerCase().startsWith(lowerCasePrefix),
  );
}
