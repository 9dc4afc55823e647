import {
  type Column,
  type ColumnType,
  cell,
  columnsOf,
  type Encoding,
  flatRow,
  type Naming,
} from "./columns.ts";
import { azureCliText, queryClassic, queryWorkspace, sdkDump } from "./encodings.ts";
import { type Json, type JsonObject, jsonText, sortKeys, utf8 } from "./text.ts";
import type { FormRow } from "./types.ts";

/** A column's type as the service declares it: classic `success` is a string. */
export function declaredType(column: Column, naming: Naming): ColumnType {
  return column.type === "bool" && naming === "classic" ? "string" : column.type;
}

/** The rows as arrays of cells; a value that is missing is null unless the encoding has a word for it. */
export function cells(rows: readonly FormRow[], columns: readonly Column[], encoding: Encoding): Json[][] {
  return rows.map((row, index) => columns.map((column) => cell(column, row, index, encoding) ?? null));
}

function restTable(rows: readonly FormRow[], naming: Naming, encoding: Encoding): JsonObject {
  const columns = columnsOf(naming, "all");
  return {
    name: "PrimaryResult",
    columns: columns.map((column) => ({ name: column[naming], type: declaredType(column, naming) })),
    rows: cells(rows, columns, encoding),
  };
}

/** `az monitor app-insights query`: the REST answer, keys sorted, two blanks of indentation. */
export function appInsightsCli(rows: readonly FormRow[]): Uint8Array {
  const reply = { tables: [restTable(rows, "classic", queryClassic)] };
  return utf8(`${jsonText(sortKeys(reply), { indent: "  " })}\n`);
}

/** `az monitor log-analytics query`: an array of objects, every value text. */
export function logAnalyticsCli(rows: readonly FormRow[]): Uint8Array {
  const columns = columnsOf("workspace", "all");
  const objects = rows.map((row, index) => ({
    TableName: "PrimaryResult",
    ...flatRow(row, index, "workspace", columns, azureCliText),
  }));
  return utf8(`${jsonText(sortKeys(objects), { indent: "  " })}\n`);
}

/** The REST answer of a query on the Application Insights resource. */
export function restTablesClassic(rows: readonly FormRow[]): Uint8Array {
  return utf8(jsonText({ tables: [restTable(rows, "classic", queryClassic)] }));
}

/** The REST answer of a query on the workspace. */
export function restTablesWorkspace(rows: readonly FormRow[]): Uint8Array {
  return utf8(jsonText({ tables: [restTable(rows, "workspace", queryWorkspace)] }));
}

/** A result of `@azure/monitor-query-logs`, dumped: `columnDescriptors`, dates as ISO milliseconds. */
export function sdkResultDump(rows: readonly FormRow[]): Uint8Array {
  const { name, columns, rows: values } = restTable(rows, "workspace", sdkDump);
  const reply: JsonObject = {
    tables: [{ name, columnDescriptors: columns, rows: values }],
    status: "Success",
  };
  return utf8(jsonText(reply, { indent: "  " }));
}
