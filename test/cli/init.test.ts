import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadConfig } from "../../src/cli/config.ts";
import { parseConfig } from "../../src/cli/config-file.ts";
import { writeConfig } from "../../src/cli/init-write.ts";
import type { World } from "../../src/cli/world.ts";
import { type Outcome, runWorld, type WorldOptions } from "./world.ts";

const FILE = "coldstart.config.yaml";
const WORKSPACE = "00000000-0000-0000-0000-00000000000a";
const APP = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Insights/components/quotes";
const CONTAINER_APP = "/subscriptions/s/resourceGroups/g/providers/Microsoft.App/containerApps/quotes";
const CLUSTER = "https://quotes.westeurope.kusto.windows.net";
let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "coldstart-init-"));
  mkdirSync(join(folder, ".git"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const init = (args: readonly string[], options: WorldOptions = {}): Promise<Outcome> =>
  runWorld(["init", ...args], { cwd: folder, ...options });
const written = (name = FILE): string => readFileSync(join(folder, name), "utf8");

/** What the written file says, without what it does not say. */
const config = (name = FILE): unknown => JSON.parse(JSON.stringify(parseConfig(written(name), name)));

function quietWorld(): World {
  const output = { write: async () => {}, isTerminal: false, columns: 80 };
  return {
    env: {},
    stdin: (async function* () {})(),
    stdout: output,
    stderr: output,
    cwd: folder,
    bundled: folder,
    now: () => new Date("2026-09-28T00:00:00Z"),
  };
}

const files = (): string[] => readdirSync(folder).filter((name) => name !== ".git");

describe("what is written", () => {
  it("holds every option, and is read back as such", async () => {
    const outcome = await init([
      ...["--workspace", WORKSPACE, "--app-resource", APP, "--credential", "azure-cli"],
      ...["--metrics-resource", CONTAINER_APP, "--metrics-region", "westeurope"],
      ...["--app", "quotes-api", "--role", "quotes-api", "--timezone", "Europe/Vienna"],
    ]);
    expect(outcome).toEqual({ code: 0, stdout: `wrote ${FILE}\nNext: coldstart doctor\n`, stderr: "" });
    const loaded = await loadConfig(undefined, quietWorld());
    expect(loaded.path).toBe(FILE);
    expect(JSON.parse(JSON.stringify(loaded.config))).toEqual({
      source: {
        workspace: WORKSPACE,
        app: APP,
        credential: "azure-cli",
        metrics: { resource: CONTAINER_APP, region: "westeurope" },
      },
      app: "quotes-api",
      role: ["quotes-api"],
      timezone: "Europe/Vienna",
    });
  });

  it("holds a cluster with its database and schema", async () => {
    expect((await init(["--cluster", CLUSTER, "--database", "d", "--schema", "classic"])).code).toBe(0);
    expect(config()).toEqual({ source: { cluster: CLUSTER, database: "d", schema: "classic" } });
  });

  it("holds what the environment says, after options; empty variables say nothing", async () => {
    const env = {
      COLDSTART_WORKSPACE: WORKSPACE,
      COLDSTART_ENDPOINT: "https://api.loganalytics.us/v1",
      COLDSTART_CAPTURE: "data",
      COLDSTART_ROLE: "environment",
      COLDSTART_APP: "",
      COLDSTART_CREDENTIAL: "",
    };
    mkdirSync(join(folder, "inner"));
    expect((await init(["--role", "flag", "--out", "inner/c.yaml"], { env })).code).toBe(0);
    expect(config("inner/c.yaml")).toEqual({
      source: { workspace: WORKSPACE, endpoint: "https://api.loganalytics.us/v1" },
      role: ["flag"],
      // The same folder, seen from the file.
      capture: join("..", "data"),
    });
  });

  it("has the source of an option in the place of one of another kind in the environment", async () => {
    const env = { COLDSTART_CLUSTER: CLUSTER, COLDSTART_DATABASE: "d" };
    expect((await init(["--workspace", WORKSPACE], { env })).code).toBe(0);
    expect(config()).toEqual({ source: { workspace: WORKSPACE } });
  });

  it("is nothing but comments where nothing is known, and says to name the source", async () => {
    expect(await init([])).toEqual({
      code: 0,
      stdout: `wrote ${FILE}\nNext: name the source in ${FILE}, then coldstart doctor\n`,
      stderr: "",
    });
    expect(config()).toEqual({});
  });

  it("is a configuration with each of its comments taken as a key", async () => {
    await init(["--workspace", WORKSPACE]);
    const keys = written()
      .replace(/^# (?= *(?:- )?[a-zA-Z]+:(?: |$))/gm, "")
      .replace(/^ {2}(?:app|cluster|database|schema):.*\n/gm, "")
      .replace("/subscriptions/…/providers/Microsoft.App/containerApps/NAME", CONTAINER_APP);
    expect(JSON.parse(JSON.stringify(parseConfig(keys, FILE)))).toMatchObject({
      source: { workspace: WORKSPACE, credential: "default", metrics: { region: "westeurope" } },
      app: "quotes-api",
      days: "weekdays",
      holidays: ["2026-12-25", "2026-12-26"],
      probePaths: ["/health/ready"],
      warmup: { path: ["/quotes/today"], method: "GET" },
      deployments: [{ name: "warm-up" }],
      capture: "coldstart-capture",
    });
  });

  it("gives any text back as it was given", async () => {
    const role = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 30 })
      .filter((text) => text.trim() !== "");
    await fc.assert(
      fc.asyncProperty(role, async (text) => {
        await writeConfig({ role: text, workspace: WORKSPACE, force: true }, quietWorld());
        expect(config()).toEqual({ source: { workspace: WORKSPACE }, role: [text] });
      }),
      { numRuns: 200, examples: [["'\"#: [x] \u2028\n\t- ~"], ["null"], ["7"], ["2026-01-01"], ["no"]] },
    );
  });
});

describe("a file that is there", () => {
  it("is never overwritten without --force", async () => {
    writeFileSync(join(folder, FILE), "role: mine\n");
    expect(await init(["--role", "x"], { answers: [] })).toEqual({
      code: 2,
      stdout: "",
      stderr: `coldstart: ${FILE} exists already; edit it, or overwrite it with --force\n`,
    });
    expect(written()).toBe("role: mine\n");
    expect((await init(["--role", "x", "--force"])).code).toBe(0);
    expect(config()).toEqual({ role: ["x"] });
    expect(files()).toEqual([FILE]);
  });

  it("is kept even where it came while questions were answered", async () => {
    const prompt = async (): Promise<string> => {
      writeFileSync(join(folder, FILE), "role: mine\n");
      return "";
    };
    await expect(writeConfig({}, { ...quietWorld(), prompt })).rejects.toThrow("exists already");
    expect(written()).toBe("role: mine\n");
  });

  it("may be a broken one that --force puts right", async () => {
    writeFileSync(join(folder, FILE), "nonsense: [");
    expect((await init(["--role", "x", "--force"])).code).toBe(0);
    expect(config()).toEqual({ role: ["x"] });
  });
});

describe("refusals", () => {
  it.each([
    [["--workspace", "hunter2"], "--workspace: write the workspace's GUID, which az monitor"],
    [["--app-resource", "hunter2"], "--app-resource: write a resource id, /subscriptions/"],
    [
      ["--cluster", "https://a.net?sig=hunter2", "--database", "d"],
      "--cluster: write an address without user",
    ],
    [["--credential", "hunter2"], "--credential: write one of default, azure-cli"],
    [["--timezone", "hunter2"], "--timezone: write an IANA time zone"],
    [["--role", ""], "--role: write a role"],
    [["--schema", "hunter2"], "--schema: write one of workspace, classic"],
    [["--cluster", CLUSTER], "--cluster needs --database"],
    [["--metrics-region", "westeurope"], "--metrics-region needs --metrics-resource"],
    [["--cluster", CLUSTER, "--workspace", WORKSPACE], "--cluster and --workspace name two sources"],
    [["--out", "none/c.yaml"], "--out: cannot write none/c.yaml (ENOENT); give a writable path"],
    [["--out", "none/c.yaml", "--force"], "cannot write none/c.yaml (ENOENT); give a writable path"],
  ])("%j: one line, code 2, no file", async (args, fault) => {
    const { code, stdout, stderr } = await init(args);
    expect({ code, stdout, files: files() }).toEqual({ code: 2, stdout: "", files: [] });
    expect(stderr.startsWith(`coldstart: ${fault}`), stderr).toBe(true);
    expect(stderr.match(/\n/g)).toHaveLength(1);
    expect(stderr).not.toContain("hunter2");
  });
});

describe("on a terminal", () => {
  it("asks for source, app and role, and again where an answer will not do", async () => {
    const outcome = await init([], { answers: ["quotes", ` ${WORKSPACE} `, "quotes-api", "quotes"] });
    expect(outcome.code).toBe(0);
    expect(outcome.stderr).toContain("This will not do: write the workspace's GUID");
    expect(outcome.stderr.match(/Where is the data\?/g)).toHaveLength(2);
    expect(config()).toEqual({ source: { workspace: WORKSPACE }, app: "quotes-api", role: ["quotes"] });
  });

  it.each([
    [APP, [], { app: APP }],
    [CLUSTER, ["d"], { cluster: CLUSTER, database: "d" }],
  ])("tells from %s what kind of source it is", async (answer, more, source) => {
    expect((await init([], { answers: [answer, ...more, "", ""] })).code).toBe(0);
    expect(config()).toEqual({ source });
  });

  it("asks nothing that is known", async () => {
    const env = { COLDSTART_ROLE: "quotes" };
    const { code, stderr } = await init(["--workspace", WORKSPACE, "--app", "a"], { env, answers: [] });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  it("writes nothing where the input ends", async () => {
    const { code, stderr } = await init([], { answers: [WORKSPACE] });
    expect(code).toBe(2);
    expect(stderr).toContain("no answer; nothing was written");
    expect(existsSync(join(folder, FILE))).toBe(false);
  });
});

it("names the file in the next command where it would not be found", async () => {
  const { stdout } = await init(["--workspace", WORKSPACE, "--out", "my config's.yaml"]);
  expect(stdout).toBe("wrote my config's.yaml\nNext: coldstart doctor --config 'my config'\\''s.yaml'\n");
  expect((await init(["--workspace", WORKSPACE, "--out", `./${FILE}`])).stdout).toContain(
    "Next: coldstart doctor\n",
  );
});
