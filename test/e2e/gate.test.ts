import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verdictSchema } from "../../src/report/verdict-document.ts";

const ROOT = join(import.meta.dirname, "../..");
const MAIN = join(ROOT, "dist/main.js");
const DEMO = join(ROOT, "fixtures/demo");
const DEPLOYED_AT = "2026-09-21T06:00:00Z";
const FROZEN_AT = "2026-09-14T08:00:00Z";

const BAR = `name: quotes-api warm-up
hypothesis: the warm-up before the port opens brings the first request under 2 s
conditions:
  - metric: firstRequest.p50
    below: BELOW
population:
  role: quotes-api
  timezone: Europe/Vienna
sample:
  minimum: MINIMUM
  take: { first: FIRST }
`;

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

beforeAll(() => {
  if (!existsSync(MAIN)) throw new Error("dist/main.js is missing: run npm run build first");
});

function coldstart(cwd: string, args: readonly string[], env: Record<string, string> = {}): Run {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    cwd,
    encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: cwd, GIT_CONFIG_NOSYSTEM: "1", ...env },
    maxBuffer: 1 << 26,
  });
  return { code: status, stdout, stderr };
}

function git(cwd: string, date: string, ...args: string[]): void {
  execFileSync("git", args, {
    cwd,
    stdio: "pipe",
    env: {
      PATH: process.env.PATH,
      HOME: cwd,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: "t",
      GIT_AUTHOR_EMAIL: "t@t.test",
      GIT_COMMITTER_NAME: "t",
      GIT_COMMITTER_EMAIL: "t@t.test",
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_DATE: date,
    },
  });
}

/** A repository with a frozen bar, committed at the given time. */
function repository(
  options: { below?: string; minimum?: number; first?: number; committedAt?: string; role?: string } = {},
): string {
  const folder = mkdtempSync(join(tmpdir(), "coldstart-gate-"));
  folders.push(folder);
  const bar = BAR.replace("BELOW", options.below ?? "2s")
    .replace("MINIMUM", String(options.minimum ?? 100))
    .replace("FIRST", String(options.first ?? 300))
    .replace("role: quotes-api", `role: ${options.role ?? "quotes-api"}`);
  writeFileSync(join(folder, "coldstart.bar.yaml"), bar);
  const frozen = coldstart(folder, ["bar", "freeze"]);
  expect(frozen.stderr + frozen.stdout).toMatch(/frozen|lock/i);
  expect(frozen.code).toBe(0);
  // The clock of the freeze is the machine's; the test sets the one that a freeze in September would have written.
  const lockPath = join(folder, "coldstart.bar.lock.json");
  const lock = JSON.parse(readFileSync(lockPath, "utf8"));
  writeFileSync(lockPath, `${JSON.stringify({ ...lock, frozenAt: FROZEN_AT }, null, 2)}\n`);
  git(folder, FROZEN_AT, "init", "-q", "-b", "main");
  git(folder, FROZEN_AT, "add", ".");
  git(folder, options.committedAt ?? FROZEN_AT, "commit", "-q", "-m", "bar");
  return folder;
}

function gate(folder: string, ...args: string[]): Run {
  return coldstart(folder, ["gate", "--data", DEMO, "--deployed-at", DEPLOYED_AT, ...args]);
}

function verdictOf(run: Run) {
  return verdictSchema.strict().parse(JSON.parse(run.stdout));
}

describe("a registered bar", () => {
  it("passes when it is met, with all that a reviewer needs", () => {
    const folder = repository();
    const run = gate(folder, "--format", "json", "--values", "values.csv");
    expect(run.stderr).toBe("");
    expect(run.code).toBe(0);
    const document = verdictOf(run);
    expect(document).toMatchObject({ verdict: "pass", retrospective: false, reasons: [] });
    expect(document.registration).toMatchObject({ status: "registered", frozenAt: FROZEN_AT, reasons: [] });
    expect(document.bars[0]).toMatchObject({ below: 2000, n: 300, needed: 165, seen: 199, verdict: "pass" });
    expect(readFileSync(join(folder, "values.csv"), "utf8").split("\n").length).toBe(
      document.values!.rows + 2,
    );
  });

  it("fails when it is missed", () => {
    const run = gate(repository({ below: "1s" }), "--format", "json");
    expect(run.code).toBe(1);
    expect(verdictOf(run)).toMatchObject({ verdict: "fail", bars: [{ verdict: "fail" }] });
  });

  it("is inconclusive when the data show neither", () => {
    const run = gate(repository({ below: "1300ms" }), "--format", "json");
    expect(run.code).toBe(3);
    expect(verdictOf(run)).toMatchObject({ verdict: "inconclusive", bars: [{ verdict: "inconclusive" }] });
  });

  it("is inconclusive with too few instances, however good they are", () => {
    const run = gate(repository({ minimum: 364, first: 364 }), "--format", "json");
    expect(run.code).toBe(3);
    const document = verdictOf(run);
    expect(document.bars[0]).toMatchObject({ n: 363, minimum: 364, verdict: "inconclusive" });
    expect(document.bars[0]!.reasons.join()).toMatch(/only 363 values/);
  });

  it("is judged to the same bytes twice", () => {
    const folder = repository();
    for (const format of ["text", "json"]) {
      const [first, second] = [gate(folder, "--format", format), gate(folder, "--format", format)];
      expect(first.code).toBe(0);
      expect(second.stdout).toBe(first.stdout);
    }
  });

  it("lists the roles that are there when its own is not in the data", () => {
    const run = gate(repository({ role: "quotes-apl" }), "--format", "json");
    expect(run.code).toBe(3);
    expect(verdictOf(run).reasons.join()).toMatch(
      /no row has the role "quotes-apl"; the input has: quotes-api, quotes-worker/,
    );
  });
});

describe("later data", () => {
  it("cannot change a verdict on the first N", () => {
    const folder = repository({ first: 150 });
    mkdirSync(join(folder, "short"));
    copyFileSync(join(DEMO, "system-logs.ndjson.gz"), join(folder, "short/system-logs.ndjson.gz"));
    const all = verdictOf(gate(folder, "--format", "json"));
    const born = readFileSync(gateValues(folder), "utf8")
      .split("\n")
      .filter((line) => line.startsWith("after,"));
    const last = born[149]!.split(",")[4]!;
    // Only the rows up to a little after the 150th instance's first request.
    const rows = execFileSync("gzip", ["-dc", join(DEMO, "requests.csv.gz")], {
      encoding: "utf8",
      maxBuffer: 1 << 27,
    }).split("\n");
    const until = new Date(Date.parse(last) + 3_600_000).toISOString();
    const column = rows[0]!.split(",").indexOf("timestamp");
    const kept = rows.filter((row, i) => i === 0 || (row !== "" && row.split(",")[column]! < until));
    expect(kept.length).toBeLessThan(rows.length - 100);
    writeFileSync(join(folder, "short/requests.csv"), `${kept.join("\n")}\n`);
    const early = coldstart(folder, [
      "gate",
      "--data",
      "short",
      "--deployed-at",
      DEPLOYED_AT,
      "--format",
      "json",
    ]);
    const { excluded: _early, ...judgedEarly } = verdictOf(early).bars[0]!;
    const { excluded: _all, ...judgedAll } = all.bars[0]!;
    expect(judgedEarly).toEqual(judgedAll);
  });

  function gateValues(folder: string): string {
    const path = join(folder, "v.csv");
    expect(gate(folder, "--values", path).code).toBe(0);
    return path;
  }
});

describe("a bar that is not proved to be older than the deployment", () => {
  it.each([
    ["committed after it", { committedAt: "2026-09-22T08:00:00Z" }],
    ["committed with it", { committedAt: DEPLOYED_AT }],
  ])("is inconclusive when %s, even if it is met", (_, options) => {
    const run = gate(repository(options), "--format", "json");
    expect(run.code).toBe(3);
    expect(verdictOf(run)).toMatchObject({
      verdict: "inconclusive",
      registration: { status: "retrospective" },
      bars: [{ verdict: "pass" }],
    });
  });

  it("is inconclusive when changed after the freeze, uncommitted, or without lock", () => {
    const changed = repository();
    const path = join(changed, "coldstart.bar.yaml");
    writeFileSync(path, readFileSync(path, "utf8").replace("below: 2s", "below: 3s"));
    expect(gate(changed).code).toBe(3);
    git(changed, "2026-09-15T08:00:00Z", "commit", "-q", "-am", "changed");
    expect(gate(changed).code).toBe(3);

    const unlocked = repository();
    rmSync(join(unlocked, "coldstart.bar.lock.json"));
    expect(gate(unlocked).code).toBe(3);
  });

  it("is judged if the user insists, and every format says retrospective", () => {
    const folder = repository({ committedAt: "2026-09-22T08:00:00Z" });
    for (const format of ["text", "json", "markdown", "junit"]) {
      const run = gate(folder, "--allow-retrospective", "--format", format);
      expect(run.code).toBe(0);
      expect(run.stdout).toMatch(/retrospective/i);
    }
  });

  it("is inconclusive in a shallow clone that begins after the deployment", () => {
    const folder = repository();
    writeFileSync(join(folder, "README"), "x");
    git(folder, "2026-09-25T08:00:00Z", "add", ".");
    git(folder, "2026-09-25T08:00:00Z", "commit", "-q", "-m", "later");
    const clone = mkdtempSync(join(tmpdir(), "coldstart-clone-"));
    folders.push(clone);
    git(clone, DEPLOYED_AT, "clone", "-q", "--depth", "1", `file://${folder}`, "shallow");
    const run = gate(join(clone, "shallow"), "--format", "json");
    expect(run.code).toBe(3);
    expect(verdictOf(run).registration.reasons.join()).toMatch(/fetch-depth: 0/);
    git(clone, DEPLOYED_AT, "clone", "-q", `file://${folder}`, "deep");
    expect(gate(join(clone, "deep")).code).toBe(0);
  });
});

describe("data that cannot be trusted", () => {
  it("is an error, never a pass", () => {
    const folder = repository();
    const bytes = readFileSync(join(DEMO, "requests.csv.gz"));
    writeFileSync(join(folder, "half.csv.gz"), bytes.subarray(0, Math.floor(bytes.length * 0.9)));
    for (const data of ["half.csv.gz", "missing.csv", "coldstart.bar.yaml"]) {
      const run = coldstart(folder, [
        "gate",
        "--data",
        data,
        "--deployed-at",
        DEPLOYED_AT,
        "--format",
        "json",
      ]);
      expect(run.code).toBe(4);
      expect(verdictOf(run)).toMatchObject({ verdict: "error", bars: [] });
    }
  });

  it("is inconclusive where there are no rows", () => {
    const folder = repository();
    writeFileSync(join(folder, "empty.json"), "[]");
    const run = coldstart(folder, [
      "gate",
      "--data",
      "empty.json",
      "--deployed-at",
      DEPLOYED_AT,
      "--format",
      "json",
    ]);
    expect(run.code).toBe(3);
    expect(verdictOf(run).verdict).toBe("inconclusive");
  });
});

describe("wrong usage", () => {
  it.each([
    [["gate", "--deployed-at", DEPLOYED_AT], /no data/],
    [["gate", "--data", DEMO], /--deployed-at is missing/],
    [
      ["gate", "--data", DEMO, "--deployed-at", DEPLOYED_AT, "--bar", "nowhere.yaml"],
      /cannot read nowhere.yaml/,
    ],
    [["gate", "--data", DEMO, "--deployed-at", DEPLOYED_AT, "--format", "csv"], /--format/],
    [["gate", "--data", DEMO, "--deployed-at", DEPLOYED_AT, "--role", "x"], /unknown option '--role'/],
  ])("%j exits with 2 in one line", (args, message) => {
    const run = coldstart(repository(), args);
    expect(run.code).toBe(2);
    expect(run.stderr).toMatch(message);
    expect(run.stderr.trim().split("\n")).toHaveLength(1);
    expect(run.stdout).toBe("");
  });

  it("names the line of a bar that is no bar, and an empty list of conditions", () => {
    const folder = repository();
    writeFileSync(
      join(folder, "bad.yaml"),
      BAR.replace("BELOW", "2").replace("MINIMUM", "100").replace("FIRST", "300"),
    );
    writeFileSync(
      join(folder, "none.yaml"),
      "name: x\nhypothesis: y\nconditions: []\nsample: { minimum: 10 }\n",
    );
    for (const [name, place] of [
      ["bad.yaml", "bad.yaml:5:"],
      ["none.yaml", "none.yaml:3:"],
    ] as const) {
      const run = gate(folder, "--bar", name);
      expect(run.code).toBe(2);
      expect(run.stderr).toContain(place);
    }
  });
});

describe("in GitHub Actions", () => {
  it("annotates and writes the step summary", () => {
    const folder = repository({ below: "1s" });
    const summary = join(folder, "summary.md");
    const run = coldstart(
      folder,
      ["gate", "--data", DEMO, "--deployed-at", DEPLOYED_AT, "--format", "json"],
      {
        GITHUB_ACTIONS: "true",
        GITHUB_STEP_SUMMARY: summary,
      },
    );
    expect(run.code).toBe(1);
    expect(run.stderr).toMatch(/^::error /m);
    expect(readFileSync(summary, "utf8")).toMatch(/quotes-api warm-up/);
    verdictOf(run);
  });
});
