import {
  type Cut,
  errorReply,
  kustoFrames,
  kustoTables,
  logsReply,
  type Reply,
  type Service,
} from "./answers.ts";
import { type Engine, type EngineAnswer, EngineError } from "./engine.ts";
import type { Fault } from "./faults.ts";
import { batchMetrics, type IngressRow, resourceMetrics } from "./ingress.ts";
import { isTimespan } from "./timespan.ts";

/** One request, in the order in which they came. */
export interface LogEntry {
  /** When it had come whole: milliseconds of `performance.now()`. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  /** The KQL; null where the request carried none. */
  readonly query: string | null;
  readonly body: unknown;
  /** Null while there is no answer, and where there never is one. */
  status: number | null;
}

export interface ServerOptions {
  readonly engine: Engine;
  /** Rows after which the service cuts an answer. */
  readonly maxRows?: number;
  readonly ingress?: readonly IngressRow[];
}

export type Route = "metadata" | "logs" | "kusto-v1" | "kusto-v2" | "batch-metrics" | "resource-metrics";

const ROUTES: readonly (readonly [route: Route, method: string, path: RegExp])[] = [
  ["metadata", "GET", /^\/v1\/rest\/auth\/metadata$/],
  ["kusto-v1", "POST", /^\/v1\/rest\/query$/],
  ["kusto-v2", "POST", /^\/v2\/rest\/query$/],
  ["logs", "POST", /^\/v1\/(?:workspaces|apps)\/[^/]+\/query$/],
  ["logs", "POST", /^\/v1\/subscriptions\/[^/]+(?:\/[^/]+)+\/query$/],
  ["batch-metrics", "POST", /^\/subscriptions\/[^/]+\/metrics:getBatch$/],
  [
    "resource-metrics",
    "GET",
    /^\/subscriptions\/[^/]+(?:\/[^/]+)*\/providers\/Microsoft\.Insights\/metrics$/i,
  ],
];

export function serviceOf(path: string): Service {
  if (/^\/v[12]\/rest\//.test(path)) return "kusto";
  return path.startsWith("/subscriptions/") ? "metrics" : "logs";
}

export function routeOf({ method, path }: LogEntry): Route | undefined {
  return ROUTES.find(([, verb, pattern]) => verb === method && pattern.test(path))?.[0];
}

/** Whether a fault stands in place of the true answer. */
export function isInPlace(fault: Fault): boolean {
  return !["truncate", "slow", "partial", "nan"].includes(fault.kind);
}

export function faultReply(fault: Fault, service: Service): Reply {
  if (fault.kind !== "status") return { status: 200, json: {} };
  const { status, code, message, headers = {} } = fault;
  return { ...errorReply(service, status, code, message), headers };
}

/** What the service answers to a request that is signed in. */
export async function replyTo(
  route: Route | undefined,
  url: URL,
  entry: LogEntry,
  options: ServerOptions,
  fault: Fault | null,
): Promise<Reply> {
  const { engine, maxRows = 500_000, ingress = [] } = options;
  switch (route) {
    case "batch-metrics":
      return batchMetrics(ingress, url, entry.body);
    case "resource-metrics":
      return resourceMetrics(ingress, url);
    case "logs":
    case "kusto-v1":
    case "kusto-v2":
      break;
    default:
      return errorReply(
        serviceOf(url.pathname),
        404,
        "PathNotFoundError",
        "The requested path does not exist",
      );
  }
  const wrong = route === "logs" ? wrongLogsBody(entry) : wrongKustoBody(entry);
  const service = serviceOf(url.pathname);
  const badRequest = service === "kusto" ? "General_BadRequest" : "BadArgumentError";
  const refusal = "The request had some invalid properties";
  if (wrong !== null)
    return errorReply(service, 400, badRequest, refusal, { code: "BadArgumentError", message: wrong });
  let found: EngineAnswer;
  try {
    found = await engine.query(entry.query!);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    if (error.code === "EngineError") return errorReply(service, 500, "InternalServerError", error.message);
    return errorReply(service, 400, badRequest, refusal, { code: error.code, message: error.message });
  }
  const limit = fault?.kind === "partial" ? fault.rows : maxRows;
  const cut: Cut | null =
    fault?.kind === "partial" || found.rows.length > limit ? { rows: limit, limit } : null;
  const told = fault?.kind === "nan" ? withNaN(found) : found;
  return { logs: logsReply, "kusto-v1": kustoTables, "kusto-v2": kustoFrames }[route](told, cut);
}

function wrongLogsBody({ query, body }: LogEntry): string | null {
  if (query === null || query.trim() === "") return "query is missing";
  const { timespan, workspaces } = body as { timespan?: unknown; workspaces?: unknown };
  if (timespan !== undefined && !isTimespan(timespan)) return `timespan is invalid: ${String(timespan)}`;
  if (
    workspaces === undefined ||
    (Array.isArray(workspaces) && workspaces.every((id) => typeof id === "string"))
  )
    return null;
  return "workspaces is invalid";
}

function wrongKustoBody({ query, body }: LogEntry): string | null {
  if (query === null || query.trim() === "") return "csl is missing";
  const { db } = body as { db?: unknown };
  return typeof db === "string" && db !== "" ? null : "db is missing";
}

function withNaN({ columns, rows }: EngineAnswer): EngineAnswer {
  const real = columns.map(({ type }) => type === "real");
  return { columns, rows: rows.map((row) => row.map((cell, i) => (real[i] ? "NaN" : cell))) };
}
