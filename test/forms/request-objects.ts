import {
  columnsOf,
  type Encoding,
  flatRow,
  IKEY,
  type Naming,
  performanceBucket,
  RESOURCE_GUID,
  RESOURCE_ID,
  storedDimensions,
} from "./columns.ts";
import { flatObjects, flatText, workspaceExport } from "./encodings.ts";
import { type JsonObject, jsonText, utf8 } from "./text.ts";
import { iso7 } from "./times.ts";
import type { FormRow } from "./types.ts";

function objects(rows: readonly FormRow[], naming: Naming, encoding: Encoding): JsonObject[] {
  const columns = columnsOf(naming, "core");
  return rows.map((row, index) => flatRow(row, index, naming, columns, encoding));
}

const lines = (list: readonly JsonObject[], end = "\n"): string =>
  list.map((item) => jsonText(item) + end).join("");

/** The text of `ndjsonClassic`, with the given line end. */
export function ndjsonClassicText(rows: readonly FormRow[], end = "\n"): string {
  return lines(objects(rows, "classic", flatObjects), end);
}

/** One flat object a line, classic names, custom dimensions as an object. */
export function ndjsonClassic(rows: readonly FormRow[]): Uint8Array {
  return utf8(ndjsonClassicText(rows));
}

/** One flat object a line, classic names, everything text, custom dimensions as JSON text. */
export function ndjsonClassicStringDims(rows: readonly FormRow[]): Uint8Array {
  return utf8(lines(objects(rows, "classic", flatText)));
}

/** Pretty-printed objects one after another, no commas between them; workspace names. */
export function concatenatedPrettyJson(rows: readonly FormRow[]): Uint8Array {
  const list = objects(rows, "workspace", { ...flatText, ...numbers, dynamic: (value) => value });
  return utf8(list.map((item) => `${jsonText(item, { indent: "  " })}\n`).join(""));
}

const numbers = {
  real: (value: number) => value,
  int: (value: number) => value,
  bool: (value: boolean) => value,
};

/** One array of flat objects, classic names, missing values left out. */
export function jsonArray(rows: readonly FormRow[]): Uint8Array {
  const encoding: Encoding = { ...flatObjects, text: (text) => text, dynamic: (value) => value };
  return utf8(`${jsonText(objects(rows, "classic", encoding), { indent: "\t" })}\n`);
}

/** A record of a diagnostic setting: `time` for TimeGenerated, typed values, missing ones left out. */
function diagnosticRecord(row: FormRow): JsonObject {
  return {
    time: iso7(row.startTicks),
    resourceId: RESOURCE_ID.toUpperCase(),
    ResourceGUID: RESOURCE_GUID,
    Type: "AppRequests",
    AppRoleInstance: row.instance,
    AppRoleName: row.role,
    AppVersion: row.version,
    ClientIP: "0.0.0.0",
    ClientType: "PC",
    IKey: IKEY,
    _BilledSize: 1082,
    OperationName: row.name,
    OperationId: row.operationId,
    ParentId: row.parentId,
    SyntheticSource: row.syntheticSource,
    SDKVersion: row.sdkVersion,
    Properties: storedDimensions(row),
    Measurements: row.measurements,
    Id: row.id,
    Name: row.name,
    Url: row.url,
    Source: row.source,
    Success: row.success,
    ResultCode: row.resultCode,
    DurationMs: row.durationTicks / 10_000,
    PerformanceBucket: performanceBucket(row.durationTicks),
    ItemCount: row.itemCount,
  };
}

/** A message of a diagnostic setting that streams to an event hub. */
export function eventhubRecords(rows: readonly FormRow[]): Uint8Array {
  return utf8(jsonText({ records: rows.map(diagnosticRecord) }));
}

/** A blob of a diagnostic setting that writes to storage: one record a line. */
export function storageRecords(rows: readonly FormRow[]): Uint8Array {
  return utf8(lines(rows.map(diagnosticRecord)));
}

/** A blob of the workspace's data export: the table's columns, one row a line. */
export function workspaceExportLines(rows: readonly FormRow[]): Uint8Array {
  const columns = columnsOf("workspace", "all");
  const list = rows.map((row, index) => ({
    TenantId: "33333333-0000-0000-0000-000000000000",
    ...flatRow(row, index, "workspace", columns, workspaceExport),
    SourceSystem: "Azure",
    _Internal_WorkspaceResourceId:
      "/subscriptions/00000000-0000-0000-0000-000000000000/resourcegroups/rg1/providers/microsoft.operationalinsights/workspaces/ws1",
  }));
  return utf8(lines(list));
}
