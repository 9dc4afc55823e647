import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { eventForms, unseenEventForms } from "./events.ts";
import { formRowsArbitrary, seededFleet } from "./random.ts";
import { requestForms } from "./requests.ts";
import { spanTicks, splitCsv, splitLines, splitPretty, textOf, ticksOf } from "./splitters.ts";
import type { FormEvent, FormRow, RequestForm } from "./types.ts";

type Flat = Record<string, unknown>;

function tableRows(columns: readonly Flat[], rows: readonly unknown[][]): Flat[] {
  const names = columns.map((column) => String(column.name ?? column.ColumnName));
  return rows.map((row) => {
    expect(row).toHaveLength(names.length);
    return Object.fromEntries(row.map((value, i) => [names[i]!, value]));
  });
}

function csvRows(text: string): Flat[] {
  const [header, ...records] = splitCsv(text, text.split("\n")[0]!.includes(";") ? ";" : ",");
  for (const record of records) expect(record).toHaveLength(header!.length);
  return records.map((record) =>
    Object.fromEntries(record.map((value, i) => [header![i]!.replace(" [UTC]", ""), value])),
  );
}

/** The file's records as flat objects, by the name and the shape of the form. */
function records(name: string, text: string): Flat[] {
  if (name.includes("csv")) return csvRows(text);
  if (/pretty/.test(name)) return splitPretty(text) as Flat[];
  if (/ndjson|prefixed|storage|workspace-export|continuous|logs-show/.test(name))
    return splitLines(text) as Flat[];
  const value = JSON.parse(text) as Flat | Flat[];
  if (Array.isArray(value)) {
    const frames = value.filter((frame) => frame.TableId === 1);
    if (frames.length === 0) return value;
    const columns = frames.find((frame) => frame.Columns !== undefined)!.Columns as Flat[];
    return tableRows(
      columns,
      frames.flatMap((frame) => (frame.Rows ?? []) as unknown[][]),
    );
  }
  if (value.records !== undefined) return value.records as Flat[];
  const table = ((value.tables ?? value.Tables) as Flat[])[0]!;
  const columns = (table.columns ?? table.columnDescriptors ?? table.Columns) as Flat[];
  return tableRows(columns, (table.rows ?? table.Rows) as unknown[][]);
}

const at = (value: unknown, ...path: (string | number)[]): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Flat | undefined)?.[key], value);
const first = (record: Flat, ...names: string[]): unknown =>
  names.map((name) => record[name]).find((v) => v != null);

const known = (value: unknown): unknown =>
  value == null || value === "" || value === "None" ? undefined : value;
const parsed = (value: unknown): unknown => (typeof value === "string" ? JSON.parse(value) : value);

/** Where a record keeps each field: as an envelope, a continuous export or a flat row. */
function found(record: Flat): Flat {
  const data = at(record, "data", "baseData") as Flat | undefined;
  const request = at(record, "request", 0) as Flat | undefined;
  if (data !== undefined) {
    const tag = (name: string): unknown => at(record, "tags", `ai.${name}`);
    return {
      ...data,
      ticks: record.time,
      duration: spanTicks(String(data.duration)),
      code: data.responseCode,
      role: tag("cloud.role"),
      instance: tag("cloud.roleInstance"),
      operation: tag("operation.id"),
      parent: tag("operation.parentId"),
      synthetic: tag("operation.syntheticSource"),
      version: tag("application.ver"),
      dimensions: data.properties,
    };
  }
  if (request !== undefined) {
    const context = record.context as Flat;
    return {
      ...request,
      ticks: at(context, "data", "eventTime"),
      duration: at(request, "durationMetric", "value"),
      code: request.responseCode,
      role: at(context, "device", "roleName"),
      instance: at(context, "device", "roleInstance"),
      operation: at(context, "operation", "id"),
      parent: at(context, "operation", "parentId"),
      synthetic: at(context, "data", "isSynthetic") ? "flag" : undefined,
      version: at(context, "application", "version"),
      dimensions: Object.assign({}, ...(at(context, "custom", "dimensions") as Flat[])),
      measurements: Object.fromEntries(
        (at(context, "custom", "metrics") as Flat[])
          .flatMap((metric) => Object.entries(metric))
          .map(([key, metric]) => [key, at(metric, "value")]),
      ),
    };
  }
  const ms = String(first(record, "duration", "DurationMs")).replace(",", ".");
  return {
    ticks: first(record, "timestamp", "TimeGenerated", "time"),
    duration: Math.round(Number(ms) * 10_000),
    code: first(record, "resultCode", "ResultCode"),
    id: first(record, "id", "Id"),
    name: first(record, "name", "Name"),
    url: first(record, "url", "Url"),
    source: first(record, "source", "Source"),
    success: first(record, "success", "Success"),
    role: first(record, "cloud_RoleName", "AppRoleName"),
    instance: first(record, "cloud_RoleInstance", "AppRoleInstance"),
    operation: first(record, "operation_Id", "OperationId"),
    parent: first(record, "operation_ParentId", "ParentId"),
    synthetic: first(record, "operation_SyntheticSource", "SyntheticSource"),
    version: first(record, "application_Version", "AppVersion"),
    dimensions: parsed(known(first(record, "customDimensions", "Properties"))),
    measurements: parsed(known(first(record, "customMeasurements", "Measurements"))),
  };
}

/** What every form must keep of a row. */
function kept(record: Flat): Flat {
  const row = found(record);
  const texts = ["id", "url", "role", "instance", "operation", "parent", "source", "synthetic", "version"];
  return {
    ...Object.fromEntries(texts.map((name) => [name, known(row[name])])),
    ticks: ticksOf(String(row.ticks)),
    duration: row.duration,
    name: row.name,
    code: String(row.code),
    success: /^true$/i.test(String(row.success)),
    dimensions: row.dimensions ?? {},
    measurements: row.measurements ?? {},
  };
}

function keptOf(form: RequestForm, rows: readonly FormRow[]): unknown[] {
  return records(form.name, textOf(form.write(rows))).map(kept);
}

/** The continuous export keeps the path of an http URL, and whether a row is synthetic. */
function logical(form: RequestForm, rows: readonly FormRow[]): Flat[] {
  const path = (url?: string): string | undefined => url?.replace(/^https?:\/\/[^/]+/, "");
  const short = form.name === "continuous-export";
  return rows.map((row) => ({
    id: row.id,
    url: short ? path(row.url) : row.url,
    role: row.role,
    instance: row.instance,
    operation: row.operationId,
    parent: row.parentId,
    source: form.lacks?.includes("source") ? undefined : row.source,
    synthetic: form.syntheticFlagOnly && row.syntheticSource !== undefined ? "flag" : row.syntheticSource,
    version: row.version,
    ticks: row.startTicks,
    duration: row.durationTicks,
    name: row.name,
    code: row.resultCode,
    success: row.success,
    dimensions: {
      ...row.dimensions,
      ...(row.sampleRate === undefined ? {} : { "microsoft.sample_rate": String(row.sampleRate) }),
    },
    measurements: row.measurements ?? {},
  }));
}

test("names and files are distinct", () => {
  for (const forms of [requestForms, [...eventForms, ...unseenEventForms]]) {
    expect(new Set(forms.map((form) => form.name)).size).toBe(forms.length);
    expect(new Set(forms.map((form) => form.fileName)).size).toBe(forms.length);
  }
});

describe.each(requestForms.map((form) => [form.name, form] as const))("%s", (_name, form) => {
  const milliseconds = form.millisecondsOnly === true;

  test("keeps every field of a fleet's rows, in order", () => {
    for (let seed = 0; seed < 5; seed++) {
      const { rows } = seededFleet(seed, { milliseconds });
      expect(keptOf(form, rows)).toEqual(logical(form, rows));
    }
  });

  test("keeps them whatever the text", () => {
    fc.assert(
      fc.property(formRowsArbitrary({ milliseconds }), (rows) => {
        expect(keptOf(form, rows)).toEqual(logical(form, rows));
      }),
      { numRuns: 40, seed: 7 },
    );
  });
});

test("the item count is where the form says it is", () => {
  const row: FormRow = {
    startTicks: 17_700_000_000_000_000n,
    durationTicks: 10_000,
    name: "GET /",
    resultCode: "200",
    success: true,
    itemCount: 4,
    role: "orders-api",
  };
  for (const form of requestForms) {
    const [sampled, single] = records(form.name, textOf(form.write([row, { ...row, itemCount: 1 }])));
    const count = first(sampled!, "itemCount", "ItemCount") ?? at(sampled, "request", 0, "count");
    if (form.itemCountFromEnvelope) {
      expect([count, sampled!.sampleRate, single!.sampleRate]).toEqual([undefined, 25, undefined]);
    } else {
      expect(Number(count)).toBe(4);
    }
  }
});

describe.each([...eventForms, ...unseenEventForms].map((form) => [form.name, form] as const))(
  "%s",
  (_n, form) => {
    test("keeps time, reason, text, replica and count of the events, in order", () => {
      for (let seed = 0; seed < 5; seed++) {
        const { events } = seededFleet(seed, { milliseconds: form.millisecondsOnly === true });
        const all = records(form.name, textOf(form.write(events)));
        const real = all.filter((record) => record.ContainerAppName !== null);
        const read = real.map((record) => {
          const fields = (record.properties ?? record) as Flat;
          const own = first(record, "TimeStamp", "TimeStamp_s", "time_t", "time", "TimeGenerated");
          const clock = own === "" ? record.time_t : own;
          return {
            timeTicks: ticksOf(String(clock)),
            reason: first(fields, "Reason", "Reason_s"),
            text: first(fields, "Msg", "Log", "Log_s"),
            replica: first(fields, "ReplicaName", "ReplicaName_s"),
            count: Number(first(fields, "Count", "Count_d")),
          };
        });
        const wanted = events.map(({ timeTicks, reason, text, replica, count }: FormEvent) => {
          return { timeTicks, reason, text, replica, count };
        });
        expect(read).toEqual(wanted);
      }
    });
  },
);
