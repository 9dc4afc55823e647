import type { TokenCredential } from "@azure/identity";
import type { MetricPoint } from "../../telemetry/metric-point.ts";
import { EPOCH_MS, TICKS_PER_MINUTE, TICKS_PER_MS, ticksOfEpochMs } from "../../telemetry/time.ts";
import { faultOfConnection, faultPolicy } from "./http-faults.ts";
import { loopbackOptions } from "./loopback.ts";
import type { Slice } from "./plan.ts";
import { ownWords, SourceFault, type SourceFaultKind } from "./source-fault.ts";

export interface IngressTarget {
  /** Resource id of the container app. */
  readonly resource: string;
  /** Region of the app, such as `westeurope`; null where it is not known. */
  readonly region: string | null;
  readonly credential: TokenCredential;
  /** Base addresses where they are another cloud's, or a stand-in's. */
  readonly endpoints: { readonly metrics?: string; readonly management?: string };
  readonly signal: AbortSignal;
}

/** The ingress metric of one part of a window. */
export type IngressReader = (window: Slice) => Promise<MetricPoint[]>;

const NAMESPACE = "Microsoft.App/containerapps";
const METRIC = "Requests";

/**
 * After these the resource's own metrics are tried. A region's service has its own audience of tokens (401),
 * and the host of a region that does not exist is not found in the network.
 */
const REFUSALS: ReadonlySet<SourceFaultKind> = new Set([
  "sign-in",
  "permission",
  "not-found",
  "query",
  "network",
]);

/** The scope that the service's description names; the client asks for another one. */
const REGION_SCOPE = "https://metrics.monitor.azure.com/.default";

interface Series {
  readonly data?: readonly { readonly timeStamp?: Date; readonly total?: number }[];
}

/**
 * Reads the metric `Requests`, total by the minute. The regional metrics service is asked where the region is
 * known; where it refuses (it wants a role on the whole subscription), the resource's own metrics are read.
 *
 * @param onFallback told once, with the reason
 */
export function ingressReader(target: IngressTarget, onFallback: (reason: string) => void): IngressReader {
  let isRegional = target.region !== null || target.endpoints.metrics !== undefined;
  return async (window) => {
    if (isRegional) {
      try {
        return pointsOf(await fromRegion(target, window), target.resource, window);
      } catch (error) {
        const fault = passOn(error, target.signal);
        if (!REFUSALS.has(fault.kind)) throw fault;
        if (isRegional) onFallback(fault.what);
        isRegional = false;
      }
    }
    try {
      return pointsOf(await fromResource(target, window), target.resource, window);
    } catch (error) {
      throw passOn(error, target.signal);
    }
  };
}

function passOn(error: unknown, signal: AbortSignal): SourceFault {
  signal.throwIfAborted();
  return error instanceof SourceFault ? error : faultOfConnection(error);
}

/** `West Europe` is written `westeurope` in the host's name. */
function regionalEndpoint(region: string): string {
  const name = region.replace(/\s/g, "").toLowerCase();
  if (/^[a-z0-9]+$/.test(name)) return `https://${name}.metrics.monitor.azure.com`;
  throw new SourceFault("not-found", `${ownWords(region)} is no region`, "give one such as westeurope");
}

async function fromRegion(target: IngressTarget, window: Slice): Promise<readonly Series[]> {
  const { MetricsClient } = await import("@azure/monitor-query-metrics");
  const endpoint = target.endpoints.metrics ?? regionalEndpoint(target.region ?? "");
  const { endpoint: address = endpoint, ...options } = await loopbackOptions(endpoint);
  const client = new MetricsClient(address, target.credential, {
    ...options,
    credentials: { scopes: [REGION_SCOPE] },
    retryOptions: { maxRetries: 0 },
  });
  client.pipeline.addPolicy(faultPolicy(target.signal), { afterPhase: "Retry" });
  const results = await client.queryResources([target.resource], [METRIC], NAMESPACE, {
    startTime: dateOf(window.from),
    endTime: dateOf(window.to),
    interval: "PT1M",
    aggregation: "total",
  });
  return results.flatMap(({ metrics }) => metrics.flatMap(({ timeseries }) => timeseries));
}

async function fromResource(target: IngressTarget, window: Slice): Promise<readonly Series[]> {
  const { MonitorClient } = await import("@azure/arm-monitor");
  const { endpoint, ...options } = await loopbackOptions(target.endpoints.management);
  const subscription = /\/subscriptions\/([^/]+)/i.exec(target.resource)?.[1] ?? "";
  const client = new MonitorClient(target.credential, subscription, {
    ...options,
    ...(endpoint === undefined ? {} : { endpoint }),
    retryOptions: { maxRetries: 0 },
  });
  client.pipeline.addPolicy(faultPolicy(target.signal), { afterPhase: "Retry" });
  const answer = await client.metrics.list(target.resource.replace(/^\//, ""), {
    timespan: `${dateOf(window.from).toISOString()}/${dateOf(window.to).toISOString()}`,
    interval: "PT1M",
    metricnames: METRIC,
    aggregation: "Total",
    metricnamespace: NAMESPACE,
  });
  return answer.value.flatMap(({ timeseries }) => timeseries ?? []);
}

function dateOf(ticks: number): Date {
  return new Date(Math.floor(ticks / TICKS_PER_MS) + EPOCH_MS);
}

function pointsOf(series: readonly Series[], resource: string, { from, to }: Slice): MetricPoint[] {
  return series.flatMap(({ data = [] }) =>
    data.flatMap(({ timeStamp, total }) => {
      if (timeStamp === undefined || total === undefined || !Number.isFinite(total)) return [];
      const ticks = ticksOfEpochMs(new Date(timeStamp).getTime());
      // A service that takes the end in would give its minute twice, with the next part of the window too.
      if (ticks < from || ticks >= to) return [];
      const interval = TICKS_PER_MINUTE;
      return [{ ticks, total, interval, file: 0, resource: idOf(resource), labels: [] }];
    }),
  );
}

/** As exports of the metric name it, so that a capture and a file of the same app are told to be the same. */
function idOf(resource: string): string {
  return `${resource}/providers/Microsoft.Insights/metrics/${METRIC}`.toLowerCase();
}
