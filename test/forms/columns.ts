import type { Json, JsonObject } from "./text.ts";
import type { FormRow } from "./types.ts";

/** Which of the two spellings of the requests table a form uses. */
export type Naming = "classic" | "workspace";

export type ColumnType = "datetime" | "string" | "real" | "int" | "bool" | "dynamic";

export interface Column {
  readonly classic: string;
  readonly workspace: string;
  readonly type: ColumnType;
  /** Carries data of a `FormRow`; the others are the table's boilerplate. */
  readonly core: boolean;
  value(row: FormRow, index: number): bigint | string | number | boolean | JsonObject | undefined;
}

/** How a form spells a value of each type; undefined leaves the property out. */
export interface Encoding {
  time(ticks: bigint): Json;
  text(text: string | undefined, index: number): Json | undefined;
  real(value: number): Json;
  int(value: number): Json;
  bool(value: boolean): Json;
  dynamic(value: JsonObject | undefined, index: number): Json | undefined;
}

/** The row's custom dimensions as stored, with the sample rate among them. */
export function storedDimensions(row: FormRow): Record<string, string> | undefined {
  const rate = row.sampleRate === undefined ? {} : { "microsoft.sample_rate": String(row.sampleRate) };
  const all = { ...row.dimensions, ...rate };
  return Object.keys(all).length === 0 ? undefined : all;
}

const BUCKETS: readonly (readonly [number, string])[] = [
  [250, "<250ms"],
  [500, "250ms-500ms"],
  [1_000, "500ms-1sec"],
  [3_000, "1sec-3sec"],
  [7_000, "3sec-7sec"],
  [15_000, "7sec-15sec"],
  [30_000, "15sec-30sec"],
  [60_000, "30sec-1min"],
  [120_000, "1min-2min"],
  [300_000, "2min-5min"],
];

/** The table's `performanceBucket` of a duration in ticks. */
export function performanceBucket(ticks: number): string {
  return BUCKETS.find(([below]) => ticks / 10_000 < below)?.[1] ?? ">=5min";
}

/** A GUID that differs for each number, for record ids. */
export function guid(n: number): string {
  return `7f156650-0000-4000-8000-${n.toString(16).padStart(12, "0")}`;
}

export const RESOURCE_ID =
  "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/rg1/providers/microsoft.insights/components/ai1";
export const RESOURCE_GUID = "11111111-0000-0000-0000-000000000000";
export const IKEY = "22222222-0000-0000-0000-000000000000";

function column(names: string, type: ColumnType, value: Column["value"], core = true): Column {
  const [classic = "", workspace = ""] = names.split("/");
  return { classic, workspace, type, value, core };
}
const boilerplate = (names: string, value: Column["value"] = () => undefined): Column =>
  column(names, "string", value, false);

/** The columns of `requests` / `AppRequests`, in the table's order. */
export const requestColumns: readonly Column[] = [
  column("timestamp/TimeGenerated", "datetime", (row) => row.startTicks),
  column("id/Id", "string", (row) => row.id),
  column("source/Source", "string", (row) => row.source),
  column("name/Name", "string", (row) => row.name),
  column("url/Url", "string", (row) => row.url),
  column("success/Success", "bool", (row) => row.success),
  column("resultCode/ResultCode", "string", (row) => row.resultCode),
  column("duration/DurationMs", "real", (row) => row.durationTicks / 10_000),
  boilerplate("performanceBucket/PerformanceBucket", (row) => performanceBucket(row.durationTicks)),
  column("customDimensions/Properties", "dynamic", storedDimensions),
  column("customMeasurements/Measurements", "dynamic", (row) => row.measurements),
  column("operation_Name/OperationName", "string", (row) => row.name),
  column("operation_Id/OperationId", "string", (row) => row.operationId),
  column("operation_ParentId/ParentId", "string", (row) => row.parentId),
  column("operation_SyntheticSource/SyntheticSource", "string", (row) => row.syntheticSource),
  boilerplate("session_Id/SessionId"),
  boilerplate("user_Id/UserId"),
  boilerplate("user_AuthenticatedId/UserAuthenticatedId"),
  boilerplate("user_AccountId/UserAccountId"),
  column("application_Version/AppVersion", "string", (row) => row.version),
  boilerplate("client_Type/ClientType", () => "PC"),
  boilerplate("client_Model/ClientModel"),
  boilerplate("client_OS/ClientOS"),
  boilerplate("client_IP/ClientIP", () => "0.0.0.0"),
  boilerplate("client_City/ClientCity"),
  boilerplate("client_StateOrProvince/ClientStateOrProvince"),
  boilerplate("client_CountryOrRegion/ClientCountryOrRegion"),
  boilerplate("client_Browser/ClientBrowser"),
  column("cloud_RoleName/AppRoleName", "string", (row) => row.role),
  column("cloud_RoleInstance/AppRoleInstance", "string", (row) => row.instance),
  boilerplate("appId/ResourceGUID", () => RESOURCE_GUID),
  boilerplate("appName/_ResourceId", () => RESOURCE_ID),
  boilerplate("iKey/IKey", () => IKEY),
  column("sdkVersion/SDKVersion", "string", (row) => row.sdkVersion),
  boilerplate("itemId/_ItemId", (_row, index) => guid(index + 1)),
  column("itemCount/ItemCount", "int", (row) => row.itemCount),
];

const tableName = (naming: Naming): Column =>
  boilerplate("itemType/Type", () => (naming === "classic" ? "request" : "AppRequests"));

/** All columns of one naming, or only those that carry a row's data. */
export function columnsOf(naming: Naming, only: "all" | "core"): readonly Column[] {
  if (only === "core") return requestColumns.filter((item) => item.core);
  const at = 9;
  return [...requestColumns.slice(0, at), tableName(naming), ...requestColumns.slice(at)];
}

/** One cell in a form's spelling. */
export function cell(item: Column, row: FormRow, index: number, encoding: Encoding): Json | undefined {
  const value = item.value(row, index);
  if (item.type === "dynamic") return encoding.dynamic(value as JsonObject | undefined, index);
  if (item.type === "string") return encoding.text(value as string | undefined, index);
  if (typeof value === "bigint") return encoding.time(value);
  if (typeof value === "boolean") return encoding.bool(value);
  return item.type === "int" ? encoding.int(value as number) : encoding.real(value as number);
}

/** A row as one flat object in a form's spelling. */
export function flatRow(
  row: FormRow,
  index: number,
  naming: Naming,
  columns: readonly Column[],
  encoding: Encoding,
): JsonObject {
  return Object.fromEntries(columns.map((item) => [item[naming], cell(item, row, index, encoding)]));
}
