import { isoTicks } from "./clock.mjs";
import { EXTRAS, ROLE } from "./plan.mjs";

const HOST = "https://quotes.example.com";
const ENDPOINTS = [
  { weight: 40, name: "GET /quotes/{id}", url: (rng) => `${HOST}/quotes/${rng.int(1, 900)}`, code: "200" },
  { weight: 30, name: "GET /quotes/today", url: () => `${HOST}/quotes/today`, code: "200" },
  { weight: 15, name: "GET /authors/{id}", url: (rng) => `${HOST}/authors/${rng.int(1, 60)}`, code: "200" },
  { weight: 10, name: "GET /search", url: () => `${HOST}/search`, code: "200" },
  { weight: 5, name: "POST /quotes", url: () => `${HOST}/quotes`, code: "201" },
];
const FAILURES = ["500", "500", "503", "499"];
const NOT_FOUND_SHARE = 0.006;

function describeUser(rng, request) {
  const endpoint = ENDPOINTS[rng.weighted(ENDPOINTS.map((each) => each.weight))];
  const lost = !request.failed && rng.chance(NOT_FOUND_SHARE) && request.tenths < 1_000;
  const code = request.failed ? rng.pick(FAILURES) : lost ? "404" : endpoint.code;
  return { name: endpoint.name, url: endpoint.url(rng), code };
}

const DESCRIBE = {
  user: describeUser,
  probe: () => ({ name: "GET /health", url: `${HOST}/health`, code: "200" }),
  synthetic: () => ({
    name: "GET /quotes/today",
    url: `${HOST}/quotes/today`,
    code: "200",
    synthetic: "Application Insights Availability Monitoring",
  }),
  consumer: () => ({
    name: "ServiceBusProcessor.ProcessMessage",
    url: "",
    code: "0",
    source: "quotes-bus.servicebus.windows.net/quote-events",
  }),
};

/** The row as `requests` holds it, with the classic column names. */
function toRow(rng, request) {
  const { name, url, code, synthetic = "", source = "" } = DESCRIBE[request.kind](rng, request);
  const inDimension = request.weight > 1 && request.revision.sampling === "sample-rate";
  return {
    timestamp: isoTicks(request.start),
    id: rng.hex(2),
    name,
    url,
    success: Number(code) < 400 ? "True" : "False",
    resultCode: code,
    duration: request.durationText ?? request.tenths / 10,
    operation_Id: rng.hex(4),
    operation_SyntheticSource: synthetic,
    cloud_RoleName: request.role ?? ROLE,
    cloud_RoleInstance: request.instance,
    application_Version: request.revision.name,
    itemCount: inDimension ? 1 : request.weight,
    customDimensions: inDimension ? { "microsoft.sample_rate": String(100 / request.weight) } : {},
    source,
  };
}

/**
 * All rows in the order of their start, with a few of them delivered a second time a little later, as an
 * at-least-once export does. Each request learns its row under `row`.
 */
export function writeRows(rng, requests) {
  const sorted = [...requests].sort((left, right) => left.start - right.start);
  for (const request of sorted) request.row = toRow(rng, request);
  const rows = sorted.map((request) => request.row);
  const candidates = sorted
    .slice(0, -400)
    .filter((request) => request.kind === "user" && !request.durationText);
  const repeated = rng.shuffled(candidates).slice(0, EXTRAS.duplicates);
  for (const { row } of repeated) rows.splice(rows.indexOf(row) + rng.int(1, 300), 0, row);
  return rows;
}
