import { errorReply, type Reply } from "./answers.ts";

/** The count of requests that came in within one minute. */
export interface IngressRow {
  /** ISO instant of the minute's begin. */
  readonly at: string;
  readonly total: number;
  /** Such as `2xx`; the rows of a minute add up where nobody asks for it. */
  readonly statusCodeCategory?: string;
}

const MINUTES: Readonly<Record<string, number>> = { PT1M: 1, PT5M: 5, PT15M: 15, PT30M: 30, PT1H: 60 };
const KEY = "statusCodeCategory";
const FILTER = new RegExp(`^${KEY} eq '([^']*)'$`, "i");

interface Question {
  readonly parameters: URLSearchParams;
  readonly begin: string;
  readonly end: string;
  /** Resource id of the container app. */
  readonly resource: string;
}

/** The metric of one resource, as both metrics services write it. */
function answerOf(rows: readonly IngressRow[], { parameters, begin, end, resource }: Question): Reply {
  const interval = parameters.get("interval") ?? "PT1M";
  const minutes = MINUTES[interval];
  const refuse = (message: string): Reply => errorReply("metrics", 400, "BadRequest", message);
  if (minutes === undefined) return refuse(`Detected invalid time grain input: ${interval}`);
  const [from, to] = [Date.parse(begin), Date.parse(end)];
  if (!(from < to)) return refuse(`Detected invalid timespan input: ${begin}/${end}`);
  const names = parameters.get("metricnames") ?? "";
  if (names !== "Requests") return refuse(`Failed to find metric configuration for metric: ${names}`);
  if (parameters.get("aggregation")?.toLowerCase() !== "total")
    return refuse("aggregation must be Total here");
  const filter = parameters.get("filter") ?? parameters.get("$filter");
  const wanted = filter === null ? null : FILTER.exec(filter)?.[1];
  if (wanted === undefined) return refuse(`Invalid filter: ${filter}`);

  const series = new Map<string, Map<number, number>>();
  if (wanted === null) series.set("", new Map());
  for (const { at, total, statusCodeCategory = "" } of rows) {
    const time = Date.parse(at);
    if (time < from || time >= to) continue;
    if (wanted !== null && wanted !== "*" && wanted !== statusCodeCategory) continue;
    const label = wanted === null ? "" : statusCodeCategory;
    const grain = minutes * 60_000;
    const bucket = Math.floor(time / grain) * grain;
    const points = series.get(label) ?? new Map<number, number>();
    series.set(label, points.set(bucket, (points.get(bucket) ?? 0) + total));
  }
  const timeseries = [...series].map(([value, points]) => ({
    metadatavalues:
      wanted === null ? [] : [{ name: { value: KEY.toLowerCase(), localizedValue: KEY }, value }],
    data: [...points]
      .sort(([a], [b]) => a - b)
      .map(([time, total]) => ({ timeStamp: new Date(time).toISOString(), total })),
  }));
  const metric = {
    id: `${resource}/providers/Microsoft.Insights/metrics/Requests`,
    type: "Microsoft.Insights/metrics",
    name: { value: "Requests", localizedValue: "Requests" },
    unit: "Count",
    errorCode: "Success",
    timeseries,
  };
  const namespace = "Microsoft.App/containerapps";
  const place = { namespace, resourceregion: "westeurope" };
  const json = { cost: 1, interval, timespan: `${begin}/${end}`, ...place, value: [metric] };
  return { status: 200, json };
}

/** `GET /{resource}/providers/Microsoft.Insights/metrics` */
export function resourceMetrics(rows: readonly IngressRow[], url: URL): Reply {
  const [begin = "", end = ""] = (url.searchParams.get("timespan") ?? "").split("/");
  const resource = url.pathname.replace(/\/providers\/Microsoft\.Insights\/metrics$/i, "");
  return answerOf(rows, { parameters: url.searchParams, begin, end, resource });
}

/** `POST /subscriptions/{id}/metrics:getBatch` */
export function batchMetrics(rows: readonly IngressRow[], url: URL, body: unknown): Reply {
  const { resourceids } = (body ?? {}) as { resourceids?: unknown };
  if (!Array.isArray(resourceids) || resourceids.length === 0) {
    return errorReply("metrics", 400, "BadRequest", "resourceids is missing");
  }
  const [begin, end] = ["starttime", "endtime"].map((name) => url.searchParams.get(name) ?? "") as [
    string,
    string,
  ];
  const values: unknown[] = [];
  for (const resource of resourceids as string[]) {
    const reply = answerOf(rows, { parameters: url.searchParams, begin, end, resource });
    if (reply.status !== 200) return reply;
    values.push({ starttime: begin, endtime: end, resourceid: resource, ...(reply.json as object) });
  }
  return { status: 200, json: { values } };
}
