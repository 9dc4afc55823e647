import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { EngineAnswer, KqlEngine } from "./engine.ts";

/** What goes wrong with one answer. */
export type Fault =
  | { readonly kind: "status"; readonly status: number; readonly code: string; readonly retryAfter?: string }
  | { readonly kind: "drop" | "truncate" | "slow" | "html" | "hang" };

export interface Asked {
  readonly path: string;
  readonly at: number;
  readonly query: string;
}

export interface ServerOptions {
  /** Rows after which the service cuts an answer. */
  readonly maxRows?: number;
  /** The ingress metric by the minute: ISO instant and total. */
  readonly ingress?: readonly (readonly [at: string, total: number])[];
  /** What goes wrong with the request of this number (from 0 on); undefined where nothing does. */
  fault?(request: Asked, index: number): Fault | undefined;
  /** Every answer waits for this. */
  hold?(): Promise<void>;
}

/** A loopback query service that holds tables and runs the KQL for real. */
export class AzureServer {
  readonly asked: Asked[] = [];
  #options: ServerOptions;
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  private constructor(
    readonly engine: KqlEngine,
    options: ServerOptions,
  ) {
    this.#options = options;
  }

  static async start(engine: KqlEngine, options: ServerOptions = {}): Promise<AzureServer> {
    const server = new AzureServer(engine, options);
    server.#server.listen(0, "127.0.0.1");
    await once(server.#server, "listening");
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Environment with which the program asks this server. */
  get env(): Record<string, string> {
    return {
      COLDSTART_ENDPOINT: `${this.url}/v1`,
      COLDSTART_METRICS_ENDPOINT: this.url,
      COLDSTART_MANAGEMENT_ENDPOINT: this.url,
    };
  }

  set(options: ServerOptions): void {
    this.#options = options;
    this.asked.length = 0;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = (request.url ?? "").split("?")[0]!;
    const body = Buffer.concat(chunks).toString();
    const sent = body.startsWith("{") ? (JSON.parse(body) as { query?: string; csl?: string }) : {};
    const asked = { path, at: performance.now(), query: sent.query ?? sent.csl ?? "" };
    const index = this.asked.push(asked) - 1;
    if (path.endsWith("/v1/rest/auth/metadata")) return reply(response, 404, {});
    if (request.headers.authorization?.startsWith("Bearer ") !== true) {
      return reply(response, 401, { error: { code: "AuthorizationRequiredError", message: "no token" } });
    }
    await this.#options.hold?.();
    const fault = this.#options.fault?.(asked, index);
    if (fault !== undefined) return spoil(response, fault);
    if (path.endsWith("metrics:getBatch")) {
      return reply(response, 200, { values: [this.#metrics(request.url!, "starttime", "endtime")] });
    }
    if (path.endsWith("/providers/Microsoft.Insights/metrics")) {
      return reply(response, 200, this.#metrics(request.url!, "timespan", ""));
    }
    let answer: EngineAnswer;
    try {
      answer = await this.engine.query(asked.query);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const innererror = { code: "SyntaxError", message };
      return reply(response, 400, { error: { code: "BadArgumentError", message: "bad query", innererror } });
    }
    if (path.endsWith("/v2/rest/query")) return reply(response, 200, kustoFrames(answer));
    const { maxRows = 500_000 } = this.#options;
    // Counts are small answers, which the service does not cut.
    const isCut = answer.rows.length > maxRows && !asked.query.includes("summarize rows");
    const tables = [
      {
        name: "PrimaryResult",
        columns: answer.columns,
        rows: isCut ? answer.rows.slice(0, maxRows) : answer.rows,
      },
    ];
    const innererror = { code: "-2133196797", message: "the results of this query exceed the set limit" };
    const details = [{ code: "EngineError", message: "something went wrong", innererror }];
    const error = {
      code: "PartialError",
      message: "There were some errors when processing your query.",
      details,
    };
    reply(response, 200, isCut ? { tables, error } : { tables });
  }

  #metrics(url: string, from: string, to: string): unknown {
    const parameters = new URL(url, this.url).searchParams;
    const [begin, end] =
      to === "" ? parameters.get(from)!.split("/") : [parameters.get(from), parameters.get(to)];
    const data = (this.#options.ingress ?? [])
      .filter(([at]) => at >= begin!.slice(0, 19) && at < end!.slice(0, 19))
      .map(([timeStamp, total]) => ({ timeStamp, total }));
    const resource = "/subscriptions/s/resourceGroups/g/providers/Microsoft.App/containerApps/a";
    return {
      cost: 1,
      interval: "PT1M",
      timespan: `${begin}/${end}`,
      namespace: "Microsoft.App/containerapps",
      resourceid: resource,
      resourceregion: "westeurope",
      starttime: begin,
      endtime: end,
      value: [
        {
          id: `${resource}/providers/Microsoft.Insights/metrics/Requests`,
          type: "Microsoft.Insights/metrics",
          name: { value: "Requests", localizedValue: "Requests" },
          unit: "Count",
          errorCode: "Success",
          timeseries: [{ metadatavalues: [], data }],
        },
      ],
    };
  }
}

function reply(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(value));
}

function spoil(response: ServerResponse, fault: Fault): void {
  const text = JSON.stringify({ tables: [{ name: "PrimaryResult", columns: [], rows: [] }] });
  switch (fault.kind) {
    case "status": {
      const headers = fault.retryAfter === undefined ? {} : { "retry-after": fault.retryAfter };
      reply(response, fault.status, { error: { code: fault.code, message: "told to fail" } }, headers);
      return;
    }
    case "drop":
      response.socket?.destroy();
      return;
    case "truncate":
      response.writeHead(200, { "content-type": "application/json", "content-length": text.length });
      response.write(text.slice(0, -20), () => response.socket?.destroy());
      return;
    case "slow": {
      response.writeHead(200, { "content-type": "application/json" });
      const bytes = [...text];
      const timer = setInterval(() => {
        const next = bytes.shift();
        if (next !== undefined) response.write(next);
        else {
          clearInterval(timer);
          response.end();
        }
      }, 1);
      return;
    }
    case "html":
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<html><body>Sign in to the proxy</body></html>");
      return;
    case "hang":
      return;
  }
}

function kustoFrames({ columns, rows }: EngineAnswer): unknown {
  return [
    { FrameType: "DataSetHeader", IsProgressive: false, Version: "v2.0" },
    {
      FrameType: "DataTable",
      TableId: 1,
      TableKind: "PrimaryResult",
      TableName: "PrimaryResult",
      Columns: columns.map(({ name, type }) => ({ ColumnName: name, ColumnType: type })),
      Rows: rows,
    },
    { FrameType: "DataSetCompletion", HasErrors: false, Cancelled: false },
  ];
}
