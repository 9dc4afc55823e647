import { TICKS_PER_MS } from "./fleet.mjs";

const DATA_START_MS = Date.UTC(2026, 8, 7);
const HOST = "ca-orders.wittyforest-1a2b3c4d.westeurope.azurecontainerapps.io";
const QUEUE = "sb-orders-prod.servicebus.windows.net/orders-in";
const APP_NAME =
  "/subscriptions/7c0f2b6e-4d1a-4b53-9a57-0d8f3c2e1b90/resourceGroups/rg-orders-prod/providers/microsoft.insights/components/appi-orders-prod";

const BUCKETS = [
  [250, "<250ms"],
  [500, "250ms-500ms"],
  [1000, "500ms-1sec"],
  [3000, "1sec-3sec"],
  [7000, "3sec-7sec"],
  [15000, "7sec-15sec"],
  [30000, "15sec-30sec"],
  [60000, "30sec-1min"],
  [120000, "1min-2min"],
  [300000, "2min-5min"],
  [Number.POSITIVE_INFINITY, ">=5min"],
];
const PLACES = [
  ["Amsterdam", "North Holland", "Netherlands"],
  ["Frankfurt am Main", "Hesse", "Germany"],
  ["São Paulo", "São Paulo", "Brazil"],
  ["Washington", "District of Columbia", "United States"],
  ["", "", "Ireland"],
];
const BROWSERS = [
  ["Windows 10", "Chrome 141.0"],
  ["Mac OS X 10.15", "Safari 18.6"],
  ["Linux", "Firefox 143.0"],
  ["Other", "Other"],
];
const TERMS = ["blue shoes", "tent,2 persons", 'table 40"', "café crème", "socks"];
const PROBE_PATHS = ["/health/live", "/health/ready", "/healthz/", "/Health/Live"];

const USER_ROUTES = [
  (r) => ["GET", "/api/orders/{id:int}", `/api/orders/${1e6 + r.below(9e6)}`],
  (r) => ["GET", "/api/orders", `/api/orders?page=${r.below(40)}&sort=created,desc`],
  () => ["POST", "/api/orders", "/api/orders"],
  (r) => ["GET", "/api/products/{sku}", `/api/products/${r.hex(8).toUpperCase()}`],
  (r) => ["GET", "/api/search", `/api/search?q=${encodeURIComponent(r.pick(TERMS))}`],
  (r) => ["PUT", "/api/carts/{cartId:guid}/items", `/api/carts/${r.guid()}/items`],
  (r) => ["DELETE", "/api/carts/{cartId:guid}", `/api/carts/${r.guid()}`],
  () => ["GET", "/api/health/history", "/api/health/history"],
  () => ["GET", "/", "/"],
];

/** Columns of a full export of the classic `requests` table, in its order. */
export const COLUMNS = (
  "timestamp id source name url success resultCode duration performanceBucket itemType customDimensions " +
  "customMeasurements operation_Name operation_Id operation_ParentId operation_SyntheticSource session_Id " +
  "user_Id user_AuthenticatedId user_AccountId application_Version client_Type client_Model client_OS " +
  "client_IP client_City client_StateOrProvince client_CountryOrRegion client_Browser cloud_RoleName " +
  "cloud_RoleInstance appId appName iKey sdkVersion itemId itemCount"
).split(" ");

/** One row of the export as a plain object with the keys of `COLUMNS`, from an event of the fleet. */
export function toRow(event, random) {
  const { instance, kind } = event;
  const durationMs = event.durationTicks / TICKS_PER_MS;
  const shape = shapes[kind](random);
  const [city, state, country] = random.pick(PLACES);
  const [os, browser] = random.pick(BROWSERS);
  const isHttp = shape.url.startsWith("https:");
  return {
    timestamp: isoTimestamp(event.tick),
    id: random.hex(16),
    source: shape.source ?? "",
    name: shape.name,
    url: shape.url,
    success: shape.success ?? "True",
    resultCode: shape.resultCode,
    duration: durationMs,
    performanceBucket: BUCKETS.find(([below]) => durationMs < below)[1],
    itemType: "request",
    customDimensions: dimensions(event, shape, random),
    customMeasurements: shape.measurements ?? null,
    operation_Name: shape.name,
    operation_Id: random.hex(32),
    operation_ParentId: random.hex(16),
    operation_SyntheticSource: kind === "synthetic" ? "Application Insights Availability Monitoring" : "",
    session_Id: "",
    user_Id: "",
    user_AuthenticatedId: "",
    user_AccountId: "",
    application_Version: instance.revision,
    client_Type: "PC",
    client_Model: "",
    client_OS: isHttp ? os : "",
    client_IP: "0.0.0.0",
    client_City: isHttp ? city : "",
    client_StateOrProvince: isHttp ? state : "",
    client_CountryOrRegion: isHttp ? country : "",
    client_Browser: isHttp ? browser : "",
    cloud_RoleName: "ca-orders",
    cloud_RoleInstance: instance.name,
    appId: "f3b1c9a2-5d64-4e0b-8f17-2c9a6d3e7b41",
    appName: APP_NAME,
    iKey: "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d",
    sdkVersion: "dotnet8.0.20:otel1.12.0:dst1.5.0",
    itemId: random.guid(),
    itemCount: event.itemCount,
  };
}

const shapes = {
  user(random) {
    const [method, route, path] = random.pick(USER_ROUTES)(random);
    const failed = random.chance(0.012);
    return {
      name: `${method} ${route}`,
      route,
      url: `https://${HOST}${path}`,
      resultCode: failed ? random.pick(["500", "503", "404"]) : method === "POST" ? "201" : "200",
      success: failed ? "False" : "True",
    };
  },
  probe(random) {
    const path = random.pick(PROBE_PATHS);
    return { name: `GET ${path}`, route: path, url: `https://${HOST}${path}`, resultCode: "200" };
  },
  synthetic: () => ({ name: "GET /", route: "/", url: `https://${HOST}/`, resultCode: "200" }),
  upgrade: (random) => ({
    name: "GET /hubs/orders",
    route: "/hubs/orders",
    url: `https://${HOST}/hubs/orders?id=${random.hex(22)}`,
    resultCode: "101",
  }),
  timer: (random) => ({
    name: random.pick(["ExpireReservations", "RefreshPrices"]),
    url: "",
    resultCode: "0",
  }),
  consumer: (random) => ({
    name: random.pick([
      "ServiceBusProcessor.ProcessMessage",
      "ServiceBusSessionProcessor.ProcessSessionMessage",
    ]),
    url: `amqps://${QUEUE}`,
    source: QUEUE,
    resultCode: "0",
    message: true,
    measurements: { timeSinceEnqueued: Math.round(random.exponential(900)) },
  }),
};

function dimensions(event, shape, random) {
  const result = {};
  if (shape.route !== undefined) {
    result["http.route"] = shape.route;
    result["network.protocol.version"] = "1.1";
  }
  if (shape.message) {
    result["messaging.operation"] = "process";
    result["messaging.message.id"] = random.hex(32);
  }
  result["app.tenant"] = `tenant-${random.below(900)}`;
  result["_MS.ProcessedByMetricExtractors"] = "(Name:'Requests', Ver:'1.1')";
  if (event.sampleRate !== null) result["microsoft.sample_rate"] = String(event.sampleRate);
  return result;
}

let cachedSecond = -1;
let cachedText = "";

/** ISO 8601 in UTC with the table's seven digits, from ticks of 100 ns since the start of the data. */
function isoTimestamp(tick) {
  const second = Math.floor(tick / 1e7);
  if (second !== cachedSecond) {
    cachedSecond = second;
    cachedText = new Date(DATA_START_MS + second * 1000).toISOString().slice(0, 19);
  }
  return `${cachedText}.${String(tick - second * 1e7).padStart(7, "0")}Z`;
}
