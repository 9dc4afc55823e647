import fc from "fast-check";
import { jsonText, TICKS_PER_MS, TICKS_PER_SECOND, utf8 } from "../forms/text.ts";
import { iso7 } from "../forms/times.ts";
import type { OracleEvent, OracleRow } from "../oracle/types.ts";

/** Friday 30 October 2026, 22:00 UTC: the clocks of Europe change in the second night after it. */
export const ORIGIN = BigInt(Date.UTC(2026, 9, 30, 22)) * TICKS_PER_MS;
export const REPLICAS = ["app--1-abc-x1", "app--1-abc-x2", "job--7-abc-y1"] as const;

/** Seconds that collide, lie within the second of tolerance, or days apart. */
const instant: fc.Arbitrary<bigint> = fc
  .tuple(
    fc.constantFrom(0, 1, 2, 3, 599, 600, 601, 4000, 4001, 4010, 4011, 90_000, 200_000, 260_000),
    fc.constantFrom(0n, 0n, 1n, 5_000_000n, 9_999_999n),
  )
  .map(([seconds, ticks]) => ORIGIN + BigInt(seconds) * TICKS_PER_SECOND + ticks);

const rateText = fc.constantFrom("100", "50", "33.333333333333336", "25", "0.1", "99.99", "99.995", "1e1");
const badRate = fc.constantFrom("0", "-5", "100.5", "NaN", "half", "", "1e400");
const rate = fc.oneof({ weight: 4, arbitrary: rateText }, { weight: 1, arbitrary: badRate });

const dimensions = fc.record(
  {
    "microsoft.sample_rate": rate,
    "_MS.sampleRate": rate,
    SampleRate: rate,
    "ApplicationInsights.Internal.sample_rate": rate,
    "rpc.system": fc.constant("grpc"),
    "messaging.system": fc.constant("kafka"),
    "_MS.links": fc.constant("[]"),
    HttpMethod: fc.constant("GET"),
    Category: fc.constantFrom("Host.Results", "Host.General"),
    note: fc.constantFrom("x", 'a "quoted" text', '{"microsoft.sample_rate":"1"}'),
  },
  { requiredKeys: [] },
);

/** Rows of every kind and completeness, including malformed ones and unequal rows under one id. */
export const oddRow: fc.Arbitrary<OracleRow> = fc.record(
  {
    start: fc.oneof({ weight: 20, arbitrary: instant }, { weight: 1, arbitrary: fc.constant(null) }),
    durationMs: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(0, 0.0001, 1, 299.9999, 300, 1000, 2000, 2000.0001, 10_000) },
      { weight: 4, arbitrary: fc.nat(9_000_000).map((n) => n / 1000) },
      { weight: 1, arbitrary: fc.constantFrom(null, -1, 3_600_000) },
    ),
    id: fc.constantFrom("a", "b", "B", "ab", "é", "", "00f0"),
    operationId: fc.constantFrom("o1", "o2", ""),
    name: fc.constantFrom(
      "GET /",
      "GET /health",
      "POST /orders/{id}",
      "HEAD /livez?x=1",
      "TRACE /ready/",
      "get /",
      "",
      "orders process",
      "grpc Orders",
      "a.b.Orders/Get",
      "Timer",
      "X.ProcessMessage",
    ),
    url: fc.constantFrom(
      "",
      "https://h.test/orders?q=/health",
      "HTTP://h.test/Healthz/",
      "https://h.test",
      "/readyz#top",
      "https://h.test/health/live/extra",
      "amqp://h.test/q",
      "sb://h.test",
      "h.test/queue",
      "ftp://h.test/x",
    ),
    resultCode: fc.constantFrom("200", "500", "0", "", "101", "16", "17"),
    success: fc.boolean(),
    itemCount: fc.constantFrom<number | string>(1, 2, 3, 4, 8, 1000, 1.5, "4", "x", 0, -2, "1e1"),
    dimensions,
    measurements: fc.record(
      { timeSinceEnqueued: fc.constant(12), "microsoft.sample_rate": fc.constantFrom(50, 0, 10) },
      { requiredKeys: [] },
    ),
    role: fc.constantFrom("app", "job", ""),
    instance: fc.constantFrom(...REPLICAS, ...REPLICAS, ""),
    source: fc.constantFrom("", "topic", "h.test/queue", "type:Azure Service Bus | name:q"),
    syntheticSource: fc.constantFrom("", "", "", "Bot"),
    sdkVersion: fc.constantFrom("dotnet8", "azurefunctions: 4.1"),
  },
  { requiredKeys: ["start", "durationMs"] },
);

/** Starts and ends of containers, with repeats, sidecars and texts in both dialects. */
export const oddEvent: fc.Arbitrary<OracleEvent> = fc
  .record({
    time: instant,
    kind: fc.constantFrom("start", "start", "end"),
    replica: fc.constantFrom(...REPLICAS, "app--1-abc-x3", ""),
    container: fc.constantFrom("app", "app", "app", "side", "daprd", "k8se-mdm"),
    quoted: fc.boolean(),
    count: fc.constantFrom(undefined, 1, 1, 2),
    app: fc.constantFrom(undefined),
  })
  .map(({ kind, container, quoted, time, replica, count }) => {
    const name = quoted ? `'${container}'` : container;
    const words =
      kind === "start"
        ? { reason: "ContainerStarted", text: `Started container ${name}` }
        : { reason: "ContainerTerminated", text: `Container ${name} was terminated with exit code '1'` };
    return { time, replica, ...words, ...(count === undefined ? {} : { count }) };
  });

/** The rows as flat records, one a line; what is missing is left out. */
export function oddRowsFile(rows: readonly OracleRow[]): Uint8Array {
  const lines = rows.map((row) =>
    jsonText({
      timestamp: row.start === null ? "soon" : iso7(row.start),
      duration: row.durationMs ?? "long",
      id: row.id,
      operation_Id: row.operationId,
      name: row.name,
      url: row.url,
      resultCode: row.resultCode,
      success: row.success,
      itemCount: row.itemCount,
      customDimensions: row.dimensions,
      customMeasurements: row.measurements,
      cloud_RoleName: row.role,
      cloud_RoleInstance: row.instance ?? null,
      source: row.source,
      operation_SyntheticSource: row.syntheticSource,
      sdkVersion: row.sdkVersion,
    }),
  );
  return utf8(`${lines.join("\n")}\n`);
}

/** The events as the log stream writes them. */
export function oddEventsFile(events: readonly OracleEvent[]): Uint8Array {
  const lines = events.map((event) =>
    jsonText({
      TimeStamp: iso7(event.time),
      Type: "Normal",
      ContainerAppName: event.app,
      ReplicaName: event.replica,
      Msg: event.text,
      Reason: event.reason,
      EventSource: "ContainerAppController",
      Count: event.count,
    }),
  );
  return utf8(`${lines.join("\n")}\n`);
}
