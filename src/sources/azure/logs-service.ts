import type { TokenCredential } from "@azure/identity";
import { EPOCH_MS, TICKS_PER_MS } from "../../telemetry/time.ts";
import { faultOfConnection, faultPolicy, NoContent } from "./http-faults.ts";
import { loopbackOptions } from "./loopback.ts";
import type { QueryAnswer, QueryService } from "./query-service.ts";
import { ownWords, SourceFault } from "./source-fault.ts";

export interface LogsTarget {
  readonly kind: "workspace" | "app";
  /** A workspace's GUID, or the resource id of an Application Insights resource. */
  readonly id: string;
  readonly credential: TokenCredential;
  /** Whole base of the service, with `/v1`, where it is another cloud's. */
  readonly endpoint?: string;
  readonly signal: AbortSignal;
}

/** The longest that the service works on one query. */
const TIMEOUT_SECONDS = 600;

/** The Azure Monitor query service on a workspace or an Application Insights resource. */
export async function openLogsService(target: LogsTarget): Promise<QueryService> {
  const { LogsQueryClient } = await import("@azure/monitor-query-logs");
  const { kind, id, signal, endpoint } = target;
  const scope = endpoint === undefined ? {} : { credentials: { scopes: [scopeOf(endpoint)] } };
  const client = new LogsQueryClient(target.credential, {
    ...(await loopbackOptions(endpoint)),
    ...scope,
    // We try again ourselves, where it can be seen and stopped.
    retryOptions: { maxRetries: 0 },
  });
  client.pipeline.addPolicy(faultPolicy(signal), { afterPhase: "Retry" });
  const options = { serverTimeoutInSeconds: TIMEOUT_SECONDS };
  return {
    schema: kind === "app" ? "classic" : "workspace",
    query: async (text, { from, to }) => {
      const window = {
        startTime: new Date(Math.floor(from / TICKS_PER_MS) + EPOCH_MS),
        endTime: new Date(Math.ceil(to / TICKS_PER_MS) + EPOCH_MS),
      };
      try {
        const result =
          kind === "app"
            ? // The client would send a leading slash twice.
              await client.queryResource(id.replace(/^\//, ""), text, window, options)
            : await client.queryWorkspace(id, text, window, options);
        if (result.status === "Success") return answerOf(result.tables[0], null);
        const { code, message } = result.partialError;
        return answerOf(result.partialTables[0], ownWords(`${code}: ${message}`));
      } catch (error) {
        signal.throwIfAborted();
        // A workspace without any data answers with 204 and no body.
        if (error instanceof NoContent) return { columns: [], rows: [], partial: null };
        if (error instanceof SourceFault) throw error;
        if (error instanceof TypeError || error instanceof SyntaxError) {
          throw new SourceFault("service", "the answer is not the service's", "run the same command again");
        }
        throw faultOfConnection(error);
      }
    },
  };
}

interface Table {
  readonly columnDescriptors: readonly { readonly name?: string }[];
  readonly rows: readonly (readonly unknown[])[];
}

function answerOf(table: Table | undefined, partial: string | null): QueryAnswer {
  return {
    columns: (table?.columnDescriptors ?? []).map(({ name }) => name ?? ""),
    rows: table?.rows ?? [],
    partial,
  };
}

/** Other clouds have the scope of their own host. */
function scopeOf(endpoint: string): string {
  const { hostname } = new URL(endpoint);
  const isHere = hostname === "127.0.0.1" || hostname === "localhost";
  return `https://${isHere ? "api.loganalytics.io" : hostname}/.default`;
}
