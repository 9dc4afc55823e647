import { CREDENTIALS, type CredentialName } from "../sources/azure/credential.ts";
import { CAPTURE_TABLES, type CaptureTable, isCapture, readManifest } from "../sources/capture/manifest.ts";
import { TICKS_PER_MINUTE, TICKS_PER_MS, ticksOfEpochMs } from "../telemetry/time.ts";
import { CONFIG_FILE } from "./config.ts";
import { type Config, GUID, RESOURCE } from "./config-schema.ts";
import { parseDuration } from "./durations.ts";
import { UsageError } from "./exit-codes.ts";
import { checkTimezone, parseUserInstant } from "./instants.ts";
import type { World } from "./world.ts";

/** The options of a pull, as commander hands them over. */
export interface PullFlags {
  readonly out?: string;
  readonly from?: string;
  readonly to?: string;
  readonly guard?: string;
  readonly timezone?: string;
  readonly workspace?: string;
  readonly appResource?: string;
  readonly cluster?: string;
  readonly database?: string;
  readonly schema?: string;
  readonly credential?: string;
  readonly role?: readonly string[];
  readonly app?: string;
  readonly metricsResource?: string;
  readonly metricsRegion?: string;
  readonly table?: readonly string[];
  readonly include?: readonly string[];
  readonly config?: string;
}

/** Where rows come from. */
export interface SourceSettings {
  readonly requests:
    | { readonly kind: "workspace" | "app"; readonly id: string }
    | { readonly kind: "cluster"; readonly id: string; readonly database: string };
  readonly schema: "classic" | "workspace";
  /** Workspace or cluster that holds the system log; null where none does. */
  readonly logs: "requests" | { readonly kind: "workspace"; readonly id: string } | null;
  readonly credential: CredentialName;
  readonly endpoint: string | undefined;
  readonly metrics: { readonly resource: string; readonly region: string | null } | null;
  readonly roles: readonly string[];
  readonly app: string;
}

export interface PullSettings {
  readonly source: SourceSettings;
  /** Ticks. */
  readonly from: number;
  readonly to: number;
  /** The window's start less the look-back. */
  readonly dataFrom: number;
  readonly tables: readonly CaptureTable[];
  readonly include: readonly string[];
}

/** Younger rows may still be on their way: a row is written when its request has ended, and then travels. */
export const SETTLE_TICKS = 15 * TICKS_PER_MINUTE;

/** Where rows come from, by flags before configuration. @throws UsageError */
export function sourceSettings(flags: PullFlags, config: Config): SourceSettings {
  const { source = {} } = config;
  const workspace = flags.workspace ?? source.workspace;
  const appResource = flags.appResource ?? source.app;
  // A workspace or resource given as an option comes before a cluster of the configuration.
  const isElsewhere = flags.workspace !== undefined || flags.appResource !== undefined;
  const cluster = flags.cluster ?? (isElsewhere ? undefined : source.cluster);
  if (workspace !== undefined && !GUID.test(workspace)) {
    throw new UsageError(
      `--workspace: "${workspace}" is no workspace id; it is the GUID that az monitor log-analytics workspace show calls customerId`,
    );
  }
  if (appResource !== undefined && !RESOURCE.test(appResource)) {
    throw new UsageError(
      `--app-resource: "${appResource}" is no resource id; write /subscriptions/…/providers/Microsoft.Insights/components/NAME`,
    );
  }
  const metricsResource = flags.metricsResource ?? source.metrics?.resource;
  if (metricsResource !== undefined && !RESOURCE.test(metricsResource)) {
    throw new UsageError(
      `--metrics-resource: "${metricsResource}" is no resource id; write /subscriptions/…/providers/Microsoft.App/containerApps/NAME`,
    );
  }
  const credential = CREDENTIALS.find(
    (name) => name === (flags.credential ?? source.credential ?? "default"),
  );
  if (credential === undefined) {
    throw new UsageError(`--credential: "${flags.credential}" is not one of ${CREDENTIALS.join(", ")}`);
  }
  const schema = flags.schema ?? source.schema ?? "workspace";
  if (schema !== "workspace" && schema !== "classic") {
    throw new UsageError(`--schema: "${schema}" is not one of workspace, classic`);
  }
  const shared = {
    credential,
    endpoint: source.endpoint,
    metrics:
      metricsResource === undefined
        ? null
        : { resource: metricsResource, region: flags.metricsRegion ?? source.metrics?.region ?? null },
    roles: flags.role ?? config.role ?? [],
    app: flags.app ?? config.app ?? "",
  };
  if (cluster !== undefined) {
    const database = flags.database ?? source.database;
    if (database === undefined) throw new UsageError("--cluster needs --database");
    if (!/^https:\/\/|^http:\/\/(?:127\.0\.0\.1|localhost)[:/]/.test(cluster)) {
      throw new UsageError(
        `--cluster: "${cluster}" is no address; write https://NAME.REGION.kusto.windows.net`,
      );
    }
    return { ...shared, requests: { kind: "cluster", id: cluster, database }, schema, logs: "requests" };
  }
  if (appResource !== undefined) {
    return {
      ...shared,
      requests: { kind: "app", id: appResource },
      schema: "classic",
      logs: workspace === undefined ? null : { kind: "workspace", id: workspace },
    };
  }
  if (workspace === undefined) {
    throw new UsageError(
      `no source: name one with --workspace, --app-resource or --cluster, or write ${CONFIG_FILE} with coldstart init`,
    );
  }
  return { ...shared, requests: { kind: "workspace", id: workspace }, schema: "workspace", logs: "requests" };
}

/** Checks the flags of a pull. @throws UsageError before anything is asked */
export function pullSettings(flags: PullFlags, config: Config, world: World): PullSettings {
  const source = sourceSettings(flags, config);
  const timezone = checkTimezone(flags.timezone ?? config.timezone ?? "UTC");
  if (flags.from === undefined) throw new UsageError("--from is missing: say where the window begins");
  const from = parseUserInstant(flags.from, timezone, "--from");
  const to =
    flags.to === undefined ? settledBefore(world.now()) : parseUserInstant(flags.to, timezone, "--to");
  if (from >= to) throw new UsageError("--from: the window ends before it begins");
  const guard = parseDuration(flags.guard ?? config.guard ?? "10m", "--guard") * TICKS_PER_MS;
  return {
    source,
    from,
    to,
    dataFrom: from - guard,
    tables: chosenTables(flags.table, source),
    include: (flags.include ?? []).map(checkInclude),
  };
}

/** The last full quarter of an hour whose rows have settled. */
export function settledBefore(now: Date): number {
  const ticks = ticksOfEpochMs(now.getTime()) - SETTLE_TICKS;
  return Math.floor(ticks / SETTLE_TICKS) * SETTLE_TICKS;
}

function chosenTables(names: readonly string[] | undefined, source: SourceSettings): CaptureTable[] {
  const chosen = (names ?? CAPTURE_TABLES).map((name) => {
    const table = CAPTURE_TABLES.find((candidate) => candidate === name);
    if (table === undefined) {
      throw new UsageError(`--table: "${name}" is not one of ${CAPTURE_TABLES.join(", ")}`);
    }
    if (names !== undefined && table === "ingress" && source.metrics === null) {
      throw new UsageError("--table ingress needs --metrics-resource, the container app's resource id");
    }
    if (names !== undefined && table === "system-events" && source.logs === null) {
      throw new UsageError("--table system-events needs --workspace beside --app-resource");
    }
    return table;
  });
  return chosen.filter(
    (table) =>
      !(table === "ingress" && source.metrics === null) &&
      !(table === "system-events" && source.logs === null),
  );
}

function checkInclude(name: string): string {
  if (name === "query-strings") return name;
  throw new UsageError(`--include: "${name}" is not one of query-strings`);
}

/** A pull that goes on has the end of the window that it began with, unless another is given. */
export async function withEndOf<F extends PullFlags>(folder: string, flags: F): Promise<F> {
  if (flags.to !== undefined || !(await isCapture(folder))) return flags;
  const { asked } = await readManifest(folder);
  return asked.to === null ? flags : { ...flags, to: asked.to };
}
