import type { Rng } from "./rng.ts";
import type { FormRow } from "./types.ts";

/** How a process' rows tell of sampling. */
export type Sampling =
  | "none"
  | "itemCount"
  | "agreeing"
  | "alone"
  | "ambiguous"
  | "full"
  | "measured"
  | "oldKey";
export const SAMPLINGS: readonly Sampling[] = [
  "none",
  "itemCount",
  "agreeing",
  "alone",
  "ambiguous",
  "full",
  "measured",
  "oldKey",
];

type Weight = Pick<FormRow, "itemCount" | "sampleRate" | "measurements" | "dimensions">;

/** The fields that carry a row's weight, for a row that stands for `n` requests. */
export function weightFields(sampling: Sampling, n: number): Weight {
  switch (sampling) {
    case "none":
      return { itemCount: 1 };
    case "full":
      return { itemCount: 1, sampleRate: 100 };
    case "itemCount":
      return { itemCount: n };
    case "agreeing":
      return { itemCount: n, sampleRate: 100 / n };
    case "alone":
      return { itemCount: 1, sampleRate: 100 / n };
    case "ambiguous":
      return { itemCount: 4 * n, sampleRate: 100 / n };
    case "measured":
      return { itemCount: 1, measurements: { "microsoft.sample_rate": 100 / n } };
    case "oldKey":
      return { itemCount: 1, dimensions: { "_MS.sampleRate": String(100 / n) } };
  }
}

export interface Process {
  readonly role: string;
  readonly instance: string | undefined;
  readonly version: string;
  readonly host: string;
}

/** Makes rows; ids are unique over one factory. */
export class RowFactory {
  readonly rows: FormRow[] = [];
  readonly #rng: Rng;
  readonly #snap: (ticks: bigint) => bigint;
  #serial = 0;

  constructor(rng: Rng, snap: (ticks: bigint) => bigint) {
    this.#rng = rng;
    this.#snap = snap;
  }

  #hex(length: number): string {
    this.#serial++;
    return this.#serial.toString(16).padStart(6, "0") + this.#rng.text(length - 6, "0123456789abcdef");
  }

  /** Adds a row of a process; `seconds` is its duration. */
  add(
    from: Process,
    start: bigint,
    seconds: number,
    fields: Partial<FormRow> & Pick<FormRow, "name">,
  ): FormRow {
    const { instance } = from;
    const row: FormRow = {
      startTicks: this.#snap(start),
      durationTicks: Math.round(seconds * 1e7),
      id: this.#hex(16),
      operationId: this.#hex(32),
      resultCode: "200",
      success: true,
      itemCount: 1,
      role: from.role,
      version: from.version,
      sdkVersion: "dotnet8.0.4:otel1.9.0:ext1.3.0",
      ...(instance === undefined ? {} : { instance }),
      ...fields,
    };
    if (this.#rng.chance(0.03)) delete row.id;
    if (this.#rng.chance(0.3)) row.parentId = this.#hex(16);
    this.rows.push(row);
    return row;
  }

  /** A request of a user; now and then gRPC. */
  user(from: Process, start: bigint, seconds: number, weight: Weight): FormRow {
    const rng = this.#rng;
    const failed = rng.chance(0.05);
    const notes = rng.chance(0.2) ? { note: `say "hi"; 1,5 – ünï\nnext line\\` } : {};
    const dimensions = { AspNetCoreEnvironment: "Production", ...notes, ...weight.dimensions };
    const common = { ...weight, ...(rng.chance(0.8) || weight.dimensions ? { dimensions } : {}) };
    if (rng.chance(0.06)) {
      const rpc = { ...dimensions, "rpc.system": "grpc", "rpc.method": "Get" };
      const code = failed ? "13" : "0";
      return this.add(from, start, seconds, {
        ...common,
        dimensions: rpc,
        name: "orders.v1.Orders/Get",
        resultCode: code,
        success: !failed,
      });
    }
    const path = rng.pick(["/orders/{id}", "/", "/api/quotes", "/orders/v1.Orders/List"]);
    return this.add(from, start, seconds, {
      ...common,
      name: `${rng.pick(["GET", "POST"])} ${path}`,
      url: `https://${from.host}${path.replace("{id}", String(rng.int(1, 99)))}${rng.chance(0.2) ? "?q=a,b;c" : ""}`,
      resultCode: failed ? rng.pick(["500", "404", "503"]) : "200",
      success: !failed,
    });
  }

  /** A health probe of the platform, against the container's address. */
  probe(from: Process, start: bigint): FormRow {
    const path = this.#rng.pick([
      "/health",
      "/healthz",
      "/health/live",
      "/Health/Ready/",
      "/actuator/health",
    ]);
    const fields = { name: `GET ${path}`, url: `http://100.100.0.17:8080${path}` };
    return this.add(from, start, this.#rng.int(1, 90) / 1e4, fields);
  }

  /** A request of an availability test or a bot. */
  synthetic(from: Process, start: bigint, seconds: number): FormRow {
    const syntheticSource = this.#rng.pick(["Application Insights Availability Monitoring", "Bot", "True"]);
    return this.add(from, start, seconds, { name: "GET /", url: `https://${from.host}/`, syntheticSource });
  }

  /** A processed message, as the .NET, JavaScript, Java and classic SDKs store it. */
  consumer(from: Process, start: bigint, seconds: number): FormRow {
    const measurements = { timeSinceEnqueued: this.#rng.int(1, 90_000) / 8 };
    const shapes: readonly (Partial<FormRow> & Pick<FormRow, "name">)[] = [
      {
        name: "ServiceBusProcessor.ProcessMessage",
        url: "amqp://ns1.servicebus.example.test/orders",
        source: "ns1.servicebus.example.test/orders",
        measurements,
      },
      { name: "", dimensions: { "messaging.operation": "process" } },
      { name: "" },
      { name: "orders process", source: "orders" },
      {
        name: "QuoteEventProcessor.ProcessMessage",
        source: "type:Azure Service Bus | name:orders | endpoint:sb://ns1.servicebus.example.test/",
        dimensions: { "_MS.links": '[{"operation_Id":"o1","id":"s1"}]' },
      },
    ];
    return this.add(from, start, seconds, { resultCode: "0", ...this.#rng.pick(shapes) });
  }

  /** A timer, or a web socket that lives for minutes. */
  other(from: Process, start: bigint): FormRow {
    if (this.#rng.chance(0.5)) {
      return this.add(from, start, this.#rng.int(1, 50) / 10, { name: "CleanupJob.Run", resultCode: "0" });
    }
    const socket = {
      name: "GET /hub",
      url: `https://${from.host}/hub`,
      resultCode: "101",
    };
    return this.add(from, start, this.#rng.int(30, 900), socket);
  }

  /** Stores an exact copy of a row a second time. */
  copy(row: FormRow): void {
    this.rows.push({ ...row });
  }
}
