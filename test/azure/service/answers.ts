import type { EngineAnswer } from "./engine.ts";

/** Status and JSON of an answer. */
export interface Reply {
  readonly status: number;
  readonly json: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The services differ in how they say that something is wrong. */
export type Service = "logs" | "metrics" | "kusto";

export function errorReply(
  service: Service,
  status: number,
  code: string,
  message: string,
  inner?: { readonly code: string; readonly message: string },
): Reply {
  if (service !== "kusto") {
    return { status, json: { error: { message, code, ...(inner ? { innererror: inner } : {}) } } };
  }
  const error = {
    code,
    message: "Request is invalid and cannot be executed.",
    "@type": "Kusto.Data.Exceptions.KustoException",
    "@message": inner?.message ?? message,
    "@permanent": status < 500,
  };
  return { status, json: { error } };
}

/** Why an answer holds the first rows alone. */
export interface Cut {
  readonly rows: number;
  readonly limit: number;
}

/** The answer of Azure Monitor's query service. */
export function logsReply({ columns, rows }: EngineAnswer, cut: Cut | null): Reply {
  const table = { name: "PrimaryResult", columns, rows: cut === null ? rows : rows.slice(0, cut.rows) };
  if (cut === null) return { status: 200, json: { tables: [table] } };
  const innererror = {
    code: "-2133196797",
    message: `The results of this query exceed the set limit of ${cut.limit} records.`,
    severity: 2,
    severityName: "Error",
  };
  const error = {
    code: "PartialError",
    message: "There were some errors when processing your query.",
    details: [{ code: "EngineError", message: "Something went wrong processing your query.", innererror }],
  };
  return { status: 200, json: { tables: [table], error } };
}

const tooMany = ({ limit }: Cut) => ({
  error: {
    code: "LimitsExceeded",
    message: "Request is invalid and cannot be executed.",
    "@type": "Kusto.Data.Exceptions.KustoServicePartialQueryFailureLimitsExceededException",
    "@message": `Query result set has exceeded the internal record count limit ${limit} (E_QUERY_RESULT_SET_TOO_LARGE; see https://aka.ms/kustoquerylimits)`,
    "@permanent": false,
  },
});

/** Frames of Kusto's protocol, version 2: dynamic values are JSON values there. */
export function kustoFrames({ columns, rows }: EngineAnswer, cut: Cut | null): Reply {
  const dynamic = columns.map(({ type }) => type === "dynamic");
  const parsed = (cut === null ? rows : rows.slice(0, cut.rows)).map((row) =>
    row.map((cell, i) => (dynamic[i] && typeof cell === "string" ? (JSON.parse(cell) as unknown) : cell)),
  );
  const faults = cut === null ? {} : { OneApiErrors: [tooMany(cut)] };
  const primary = {
    FrameType: "DataTable",
    TableId: 1,
    TableKind: "PrimaryResult",
    TableName: "PrimaryResult",
    Columns: columns.map(({ name, type }) => ({ ColumnName: name, ColumnType: type })),
    Rows: cut === null ? parsed : [...parsed, faults],
  };
  const json = [
    { FrameType: "DataSetHeader", IsProgressive: false, Version: "v2.0" },
    primary,
    { FrameType: "DataSetCompletion", HasErrors: cut !== null, Cancelled: false, ...faults },
  ];
  return { status: 200, json };
}

const NET: Readonly<Record<string, string>> = {
  bool: "SByte",
  int: "Int32",
  long: "Int64",
  real: "Double",
  datetime: "DateTime",
  timespan: "TimeSpan",
  dynamic: "Object",
};

/** Tables of Kusto's protocol, version 1: dynamic values are JSON text there. */
export function kustoTables({ columns, rows }: EngineAnswer, cut: Cut | null): Reply {
  const table = {
    TableName: "Table_0",
    Columns: columns.map(({ name, type }) => ({
      ColumnName: name,
      DataType: NET[type] ?? "String",
      ColumnType: type,
    })),
    Rows: cut === null ? rows : rows.slice(0, cut.rows),
  };
  const faults = cut === null ? {} : { Exceptions: [tooMany(cut).error["@message"]] };
  return { status: 200, json: { Tables: [table], ...faults } };
}

/** Where clients of a cluster are to sign in. */
export const authMetadata: Reply = {
  status: 200,
  json: {
    AzureAD: {
      LoginEndpoint: "https://login.microsoftonline.com",
      LoginMfaRequired: false,
      KustoClientAppId: "db662dc1-0cfe-4e1c-a843-19a68e65be58",
      KustoClientRedirectUri: "https://microsoft/kustoclient",
      KustoServiceResourceId: "https://kusto.kusto.windows.net",
      FirstPartyAuthorityUrl: "https://login.microsoftonline.com/f8cdef31-a31e-4b4a-93e4-5f571e91255a",
    },
  },
};
