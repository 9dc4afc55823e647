import { access, rename, rm, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { CONFIG_FILE, loadConfig } from "./config.ts";
import { ExitCode, UsageError } from "./exit-codes.ts";
import { checkTimezone } from "./instants.ts";
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
  const exists = await access(path).then(
    () => true,
    () => false,
  );
  if (exists && flags.force !== true) {
    throw new UsageError(`${name} exists already; edit it, or overwrite it with --force`);
  }
  if (flags.timezone !== undefined) checkTimezone(flags.timezone);
  const answers = await ask(flags, world);
  const text = render(answers);
  const aside = `${path}.${process.pid}.part`;
  try {
    await writeFile(aside, text);
    // What was written is read back before it takes the place of anything.
    await loadConfig(aside, { ...world, env: {} });
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { force: true });
    if (error instanceof Error && "code" in error) {
      throw new UsageError(`--out: cannot write ${name} (${String(error.code)}); give a writable path`);
    }
    if (error instanceof UsageError) {
      throw new UsageError(error.message.replace(/^.*?\.part:\d+:\d+: /, ""));
    }
    throw error;
  }
  await world.stdout.write(`wrote ${name}\nNext: coldstart doctor\n`);
  return ExitCode.done;
}

/** Flags first, then the environment, then what the user answers on a terminal. */
async function ask(flags: InitFlags, world: World): Promise<InitFlags> {
  const { env } = world;
  const known = {
    workspace: flags.workspace ?? env.COLDSTART_WORKSPACE,
    appResource: flags.appResource ?? env.COLDSTART_APP_RESOURCE,
    cluster: flags.cluster ?? env.COLDSTART_CLUSTER,
    database: flags.database ?? env.COLDSTART_DATABASE,
    schema: flags.schema,
    credential: flags.credential ?? env.COLDSTART_CREDENTIAL,
    metricsResource: flags.metricsResource ?? env.COLDSTART_METRICS_RESOURCE,
    metricsRegion: flags.metricsRegion ?? env.COLDSTART_METRICS_REGION,
    app: flags.app ?? env.COLDSTART_APP,
    role: flags.role ?? env.COLDSTART_ROLE,
    timezone: flags.timezone ?? env.COLDSTART_TIMEZONE,
  };
  const prompt = world.prompt;
  const question = async (value: string | undefined, text: string): Promise<string | undefined> => {
    if (value !== undefined || prompt === undefined) return value;
    const answer = ((await prompt(text)) ?? "").trim();
    return answer === "" ? undefined : answer;
  };
  const hasSource = known.appResource !== undefined || known.cluster !== undefined;
  const workspace = hasSource
    ? known.workspace
    : await question(known.workspace, "Log Analytics workspace (its GUID): ");
  const role = await question(known.role, "role (cloud_RoleName) of the service: ");
  const app = await question(known.app, "container app: ");
  return Object.fromEntries(
    Object.entries({ ...known, workspace, role, app }).filter(([, value]) => value !== undefined),
  );
}

function render(known: InitFlags): string {
  const quoted = (value: string): string => JSON.stringify(value);
  /** The key with its value, or as a comment with an example. */
  const line = (indent: string, key: string, value: string | undefined, example: string): string =>
    value === undefined ? `${indent}# ${key}: ${example}` : `${indent}${key}: ${quoted(value)}`;
  const metrics =
    known.metricsResource === undefined
      ? [
          "  # metrics:",
          "  #   resource: /subscriptions/…/providers/Microsoft.App/containerApps/NAME",
          "  #   region: westeurope",
        ]
      : [
          "  metrics:",
          `    resource: ${quoted(known.metricsResource)}`,
          line("    ", "region", known.metricsRegion, "westeurope"),
        ];
  const hasSource = [known.workspace, known.appResource, known.cluster].some((value) => value !== undefined);
  return `${[
    "# Where coldstart finds its data. Flags and COLDSTART_* variables come before this file.",
    "# A bar keeps its own settings: nothing here changes what a gate judges.",
    "",
    "# Where the rows are: a workspace, an Application Insights resource, or a cluster.",
    hasSource || known.credential !== undefined || known.metricsResource !== undefined
      ? "source:"
      : "source: {}",
    line("  ", "workspace", known.workspace, "00000000-0000-0000-0000-000000000000"),
    line("  ", "app", known.appResource, "/subscriptions/…/providers/Microsoft.Insights/components/NAME"),
    line("  ", "cluster", known.cluster, "https://NAME.REGION.kusto.windows.net"),
    line("  ", "database", known.database, "NAME"),
    line("  ", "schema", known.schema, "workspace"),
    line("  ", "credential", known.credential, "azure-cli"),
    ...metrics,
    "",
    "# The container app whose system log is read, and the role of its requests.",
    line("", "app", known.app, "quotes-api"),
    line("", "role", known.role, "quotes-api"),
    "",
    "# Days and times without offset.",
    line("", "timezone", known.timezone, "Europe/Vienna"),
    "# days: weekdays",
    '# holidays: ["2026-12-25"]',
    "",
    "# What is slow, what is no user request, how long a birth is doubted.",
    "# threshold: 2s",
    "# probePaths: [/health/ready]",
    "# guard: 10m",
    "",
    "# The folder that coldstart pull writes.",
    "# capture: coldstart-capture",
    "",
    "# What the warm-up requests, and the deployments so far.",
    "# warmup:",
    "#   path: /quotes/today",
    "# deployments:",
    "#   - at: 2026-09-21T06:00:00Z",
    "#     name: warm-up",
  ].join("\n")}\n`;
}
