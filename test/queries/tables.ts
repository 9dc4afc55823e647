import type { KqlEngine } from "../azure/engine.ts";

/** Cells of a row by the names of its columns; what is not named is empty, or null where no text. */
export type Row = Readonly<Record<string, unknown>>;

/** A workspace's names of classic columns. */
const WORKSPACE_NAMES: Readonly<Record<string, string>> = {
  timestamp: "TimeGenerated",
  id: "Id",
  source: "Source",
  name: "Name",
  url: "Url",
  success: "Success",
  resultCode: "ResultCode",
  duration: "DurationMs",
  itemCount: "ItemCount",
  customDimensions: "Properties",
  customMeasurements: "Measurements",
  operation_Id: "OperationId",
  operation_ParentId: "ParentId",
  operation_SyntheticSource: "SyntheticSource",
  user_Id: "UserId",
  client_IP: "ClientIP",
  application_Version: "AppVersion",
  sdkVersion: "SDKVersion",
  cloud_RoleName: "AppRoleName",
  cloud_RoleInstance: "AppRoleInstance",
  target: "Target",
  type: "DependencyType",
  data: "Data",
  message: "Message",
};

/** The same rows as a workspace holds them. */
export function workspaceRows(rows: readonly Row[]): Row[] {
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        WORKSPACE_NAMES[name]!,
        name === "success" ? value === "True" : value,
      ]),
    ),
  );
}

/**
 * Loads a table with all columns of its schema.
 *
 * @throws Error where a row names a column that the schema lacks
 */
export async function loadTable(
  engine: KqlEngine,
  table: string,
  schema: string,
  rows: readonly Row[],
): Promise<void> {
  const columns = schema.split(", ").map((column) => {
    const [name, type] = column.split(": ");
    return { name: name!, type: type! };
  });
  const known = new Set(columns.map(({ name }) => name));
  for (const name of rows.flatMap(Object.keys)) {
    if (!known.has(name)) throw new Error(`${table} has no column ${name}`);
  }
  const cells = rows.map((row) =>
    columns.map(({ name, type }) => row[name] ?? (type === "string" ? "" : null)),
  );
  await engine.load(table, JSON.stringify({ tables: [{ name: "PrimaryResult", columns, rows: cells }] }));
}
