import { columnsOf, type Naming } from "../../forms/columns.ts";
import { declaredType } from "../../forms/request-tables.ts";
import type { KqlType, Schema } from "./engine.ts";

/** How the value columns of AppMetrics are spelt: the documents disagree. */
export type MetricSpelling = "Sum" | "ValueSum";

/** The optional columns of ContainerAppSystemLogs_CL with an event's own clock. */
export interface ClClocks {
  readonly timeStamp?: boolean;
  readonly time?: boolean;
}

/** A column in both namings; one that a naming lacks is empty there. */
type Both = readonly [classic: string, workspace: string, type: KqlType];

const strings = (pairs: string): Both[] =>
  pairs.split(" ").map((pair) => {
    const [classic = "", workspace = ""] = pair.split("/");
    return [classic, workspace, "string"];
  });

const dimensions: Both = ["customDimensions", "Properties", "dynamic"];
const measurements: Both = ["customMeasurements", "Measurements", "dynamic"];
const itemCount: Both = ["itemCount", "ItemCount", "int"];
const time: Both = ["timestamp", "TimeGenerated", "datetime"];

/** What every table of telemetry has about the operation, the client, the process and the resource. */
const context: readonly Both[] = strings(
  "itemType/Type operation_Name/OperationName operation_Id/OperationId operation_ParentId/ParentId operation_SyntheticSource/SyntheticSource session_Id/SessionId user_Id/UserId user_AuthenticatedId/UserAuthenticatedId user_AccountId/UserAccountId application_Version/AppVersion client_Type/ClientType client_Model/ClientModel client_OS/ClientOS client_IP/ClientIP client_City/ClientCity client_StateOrProvince/ClientStateOrProvince client_CountryOrRegion/ClientCountryOrRegion client_Browser/ClientBrowser cloud_RoleName/AppRoleName cloud_RoleInstance/AppRoleInstance appId/ResourceGUID appName/_ResourceId iKey/IKey sdkVersion/SDKVersion itemId/_ItemId",
);

function named(columns: readonly Both[], naming: Naming): Schema {
  return columns.flatMap(([classic, workspace, type]) => {
    const name = naming === "classic" ? classic : workspace;
    return name === "" ? [] : [[name, type] as const];
  });
}

/** requests, AppRequests. */
export function requestSchema(naming: Naming): Schema {
  return columnsOf(naming, "all").map((column) => [column[naming], declaredType(column, naming)]);
}

/** dependencies, AppDependencies. */
export function dependencySchema(naming: Naming): Schema {
  const columns: readonly Both[] = [
    time,
    ...strings("id/Id target/Target type/DependencyType name/Name data/Data"),
    ["success", "Success", naming === "classic" ? "string" : "bool"],
    ...strings("resultCode/ResultCode"),
    ["duration", "DurationMs", "real"],
    ...strings("performanceBucket/PerformanceBucket"),
    dimensions,
    measurements,
    ...context,
    itemCount,
  ];
  return named(columns, naming);
}

/** traces, AppTraces. */
export function traceSchema(naming: Naming): Schema {
  const severity: Both = ["severityLevel", "SeverityLevel", "int"];
  const columns = [time, ...strings("message/Message"), severity, dimensions, measurements, ...context];
  return named([...columns, itemCount], naming);
}

/** customMetrics, AppMetrics. */
export function metricSchema(naming: Naming, spelling: MetricSpelling = "Sum"): Schema {
  const long = spelling === "ValueSum";
  const values: readonly Both[] = [
    ["value", "", "real"],
    ["valueCount", long ? "ValueCount" : "ItemCount", "int"],
    ["valueSum", long ? "ValueSum" : "Sum", "real"],
    ["valueMin", long ? "ValueMin" : "Min", "real"],
    ["valueMax", long ? "ValueMax" : "Max", "real"],
    ["valueStdDev", "", "real"],
  ];
  return named([time, ...strings("name/Name"), ...values, dimensions, ...context], naming);
}

/** ContainerAppSystemLogs_CL, in the order of an export. */
export function systemLogClSchema({ timeStamp = true, time: own = true }: ClClocks = {}): Schema {
  const text = (names: string): Schema => names.split(" ").map((name) => [name, "string"]);
  return [
    ...text("TenantId SourceSystem"),
    ["TimeGenerated", "datetime"],
    ...text("Computer RawData"),
    ...(own ? ([["time_t", "datetime"]] as const) : []),
    ...text("Error_s"),
    ["_timestamp_d", "real"],
    ...text("EventSource_s Reason_s ReplicaName_s Type_s RevisionName_s EnvironmentName_s Log_s"),
    ["Count_d", "real"],
    ...text("ContainerAppName_s Level"),
    ...(timeStamp ? text("TimeStamp_s") : []),
    ...text("Type _ResourceId"),
  ];
}

/** ContainerAppSystemLogs. */
export const systemLogSchema: Schema = [
  ["TimeGenerated", "datetime"],
  ["_BilledSize", "real"],
  ["Count", "int"],
  ...(
    "ComponentName ComponentType ContainerAppName ContainerName EnvironmentName EventSource _IsBillable JobName Location Log OperationName Reason ReplicaName _ResourceId RevisionName SourceSystem _SubscriptionId TenantId Type" as const
  )
    .split(" ")
    .map((name) => [name, "string"] as const),
];
