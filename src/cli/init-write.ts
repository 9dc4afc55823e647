import { access, rm, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { writeWhole } from "./bar-files.ts";
import { CONFIG_FILE, configOf, environmentConfig, type Given, merge } from "./config.ts";
import { parseConfig } from "./config-file.ts";
import type { Config } from "./config-schema.ts";
import { ExitCode, UsageError } from "./exit-codes.ts";
import type { World } from "./world.ts";

export interface InitFlags {
  readonly out?: string;
  readonly force?: boolean;
  readonly workspace?: string;
  readonly appResource?: string;
  readonly cluster?: string;
  readonly database?: string;
  readonly schema?: string;
  readonly credential?: string;
  readonly metricsResource?: string;
  readonly metricsRegion?: string;
  readonly app?: string;
  readonly role?: string;
  readonly timezone?: string;
}

/** Writes a commented configuration with what flags, environment and answers say. @throws UsageError */
export async function writeConfig(flags: InitFlags, world: World): Promise<number> {
  const name = flags.out ?? CONFIG_FILE;
  const path = resolve(world.cwd, name);
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere && flags.force !== true) throw existsAlready(name);
  const known = await answered(merge(environmentConfig(world.env), configOf(given(flags))), world);
  if (known.source?.cluster !== undefined && known.source.database === undefined) {
    throw new UsageError("--cluster needs --database");
  }
  if (known.source?.metrics?.region !== undefined && known.source.metrics.resource === undefined) {
    throw new UsageError("--metrics-region needs --metrics-resource, the container app's resource id");
  }
  const text = render({ ...known, capture: beside(known.capture, path, world) });
  // What is written can be read.
  parseConfig(text, name);
  if (flags.force === true) await writeWhole(name, text, world);
  else await writeNew(path, name, text);
  const config = path === resolve(world.cwd, CONFIG_FILE) ? "" : ` --config ${shellWord(name)}`;
  const { workspace, app, cluster } = known.source ?? {};
  const first = (workspace ?? app ?? cluster) === undefined ? `name the source in ${name}, then ` : "";
  await world.stdout.write(`wrote ${name}\nNext: ${first}coldstart doctor${config}\n`);
  return ExitCode.done;
}

function existsAlready(name: string): UsageError {
  return new UsageError(`${name} exists already; edit it, or overwrite it with --force`);
}

/** Never takes the place of a file, not even of one that came while questions were answered. */
async function writeNew(path: string, name: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: "wx" });
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    if (error.code === "EEXIST") throw existsAlready(name);
    await rm(path, { force: true });
    throw new UsageError(`--out: cannot write ${name} (${String(error.code)}); give a writable path`);
  }
}

/** A folder is named relative to the file that names it. */
function beside(folder: string | undefined, path: string, { cwd }: World): string | undefined {
  if (folder === undefined || isAbsolute(folder)) return folder;
  return relative(dirname(path), resolve(cwd, folder)) || ".";
}

function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

const KEY_OF = {
  workspace: "source.workspace",
  appResource: "source.app",
  cluster: "source.cluster",
  database: "source.database",
  schema: "source.schema",
  credential: "source.credential",
  metricsResource: "source.metrics.resource",
  metricsRegion: "source.metrics.region",
  app: "app",
  role: "role",
  timezone: "timezone",
} as const;

function given(flags: InitFlags): Given[] {
  const values: Readonly<Record<string, unknown>> = { ...flags };
  return Object.entries(KEY_OF).flatMap(([flag, key]) => {
    const value = values[flag];
    const label = `--${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return typeof value === "string" ? [{ label, key, value }] : [];
  });
}

/** Adds what the user answers on a terminal; nothing is asked where nobody can answer. */
async function answered(known: Config, world: World): Promise<Config> {
  const { prompt } = world;
  if (prompt === undefined) return known;
  let config = known;
  const ask = async (question: string, keyOf: (answer: string) => string): Promise<void> => {
    for (;;) {
      const answer = (await prompt(question))?.trim();
      if (answer === undefined) {
        throw new UsageError("no answer; nothing was written, give it as an option (coldstart init --help)");
      }
      if (answer === "") return;
      try {
        config = merge(config, configOf([{ label: "This will not do", key: keyOf(answer), value: answer }]));
        return;
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        await world.stderr.write(`${error.message}\n`);
      }
    }
  };
  const { workspace, app, cluster } = known.source ?? {};
  if ((workspace ?? app ?? cluster) === undefined) {
    await ask(
      "Where is the data? Workspace (GUID), Application Insights resource (/subscriptions/…) or cluster (https://…), empty for later: ",
      sourceKey,
    );
  }
  if (config.source?.cluster !== undefined && config.source.database === undefined) {
    await ask("Database of the cluster: ", () => "source.database");
  }
  if (known.app === undefined) await ask("Container app (empty for none): ", () => "app");
  if (known.role === undefined) await ask("Role, cloud_RoleName (empty for all): ", () => "role");
  return config;
}

/** The kinds of sources are told apart by how they are written. */
function sourceKey(answer: string): string {
  if (/^https?:/i.test(answer)) return "source.cluster";
  return answer.includes("/") ? "source.app" : "source.workspace";
}

function render({ source = {}, app, role, timezone, capture }: Config): string {
  /** The key with its value, or as a comment with an example. JSON's strings are YAML's too. */
  const line = (indent: string, key: string, value: string | undefined, example: string): string =>
    value === undefined ? `# ${indent}${key}: ${example}` : `${indent}${key}: ${JSON.stringify(value)}`;
  const has = (part: object | undefined): boolean =>
    Object.values(part ?? {}).some((value) => value !== undefined);
  const { metrics } = source;
  return `# Where coldstart finds its data, and how it looks at it. Options come first, then COLDSTART_* variables,
# then this file. docs/config.md explains every key. A secret does not belong here.
# A bar keeps its own settings: for a gate only source, app and capture count.

# Where the rows are: a workspace, an Application Insights resource (with the workspace of its system
# log), or a cluster with its database.
${has(source) ? "source:" : "# source:"}
${line("  ", "workspace", source.workspace, "00000000-0000-0000-0000-000000000000")}
${line("  ", "app", source.app, "/subscriptions/…/providers/Microsoft.Insights/components/NAME")}
${line("  ", "cluster", source.cluster, "https://NAME.REGION.kusto.windows.net")}
${line("  ", "database", source.database, "NAME")}
${line("  ", "schema", source.schema, "workspace # or classic: how the cluster names its tables")}
${line("  ", "credential", source.credential, "default # or azure-cli, managed-identity, workload-identity, environment")}
${line("  ", "endpoint", source.endpoint, "https://api.loganalytics.us/v1 # of another cloud")}
# The container app whose ingress metric is read.
${has(metrics) ? "  metrics:" : "#   metrics:"}
${line("    ", "resource", metrics?.resource, "/subscriptions/…/providers/Microsoft.App/containerApps/NAME")}
${line("    ", "region", metrics?.region, "westeurope")}

# The container app whose system log is read, and the role (cloud_RoleName) of its requests.
${line("", "app", app, "quotes-api")}
${line("", "role", role?.[0], "quotes-api")}

# Time zone of days and of times without offset; which days count.
${line("", "timezone", timezone, "Europe/Vienna")}
# days: weekdays
# holidays: [2026-12-25, 2026-12-26]

# What is slow, how long after the data's start a birth is doubted, what is a probe and no user.
# threshold: 2s
# guard: 10m
# probePaths: [/health/ready]

# What the warm-up requests. Deployments are used where --deployed-at last asks for them.
# warmup:
#   path: /quotes/today
#   method: GET
# deployments:
#   - at: 2026-09-21T06:00:00Z
#     name: warm-up

# The folder of what is pulled, beside this file.
${line("", "capture", capture, "coldstart-capture")}
`;
}
