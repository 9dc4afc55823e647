/** What a row of the requests table stands for. */
export type Kind = "http" | "consumer" | "other";

export interface KindSignals {
  readonly name: string;
  readonly url: string;
  readonly resultCode: string;
  readonly source: string;
  readonly sdkVersion: string;
  /** Dimensions and measurements by lower-case key. */
  readonly dimensions: ReadonlyMap<string, unknown>;
  readonly measurements: ReadonlyMap<string, unknown>;
}

const METHOD = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|CONNECT) /;
const HTTP_URL = /^https?:\/\//i;
const BROKER_URL = /^(?:amqps?|sb|kafka):\/\//i;
const GRPC_NAME = /^(?:grpc .*|[A-Za-z_]\w*(?:\.\w+)+\/\w+)$/;
const MESSAGE_NAME = /(?: process| receive|\.ProcessMessage|\.ProcessSessionMessage|\.ProcessEvent)$/;
/** `host/destination` without a scheme. */
const HOST_AND_DESTINATION = /^(?!\S*:\/\/)[^\s/]+\/\S+/;

/**
 * The kind of a row, by the first rule that fits: HTTP (URL, method in the name, or a functions HTTP
 * trigger), functions host, gRPC, message consumer, JavaScript consumer without a name, and the rest.
 * An `http` row with result code 101 lives as long as its connection and is `other`.
 */
export function kindOf(row: KindSignals): Kind {
  const kind = ruleOf(row);
  return kind === "http" && row.resultCode === "101" ? "other" : kind;
}

function ruleOf(row: KindSignals): Kind {
  const { dimensions, name, url } = row;
  if (HTTP_URL.test(url) || url.startsWith("/")) return "http";
  if (METHOD.test(name) || dimensions.has("httpmethod")) return "http";
  if (isFunctionsHost(row)) return hasMessageEvidence(row) ? "consumer" : "other";
  if (isGrpc(row)) return "http";
  if (hasMessageEvidence(row)) return "consumer";
  if (name === "" && row.resultCode === "0" && url === "") return "consumer";
  return "other";
}

function isFunctionsHost(row: KindSignals): boolean {
  return (
    row.dimensions.get("category") === "Host.Results" || /^azurefunctions:/i.test(row.sdkVersion.trimStart())
  );
}

function isGrpc(row: KindSignals): boolean {
  for (const key of row.dimensions.keys()) if (key.startsWith("rpc.")) return true;
  if (!GRPC_NAME.test(row.name)) return false;
  return row.resultCode === "" || /^(?:\d|1[0-6])$/.test(row.resultCode);
}

function isNoStatus(resultCode: string): boolean {
  return resultCode === "" || resultCode === "0";
}

function hasMessageEvidence(row: KindSignals): boolean {
  if (!isNoStatus(row.resultCode)) return false;
  const { url, source, dimensions } = row;
  if (BROKER_URL.test(url)) return true;
  if (HOST_AND_DESTINATION.test(url) || HOST_AND_DESTINATION.test(source)) return true;
  if (source.startsWith("type:Azure Service Bus")) return true;
  if (MESSAGE_NAME.test(row.name)) return true;
  if (dimensions.has("_ms.links")) return true;
  if (row.measurements.has("timesinceenqueued") || dimensions.has("timesinceenqueued")) return true;
  for (const key of dimensions.keys()) if (key.startsWith("messaging.")) return true;
  return false;
}
