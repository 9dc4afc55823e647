import { type ColumnType, columnsOf, type Naming } from "./columns.ts";
import { kustoV1, kustoV2 } from "./encodings.ts";
import { cells, declaredType } from "./request-tables.ts";
import { type Json, type JsonObject, jsonText, utf8 } from "./text.ts";
import type { FormRow } from "./types.ts";

const DATA_TYPES: Record<ColumnType, string> = {
  datetime: "DateTime",
  string: "String",
  real: "Double",
  int: "Int32",
  bool: "SByte",
  dynamic: "Object",
};

const REQUEST_ID = "ee8842dc-0000-4000-8000-000000000001";
const QUERY_TIME = "2026-12-01T11:35:51.1229415Z";

function v1Table(
  name: string,
  columns: readonly (readonly [string, string, string])[],
  rows: Json,
): JsonObject {
  return {
    TableName: name,
    Columns: columns.map(([column, data, type]) => ({
      ColumnName: column,
      DataType: data,
      ColumnType: type,
    })),
    Rows: rows,
  };
}

/** A Kusto v1 answer: the rows, the properties, the status table and the table of contents. */
export function kustoV1Tables(rows: readonly FormRow[]): Uint8Array {
  const columns = columnsOf("classic", "all");
  const described = columns.map((column) => {
    const type = declaredType(column, "classic");
    return [column.classic, DATA_TYPES[type], type] as const;
  });
  const text = (name: string) => [name, "String", "string"] as const;
  const int = (name: string) => [name, "Int32", "int"] as const;
  const status = [
    ["Timestamp", "DateTime", "datetime"] as const,
    int("Severity"),
    text("SeverityName"),
    int("StatusCode"),
    text("StatusDescription"),
    int("Count"),
    ["RequestId", "Guid", "guid"] as const,
  ];
  const contents = [["Ordinal", "Int64", "long"] as const, text("Kind"), text("Name")];
  const done = [QUERY_TIME, 4, "Info", 0, "Query completed successfully", 1, REQUEST_ID];
  const toc = [
    [0, "QueryResult", "PrimaryResult"],
    [1, "QueryProperties", "@ExtendedProperties"],
    [2, "QueryStatus", "QueryStatus"],
  ];
  const tables = [
    v1Table("Table_0", described, cells(rows, columns, kustoV1)),
    v1Table("Table_1", [text("Value")], [['{"Visualization":null}']]),
    v1Table("Table_2", status, [done]),
    v1Table("Table_3", contents, toc),
  ];
  return utf8(jsonText({ Tables: tables }));
}

function v2Columns(columns: readonly (readonly [string, string])[]): Json {
  return columns.map(([name, type]) => ({ ColumnName: name, ColumnType: type }));
}

const propertiesFrame: JsonObject = {
  FrameType: "DataTable",
  TableId: 0,
  TableName: "@ExtendedProperties",
  TableKind: "QueryProperties",
  Columns: v2Columns([
    ["TableId", "int"],
    ["Key", "string"],
    ["Value", "dynamic"],
  ]),
  Rows: [
    [1, "Visualization", '{"Visualization":null,"Title":null,"XColumn":null,"Series":null,"Kind":null}'],
  ],
};

const completionFrames: readonly JsonObject[] = [
  {
    FrameType: "DataTable",
    TableId: 2,
    TableName: "QueryCompletionInformation",
    TableKind: "QueryCompletionInformation",
    Columns: v2Columns([
      ["Timestamp", "datetime"],
      ["ClientRequestId", "string"],
      ["ActivityId", "guid"],
      ["Level", "int"],
      ["LevelName", "string"],
      ["StatusCode", "int"],
      ["StatusCodeName", "string"],
      ["Payload", "string"],
    ]),
    Rows: [
      [
        QUERY_TIME,
        "unspecified;a7d2f1c0-0000-4000-8000-000000000001",
        REQUEST_ID,
        4,
        "Info",
        0,
        "S_OK (0)",
        '{"Count":1,"Text":"Query completed successfully"}',
      ],
    ],
  },
  { FrameType: "DataSetCompletion", HasErrors: false, Cancelled: false },
];

/** One frame a line inside one array, the comma before the frame, as the service streams them. */
function frames(list: readonly Json[]): Uint8Array {
  return utf8(`[${list.map((frame) => jsonText(frame)).join("\n,")}\n]`);
}

function described(naming: Naming): Json {
  return v2Columns(columnsOf(naming, "all").map((column) => [column[naming], declaredType(column, naming)]));
}

/** A Kusto v2 answer in whole tables, workspace names. */
export function kustoV2Frames(rows: readonly FormRow[]): Uint8Array {
  const primary = {
    FrameType: "DataTable",
    TableId: 1,
    TableName: "PrimaryResult",
    TableKind: "PrimaryResult",
    Columns: described("workspace"),
    Rows: cells(rows, columnsOf("workspace", "all"), kustoV2),
  };
  const header = { FrameType: "DataSetHeader", IsProgressive: false, Version: "v2.0" };
  return frames([header, propertiesFrame, primary, ...completionFrames]);
}

/** A progressive Kusto v2 answer: header, fragments with progress between them, completion. */
export function kustoV2Progressive(rows: readonly FormRow[]): Uint8Array {
  const values = cells(rows, columnsOf("classic", "all"), kustoV1);
  const half = Math.ceil(values.length / 2);
  const fragment = (part: Json[][]): JsonObject => ({
    FrameType: "TableFragment",
    TableFragmentType: "DataAppend",
    TableId: 1,
    Rows: part,
  });
  return frames([
    { FrameType: "DataSetHeader", IsProgressive: true, Version: "v2.0" },
    propertiesFrame,
    {
      FrameType: "TableHeader",
      TableId: 1,
      TableKind: "PrimaryResult",
      TableName: "PrimaryResult",
      Columns: described("classic"),
    },
    fragment(values.slice(0, half)),
    { FrameType: "TableProgress", TableId: 1, TableProgress: 50 },
    fragment(values.slice(half)),
    { FrameType: "TableCompletion", TableId: 1, RowCount: values.length },
    ...completionFrames,
  ]);
}
