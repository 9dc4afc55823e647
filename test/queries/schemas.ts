import type { Tables } from "./kusto.ts";

/**
 * The published columns of the tables that the queries read, with Kusto's types. Sources: the table
 * reference of Azure Monitor and the page that maps the classic names to those of a workspace.
 */
const CLASSIC_END = [
  "itemType: string, customDimensions: dynamic, customMeasurements: dynamic",
  "operation_Name: string, operation_Id: string, operation_ParentId: string, operation_SyntheticSource: string",
  "session_Id: string, user_Id: string, user_AuthenticatedId: string, user_AccountId: string",
  "application_Version: string, client_Type: string, client_Model: string, client_OS: string",
  "client_IP: string, client_City: string, client_StateOrProvince: string, client_CountryOrRegion: string",
  "client_Browser: string, cloud_RoleName: string, cloud_RoleInstance: string, appId: string, appName: string",
  "iKey: string, sdkVersion: string, itemId: string",
].join(", ");

const WORKSPACE_END = [
  "Properties: dynamic, OperationName: string, OperationId: string, ParentId: string, SyntheticSource: string",
  "SessionId: string, UserId: string, UserAuthenticatedId: string, UserAccountId: string, AppVersion: string",
  "ClientType: string, ClientModel: string, ClientOS: string, ClientIP: string, ClientCity: string",
  "ClientStateOrProvince: string, ClientCountryOrRegion: string, ClientBrowser: string, AppRoleName: string",
  "AppRoleInstance: string, ResourceGUID: string, IKey: string, SDKVersion: string, _ItemId: string",
  "ReferencedItemId: string, ReferencedType: string, SourceSystem: string, TenantId: string, Type: string",
  "_ResourceId: string, _SubscriptionId: string, _BilledSize: real, _IsBillable: string",
].join(", ");

const classic = (columns: string): string => `timestamp: datetime, ${columns}, ${CLASSIC_END}`;
const workspace = (columns: string): string => `TimeGenerated: datetime, ${columns}, ${WORKSPACE_END}`;

export const CLASSIC: Tables = {
  requests: classic(
    "id: string, source: string, name: string, url: string, success: string, resultCode: string, duration: real, performanceBucket: string, itemCount: int",
  ),
  dependencies: classic(
    "id: string, target: string, type: string, name: string, data: string, success: string, resultCode: string, duration: real, performanceBucket: string, itemCount: int",
  ),
  traces: classic("message: string, severityLevel: int, itemCount: int"),
  customMetrics: classic(
    "name: string, value: real, valueCount: int, valueSum: real, valueMin: real, valueMax: real, valueStdDev: real",
  ),
};

export const WORKSPACE: Tables = {
  AppRequests: workspace(
    "Id: string, Source: string, Name: string, Url: string, Success: bool, ResultCode: string, DurationMs: real, PerformanceBucket: string, Measurements: dynamic, ItemCount: int",
  ),
  AppDependencies: workspace(
    "Id: string, Target: string, DependencyType: string, Name: string, Data: string, Success: bool, ResultCode: string, DurationMs: real, PerformanceBucket: string, Measurements: dynamic, ItemCount: int",
  ),
  AppTraces: workspace("Message: string, SeverityLevel: int, Measurements: dynamic, ItemCount: int"),
};

/** The two spellings that the pages give the value columns of the metrics. */
export const APP_METRICS: Readonly<Record<string, string>> = {
  Sum: workspace("Name: string, Max: real, Min: real, Sum: real, ItemCount: int"),
  ValueSum: workspace("Name: string, ValueMax: real, ValueMin: real, ValueSum: real, ValueCount: int"),
};

/** Columns of a custom log appear with the first row that fills them. */
const SYSTEM_LOGS_CL =
  "TenantId: string, SourceSystem: string, MG: string, ManagementGroupName: string, TimeGenerated: datetime, Computer: string, RawData: string, Error_s: string, _timestamp_d: real, EventSource_s: string, Reason_s: string, ReplicaName_s: string, Type_s: string, RevisionName_s: string, EnvironmentName_s: string, Log_s: string, Count_d: real, ContainerAppName_s: string, Level: string, Type: string, _ResourceId: string";

export const SYSTEM_LOGS_CL_FORMS: Readonly<Record<string, Tables>> = {
  "all columns": {
    ContainerAppSystemLogs_CL: `${SYSTEM_LOGS_CL}, time_t: datetime, TimeStamp_s: string, time_s: string, JobName_s: string, ExecutionName_s: string`,
  },
  "no optional column": { ContainerAppSystemLogs_CL: SYSTEM_LOGS_CL },
};

export const SYSTEM_LOGS: Tables = {
  ContainerAppSystemLogs:
    "_BilledSize: real, ComponentName: string, ComponentType: string, ContainerAppName: string, ContainerName: string, Count: int, EnvironmentName: string, EventSource: string, _IsBillable: string, JobName: string, Location: string, Log: string, OperationName: string, Reason: string, ReplicaName: string, _ResourceId: string, RevisionName: string, SourceSystem: string, _SubscriptionId: string, TenantId: string, TimeGenerated: datetime, Type: string",
};
