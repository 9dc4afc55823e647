import { guid, IKEY, storedDimensions } from "./columns.ts";
import { type Json, type JsonObject, jsonText, Real, utf8 } from "./text.ts";
import { iso7, isoTrimmed, spanDotnet, spanWithDays } from "./times.ts";
import type { FormRow } from "./types.ts";

function metric(value: number): JsonObject {
  const real = new Real(value);
  return {
    value: real,
    count: new Real(1),
    min: real,
    max: real,
    stdDev: new Real(0),
    sampledValue: real,
  };
}

/** The export leaves the host out of an http URL; `urlData` has the parts of any URL. */
function exportedUrl(url: string | undefined): JsonObject {
  if (url === undefined) return {};
  const parts = /^(\w+):\/\/([^/]+)([^?#]*)([^#]*)/.exec(url);
  if (parts === null) return { urlData: { base: url, hashTag: "" }, url };
  const [, scheme = "", host = "", path = "", query = ""] = parts;
  const base = path || "/";
  return { urlData: { host, base, hashTag: "" }, url: scheme.startsWith("http") ? base + query : url };
}

/** Codes are numbers here; a row without one has no property. */
function exportedCode(code: string): Json | undefined {
  if (code === "") return undefined;
  return /^\d+$/.test(code) ? Number(code) : code;
}

function exported(row: FormRow, index: number): JsonObject {
  const { urlData, url } = exportedUrl(row.url);
  const single = (record: Readonly<Record<string, Json>>) =>
    Object.entries(record).map(([key, value]) => ({ [key]: value }));
  const measured = Object.entries(row.measurements ?? {}).map(
    ([key, value]) => [key, metric(value)] as const,
  );
  return {
    request: [
      {
        urlData,
        responseCode: exportedCode(row.resultCode),
        success: row.success,
        id: row.id,
        name: row.name,
        count: row.itemCount,
        durationMetric: metric(row.durationTicks),
        url,
      },
    ],
    internal: { data: { id: guid(index + 1), documentVersion: "1.61" } },
    context: {
      device: { type: "PC", screenResolution: {}, roleName: row.role, roleInstance: row.instance },
      application: { version: row.version },
      location: { clientip: "0.0.0.0" },
      data: {
        isSynthetic: row.syntheticSource !== undefined,
        samplingRate: new Real(100 / row.itemCount),
        eventTime: isoTrimmed(row.startTicks),
      },
      operation: { id: row.operationId, parentId: row.parentId, name: row.name },
      cloud: {},
      serverDevice: {},
      custom: {
        dimensions: single(storedDimensions(row) ?? {}),
        metrics: single(Object.fromEntries(measured)),
      },
      session: { isFirst: false },
    },
  };
}

/** The classic continuous export: durations in ticks, everything about the process under `context`. */
export function continuousExport(rows: readonly FormRow[]): Uint8Array {
  return utf8(rows.map((row, index) => `${jsonText(exported(row, index))}\n`).join(""));
}

function tags(row: FormRow): JsonObject {
  return {
    "ai.cloud.role": row.role,
    "ai.cloud.roleInstance": row.instance,
    "ai.operation.id": row.operationId,
    "ai.operation.parentId": row.parentId,
    "ai.operation.name": row.name === "" ? undefined : row.name,
    "ai.operation.syntheticSource": row.syntheticSource,
    "ai.application.ver": row.version,
    "ai.internal.sdkVersion": row.sdkVersion,
  };
}

interface EnvelopeStyle {
  readonly head: JsonObject;
  readonly name: string;
  readonly time: (ticks: bigint) => string;
  readonly span: (ticks: number) => string;
  readonly iKey: string | undefined;
}

/** An envelope: the rate is there only where the row stands for more than one request. */
function envelope(row: FormRow, style: EnvelopeStyle): JsonObject {
  return {
    ...style.head,
    name: style.name,
    time: style.time(row.startTicks),
    sampleRate: row.itemCount > 1 ? new Real(100 / row.itemCount) : undefined,
    iKey: style.iKey,
    tags: tags(row),
    data: {
      baseType: "RequestData",
      baseData: {
        ver: 2,
        id: row.id,
        name: row.name,
        duration: style.span(row.durationTicks),
        responseCode: row.resultCode,
        source: row.source,
        success: row.success,
        url: row.url,
        properties: storedDimensions(row),
        measurements: row.measurements,
      },
    },
  };
}

const collector: EnvelopeStyle = {
  head: {},
  name: "Microsoft.ApplicationInsights.Request",
  time: isoTrimmed,
  span: spanWithDays,
  iKey: IKEY,
};
const agent: EnvelopeStyle = { ...collector, head: { ver: 1 }, time: iso7 };
const debuggerOutput: EnvelopeStyle = {
  head: {},
  name: "Microsoft.ApplicationInsights.Dev.Request",
  time: iso7,
  span: spanDotnet,
  iKey: undefined,
};

/** A batch of envelopes as one array. */
export function breezeArray(rows: readonly FormRow[]): Uint8Array {
  const batch = rows.map((row) => envelope(row, collector));
  return utf8(jsonText(batch, { indent: "  " }));
}

/** A batch of envelopes, one a line. */
export function breezeNdjson(rows: readonly FormRow[]): Uint8Array {
  return utf8(rows.map((row) => `${jsonText(envelope(row, agent))}\n`).join(""));
}

/** Envelopes as Visual Studio prints them, each behind its prefix. */
export function breezePrefixed(rows: readonly FormRow[]): Uint8Array {
  const prefix = "Application Insights Telemetry (unconfigured): ";
  return utf8(rows.map((row) => `${prefix}${jsonText(envelope(row, debuggerOutput))}\n`).join(""));
}
