import { columnsOf, flatRow, type Naming, performanceBucket } from "../../forms/columns.ts";
import { queryClassic, queryWorkspace } from "../../forms/encodings.ts";
import { iso7 } from "../../forms/times.ts";
import type { FormEvent, FormRow } from "../../forms/types.ts";
import type { Engine, TableRow } from "./engine.ts";
import { floorTicks, systemLogClRows, systemLogRows } from "./event-rows.ts";
import * as schemas from "./schemas.ts";

/** What the rows of all telemetry tables have, whichever the naming. */
interface Emitted {
  /** 100 ns ticks since 1970-01-01T00:00:00Z. */
  readonly timeTicks: bigint;
  readonly operationId?: string;
  readonly dimensions?: Readonly<Record<string, string>>;
  readonly role: string;
  readonly instance?: string;
  readonly version?: string;
}

/** One logical call of another service; the time is its start. */
export interface DependencyRow extends Emitted {
  /** 100 ns ticks. */
  readonly durationTicks: number;
  readonly id?: string;
  readonly parentId?: string;
  readonly name: string;
  readonly target: string;
  readonly type: string;
  readonly success: boolean;
  readonly itemCount: number;
}

/** One logical log line. */
export interface TraceRow extends Emitted {
  readonly message: string;
  readonly itemCount: number;
}

/** One logical export of a metric. */
export interface MetricRow extends Emitted {
  readonly name: string;
  readonly count: number;
  readonly sum: number;
}

export interface Tables {
  readonly requests?: readonly FormRow[];
  readonly dependencies?: readonly DependencyRow[];
  readonly traces?: readonly TraceRow[];
  readonly metrics?: readonly MetricRow[];
  readonly events?: readonly FormEvent[];
}

export interface TableOptions {
  readonly metricSpelling?: schemas.MetricSpelling;
  readonly clClocks?: schemas.ClClocks;
}

/**
 * The same fleet with its clocks cut to the microsecond, which is all the engine keeps: what is written to files
 * and what is loaded then stay equal.
 */
export function toMicroseconds(fleet: {
  readonly rows: readonly FormRow[];
  readonly events: readonly FormEvent[];
}) {
  return {
    rows: fleet.rows.map((row) => ({ ...row, startTicks: floorTicks(row.startTicks) })),
    events: fleet.events.map((event) => ({ ...event, timeTicks: floorTicks(event.timeTicks) })),
  };
}

/** Rows of requests / AppRequests. */
export function requestRows(rows: readonly FormRow[], naming: Naming): TableRow[] {
  const encoding = {
    ...(naming === "classic" ? queryClassic : queryWorkspace),
    time: iso7,
    dynamic: (value: Parameters<typeof queryClassic.dynamic>[0]) => value ?? null,
  };
  const columns = columnsOf(naming, "all");
  return rows.map((row, index) => flatRow(row, index, naming, columns, encoding));
}

/** A row in one of the namings: pairs of both names and the value. */
function pick(
  naming: Naming,
  cells: readonly (readonly [classic: string, workspace: string, value: unknown])[],
) {
  return Object.fromEntries(
    cells.map(([classic, workspace, value]) => [naming === "classic" ? classic : workspace, value]),
  );
}

function emitted(row: Emitted, naming: Naming, table: readonly [itemType: string, table: string]): TableRow {
  return pick(naming, [
    ["timestamp", "TimeGenerated", iso7(row.timeTicks)],
    ["itemType", "Type", naming === "classic" ? table[0] : table[1]],
    ["operation_Id", "OperationId", row.operationId ?? ""],
    ["customDimensions", "Properties", row.dimensions ?? null],
    ["application_Version", "AppVersion", row.version ?? ""],
    ["cloud_RoleName", "AppRoleName", row.role],
    ["cloud_RoleInstance", "AppRoleInstance", row.instance ?? ""],
  ]);
}

/** Rows of dependencies / AppDependencies. */
export function dependencyRows(rows: readonly DependencyRow[], naming: Naming): TableRow[] {
  return rows.map((row) => ({
    ...emitted(row, naming, ["dependency", "AppDependencies"]),
    ...pick(naming, [
      ["id", "Id", row.id ?? ""],
      ["operation_ParentId", "ParentId", row.parentId ?? ""],
      ["name", "Name", row.name],
      ["target", "Target", row.target],
      ["type", "DependencyType", row.type],
      ["success", "Success", naming === "classic" ? (row.success ? "True" : "False") : row.success],
      ["duration", "DurationMs", row.durationTicks / 10_000],
      ["performanceBucket", "PerformanceBucket", performanceBucket(row.durationTicks)],
      ["itemCount", "ItemCount", row.itemCount],
    ]),
  }));
}

/** Rows of traces / AppTraces. */
export function traceRows(rows: readonly TraceRow[], naming: Naming): TableRow[] {
  return rows.map((row) => ({
    ...emitted(row, naming, ["trace", "AppTraces"]),
    ...pick(naming, [
      ["message", "Message", row.message],
      ["itemCount", "ItemCount", row.itemCount],
    ]),
  }));
}

/** Rows of customMetrics / AppMetrics. */
export function metricRows(
  rows: readonly MetricRow[],
  naming: Naming,
  spelling: schemas.MetricSpelling = "Sum",
): TableRow[] {
  const [count, sum] = spelling === "Sum" ? ["ItemCount", "Sum"] : ["ValueCount", "ValueSum"];
  return rows.map((row) => ({
    ...emitted(row, naming, ["customMetric", "AppMetrics"]),
    ...pick(naming, [
      ["name", "Name", row.name],
      ["valueCount", count!, row.count],
      ["valueSum", sum!, row.sum],
    ]),
    ...(naming === "classic" ? { value: row.sum } : {}),
  }));
}

/** Loads every table under both namings; one without rows is there and empty. */
export async function loadTables(engine: Engine, tables: Tables, options: TableOptions = {}): Promise<void> {
  const { requests = [], dependencies = [], traces = [], metrics = [], events = [] } = tables;
  const { metricSpelling = "Sum", clClocks = {} } = options;
  for (const naming of ["classic", "workspace"] as const) {
    const name = (classic: string, workspace: string) => (naming === "classic" ? classic : workspace);
    const load = engine.load.bind(engine);
    await load(name("requests", "AppRequests"), schemas.requestSchema(naming), requestRows(requests, naming));
    await load(
      name("dependencies", "AppDependencies"),
      schemas.dependencySchema(naming),
      dependencyRows(dependencies, naming),
    );
    await load(name("traces", "AppTraces"), schemas.traceSchema(naming), traceRows(traces, naming));
    await load(
      name("customMetrics", "AppMetrics"),
      schemas.metricSchema(naming, metricSpelling),
      metricRows(metrics, naming, metricSpelling),
    );
  }
  const clSchema = schemas.systemLogClSchema(clClocks);
  await engine.load("ContainerAppSystemLogs_CL", clSchema, systemLogClRows(events, clClocks));
  await engine.load("ContainerAppSystemLogs", schemas.systemLogSchema, systemLogRows(events));
}
