import { DetailField, type DetailTable } from "../../telemetry/detail-fields.ts";
import { numberOf } from "../../telemetry/dimensions.ts";
import { type Cells, FIELD_COUNT, Field } from "../../telemetry/fields.ts";

const DETAIL_TYPES: Readonly<Record<string, DetailTable>> = {
  RemoteDependencyData: "dependencies",
  MessageData: "traces",
  MetricData: "metrics",
};

type Bag = Readonly<Record<string, unknown>>;

export function isBag(value: unknown): value is Bag {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function child(bag: Bag, key: string): Bag {
  const value = bag[key];
  return isBag(value) ? value : {};
}

/** Whether a record is an Application Insights envelope, the form in which SDKs send telemetry. */
export function isEnvelope(record: Bag): boolean {
  return typeof child(record, "data").baseType === "string";
}

/**
 * Cells of a request envelope, null for other telemetry types. The item count is what the service
 * derives from the envelope's rate: 100 / rate, to the nearest integer, and 1 without a rate.
 */
export function envelopeCells(envelope: Bag): Cells | null {
  const data = child(envelope, "data");
  if (data.baseType !== "RequestData") return null;
  const base = child(data, "baseData");
  const tags = child(envelope, "tags");
  const rate = numberOf(envelope.sampleRate);
  const cells: Cells = new Array(FIELD_COUNT);
  cells[Field.start] = envelope.time;
  cells[Field.duration] = base.duration;
  cells[Field.id] = base.id;
  cells[Field.operationId] = tags["ai.operation.id"];
  cells[Field.name] = base.name;
  cells[Field.url] = base.url;
  cells[Field.success] = base.success;
  cells[Field.resultCode] = base.responseCode;
  cells[Field.itemCount] = rate !== null && rate > 0 && rate <= 100 ? Math.round(100 / rate) : 1;
  cells[Field.dimensions] = base.properties;
  cells[Field.measurements] = base.measurements;
  cells[Field.role] = tags["ai.cloud.role"];
  cells[Field.instance] = tags["ai.cloud.roleInstance"];
  cells[Field.source] = base.source;
  cells[Field.synthetic] = tags["ai.operation.syntheticSource"];
  cells[Field.sdkVersion] = tags["ai.internal.sdkVersion"];
  cells[Field.version] = tags["ai.application.ver"];
  return cells;
}

/** Cells of an envelope of another telemetry type that audits read, null for every other one. */
export function envelopeDetail(
  envelope: Bag,
): { readonly table: DetailTable; readonly fields: number[]; readonly values: unknown[] } | null {
  const data = child(envelope, "data");
  const table = DETAIL_TYPES[String(data.baseType)];
  if (table === undefined) return null;
  const base = child(data, "baseData");
  const tags = child(envelope, "tags");
  const metric = Array.isArray(base.metrics) && isBag(base.metrics[0]) ? base.metrics[0] : {};
  const rate = numberOf(envelope.sampleRate);
  const cells: readonly (readonly [field: number, value: unknown])[] = [
    [DetailField.start, envelope.time],
    [DetailField.duration, base.duration],
    [DetailField.operationId, tags["ai.operation.id"]],
    [DetailField.parentId, tags["ai.operation.parentId"]],
    [DetailField.name, table === "metrics" ? metric.name : base.name],
    [DetailField.target, base.target],
    [DetailField.type, base.type],
    [DetailField.itemCount, rate !== null && rate > 0 && rate <= 100 ? Math.round(100 / rate) : 1],
    [DetailField.dimensions, base.properties],
    [DetailField.role, tags["ai.cloud.role"]],
    [DetailField.instance, tags["ai.cloud.roleInstance"]],
    [DetailField.message, base.message],
    [DetailField.count, metric.count ?? 1],
    [DetailField.sum, metric.value],
  ];
  return { table, fields: cells.map(([field]) => field), values: cells.map(([, value]) => value) };
}

/** Whether a record is a blob line of the classic continuous export. */
export function isContinuousExport(record: Bag): boolean {
  return isBag(record.context) && isBag(record.internal);
}

/** Cells of every request in a continuous-export record; its durations are 100-ns ticks. */
export function continuousExportCells(record: Bag): Cells[] {
  const requests = Array.isArray(record.request) ? record.request.filter(isBag) : [];
  const context = child(record, "context");
  const data = child(context, "data");
  const device = child(context, "device");
  const cloud = child(context, "cloud");
  const operation = child(context, "operation");
  const custom = child(context, "custom");
  return requests.map((request) => {
    const cells: Cells = new Array(FIELD_COUNT);
    cells[Field.start] = data.eventTime;
    cells[Field.duration] = child(request, "durationMetric").value;
    cells[Field.id] = request.id;
    cells[Field.operationId] = operation.id;
    cells[Field.name] = request.name;
    cells[Field.url] = request.url;
    cells[Field.success] = request.success;
    cells[Field.resultCode] = request.responseCode;
    cells[Field.itemCount] = request.count;
    cells[Field.dimensions] = merge(custom.dimensions, (value) => value);
    cells[Field.measurements] = merge(custom.metrics, (value) => (isBag(value) ? value.value : value));
    cells[Field.role] = device.roleName ?? cloud.roleName;
    cells[Field.instance] = device.roleInstance ?? cloud.roleInstance;
    cells[Field.source] = request.source;
    cells[Field.synthetic] = data.isSynthetic === true ? (data.syntheticSource ?? "synthetic") : "";
    cells[Field.sdkVersion] = child(child(record, "internal"), "data").sdkVersion;
    cells[Field.version] = child(context, "application").version;
    return cells;
  });
}

/** The export writes bags as a list of one-key objects. */
function merge(list: unknown, pick: (value: unknown) => unknown): Bag {
  if (isBag(list)) return list;
  const bag: Record<string, unknown> = {};
  for (const entry of Array.isArray(list) ? list.filter(isBag) : []) {
    for (const [key, value] of Object.entries(entry)) bag[key] = pick(value);
  }
  return bag;
}
