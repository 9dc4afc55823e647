import type { TokenCredential } from "@azure/identity";
import { faultOfConnection, faultOfStatus } from "./http-faults.ts";
import { requireTls } from "./loopback.ts";
import type { QueryAnswer, QueryService } from "./query-service.ts";
import { ownWords, SourceFault } from "./source-fault.ts";

export interface KustoTarget {
  /** `https://NAME.REGION.kusto.windows.net`, or the query URI of a Fabric eventhouse. */
  readonly cluster: string;
  readonly database: string;
  readonly schema: "classic" | "workspace";
  readonly credential: TokenCredential;
  readonly signal: AbortSignal;
}

/** What the engine says when a smaller question would be answered: too many rows, or too much memory. */
const CUT =
  /E_QUERY_RESULT_SET_TOO_LARGE|E_LOW_MEMORY_CONDITION|E_RUNAWAY_QUERY|80DA0003|result set has exceeded|exceeded the allowed limits/i;
const BEYOND = "the answer goes beyond a limit of the cluster";
const TIMEOUT_MS = 600_000;
/** The client's own questions, such as where to sign in, have no limit in time. */
const LONGEST_MS = 900_000;

/** Azure Data Explorer, or Fabric's Real-Time Intelligence. */
export async function openKustoService(target: KustoTarget): Promise<QueryService> {
  const { Client, ClientRequestProperties, KustoConnectionStringBuilder } = await import("azure-kusto-data");
  const { cluster, database, credential, signal, schema } = target;
  requireTls(cluster);
  const client = new Client(KustoConnectionStringBuilder.withTokenCredential(cluster, credential));
  signal.addEventListener("abort", () => client.close(), { once: true });
  return {
    schema,
    query: async (text) => {
      const properties = new ClientRequestProperties();
      properties.setTimeout(TIMEOUT_MS);
      properties.raw = true;
      try {
        const answer = client.executeQuery(database, text, properties);
        return answerOf(await withinTime(answer, signal));
      } catch (error) {
        signal.throwIfAborted();
        if (isCut(error)) return { columns: [], rows: [], partial: BEYOND };
        throw faultOf(error);
      }
    },
  };
}

/** The client does not look at the signal while it asks where to sign in, and while it signs in. */
function withinTime<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    const late = new SourceFault("timeout", `no answer within ${LONGEST_MS / 1000} s`, "try again later");
    const timer = setTimeout(() => reject(late), LONGEST_MS);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    answer.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    });
  });
}

interface Frame {
  readonly FrameType?: string;
  readonly TableKind?: string;
  readonly Columns?: readonly { readonly ColumnName?: string; readonly ColumnType?: string }[];
  readonly Rows?: readonly unknown[];
  readonly HasErrors?: boolean;
  readonly OneApiErrors?: readonly unknown[];
}

/** The primary result in the frames of an answer (version 2 of the protocol). */
function answerOf(frames: unknown): QueryAnswer {
  if (!Array.isArray(frames)) {
    throw new SourceFault(
      "service",
      "the answer is not the cluster's",
      "check the address given with --cluster",
    );
  }
  let result: QueryAnswer = { columns: [], rows: [], partial: null };
  const faults: string[] = [];
  for (const frame of frames as readonly Frame[]) {
    if (frame.FrameType === "DataTable" && frame.TableKind === "PrimaryResult") {
      const columns = frame.Columns ?? [];
      const rows = (frame.Rows ?? []).filter(Array.isArray) as readonly (readonly unknown[])[];
      // An error may stand among the rows in place of the rest of them.
      faults.push(
        ...(frame.Rows ?? []).filter((row) => !Array.isArray(row)).map((row) => JSON.stringify(row)),
      );
      result = {
        columns: columns.map(({ ColumnName }) => ColumnName ?? ""),
        rows,
        partial: null,
      };
    }
    if (frame.FrameType === "DataSetCompletion" && frame.HasErrors === true) {
      const told = (frame.OneApiErrors ?? []).map((fault) => JSON.stringify(fault));
      faults.push(...(told.length === 0 ? ["without a reason"] : told));
    }
  }
  if (faults.length === 0) return result;
  const text = faults.join(" ");
  if (CUT.test(text)) return { ...result, partial: BEYOND };
  throw new SourceFault("query", `the cluster failed on the query (${ownWords(text)})`, "please report it");
}

interface Refusal {
  readonly status?: number;
  readonly data?: unknown;
  readonly headers?: unknown;
}

/** The client wraps the errors of its transport. */
function innerOf(error: unknown): unknown {
  return error instanceof Error && "inner" in error ? error.inner : error;
}

function bodyOf({ data }: Refusal): string {
  return typeof data === "string" ? data : JSON.stringify(data ?? {});
}

/** Whether the engine met its limits before the first row, which it tells by the status of the answer. */
function isCut(error: unknown): boolean {
  const { response } = (innerOf(error) ?? {}) as { response?: Refusal };
  // Other statuses, such as 429, speak of other limits.
  return response !== undefined && [400, 500].includes(response.status ?? 0) && CUT.test(bodyOf(response));
}

function faultOf(error: unknown): SourceFault {
  if (error instanceof SourceFault) return error;
  const inner = innerOf(error);
  if (inner instanceof SourceFault) return inner;
  const text = error instanceof Error ? error.message : "";
  if (/not trusted; please see/.test(text)) {
    return new SourceFault("not-found", ownWords(text), "check the address given with --cluster");
  }
  const { response } = inner as { response?: Refusal };
  // The client keeps the status of an answer that breaks off.
  if (response?.status === undefined || response.status === 200) return faultOfConnection(error);
  const headers = (response.headers ?? {}) as Readonly<Record<string, unknown>>;
  return faultOfStatus(response.status, bodyOf(response), (name) => {
    const value = headers[name];
    return typeof value === "string" ? value : undefined;
  });
}
