import type { Row } from "./tables.ts";

/** The window that the queries are asked for: [SINCE, UPTO). */
export const SINCE = "2026-09-21T08:00:00Z";
export const UPTO = "2026-09-21T09:00:00Z";

const quotes = { cloud_RoleName: "quotes", cloud_RoleInstance: "quotes--a1-5d5f-x" };
const orders = { cloud_RoleName: "orders", cloud_RoleInstance: "" };
/** What no answer may hold, wherever a row has a place for it. */
const secret = {
  client_IP: "203.0.113.77",
  user_Id: "secret-user",
  operation_ParentId: "parent-1",
};
const bag = { password: "secret-dimension", "enduser.id": "secret-user" };

const OUTSIDE = ["2026-09-21T07:59:59.999999Z", UPTO];

/** Rows of `requests`, with classic names. */
export const REQUESTS: readonly Row[] = [
  {
    ...quotes,
    ...secret,
    timestamp: SINCE,
    id: "r1",
    source: "cid-v1:other",
    name: "GET /quotes",
    url: "https://quotes.example/quotes/7?token=secret-token&x=1#secret-fragment",
    success: "True",
    resultCode: "200",
    duration: 1234.5678,
    itemCount: 8,
    customDimensions: {
      ...bag,
      "microsoft.sample_rate": "12.5",
      HttpMethod: "GET",
      Category: "Host.Results",
      "_MS.links": '[{"operation_Id":"secret-link"}]',
    },
    customMeasurements: { timeSinceEnqueued: 15, secretMeasure: 4711 },
    operation_Id: "op1",
    operation_SyntheticSource: "bot",
    application_Version: "quotes--a1",
    sdkVersion: "dotnet:1",
  },
  {
    ...quotes,
    ...secret,
    timestamp: "2026-09-21T08:12:34.123456Z",
    id: "r2",
    name: "POST /quotes/{id?}?token=secret-token",
    url: "https://quotes.example/quotes#secret-fragment?token=secret-token",
    success: "False",
    resultCode: "503",
    duration: 0.1,
    itemCount: 1,
    customDimensions: { ...bag, "rpc.system": "grpc", "_MS.sampleRate": "25" },
    operation_Id: "op2",
  },
  {
    ...orders,
    ...secret,
    timestamp: "2026-09-21T08:59:59.999999Z",
    id: "",
    name: "orders process",
    success: "True",
    resultCode: "0",
    duration: 17,
    itemCount: 3,
    // A word of a key inside a value is no key.
    customDimensions: { note: 'secret "rpc.note', "messaging.system": "servicebus" },
    operation_Id: "op3",
  },
  ...OUTSIDE.map((timestamp) => ({
    ...quotes,
    timestamp,
    id: "outside",
    name: "GET /quotes",
    success: "True",
    resultCode: "200",
    duration: 1,
    itemCount: 1,
  })),
];

/** Rows of `dependencies`. */
export const DEPENDENCIES: readonly Row[] = [
  {
    ...quotes,
    ...secret,
    timestamp: SINCE,
    id: "d1",
    target: "sql.example | quotes",
    type: "SQL",
    name: "SQL: quotes",
    data: "select 'secret-data'",
    success: "True",
    resultCode: "0",
    duration: 2.25,
    itemCount: 4,
    customDimensions: { ...bag, sampleRate: "25" },
    operation_Id: "op1",
  },
  {
    ...orders,
    timestamp: "2026-09-21T08:59:59.999999Z",
    target: "api.example",
    type: "HTTP",
    name: "GET /rates#secret-fragment",
    data: "https://api.example/?token=secret-token",
    success: "False",
    duration: 3,
    itemCount: 1,
    operation_Id: "op3",
  },
  ...OUTSIDE.map((timestamp) => ({ ...quotes, timestamp, name: "outside", duration: 1, itemCount: 1 })),
];

/** Rows of `traces`. */
export const TRACES: readonly Row[] = [
  {
    ...quotes,
    ...secret,
    timestamp: SINCE,
    message: "auto-Warm-up FINISHED_after 812 ms",
    itemCount: 1,
    customDimensions: { ...bag, outcome: "ok", path: "/health", status: "200", ms: "812" },
    operation_Id: "",
  },
  {
    ...quotes,
    timestamp: "2026-09-21T08:00:00.000001Z",
    message: "secret-message of a customer",
    itemCount: 2,
    customDimensions: { "microsoft.sample_rate": "50", path: "/pay?token=secret-token", status: "402" },
    operation_Id: "op1",
  },
  { ...quotes, timestamp: "2026-09-21T08:00:01Z", message: "secret-message", itemCount: 1, operation_Id: "" },
  {
    ...orders,
    timestamp: "2026-09-21T08:59:59.999999Z",
    message: "swarm-ups finished: secret-message",
    itemCount: 1,
    operation_Id: "op3",
  },
  ...OUTSIDE.map((timestamp) => ({ ...quotes, timestamp, message: "warm-up finished", itemCount: 1 })),
];

const metric = (
  name: string,
  timestamp: string,
  who: Row,
  count: number,
  sum: number,
  dimensions: Row,
): Row => ({
  ...who,
  timestamp,
  name,
  valueCount: count,
  valueSum: sum,
  customDimensions: { ...bag, ...dimensions },
});

/** Rows of `customMetrics`. */
export const METRICS: readonly Row[] = [
  metric("http.server.request.duration", SINCE, quotes, 12, 3.0625, {
    "http.route": "/quotes/{id}",
    "http.request.method": "GET",
  }),
  metric("requests/duration", "2026-09-21T08:59:59.999999Z", orders, 5, 1250.5, {
    "cloud/roleInstance": "orders--b2-7c7d-y",
  }),
  metric("secret-metric", SINCE, quotes, 1, 1, {}),
  ...OUTSIDE.map((timestamp) => metric("requests/duration", timestamp, quotes, 9, 9, {})),
];

/** Rows of `ContainerAppSystemLogs_CL` with the columns that every form of the table has. */
export const SYSTEM_EVENTS_CL: readonly Row[] = [
  {
    TimeGenerated: SINCE,
    Reason_s: "AssigningReplica",
    Log_s: "Replica 'quotes--a1-5d5f-x' has been scheduled to run on a node.",
    Type_s: "Normal",
    Count_d: 0,
    EventSource_s: "ContainerAppController",
    ContainerAppName_s: "quotes",
    RevisionName_s: "quotes--a1",
    ReplicaName_s: "quotes--a1-5d5f-x",
    EnvironmentName_s: "env",
  },
  {
    TimeGenerated: "2026-09-21T08:59:59.999999Z",
    Reason_s: "KEDAScalersStarted",
    Log_s: "KEDA is starting a watch",
    Type_s: "Normal",
    EventSource_s: "KEDA",
    ContainerAppName_s: "orders",
  },
  ...OUTSIDE.map((TimeGenerated) => ({ TimeGenerated, Reason_s: "outside", ContainerAppName_s: "quotes" })),
];

/** What the first of those rows has besides, where the table has the columns. */
export const OPTIONAL_CL: Row = {
  time_t: "2026-09-21T07:59:58.500001Z",
  TimeStamp_s: "2026-09-21 07:59:58.5000012 +0000 UTC",
  time_s: "2026-09-21T07:59:58Z",
  JobName_s: "job",
};

/** Rows of `ContainerAppSystemLogs`: the same events. */
export const SYSTEM_EVENTS: readonly Row[] = SYSTEM_EVENTS_CL.map((row) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name.replace(/_[sd]$/, ""), value])),
);
