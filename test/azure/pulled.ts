import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { type Outcome, runWorld } from "../cli/world.ts";
import { restCl, restResourceSpecific } from "../forms/event-tables.ts";
import { restTablesClassic, restTablesWorkspace } from "../forms/request-tables.ts";
import type { FormEvent, FormRow } from "../forms/types.ts";
import type { KqlEngine } from "./engine.ts";
import type { AzureServer } from "./server.ts";

export const WORKSPACE = "00000000-0000-0000-0000-000000000001";
export const APP = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Insights/components/quotes";
export const CONTAINER_APP = "/subscriptions/s/resourceGroups/g/providers/Microsoft.App/containerApps/a";

/** A sign-in that always works. */
export const credential = {
  getToken: async () => ({ token: "a-token-nobody-may-see", expiresOnTimestamp: Number.MAX_SAFE_INTEGER }),
};

/** The fleet as tables of the service, and as files on disk that hold the same. */
export async function loadFleet(
  engine: KqlEngine,
  fleet: { readonly rows: readonly FormRow[]; readonly events: readonly FormEvent[] },
  folder: string,
): Promise<{ readonly classic: string; readonly workspace: string; readonly events: string }> {
  const files = {
    classic: join(folder, "requests.json"),
    workspace: join(folder, "app-requests.json"),
    events: join(folder, "events.json"),
  };
  const [classic, workspace] = [restTablesClassic(fleet.rows), restTablesWorkspace(fleet.rows)];
  writeFileSync(files.classic, classic);
  writeFileSync(files.workspace, workspace);
  writeFileSync(files.events, restCl(fleet.events));
  await engine.load("requests", classic);
  await engine.load("AppRequests", workspace);
  await engine.load("ContainerAppSystemLogs_CL", restCl(fleet.events));
  await engine.load("ContainerAppSystemLogs", restResourceSpecific([]));
  for (const sql of EMPTY) await engine.sql(sql);
  return files;
}

const bags = "customDimensions JSON, customMeasurements JSON";
const who = "cloud_RoleName VARCHAR, cloud_RoleInstance VARCHAR";
const appWho = "Properties JSON, Measurements JSON, AppRoleName VARCHAR, AppRoleInstance VARCHAR";
const EMPTY = [
  `CREATE OR REPLACE TABLE dependencies(timestamp TIMESTAMP, duration DOUBLE, operation_Id VARCHAR, operation_ParentId VARCHAR, name VARCHAR, target VARCHAR, type VARCHAR, itemCount INTEGER, ${bags}, ${who})`,
  `CREATE OR REPLACE TABLE AppDependencies(TimeGenerated TIMESTAMP, DurationMs DOUBLE, OperationId VARCHAR, ParentId VARCHAR, Name VARCHAR, Target VARCHAR, DependencyType VARCHAR, ItemCount INTEGER, ${appWho})`,
  `CREATE OR REPLACE TABLE traces(timestamp TIMESTAMP, message VARCHAR, operation_Id VARCHAR, itemCount INTEGER, ${bags}, ${who})`,
  `CREATE OR REPLACE TABLE AppTraces(TimeGenerated TIMESTAMP, Message VARCHAR, OperationId VARCHAR, ItemCount INTEGER, ${appWho})`,
  `CREATE OR REPLACE TABLE customMetrics(timestamp TIMESTAMP, name VARCHAR, valueCount INTEGER, valueSum DOUBLE, ${bags}, ${who})`,
  `CREATE OR REPLACE TABLE AppMetrics(TimeGenerated TIMESTAMP, Name VARCHAR, Sum DOUBLE, ItemCount INTEGER, ${appWho})`,
];

/** A folder that is removed after the tests of the file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "coldstart-pull-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs the program against a server, in a folder of its own. */
export function runAgainst(
  server: AzureServer,
  cwd: string,
  args: readonly string[],
  now = "2026-12-01T00:00:00Z",
): Promise<Outcome> {
  return runWorld(args, { cwd, env: server.env, credential, now });
}
