import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { authMetadata, errorReply } from "./answers.ts";
import { deliver } from "./deliver.ts";
import { FaultPlan } from "./faults.ts";
import {
  faultReply,
  isInPlace,
  type LogEntry,
  replyTo,
  routeOf,
  type ServerOptions,
  serviceOf,
} from "./reply.ts";

export type { LogEntry, ServerOptions } from "./reply.ts";

export interface QueryServer {
  readonly url: string;
  readonly requests: LogEntry[];
  readonly faults: FaultPlan<LogEntry>;
  /** Ends every connection too. */
  close(): Promise<void>;
}

/**
 * A server on 127.0.0.1 that answers as the query services of Azure do, with the tables of the engine: Azure
 * Monitor logs and metrics, and Azure Data Explorer. The timespan of a query is checked for its form alone.
 */
export async function startServer(options: ServerOptions): Promise<QueryServer> {
  const requests: LogEntry[] = [];
  const faults = new FaultPlan<LogEntry>();
  const server = createServer((request, response) => {
    answer(request, response, options, requests, faults).catch((error: unknown) => {
      // The client has gone, or this server is wrong: a test must see that and not wait.
      response.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    faults,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: ServerOptions,
  requests: LogEntry[],
  faults: FaultPlan<LogEntry>,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const url = new URL(request.url ?? "/", "http://127.0.0.1");
  const body = jsonOf(Buffer.concat(chunks).toString());
  const { query, csl } = (body ?? {}) as { query?: unknown; csl?: unknown };
  const text = query ?? csl;
  const entry: LogEntry = {
    at: performance.now(),
    method: request.method ?? "",
    path: url.pathname,
    query: typeof text === "string" ? text : null,
    body,
    status: null,
  };
  requests.push(entry);
  const service = serviceOf(url.pathname);
  const route = routeOf(entry);
  if (route === "metadata") return deliver(response, entry, authMetadata, null);
  if (!/^Bearer \S/.test(request.headers.authorization ?? "")) {
    const code = service === "metrics" ? "AuthenticationFailed" : "AuthorizationRequiredError";
    return deliver(
      response,
      entry,
      errorReply(service, 401, code, "Valid authentication was not provided"),
      null,
    );
  }
  const fault = faults.take(entry);
  // An answer that is not needed is not made.
  const reply =
    fault !== null && isInPlace(fault)
      ? faultReply(fault, service)
      : await replyTo(route, url, entry, options, fault);
  return deliver(response, entry, reply, fault);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
