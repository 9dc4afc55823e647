import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { allMetrics } from "../../src/figures/metric-names.ts";
import { publishedSchemas } from "../../src/report/schemas.ts";
import { parseLock } from "../../src/verdict/lock.ts";
import { BARS, barText, sound } from "../verdict/bars.ts";
import { lines, type Outcome, ROOT, runWorld, type WorldOptions } from "./world.ts";

const EXAMPLES = join(ROOT, "fixtures", "examples");
const FILE = "coldstart.bar.yaml";
const LOCK = "coldstart.bar.lock.json";
let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "coldstart-bar-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function bar(args: readonly string[], options: WorldOptions = {}): Promise<Outcome> {
  return runWorld(["bar", ...args], { cwd: folder, ...options });
}

const written = (name: string): string => readFileSync(join(folder, name), "utf8");
const write = (text: string, name = FILE): void => writeFileSync(join(folder, name), text);
const lock = (): ReturnType<typeof parseLock> => parseLock(written(LOCK));
const median = barText("sound/median.yaml");

/** Flags of a bar to which nothing is missing. */
const NEW = ["new", "--name", "W", "--hypothesis", "It helps.", "--minimum", "100"];
const P50 = ["--condition", "firstRequest.p50 below 2s"];

describe("coldstart bar check", () => {
  it("says what the bar means, with the count needed and the power", async () => {
    write(median);
    const { code, stdout, stderr } = await bar(["check"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe(`coldstart.bar.yaml: Median under two seconds
sha256 ${sound(median).digest}

The warm-up request pays what the first user request pays now.

Judged are the new instances of all roles, on all days; slow is over 2s. It
takes all that are born after the deployment, and needs at least 100. It is
meant to be asked once: asking again as instances come in passes by luck more
often. It is inconclusive when the cohorts before and after cannot be compared.

It passes when this is shown with 95 % confidence:

1. firstRequest.p50 below 2s
   median of the first requests, one value an instance
   59 of 100 needed under 2s. With 100 instances a true share of 65 % under 2s
   passes 91 % of the time.

   true share under 2s  50 %  55 %  60 %  65 %  70 %   75 %
   passes                4 %  24 %  62 %  91 %  99 %  >99 %
`);
  });

  it("explains every key, a share and a bootstrap", async () => {
    const { code, stdout } = await bar(["check", join(BARS, "sound/every-key.yaml")]);
    expect(code).toBe(0);
    expect(stdout).toContain("79 of 80 needed free of it (at most 1 may be among them)");
    expect(stdout).toContain("Judged by a bootstrap over instances, seed 7, on at least 80 instances");
    expect(stdout).toContain("on weekdays in Europe/Vienna without 2 holidays");
    for (const line of lines(stdout).slice(2)) expect(line.length).toBeLessThanOrEqual(80);
  });

  it("tells warnings beside the meaning, and the first look that can pass", async () => {
    const path = join(BARS, "sound/warnings.yaml");
    const { code, stdout, stderr } = await bar(["check", path]);
    expect(code).toBe(0);
    expect(lines(stderr).map((line) => line.slice(path.length, path.length + 15))).toEqual([
      ":5:12: warning:",
      ":8:14: warning:",
    ]);
    expect(stdout).toMatch(/A look at 30 cannot pass yet; the first that can is at 43\.\s+43 of 43 needed/);
  });

  it("tells every problem at its place, and nothing else", async () => {
    const path = join(BARS, "wrong/sample.yaml");
    const { code, stdout, stderr } = await bar(["check", path]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(lines(stderr)).toEqual([
      `${path}:6:14: first 50 can never reach the minimum of 60`,
      `${path}:9:14: 2000000 instances are more than any window has`,
      `${path}:13:12: first 50 can never reach the minimum of 100`,
      `${path}:14:11: sample.within: no instance is born in 0d`,
      `${path}:15:11: sample.before: no instance is born in 0h`,
      `coldstart: 5 problems in ${path}; docs/bar.md says what a bar may hold`,
    ]);
  });

  it("does not let a bar move the cursor", async () => {
    write(median.replace("Median", '"\\e[2J\\u202eMedian').replace("seconds", 'seconds"'));
    const { stdout } = await bar(["check"]);
    expect(lines(stdout)[0]).toMatch(/^coldstart\.bar\.yaml: +Median under two seconds$/);
    write(median.replace("firstRequest.p50", '"\\e[2Jp50\\nx"'));
    expect((await bar(["check"])).stderr).toContain('unknown metric "p50 x"');
  });

  it.each([
    [
      ["check"],
      "coldstart: there is no coldstart.bar.yaml; write one with coldstart bar new, or name another file\n",
    ],
    [["check", "."], "coldstart: cannot read . (EISDIR)\n"],
    [
      ["check", "a", "b"],
      "coldstart: too many arguments for 'check'. Expected 1 argument but got 2; coldstart bar check --help lists what there is\n",
    ],
    [
      ["chek"],
      "coldstart: unknown command 'chek' (Did you mean check?); coldstart bar --help lists what there is\n",
    ],
  ])("refuses %j in one line", async (args, stderr) => {
    expect(await bar(args)).toEqual({ code: 2, stdout: "", stderr });
  });

  it("lists the options of all its commands in one help", async () => {
    const { code, stdout } = await bar(["--help"]);
    expect(code).toBe(0);
    for (const option of ["--hypothesis <text>", "--force", "--data <path>", "--reason <text>"]) {
      expect(stdout).toContain(`\n  ${option} `);
    }
  });
});

describe("coldstart bar new", () => {
  it("writes a bar with comments from flags, and says what it means", async () => {
    const { code, stdout, stderr } = await bar([...NEW, ...P50, "--role", "quotes-api"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("59 of 100 needed under 2s");
    expect(stdout).toContain("\nRegister it before the deployment:\n  coldstart bar freeze\n");
    const text = written(FILE);
    expect(text).toContain("# All of these must hold.");
    expect(sound(text).bar).toMatchObject({
      name: "W",
      conditions: [{ metric: "firstRequest.p50", below: "2s" }],
      population: { role: "quotes-api" },
      // Closed, so that asking again with more data cannot pass by luck.
      sample: { minimum: 100, take: { first: 100 } },
    });
    expect((await bar(["check"])).stdout).toBe(stdout.slice(0, stdout.indexOf("\nRegister")));
    expect(readdirSync(folder)).toEqual([FILE]);
  });

  it("takes every flag", async () => {
    const args = [
      ...NEW,
      ...["--metric", "firstRequest.failed.share", "--below", "0.05"],
      ...["--condition", "firstRequest.p90 below 4s", "--condition", "lifetime.p50Minutes above 10m"],
      ...["--first", "200", "--confidence", "0.9", "--role", "a: b", "--timezone", "Europe/Vienna"],
      ...["--days", "weekdays", "--looks", "once", "--out", "x.yaml"],
    ];
    const { code, stdout } = await bar(args);
    expect(code).toBe(0);
    expect(stdout).toContain("coldstart bar freeze x.yaml");
    expect(sound(written("x.yaml")).bar).toMatchObject({
      conditions: [
        { metric: "firstRequest.failed.share", below: 0.05 },
        { metric: "firstRequest.p90", below: "4s" },
        { metric: "lifetime.p50Minutes", above: "10m" },
      ],
      confidence: 0.9,
      population: { role: "a: b", timezone: "Europe/Vienna", days: "weekdays" },
      sample: { minimum: 100, take: { first: 200 } },
      looks: "once",
    });
  });

  it.each([
    [["--looks", "anytime"], "all"],
    [["--first", "all"], "all"],
    [["--first", "150"], { first: 150 }],
  ])("with %j takes %j", async (args, take) => {
    expect((await bar([...NEW, ...P50, ...args])).stderr).toBe("");
    expect(sound(written(FILE)).bar.sample.take).toEqual(take);
  });

  it.each([
    "yes",
    "a: b # c",
    'say "hi"',
    "two\nlines",
    "- dash",
    "123",
    "null",
    "# hash",
    "Größe",
    "{x}",
    "  spaces  ",
  ])("keeps the text %j as it is", async (text) => {
    const args = ["new", "--name", text, "--hypothesis", text, "--minimum", "100", ...P50];
    expect((await bar(args)).stderr).toBe("");
    expect(sound(written(FILE)).bar).toMatchObject({ name: text, hypothesis: text });
  });

  it("says which flags are missing where nobody can answer", async () => {
    expect(await bar(["new", "--hypothesis", "x"])).toEqual({
      code: 2,
      stdout: "",
      stderr: 'coldstart: missing: --name, --condition "METRIC below|above BOUND", --minimum\n',
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it("asks on a terminal for what is missing, again where an answer will not do", async () => {
    const answers = [
      "",
      "Warm-up",
      "It helps.",
      "p50 quickly",
      "firstRequest.p50 below 2",
      "firstRequest.p50 below 2s",
      "",
      "none",
      "100",
    ];
    const { code, stderr } = await bar(["new"], { answers });
    expect(code).toBe(0);
    expect(stderr).toContain("This must not be empty.");
    expect(stderr).toContain("is no condition");
    expect(stderr).toContain("missing unit");
    expect(stderr).toContain("Write a whole number");
    expect(sound(written(FILE)).bar).toMatchObject({ name: "Warm-up", sample: { minimum: 100 } });
  });

  it("asks only for what is missing, and stops where the answers end", async () => {
    const asked = await bar(["new", ...P50, "--minimum", "100", "--name", "W"], { answers: ["It helps."] });
    expect(asked).toMatchObject({ code: 0, stderr: "What is the deployment expected to do, and why? " });
    const ended = await bar(["new", ...P50, "--minimum", "100", "--out", "y.yaml"], { answers: ["W"] });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain("no answer; give it as an option (missing: --name, --hypothesis)");
    expect(existsSync(join(folder, "y.yaml"))).toBe(false);
  });

  it("overwrites nothing unless it is forced to", async () => {
    write("mine");
    const refused = await bar([...NEW, ...P50]);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("coldstart.bar.yaml exists; --force overwrites it");
    expect(written(FILE)).toBe("mine");
    expect((await bar([...NEW, ...P50, "--force"])).code).toBe(0);
    expect(sound(written(FILE)).bar.name).toBe("W");
  });

  it.each([
    [["--condition", "firstRequest.p50 under 2s"], "is no condition"],
    [["--condition", "firstRequest.p5 below 2s"], "did you mean firstRequest.p50?"],
    [["--metric", "firstRequest.p50"], "--metric needs one of --below and --above"],
    [["--metric", "firstRequest.p50", "--below", "2s", "--above", "1s"], "needs one of"],
    [["--below", "2s"], "--below and --above need --metric"],
    [[...P50, "--timezone", "Mars"], '"Mars" is no IANA time zone'],
    [[...P50, "--confidence", "high"], "confidence: write a number between 0.5 and 1"],
    [[...P50, "--first", "20"], "first 20 can never reach the minimum of 100"],
    [[...P50, "--days", "sundays"], "population.days: write one of all, weekdays"],
    [["--condition", "firstRequest.p99 below 2s"], "the smallest sample that can is 299"],
  ])("writes nothing for %j", async (args, reason) => {
    const { code, stdout, stderr } = await bar([...NEW, ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(reason);
    expect(stderr).toMatch(/^coldstart: /);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("says where it cannot write", async () => {
    const { code, stderr } = await bar([...NEW, ...P50, "--out", "no/such/folder.yaml"]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: "coldstart: cannot write no/such/folder.yaml (ENOENT); give a writable path\n",
    });
  });
});

describe("coldstart bar freeze", () => {
  it("writes the lock, and reminds of the commit", async () => {
    write(median);
    const { code, stdout } = await bar(["freeze"], { now: "2026-09-18T09:00:00.000Z" });
    expect(code).toBe(0);
    expect(lock()).toEqual({
      schema: "coldstart.lock/1",
      digest: sound(median).digest,
      analysisVersion: 1,
      frozenAt: "2026-09-18T09:00:00.000Z",
      newestData: null,
      supersedes: [],
    });
    expect(stdout).toContain(`git add ${FILE} ${LOCK}`);
    expect(readdirSync(folder).sort()).toEqual([LOCK, FILE]);
  });

  it("keeps the first freeze of the same bar, however it is spelt", async () => {
    write(median);
    await bar(["freeze"], { now: "2026-09-18T09:00:00.000Z" });
    const first = written(LOCK);
    write(`# a comment\n${median.replace("2s", '"2000ms"')}looks: once\n`);
    const again = await bar(["freeze"], { now: "2026-09-19T09:00:00.000Z" });
    expect(again).toMatchObject({ code: 0, stderr: "" });
    expect(again.stdout).toContain("already frozen on 2026-09-18T09:00:00.000Z");
    expect(written(LOCK)).toBe(first);
  });

  it("refuses a bar that changed", async () => {
    write(median);
    await bar(["freeze"], { now: "2026-09-18T09:00:00.000Z" });
    const first = written(LOCK);
    write(median.replace("2s", "3s"));
    const { code, stdout, stderr } = await bar(["freeze"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toBe(
      'coldstart: the bar changed since it was frozen on 2026-09-18T09:00:00.000Z; register the change with coldstart bar amend coldstart.bar.yaml --reason "…"\n',
    );
    expect(written(LOCK)).toBe(first);
  });

  it("refuses a lock of another version of the analysis", async () => {
    write(median);
    await bar(["freeze"]);
    write(written(LOCK).replace('"analysisVersion": 1', '"analysisVersion": 99'), LOCK);
    const { code, stderr } = await bar(["freeze"]);
    expect(code).toBe(2);
    expect(stderr).toContain("version 99 of the analysis");
    expect((await bar(["amend", "--reason", "new version"])).code).toBe(0);
    expect(lock().analysisVersion).toBe(1);
  });

  it("refuses a lock that is none", async () => {
    write(median);
    write("<<<<<<< ours", LOCK);
    const { code, stderr } = await bar(["freeze"]);
    expect(code).toBe(2);
    expect(stderr).toBe(`coldstart: ${LOCK}: not JSON; restore the lock from the repository's history\n`);
  });

  it("freezes no bar with problems", async () => {
    write(barText("wrong/reach.yaml"));
    const { code, stderr } = await bar(["freeze"]);
    expect(code).toBe(2);
    expect(stderr).toContain("coldstart.bar.yaml:5:12: firstRequest.p99 below 2s cannot be shown");
    expect(readdirSync(folder)).toEqual([FILE]);
  });

  it("records the newest instant of the data, of rows and of events", async () => {
    write(median);
    write(median, "b.yaml");
    const rows =
      "timestamp,duration,name,url,cloud_RoleInstance\n2026-09-17T10:28:01.3505436Z,5,GET /,/,a\n2026-09-16T23:00:00Z,5,GET /,/,a\n";
    write(rows, "rows.csv");
    await bar(["freeze", "--data", join(folder, "rows.csv")]);
    expect(lock().newestData).toBe("2026-09-17T10:28:01.3505436Z");
    const log =
      '{"TimeStamp":"2026-09-17T11:00:00Z","Reason":"ContainerStarted","ReplicaName":"a--1-2","Msg":"m","Type":"Normal"}\n';
    write(log, "log.ndjson");
    const both = ["--data", join(folder, "rows.csv"), "--data", join(folder, "log.ndjson")];
    const { stdout } = await bar(["freeze", "b.yaml", ...both]);
    expect(stdout).toContain("the newest data is of 2026-09-17T11:00:00Z");
    expect(parseLock(written("b.lock.json")).newestData).toBe("2026-09-17T11:00:00Z");
  });

  it.each([
    [
      "cut.json",
      '{"tables":[{"name":"PrimaryResult","columns":[{"name":"timestamp","type":"datetime"}],"rows":[["2026-09-17T',
      4,
    ],
    ["rows.csv", "timestamp,duration,name,url,cloud_RoleInstance\n", 4],
    [
      "cut.csv",
      'timestamp,duration,name,url,cloud_RoleInstance\n2026-09-17T10:28:01Z,5,GET /,/,a\n2026-09-18T10:28:01Z,5,"GET',
      4,
    ],
    ["prose.txt", "no export", 4],
  ])("freezes nothing on data that cannot be trusted: %s", async (name, text, expected) => {
    write(median);
    write(text, name);
    const { code, stdout, stderr } = await bar(["freeze", "--data", join(folder, name)]);
    expect({ code, stdout }).toEqual({ code: expected, stdout: "" });
    expect(stderr).toMatch(/^coldstart: .+\n$/);
    expect(existsSync(join(folder, LOCK))).toBe(false);
  });
});

describe("coldstart bar amend", () => {
  it("supersedes the frozen bar, with the reason", async () => {
    write(median);
    await bar(["freeze"], { now: "2026-09-18T09:00:00.000Z" });
    write(median.replace("100", "200"));
    const { code, stdout } = await bar(["amend", "--reason", " one week more "], {
      now: "2026-09-19T09:00:00.000Z",
    });
    expect(code).toBe(0);
    expect(stdout).toContain("one week more");
    expect(lock()).toMatchObject({
      digest: sound(written(FILE)).digest,
      frozenAt: "2026-09-19T09:00:00.000Z",
      supersedes: [
        { digest: sound(median).digest, frozenAt: "2026-09-18T09:00:00.000Z", reason: "one week more" },
      ],
    });
    write(median);
    await bar(["amend", "--reason", "and back"], { now: "2026-09-20T09:00:00.000Z" });
    expect(lock().supersedes.map(({ reason }) => reason)).toEqual(["one week more", "and back"]);
    expect((await bar(["freeze"])).stdout).toContain("already frozen on 2026-09-20T09:00:00.000Z");
  });

  it("needs a reason, a lock and a change", async () => {
    write(median);
    expect((await bar(["amend"])).stderr).toContain("--reason: say why the bar changed");
    expect((await bar(["amend", "--reason", " "])).code).toBe(2);
    expect((await bar(["amend", "--reason", "x"])).stderr).toContain("nothing is frozen yet");
    await bar(["freeze"]);
    const same = await bar(["amend", "--reason", "x"]);
    expect(same.code).toBe(2);
    expect(same.stderr).toContain("there is nothing to amend");
    expect(lock().supersedes).toEqual([]);
  });
});

describe("the page of the command", () => {
  const page = readFileSync(join(ROOT, "docs", "bar.md"), "utf8");

  const optionsIn = (text: string, pattern: RegExp): string[] =>
    Array.from(text.matchAll(pattern), ([, option]) => option!)
      .filter((option) => option !== "--help")
      .sort();

  it.each(["new", "freeze", "amend"])("describes exactly the options of %s", async (command) => {
    const section = page.split(/^## /m).find((text) => text.startsWith(`${command}\n`))!;
    const { stdout } = await bar([command, "--help"]);
    const listed = optionsIn(stdout, /^ {2}(?:-h, )?(--[a-z]+)/gm);
    expect(listed.length).toBeGreaterThan(0);
    expect(optionsIn(section, /^\| `(--[a-z]+)/gm)).toEqual(listed);
  });

  it("names every metric", () => {
    const named = allMetrics().filter(
      ({ name }) => !page.includes(name.replace(/(?<=^byOrder\.)[^.]+/, "BUCKET")),
    );
    expect(named.map(({ name }) => name)).toEqual([]);
  });

  it("names every key", () => {
    const keysOf = (schema: unknown, path: string): string[] => {
      const { properties, items, anyOf } = schema as SchemaNode;
      if (items?.properties !== undefined) return keysOf(items, `${path}[]`);
      const map = properties ?? anyOf?.find((option) => option.properties !== undefined)?.properties;
      if (map === undefined || path === "sample.take") return [path];
      return Object.entries(map).flatMap(([key, inner]) =>
        keysOf(inner, path === "" ? key : `${path}.${key}`),
      );
    };
    const keys = keysOf(publishedSchemas()["bar.schema.json"], "");
    expect(keys.length).toBeGreaterThan(25);
    expect(keys.filter((key) => !page.includes(`\`${key}\``))).toEqual([]);
  });
});

interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
}

describe("the example bar", () => {
  it("is frozen as the manual says: before the deployment, on the data of the first week", async () => {
    write(readFileSync(join(EXAMPLES, FILE), "utf8"));
    const data = join(EXAMPLES, "export", "requests-1.csv");
    await bar(["freeze", "--data", data], { now: "2026-09-18T09:00:00.000Z" });
    expect(written(LOCK)).toBe(readFileSync(join(EXAMPLES, LOCK), "utf8"));
  });
});
