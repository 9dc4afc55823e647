import { afterEach, describe, expect, it } from "vitest";
import { type IngressReader, ingressReader } from "../../../src/sources/azure/metrics-service.ts";
import { SourceFault } from "../../../src/sources/azure/source-fault.ts";
import { parseInstant, TICKS_PER_MINUTE } from "../../../src/telemetry/time.ts";
import {
  dropped,
  failureOf,
  json,
  nobody,
  type Play,
  type StandIn,
  standIn,
  testCredential,
} from "./stand-in.ts";

const RESOURCE = "/subscriptions/Sub-1/resourceGroups/g/providers/Microsoft.App/containerApps/Shop";
const FROM = parseInstant("2026-06-01T00:00:00Z")!.ticks;
const WINDOW = { from: FROM, to: FROM + 3 * TICKS_PER_MINUTE };

const metric = {
  id: `${RESOURCE}/providers/Microsoft.Insights/metrics/Requests`,
  type: "Microsoft.Insights/metrics",
  name: { value: "Requests", localizedValue: "Requests" },
  unit: "Count",
  errorCode: "Success",
  timeseries: [
    {
      metadatavalues: [],
      data: [
        { timeStamp: "2026-06-01T00:00:00Z", total: 12 },
        { timeStamp: "2026-06-01T00:01:00Z" },
        { timeStamp: "2026-06-01T00:02:00Z", total: 0 },
      ],
    },
  ],
};

const batch = json(200, {
  values: [
    {
      starttime: "2026-06-01T00:00:00Z",
      endtime: "2026-06-01T00:03:00Z",
      interval: "PT1M",
      namespace: "Microsoft.App/containerapps",
      resourceregion: "westeurope",
      resourceid: RESOURCE,
      value: [metric],
    },
  ],
});
const single = json(200, { cost: 1, interval: "PT1M", timespan: "x/y", namespace: "n", value: [metric] });

const POINTS = [
  [FROM, 12],
  [FROM + 2 * TICKS_PER_MINUTE, 0],
].map(([ticks, total]) => ({
  ticks,
  total,
  interval: TICKS_PER_MINUTE,
  file: 0,
  resource: metric.id.toLowerCase(),
  labels: [],
}));

let servers: StandIn[] = [];
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

interface Opened {
  readonly read: IngressReader;
  readonly regional: StandIn;
  readonly management: StandIn;
  readonly reasons: string[];
  readonly scopes: string[];
}

async function open(regionalPlay: Play, managementPlay: Play, isRegional = true): Promise<Opened> {
  const regional = await standIn(regionalPlay);
  const management = await standIn(managementPlay);
  servers = [regional, management];
  const reasons: string[] = [];
  const { credential, scopes } = testCredential();
  const target = {
    resource: RESOURCE,
    region: isRegional ? "westeurope" : null,
    credential,
    endpoints: { management: management.url, ...(isRegional ? { metrics: regional.url } : {}) },
    signal: new AbortController().signal,
  };
  return {
    read: ingressReader(target, (reason) => reasons.push(reason)),
    regional,
    management,
    reasons,
    scopes,
  };
}

describe("the ingress metric over the wire", () => {
  it("comes from the region's service by the minute, minutes without data left out", async () => {
    const { read, regional, management, reasons } = await open(batch, single);
    expect(await read(WINDOW)).toEqual(POINTS);
    const [asked] = regional.asked;
    const url = new URL(asked!.url, regional.url);
    expect(url.pathname).toBe("/subscriptions/Sub-1/metrics:getBatch");
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      starttime: "2026-06-01T00:00:00.000Z",
      endtime: "2026-06-01T00:03:00.000Z",
      interval: "PT1M",
      metricnames: "Requests",
      metricnamespace: "Microsoft.App/containerapps",
      aggregation: "total",
    });
    expect(JSON.parse(asked!.body)).toEqual({ resourceids: [RESOURCE] });
    expect(asked!.authorization).toBe("Bearer the-token");
    expect(management.asked).toEqual([]);
    expect(reasons).toEqual([]);
  });

  it("comes from the resource itself where the region is not known", async () => {
    const { read, regional, management } = await open(batch, single, false);
    expect(await read(WINDOW)).toEqual(POINTS);
    expect(regional.asked).toEqual([]);
    const url = new URL(management.asked[0]!.url, management.url);
    expect(url.pathname).toBe(`${RESOURCE}/providers/Microsoft.Insights/metrics`);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      timespan: "2026-06-01T00:00:00.000Z/2026-06-01T00:03:00.000Z",
      interval: "PT1M",
      metricnames: "Requests",
      aggregation: "Total",
    });
    expect(management.asked[0]!.authorization).toBe("Bearer the-token");
  });

  it.each([400, 401, 403, 404])(
    "falls back for good, and says why, where the region's service answers %i",
    async (status) => {
      const refusal = json(status, { error: { code: "Refused", message: "not here" } });
      const { read, regional, management, reasons } = await open(refusal, single);
      expect(await read(WINDOW)).toEqual(POINTS);
      expect(await read(WINDOW)).toEqual(POINTS);
      expect(regional.asked).toHaveLength(1);
      expect(management.asked).toHaveLength(2);
      expect(reasons).toHaveLength(1);
      expect(reasons[0]).toContain(`HTTP ${status}: Refused: not here`);
    },
  );

  it("does not fall back from a service that is only busy", async () => {
    const { read, management } = await open(json(429, {}, { "retry-after": "3" }), single);
    expect(await failureOf(read(WINDOW))).toMatchObject({ kind: "throttled", retryAfterMs: 3000 });
    expect(management.asked).toEqual([]);
  });

  it.each([
    [json(403, { error: { code: "AuthorizationFailed", message: "no" } }), "permission"],
    [json(404, { error: { code: "ResourceNotFound", message: "no" } }), "not-found"],
    [json(500, {}), "service"],
    [dropped, "network"],
  ] as const)("fails with what the resource's metrics answer (%#)", async (play, kind) => {
    const { read, management } = await open(batch, play, false);
    const fault = await failureOf(read(WINDOW));
    expect(fault).toBeInstanceOf(SourceFault);
    expect(fault).toMatchObject({ kind });
    expect(management.asked).toHaveLength(1);
  });

  it("asks for the token that each service wants", async () => {
    const { read, scopes } = await open(json(403, {}), single);
    await read(WINDOW);
    expect(scopes).toEqual([
      "https://metrics.monitor.azure.com/.default",
      "https://management.azure.com/.default",
    ]);
  });

  it("falls back from a region whose service is not found", async () => {
    const { management } = await open(batch, single, false);
    const reasons: string[] = [];
    const target = {
      resource: RESOURCE,
      region: null,
      credential: testCredential().credential,
      endpoints: { management: management.url, metrics: await nobody() },
      signal: new AbortController().signal,
    };
    expect(await ingressReader(target, (reason) => reasons.push(reason))(WINDOW)).toEqual(POINTS);
    expect(reasons).toHaveLength(1);
  });

  it("says why once, also where two parts are refused at the same time", async () => {
    const { read, reasons } = await open(json(403, {}), single);
    await Promise.all([read(WINDOW), read(WINDOW)]);
    expect(reasons).toHaveLength(1);
  });

  it.each([["East Mars 2!"], ["westeurope.example.com/"]])(
    "asks no host that %s makes up",
    async (region) => {
      const { management, read: _ } = await open(batch, single, false);
      const { credential } = testCredential();
      const signal = new AbortController().signal;
      const target = {
        resource: RESOURCE,
        region,
        credential,
        endpoints: { management: management.url },
        signal,
      };
      const reasons: string[] = [];
      expect(await ingressReader(target, (reason) => reasons.push(reason))(WINDOW)).toEqual(POINTS);
      expect(reasons[0]).toContain("is no region");
    },
  );

  it("leaves out a minute that begins where the window ends", async () => {
    const { read } = await open(batch, single);
    const points = await read({ from: FROM, to: FROM + 2 * TICKS_PER_MINUTE });
    expect(points.map(({ ticks }) => ticks)).toEqual([FROM]);
  });
});
