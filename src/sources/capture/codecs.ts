import type { DependencyRow, MetricRow, TraceRow } from "../../telemetry/detail.ts";
import type { SystemEvent } from "../../telemetry/events.ts";
import type { MetricPoint } from "../../telemetry/metric-point.ts";
import type { Cell, RowCodec } from "./row-codec.ts";

const text = (cell: Cell | undefined): string => String(cell ?? "");
const number = (cell: Cell | undefined): number => Number(cell);
const maybe = (cell: Cell | undefined): number | null => (typeof cell === "number" ? cell : null);
const bagText = (bag: ReadonlyMap<string, unknown>): string => JSON.stringify(Object.fromEntries(bag));
const bagOf = (cell: Cell | undefined): ReadonlyMap<string, unknown> =>
  new Map(Object.entries(JSON.parse(text(cell)) as Record<string, unknown>));

export const eventCodec: RowCodec<SystemEvent> = {
  columns: {
    timestamp: "instant",
    own_clock: "bool",
    reason: "text",
    text: "text",
    app: "text",
    revision: "text",
    replica: "text",
    source: "text",
    severity: "text",
    count: "number",
    job: "text",
  },
  encode: (row) => [
    row.ticks,
    row.ownClock,
    row.reason,
    row.text,
    row.app,
    row.revision,
    row.replica,
    row.source,
    row.severity,
    row.count,
    row.job,
  ],
  decode: ([ticks, ownClock, reason, message, app, revision, replica, source, severity, count, job]) => ({
    ticks: number(ticks),
    ownClock: ownClock === true,
    reason: text(reason),
    text: text(message),
    app: text(app),
    revision: text(revision),
    replica: text(replica),
    source: text(source),
    severity: text(severity),
    count: maybe(count),
    job: text(job),
  }),
};

export const dependencyCodec: RowCodec<DependencyRow> = {
  columns: {
    timestamp: "instant",
    duration_ms: "number",
    operation_id: "text",
    parent_id: "text",
    name: "text",
    target: "text",
    type: "text",
    weight: "number",
    role: "text",
    instance: "text",
  },
  encode: (row) => [
    row.ticks,
    row.durationMs,
    row.operationId,
    row.parentId,
    row.name,
    row.target,
    row.type,
    row.weight,
    row.role,
    row.instance,
  ],
  decode: ([ticks, durationMs, operationId, parentId, name, target, type, weight, role, instance]) => ({
    ticks: number(ticks),
    durationMs: number(durationMs),
    operationId: text(operationId),
    parentId: text(parentId),
    name: text(name),
    target: text(target),
    type: text(type),
    weight: number(weight),
    role: text(role),
    instance: text(instance),
  }),
};

export const traceCodec: RowCodec<TraceRow> = {
  columns: {
    timestamp: "instant",
    message: "text",
    operation_id: "text",
    weight: "number",
    role: "text",
    instance: "text",
    dimensions: "text",
  },
  encode: (row) => [
    row.ticks,
    row.message,
    row.operationId,
    row.weight,
    row.role,
    row.instance,
    bagText(row.dimensions),
  ],
  decode: ([ticks, message, operationId, weight, role, instance, dimensions]) => ({
    ticks: number(ticks),
    message: text(message),
    operationId: text(operationId),
    weight: number(weight),
    role: text(role),
    instance: text(instance),
    dimensions: bagOf(dimensions),
  }),
};

export const metricCodec: RowCodec<MetricRow> = {
  columns: {
    timestamp: "instant",
    name: "text",
    count: "number",
    sum: "number",
    role: "text",
    instance: "text",
    dimensions: "text",
  },
  encode: (row) => [row.ticks, row.name, row.count, row.sum, row.role, row.instance, bagText(row.dimensions)],
  decode: ([ticks, name, count, sum, role, instance, dimensions]) => ({
    ticks: number(ticks),
    name: text(name),
    count: maybe(count),
    sum: maybe(sum),
    role: text(role),
    instance: text(instance),
    dimensions: bagOf(dimensions),
  }),
};

export const ingressCodec: RowCodec<MetricPoint> = {
  columns: {
    timestamp: "instant",
    total: "number",
    interval_ticks: "number",
    file: "number",
    resource: "text",
    labels: "text",
  },
  encode: (row) => [
    row.ticks,
    row.total,
    row.interval,
    row.file,
    row.resource ?? "",
    JSON.stringify(row.labels),
  ],
  decode: ([ticks, total, interval, file, resource, labels]) => ({
    ticks: number(ticks),
    total: number(total),
    interval: number(interval),
    file: number(file),
    resource: text(resource) === "" ? null : text(resource),
    labels: JSON.parse(text(labels)) as MetricPoint["labels"],
  }),
};
