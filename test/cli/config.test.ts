import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadConfig, VARIABLES } from "../../src/cli/config.ts";
import { applyConfig } from "../../src/cli/config-flags.ts";
import { KEYS } from "../../src/cli/config-schema.ts";
import { UsageError } from "../../src/cli/exit-codes.ts";
import type { World } from "../../src/cli/world.ts";
import { parseInstant } from "../../src/telemetry/time.ts";
import { ROOT, runReportJson, runWorld } from "./world.ts";

const FILE = "coldstart.config.yaml";
const EXPORT = join(ROOT, "fixtures", "examples", "export");
const WORKSPACE = "00000000-0000-0000-0000-00000000000a";
const OTHER = "00000000-0000-0000-0000-00000000000b";
const APP = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Insights/components/quotes";
const CONTAINER_APP = "/subscriptions/s/resourceGroups/g/providers/Microsoft.App/containerApps/quotes";
let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "coldstart-config-"));
  // The end of the search upwards, whatever lies around it.
  mkdirSync(join(folder, ".git"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (text: string, name = FILE): void => writeFileSync(join(folder, name), text);

function world(env: World["env"] = {}, cwd = folder): World {
  const output = { write: async () => {}, isTerminal: false, columns: 80 };
  return {
    env,
    stdin: (async function* () {})(),
    stdout: output,
    stderr: output,
    cwd,
    bundled: ROOT,
    now: () => new Date("2026-09-28T00:00:00Z"),
  };
}

async function faultOf(text: string, env: World["env"] = {}): Promise<string> {
  write(text);
  const error: unknown = await loadConfig(undefined, world(env)).catch((thrown: unknown) => thrown);
  if (!(error instanceof UsageError)) throw new Error(`no UsageError: ${JSON.stringify(error)}`);
  expect(error.message).not.toContain("\n");
  return error.message;
}

const EVERYTHING = `source:
  workspace: ${WORKSPACE}
  app: ${APP}
  credential: azure-cli
  endpoint: https://api.loganalytics.us/v1
  metrics: { resource: ${CONTAINER_APP}, region: westeurope }
app: quotes-api
roles: [quotes-api, quotes-jobs]
revision: quotes-api--1
container: quotes
timezone: Europe/Vienna
days: weekdays
holidays: [2026-12-25]
threshold: 1500ms
guard: 20m
probePaths: [/up]
weight: item-count
warmup: { paths: [/a, /b], method: GET, message: done }
deployments:
  - { at: 2026-09-21T06:00:00Z, name: warm-up }
  - at: 2026-09-01
capture: data
`;

describe("where the file is", () => {
  it("is found upwards, and the nearest one counts", async () => {
    const inner = join(folder, "a", "b");
    mkdirSync(inner, { recursive: true });
    write("role: far");
    expect(await loadConfig(undefined, world({}, inner))).toMatchObject({
      path: join("..", "..", FILE),
      config: { role: ["far"] },
    });
    write("role: near", join("a", FILE));
    expect((await loadConfig(undefined, world({}, inner))).config.role).toEqual(["near"]);
  });

  it("is not beyond a folder with .git, and may be in that folder", async () => {
    const repository = join(folder, "repository");
    const inner = join(repository, "src");
    mkdirSync(join(repository, ".git"), { recursive: true });
    mkdirSync(inner);
    write("role: outside");
    expect(await loadConfig(undefined, world({}, inner))).toMatchObject({ path: null, config: {} });
    write("role: inside", join("repository", FILE));
    expect((await loadConfig(undefined, world({}, inner))).config.role).toEqual(["inside"]);
  });

  it("is the one of --config, which must be there", async () => {
    write("role: near");
    write("role: named", "other.yaml");
    expect(await loadConfig("other.yaml", world())).toMatchObject({
      path: "other.yaml",
      config: { role: ["named"] },
    });
    await expect(loadConfig("none.yaml", world())).rejects.toThrow(
      "--config: cannot read none.yaml (ENOENT); write one with coldstart init, or give its path",
    );
  });

  it("says where a relative capture is, from wherever the program runs", async () => {
    const inner = join(folder, "inner");
    mkdirSync(inner);
    write("capture: data");
    expect((await loadConfig(undefined, world({}, inner))).config.capture).toBe(join("..", "data"));
    const { config } = await loadConfig(undefined, world({ COLDSTART_CAPTURE: "here" }, inner));
    expect(config.capture).toBe("here");
    write("capture: /var/data");
    expect((await loadConfig(undefined, world({}, inner))).config.capture).toBe("/var/data");
  });
});

describe("what the file may hold", () => {
  it("is every key", async () => {
    write(EVERYTHING);
    const { config } = await loadConfig(undefined, world());
    const at = (text: string): number => parseInstant(text)!.ticks;
    expect(config).toEqual({
      source: {
        workspace: WORKSPACE,
        app: APP,
        credential: "azure-cli",
        endpoint: "https://api.loganalytics.us/v1",
        metrics: { resource: CONTAINER_APP, region: "westeurope" },
      },
      app: "quotes-api",
      role: ["quotes-api", "quotes-jobs"],
      revision: "quotes-api--1",
      container: "quotes",
      timezone: "Europe/Vienna",
      days: "weekdays",
      holidays: ["2026-12-25"],
      threshold: "1500ms",
      guard: "20m",
      probePaths: ["/up"],
      weight: "item-count",
      warmup: { path: ["/a", "/b"], method: "GET", message: "done" },
      deployments: [
        { at: at("2026-09-21T06:00:00Z"), name: "warm-up" },
        // Midnight in the file's own time zone.
        { at: at("2026-08-31T22:00:00Z"), name: undefined },
      ],
      capture: "data",
    });
  });

  it("may be nothing but comments", async () => {
    write("# nothing yet\n\n  # role: x\n");
    expect(await loadConfig(undefined, world())).toMatchObject({ path: FILE, config: {} });
  });

  it.each([
    ["treshold: 2s", "1:1: treshold: unknown key; did you mean threshold?"],
    ["role: a\nsource:\n  workspce: x", "3:3: source.workspce: unknown key; did you mean source.workspace?"],
    ["workspace: x", "1:1: workspace: unknown key; did you mean source.workspace?"],
    ["source: { role: x }", "1:11: source.role: unknown key; did you mean role?"],
    [
      "deployments:\n  - at: 2026-09-21\n    zzzzzzzz: 1",
      "3:5: deployments[0].zzzzzzzz: unknown key; known here: at, name",
    ],
    ["app: a\nthreshold: 2", "2:12: threshold: write a duration with its unit, such as 2s, 1500ms or 10m"],
    ["guard: 2x", "1:8: guard: write a duration with its unit, such as 2s, 1500ms or 10m"],
    ["timezone: Vienna", "1:11: timezone: write an IANA time zone, such as Europe/Vienna"],
    ["days: sundays", "1:7: days: write one of all, weekdays"],
    ["holidays: [2026-12-25, 2026-02-30]", "1:24: holidays[1]: write a date, YYYY-MM-DD"],
    ["holidays: 2026-12-25", "1:11: holidays: write a list: each a date, YYYY-MM-DD"],
    ["probePaths: [health]", "1:14: probePaths[0]: write a path that begins with a slash"],
    ["weight: none", "1:9: weight: write one of auto, item-count, sample-rate"],
    ["role: 7", "1:7: role: write a role, or a list of them"],
    ["role: []", "1:1: role: write a role, or a list of them"],
    ["role:", "1:1: role: empty; write a role, or a list of them, or leave the key out"],
    ["source:", "1:1: source: empty; write keys and values below it, or leave the key out"],
    ["role: a\nroles: [b]", "2:1: roles: write role or roles, not both"],
    ["warmup:\n  path: /a\n  paths: [/b]", "3:3: warmup.paths: write path or paths, not both"],
    [`app: ${APP}`, "1:6: app: write the container app's name, without a slash"],
    [
      "source:\n  credential: password",
      "2:15: source.credential: write one of default, azure-cli, managed-identity, workload-identity, environment",
    ],
    [
      "source: { metrics: { region: x } }",
      "1:11: source.metrics.resource: missing; write the resource id of the container app",
    ],
    [
      `source:\n  workspace: ${WORKSPACE}\n  cluster: https://a.kusto.windows.net`,
      "3:12: source.cluster: a second source; keep the cluster, or the workspace and app",
    ],
    [
      "deployments:\n  - at: 2026-03-29T02:30\ntimezone: Europe/Vienna",
      '2:9: deployments[0].at: "2026-03-29T02:30" does not name one moment in Europe/Vienna; give it with an offset, such as 2026-03-29T02:30Z',
    ],
    [
      "deployments: [{ name: x }]",
      "1:15: deployments[0].at: missing; write an instant such as 2026-09-21T06:00:00Z, in quotes where it is a number",
    ],
    ["role: a\nrole: b", "2:1: this key stands here twice"],
    ["- role", "1:1: a configuration is a map of keys and values"],
    ["role: &a x\napp: *a", "2:6: *a: write the value itself; a configuration is read by people"],
  ])("refuses %j, and says where and what to write", async (text, fault) => {
    expect(await faultOf(text)).toBe(`${FILE}:${fault}`);
  });

  it.each([
    ["http://example.org/v1"],
    ["https://user:hunter2@example.org/v1"],
    ["https://example.org/v1?sig=hunter2"],
    ["AccountEndpoint=https://x;AccountKey=hunter2"],
    ["http://localhost.example.org/v1"],
  ])("takes no address like %s, and does not repeat it", async (address) => {
    for (const key of ["endpoint", "cluster"]) {
      const fault = await faultOf(`source:\n  ${key}: "${address}"`);
      expect(fault).toMatch(new RegExp(`^${FILE}:2:\\d+: source\\.${key}: write an `));
      expect(fault).not.toContain("hunter2");
    }
  });

  it("takes a stand-in of the service on this machine", async () => {
    write("source: { endpoint: http://127.0.0.1:8080/v1 }");
    expect((await loadConfig(undefined, world())).config.source?.endpoint).toBe("http://127.0.0.1:8080/v1");
  });

  it.each([
    ["clientSecret: hunter2", "1:1: clientSecret"],
    ["source:\n  password: hunter2", "2:3: source.password"],
    ["source:\n  credential: { connectionString: hunter2 }", "2:17: source.credential.connectionString"],
    ["key: hunter2", "1:1: key"],
    ["source: { apiKey: hunter2 }", "1:11: source.apiKey"],
    ["deployments: [{ at: 2026-09-21, token: hunter2 }]", "1:33: deployments[0].token"],
    // A secret is told before anything else that is wrong.
    ["unknown: 1\naccess_token: hunter2", "2:1: access_token"],
  ])("refuses the secret of %j without repeating it", async (text, place) => {
    expect(await faultOf(text)).toBe(
      `${FILE}:${place}: a secret does not belong into this file; remove it, and sign in with az login or set AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET`,
    );
  });
});

describe("the environment", () => {
  const VALUES: Readonly<Record<string, string>> = {
    COLDSTART_WORKSPACE: OTHER,
    COLDSTART_APP_RESOURCE: APP,
    COLDSTART_CLUSTER: "https://other.kusto.windows.net",
    COLDSTART_DATABASE: "other",
    COLDSTART_CREDENTIAL: "environment",
    COLDSTART_ENDPOINT: "https://other.example/v1",
    COLDSTART_METRICS_RESOURCE: CONTAINER_APP,
    COLDSTART_METRICS_REGION: "northeurope",
    COLDSTART_APP: "other-app",
    COLDSTART_ROLE: "other-role",
    COLDSTART_TIMEZONE: "Asia/Tokyo",
    COLDSTART_CAPTURE: "other-folder",
  };

  it.each(Object.entries(VARIABLES))("%s takes the place of %s", async (variable, key) => {
    const value = VALUES[variable]!;
    write(key.startsWith("source.cluster") || key === "source.database" ? "app: x" : EVERYTHING);
    const { config, origin } = await loadConfig(undefined, world({ [variable]: value }));
    const found = key.split(".").reduce<unknown>((at, step) => Reflect.get(Object(at), step), config);
    expect(found).toEqual(key === "role" ? [value] : value);
    expect(origin(key)).toBe("environment");
  });

  it("leaves the rest of the file alone, and says where values come from", async () => {
    write(EVERYTHING);
    const { config, origin } = await loadConfig(
      undefined,
      world({ COLDSTART_METRICS_REGION: "northeurope", COLDSTART_TIMEZONE: "Asia/Tokyo" }),
    );
    expect(config.source).toMatchObject({
      workspace: WORKSPACE,
      metrics: { resource: CONTAINER_APP, region: "northeurope" },
    });
    // A deployment of the file means what it meant where it was written.
    expect(config.deployments?.[1]?.at).toBe(parseInstant("2026-08-31T22:00:00Z")!.ticks);
    expect(["source.workspace", "source.metrics.region", "role", "source.database"].map(origin)).toEqual([
      "file",
      "environment",
      "file",
      "default",
    ]);
  });

  it("says nothing where a variable is empty", async () => {
    write(EVERYTHING);
    const empty = Object.fromEntries(Object.keys(VARIABLES).map((variable) => [variable, ""]));
    const { config, origin } = await loadConfig(undefined, world(empty));
    expect(config).toEqual((await loadConfig(undefined, world())).config);
    expect(origin("timezone")).toBe("file");
  });

  it("puts its source in the place of one of another kind", async () => {
    write(
      "source: { cluster: https://a.kusto.windows.net, database: d, schema: classic, credential: azure-cli }",
    );
    const { config, origin } = await loadConfig(undefined, world({ COLDSTART_WORKSPACE: OTHER }));
    expect(JSON.parse(JSON.stringify(config.source))).toEqual({ workspace: OTHER, credential: "azure-cli" });
    expect(origin("source.cluster")).toBe("default");
    write(`source: { workspace: ${WORKSPACE}, app: ${APP} }`);
    const cluster = { COLDSTART_CLUSTER: "https://b.kusto.windows.net", COLDSTART_DATABASE: "d" };
    const other = await loadConfig(undefined, world(cluster));
    expect(JSON.parse(JSON.stringify(other.config.source))).toEqual({
      cluster: "https://b.kusto.windows.net",
      database: "d",
    });
  });

  it.each([
    [{ COLDSTART_WORKSPACE: "hunter2" }, "COLDSTART_WORKSPACE: write the workspace's GUID"],
    [{ COLDSTART_CREDENTIAL: "hunter2" }, "COLDSTART_CREDENTIAL: write one of default, "],
    [{ COLDSTART_METRICS_RESOURCE: "hunter2" }, "COLDSTART_METRICS_RESOURCE: write a resource id"],
    [{ COLDSTART_TIMEZONE: "hunter2" }, "COLDSTART_TIMEZONE: write an IANA time zone"],
    [
      { COLDSTART_WORKSPACE: OTHER, COLDSTART_CLUSTER: "https://a.kusto.windows.net" },
      "COLDSTART_CLUSTER and COLDSTART_WORKSPACE name two sources; give one of them",
    ],
  ])("is refused by the name of the variable: %j", async (env, fault) => {
    const message = await faultOf("role: a", env);
    expect(message.startsWith(fault), message).toBe(true);
    expect(message).not.toContain("hunter2");
  });
});

describe("an analysis", () => {
  const report = (args: readonly string[], env: World["env"] = {}) =>
    runReportJson(["--data", EXPORT, ...args], { cwd: folder, env, now: "2026-09-28T00:00:00Z" });

  it("takes from the configuration what no option says", async () => {
    write(EVERYTHING.replace("roles: [quotes-api, quotes-jobs]", "role: quotes-api"));
    const { document } = await report([]);
    expect(document?.settings).toMatchObject({
      role: "quotes-api",
      revision: "quotes-api--1",
      container: "quotes",
      timezone: "Europe/Vienna",
      days: "weekdays",
      holidays: ["2026-12-25"],
      thresholdMs: 1500,
      guardMinutes: 20,
      probePaths: ["/up"],
      weight: "item-count",
      deployedAt: null,
    });
  });

  it("takes options first, then the environment, then the file", async () => {
    write("role: file\ntimezone: Europe/Vienna\nthreshold: 1s\n");
    const env = { COLDSTART_ROLE: "environment", COLDSTART_TIMEZONE: "Asia/Tokyo" };
    const { document } = await report(["--role", "quotes-api"], env);
    expect(document?.settings).toMatchObject({
      role: "quotes-api",
      timezone: "Asia/Tokyo",
      thresholdMs: 1000,
      guardMinutes: 10,
    });
  });

  it("does not choose among several roles, and takes an empty list of holidays", async () => {
    write("roles: [quotes-api, quotes-jobs]\nholidays: []\n");
    const { document } = await report([]);
    expect(document?.settings).toMatchObject({ role: null, holidays: [] });
  });

  it("splits at the last deployment only where --deployed-at last asks, and never at one to come", async () => {
    write(`timezone: Europe/Vienna
deployments:
  - at: 2026-09-21T08:00
  - at: 2026-09-14
  - at: 2026-10-01
`);
    expect((await report([])).document?.settings.deployedAt).toBeNull();
    // In the zone of the file, whatever the zone of the analysis.
    const { document } = await report(["--deployed-at", "last", "--timezone", "UTC"]);
    expect(document?.settings.deployedAt).toBe("2026-09-21T06:00:00Z");
    expect(document?.cohorts.map(({ name }) => name)).toEqual(["before", "after"]);
  });

  it("counts a deployment of this very moment as past", async () => {
    write("deployments:\n  - at: 2026-09-21\n");
    const { document } = await runReportJson(["--data", EXPORT, "--deployed-at", "last"], {
      cwd: folder,
      now: "2026-09-21T00:00:00Z",
    });
    expect(document?.settings.deployedAt).toBe("2026-09-21T00:00:00Z");
  });

  it("says what is missing where there is no deployment", async () => {
    expect(await report(["--deployed-at", "last"])).toMatchObject({
      code: 2,
      stderr: `coldstart: --deployed-at last: there is no ${FILE}; add it to deployments, or give the time itself\n`,
    });
    write("deployments: [{ at: 2026-12-01 }]");
    expect(await report(["--deployed-at", "last"])).toMatchObject({
      code: 2,
      stderr: `coldstart: --deployed-at last: ${FILE} lists no deployment up to now; add it to deployments, or give the time itself\n`,
    });
  });

  it("ends with code 2 and one line where the configuration is wrong", async () => {
    write("treshold: 2s");
    expect(await report([])).toEqual({
      code: 2,
      stdout: "",
      stderr: `coldstart: ${FILE}:1:1: treshold: unknown key; did you mean threshold?\n`,
      document: null,
    });
  });
});

/** A command with the options that the configuration may fill, after its own options were read. */
async function filled(name: string, args: readonly string[]): Promise<Record<string, unknown>> {
  const program = new Command().exitOverride();
  const command = program.command(name);
  for (const option of [
    "--data <path>",
    "--config <file>",
    "--role <name>",
    "--threshold <duration>",
    "--deployed-at <time>",
    "--full",
    "--path <path>",
    "--method <method>",
  ]) {
    if (option !== "--full" || name === "report") command.option(option);
  }
  program.hook("preAction", (_, started) => applyConfig(started, world()));
  command.action(() => {});
  await program.parseAsync([name, ...args], { from: "user" });
  return command.opts();
}

describe("the warm-up", () => {
  beforeEach(() => write("warmup: { path: /warm, method: GET }\n"));

  it("is that of the configuration where no path is given", async () => {
    expect(await filled("leaks", [])).toMatchObject({ path: ["/warm"], method: "GET" });
  });

  it("keeps its method from a path of the user: other methods' leaks would be hidden", async () => {
    expect((await filled("leaks", ["--path", "/other"])).method).toBeUndefined();
  });

  it("is a report's only with --full", async () => {
    expect((await filled("report", [])).path).toBeUndefined();
    expect((await filled("report", ["--full"])).path).toEqual(["/warm"]);
  });
});

describe("a gate", () => {
  it("takes where the data is, and nothing that its bar declares", async () => {
    write(EVERYTHING.replace("roles: [quotes-api, quotes-jobs]", "role: quotes-api"));
    const options = await filled("gate", []);
    expect(Object.keys(options)).toEqual(["configuration"]);
    expect(options.configuration).toEqual({
      source: expect.objectContaining({ workspace: WORKSPACE }),
      app: "quotes-api",
      warmup: expect.objectContaining({}),
    });
  });

  it("gives the same verdict with a configuration that contradicts the bar as without", async () => {
    const examples = join(ROOT, "fixtures", "examples");
    const bar = join(examples, "coldstart.bar.yaml");
    const args = ["gate", "--bar", bar, "--data", EXPORT, "--deployed-at", "2026-09-21T06:00:00Z"];
    const judge = () => runWorld([...args, "--format", "json"], { cwd: folder });
    const without = await judge();
    expect(JSON.parse(without.stdout)).toMatchObject({ schema: "coldstart.verdict/1" });
    write(`role: nobody
timezone: Asia/Tokyo
days: weekdays
threshold: 60s
guard: 0s
weight: item-count
probePaths: [/quotes/today]
deployments: [{ at: 2026-09-02 }]
`);
    expect(await judge()).toEqual(without);
  });

  it("takes the moment of the deployment where --deployed-at last asks", async () => {
    write("deployments: [{ at: 2026-09-21 }]");
    expect((await filled("gate", ["--deployed-at", "last"])).deployedAt).toBe("2026-09-21T00:00:00Z");
  });
});

it("docs/config.md describes exactly the keys and the variables", () => {
  const page = readFileSync(join(ROOT, "docs", "config.md"), "utf8");
  const described = Array.from(page.matchAll(/^\| (`[^|]+) \|/gm), ([, cell]) => cell!).flatMap(
    (cell) => cell.match(/(?<=`)[A-Za-z_.[\]]+(?=`)/g) ?? [],
  );
  const keys = Object.entries(KEYS).flatMap(([above, names]) =>
    names.map((name) =>
      above === "" ? name : `${above === "deployments" ? "deployments[]" : above}.${name}`,
    ),
  );
  const leaves = keys.filter((key) => !(key in KEYS));
  expect(described.filter((name) => !name.startsWith("COLDSTART_")).sort()).toEqual(leaves.sort());
  expect(described.filter((name) => name.startsWith("COLDSTART_")).sort()).toEqual(
    Object.keys(VARIABLES).sort(),
  );
});
