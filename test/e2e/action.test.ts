import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const MAIN = join(ROOT, "dist", "main.js");

const stepSchema = z.object({
  name: z.string(),
  id: z.string().optional(),
  shell: z.literal("bash"),
  env: z.record(z.string(), z.string()).default({}),
  "working-directory": z.string().optional(),
  run: z.string(),
});
const action = z
  .object({
    inputs: z.record(
      z.string(),
      z.object({ description: z.string(), required: z.boolean().optional(), default: z.string().optional() }),
    ),
    outputs: z.record(z.string(), z.object({ description: z.string(), value: z.string() })),
    runs: z.object({ using: z.literal("composite"), steps: z.array(stepSchema) }),
  })
  .parse(parse(readFileSync(join(ROOT, "action.yml"), "utf8")));
const [build, judge] = action.runs.steps;

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "coldstart-action-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Result {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly outputs: Readonly<Record<string, string>>;
}

/** Runs the script of a step as the runner does: inputs filled into its environment, bash told to stop at errors. */
function runStep(
  step: (typeof action.runs.steps)[number],
  inputs: Readonly<Record<string, string>>,
  actionPath: string,
  extra: Readonly<Record<string, string>> = {},
): Result {
  const given = (name: string): string => inputs[name] ?? action.inputs[name]!.default ?? "";
  const fill = (text: string): string =>
    text.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, name) => given(name));
  const script = join(folder, "script.sh");
  const output = join(folder, "output.txt");
  writeFileSync(script, step.run);
  writeFileSync(output, "");
  const env = Object.fromEntries(Object.entries(step.env).map(([name, value]) => [name, fill(value)]));
  const result = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", script], {
    cwd: join(folder, fill(step["working-directory"] ?? ".")),
    env: {
      PATH: process.env.PATH ?? "",
      HOME: folder,
      GITHUB_ACTION_PATH: actionPath,
      GITHUB_OUTPUT: output,
      ...env,
      ...extra,
    },
    encoding: "utf8",
  });
  const lines = readFileSync(output, "utf8")
    .split("\n")
    .filter((line) => line !== "");
  const outputs = Object.fromEntries(
    lines.map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]),
  );
  return { status: result.status, stdout: result.stdout, stderr: result.stderr, outputs };
}

/** An action folder whose program prints its arguments as JSON, then what it is told, and ends with a code. */
function fakeAction(code: number, print = ""): string {
  const path = mkdtempSync(join(folder, "fake-"));
  mkdirSync(join(path, "dist"));
  writeFileSync(
    join(path, "dist", "main.js"),
    `console.log(JSON.stringify(process.argv.slice(2)));
process.stdout.write(${JSON.stringify(print)});
process.exitCode = ${code};`,
  );
  return path;
}

function argumentsOf({ stdout }: Result): string[] {
  return JSON.parse(stdout.split("\n").find((line) => line.startsWith("["))!) as string[];
}

const INPUTS = { data: "export/", "deployed-at": "2026-09-21T06:00:00Z" };

describe("action.yml", () => {
  it("pastes no expression into a script", () => {
    for (const { run } of action.runs.steps) expect(run).not.toContain("${{");
  });

  it("hands every input to the step that judges, and no other", () => {
    const used = JSON.stringify(judge).match(/(?<=inputs\.)[\w-]+/g) ?? [];
    expect([...new Set(used)].sort()).toEqual(Object.keys(action.inputs).sort());
  });

  it("takes its outputs from the step that judges", () => {
    expect(judge!.id).toBe("gate");
    expect(action.outputs.verdict!.value).toMatch(/^\$\{\{ steps\.gate\.outputs\.verdict \}\}$/);
    expect(action.outputs["exit-code"]!.value).toMatch(/^\$\{\{ steps\.gate\.outputs\.exit-code \}\}$/);
  });

  it("is used in the manual with inputs that it has", () => {
    const manual = readFileSync(join(ROOT, "docs", "ci.md"), "utf8");
    const workflows = Array.from(manual.matchAll(/^```yaml\n([\s\S]*?)^```/gm), ([, text]) => parse(text!));
    const steps = workflows.flatMap((workflow) =>
      workflowSchema.safeParse(workflow).success
        ? Object.values(workflowSchema.parse(workflow).jobs).flatMap((job) => job.steps)
        : [],
    );
    const uses = steps.filter((step) => /(?:^|\/)coldstart@/.test(step.uses ?? ""));
    expect(uses.length).toBeGreaterThan(0);
    for (const { with: given = {} } of uses) {
      for (const name of Object.keys(given)) expect(Object.keys(action.inputs)).toContain(name);
      for (const [name, { required }] of Object.entries(action.inputs)) {
        if (required === true) expect(Object.keys(given)).toContain(name);
      }
    }
    const checkouts = steps.filter((step) => step.uses?.startsWith("actions/checkout@"));
    expect(checkouts.length).toBeGreaterThan(0);
    for (const checkout of checkouts) expect(checkout.with?.["fetch-depth"]).toBe(0);
  });
});

const workflowSchema = z.object({
  jobs: z.record(
    z.string(),
    z.object({
      steps: z.array(
        z.object({ uses: z.string().optional(), with: z.record(z.string(), z.unknown()).optional() }),
      ),
    }),
  ),
});

describe("the step that builds", () => {
  it("leaves alone what is built already", () => {
    const path = fakeAction(0);
    expect(runStep(build!, INPUTS, path)).toMatchObject({ status: 0, stdout: "", stderr: "" });
  });

  it("installs and builds a fresh checkout, without install scripts", () => {
    const path = mkdtempSync(join(folder, "fresh-"));
    const npm = join(path, "npm");
    writeFileSync(npm, '#!/bin/sh\necho "npm $*"\n', { mode: 0o755 });
    const result = runStep(build!, INPUTS, path, { PATH: `${path}:${process.env.PATH}` });
    expect(result.stdout.split("\n")).toEqual([
      "npm ci --include=dev --ignore-scripts --no-audit --no-fund",
      "npm run --silent build",
      "",
    ]);
    expect(result.status).toBe(0);
  });

  it("says what to do where Node is too old or missing", () => {
    const path = mkdtempSync(join(folder, "old-"));
    writeFileSync(join(path, "node"), "#!/bin/sh\necho 18\n", { mode: 0o755 });
    const result = runStep(build!, INPUTS, path, { PATH: `${path}:${process.env.PATH}` });
    expect(result.status).toBe(1);
    expect(result.stdout).toContain("run actions/setup-node before this step");
  });
});

describe("the step that judges", () => {
  it.each([
    [0, "pass"],
    [1, "fail"],
    [2, "error"],
    [3, "inconclusive"],
    [4, "error"],
    [5, "error"],
    [70, "error"],
    [137, "error"],
  ])("ends with the gate's exit code %i and calls it %s", (code, verdict) => {
    const result = runStep(judge!, INPUTS, fakeAction(code));
    expect(result.status).toBe(code);
    expect(result.outputs).toEqual({ verdict, "exit-code": String(code) });
  });

  it("passes the inputs on, word for word", () => {
    const result = runStep(
      judge!,
      {
        ...INPUTS,
        bar: "bars/my bar.yaml",
        data: 'export/a b.csv\r\n\n  "$(touch owned)" `id` $HOME\n-\n',
        format: "junit",
        out: "gate.xml",
        args: "--values\nout/my values.csv\n--allow-retrospective",
      },
      fakeAction(0),
    );
    expect(argumentsOf(result)).toEqual([
      "gate",
      ...["--bar", "bars/my bar.yaml"],
      ...["--deployed-at", "2026-09-21T06:00:00Z"],
      ...["--format", "junit"],
      ...["--data", "export/a b.csv"],
      ...["--data", '  "$(touch owned)" `id` $HOME'],
      ...["--data", "-"],
      ...["--out", "gate.xml"],
      ...["--values", "out/my values.csv"],
      "--allow-retrospective",
    ]);
    expect(existsSync(join(folder, "owned"))).toBe(false);
  });

  it("asks with the defaults where nothing else is said", () => {
    expect(argumentsOf(runStep(judge!, INPUTS, fakeAction(0)))).toEqual([
      "gate",
      ...["--bar", "coldstart.bar.yaml", "--deployed-at", "2026-09-21T06:00:00Z"],
      ...["--format", "text", "--data", "export/"],
    ]);
  });

  it("lets nothing that the verdict quotes act as a workflow command", () => {
    const { stdout } = runStep(
      judge!,
      INPUTS,
      fakeAction(1, "::add-mask::x\n::stop-commands::y\nno end of line"),
    );
    const lines = stdout.trimEnd().split("\n");
    const token = /^::stop-commands::([\w-]{36})$/.exec(lines[0]!)?.[1];
    expect(lines.at(-1)).toBe(`::${token}::`);
    expect(lines.filter((line) => line.includes(token!))).toHaveLength(2);
    expect(lines).toContain("::add-mask::x");
  });
});

describe("the action on the real program", () => {
  beforeAll(() => {
    const help = spawnSync(process.execPath, [MAIN, "gate", "--help"], { encoding: "utf8" });
    if (help.status !== 0) {
      throw new Error("dist/main.js with the command gate is needed: run `npm run build` before this test");
    }
    cpSync(join(ROOT, "fixtures", "examples"), join(folder, "work"), { recursive: true });
  });

  it("judges the example as the program does", () => {
    const args = ["gate", "--data", "export/", "--deployed-at", INPUTS["deployed-at"]];
    const direct = spawnSync(process.execPath, [MAIN, ...args, "--format", "json"], {
      cwd: join(folder, "work"),
      env: { PATH: process.env.PATH ?? "", HOME: folder },
      encoding: "utf8",
    });
    const { verdict } = z.object({ verdict: z.string() }).parse(JSON.parse(direct.stdout));
    const summary = join(folder, "summary.md");
    writeFileSync(summary, "");
    const result = runStep(judge!, { ...INPUTS, "working-directory": "work" }, ROOT, {
      GITHUB_ACTIONS: "true",
      GITHUB_STEP_SUMMARY: summary,
    });
    expect(result.outputs).toEqual({ verdict, "exit-code": String(direct.status) });
    expect(result.status).toBe(direct.status);
    expect(result.stdout).toContain(`\n${verdict.toUpperCase()}: Warm-up before the port opens\n`);
    expect(result.stderr).toMatch(/^::(?:notice|warning|error) title=coldstart gate::/);
    expect(readFileSync(summary, "utf8")).toContain(`### ${verdict.toUpperCase()}: `);
  });
});
