import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { probesSchema } from "../../src/report/probes-document.ts";
import { lines, runWorld } from "./world.ts";

const SPEC = "fixtures/container-apps/containerapp-show-startup-probe.yaml";
const LOG = "fixtures/container-apps/logs-show-crash-loop.ndjson";
const LIVENESS = "fixtures/corpus/72-spec-liveness-only-init-port-differs.json";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "coldstart-probes-cli-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const probes = (...args: string[]) => runWorld(["probes", ...args]);

describe("coldstart probes", () => {
  it("works with a spec alone", async () => {
    const { code, stdout, stderr } = await probes("--spec", SPEC);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("startup-budget-short: a start may take 15 s");
    expect(stdout).toContain("only specs were given");
  });

  it("works with data alone, and with both", async () => {
    expect(await probes("--data", LOG)).toMatchObject({ code: 0, stderr: "" });
    const both = await probes("--data", LOG, "--spec", SPEC, "--format", "json");
    expect(both).toMatchObject({ code: 0, stderr: "" });
    const document = probesSchema.strict().parse(JSON.parse(both.stdout));
    expect(document.apps).toHaveLength(1);
    expect(document.specs).toEqual([SPEC]);
    expect(document.inputs).toMatchObject([{ rows: 36 }]);
    expect(document.settings).not.toBeNull();
  });

  it("reads a spec from standard input, also in UTF-16", async () => {
    const text = readFileSync(LIVENESS, "utf8");
    const wide = new Uint8Array(Buffer.from(`\ufeff${text}`, "utf16le"));
    for (const stdin of [text, wide]) {
      const { code, stdout } = await runWorld(["probes", "--spec", "-", "--format", "json"], { stdin });
      expect(code).toBe(0);
      expect(JSON.parse(stdout).apps[0].probes[2].inferred).toMatchObject({ handler: "http", port: 8080 });
    }
  });

  it("is a check with --expect: 0 met, 1 missed, 3 where it cannot be told", async () => {
    expect(await probes("--spec", LIVENESS, "--expect", "liveness=http")).toMatchObject({
      code: 0,
      stderr: "",
    });
    const missed = await probes("--spec", LIVENESS, "--expect", "liveness=tcp", "--expect", "startup=tcp");
    expect(missed.code).toBe(1);
    expect(lines(missed.stderr)).toEqual([
      "coldstart: expected liveness=tcp, but the spec has http at properties.template.containers[0].probes[0]",
    ]);
    const open = await probes("--spec", LIVENESS, "--expect", "startup=tcp");
    expect(open.code).toBe(3);
    expect(lines(open.stderr)).toHaveLength(1);
    expect(open.stderr).toMatch(/startup=tcp, which cannot be told: .* not documented/);
    expect(open.stdout).toContain("unknown: startup=tcp");
  });

  it("ends with 3 where no probe can be told, saying what to add", async () => {
    const { code, stderr } = await probes("--data", "fixtures/container-apps/logs-show-dapr.ndjson");
    expect(code).toBe(3);
    expect(stderr).toMatch(/add the spec with --spec FILE/);
  });

  it("ends with 3 where the data holds nothing of the spec's app, or nothing in the window", async () => {
    const other = await probes("--data", LOG, "--spec", "fixtures/corpus/70-spec-startup-only-http.yaml");
    expect(other.code).toBe(3);
    expect(other.stderr).toMatch(/holds nothing of the spec's apps/);
    expect(other.stdout).toContain("The probes of ca-labrevprov-e2upm2");
    const empty = await probes("--data", LOG, "--from", "2030-01-01");
    expect(empty.code).toBe(3);
    expect(empty.stderr).toMatch(/no event and no row of an app/);
  });

  it("keeps to the window, the revision and the container", async () => {
    const count = async (...flags: string[]) => {
      const { stdout } = await probes("--data", LOG, "--format", "json", ...flags);
      return JSON.parse(stdout).apps[0]?.probes[0].refusals.count ?? null;
    };
    expect(await count("--to", "2026-06-20T13:35:30Z")).toBe(3);
    expect(await count("--revision", "ca-labrevprov-e2upm2--badpath2")).toBe(12);
    expect(await count("--revision", "ca-labrevprov-e2upm2--other")).toBeNull();
  });

  it("ends with 4 for partial data, the document printed", async () => {
    const whole = readFileSync(LOG, "utf8");
    const path = join(folder, "cut.ndjson");
    writeFileSync(path, whole.slice(0, -40));
    const { code, stdout, stderr } = await probes("--data", path, "--expect", "startup=http");
    expect(code).toBe(4);
    expect(stdout).toContain("startup");
    expect(lines(stderr)).toHaveLength(1);
  });

  it("ends with 4 for a spec that is none, in one line", async () => {
    const { code, stdout, stderr } = await probes("--spec", LOG);
    expect({ code, stdout }).toEqual({ code: 4, stdout: "" });
    expect(lines(stderr)).toHaveLength(1);
    expect((await probes("--spec", "nowhere.yaml")).code).toBe(4);
  });

  it("writes all formats, and to a file", async () => {
    const csv = await probes("--data", LOG, "--spec", SPEC, "--format", "csv");
    expect(csv.stdout.split("\n")[0]).toBe("app,probe,figure,label,value,unit,n");
    expect(csv.stdout).toContain("ca-labrevprov-e2upm2,startup,refusals.kills,,4,containers,4\n");
    const markdown = await probes("--spec", SPEC, "--format", "markdown");
    expect(markdown.stdout).toContain("### Which probes run");
    const out = join(folder, "probes.json");
    expect(await probes("--spec", SPEC, "--format", "json", "--out", out)).toMatchObject({
      code: 0,
      stdout: "",
    });
    expect(JSON.parse(readFileSync(out, "utf8")).schema).toBe("coldstart.probes/1");
  });

  it.each([
    [[], /nothing to look at: name a spec with --spec FILE/],
    [["--spec", "-", "--data", "-"], /standard input \(-\) can be read only once/],
    [["--spec", SPEC, "--expect", "startup"], /--expect: "startup" is not TYPE=KIND/],
    [["--spec", SPEC, "--expect", "ready=http"], /TYPE is one of startup, readiness, liveness/],
    [["--spec", SPEC, "--expect", "startup=grpc"], /KIND one of http, tcp, process, none/],
    [["--spec", SPEC, "--expect", "startup=tcp", "--expect", "startup=http"], /cannot be both tcp and http/],
    [["--spec", SPEC, "--format", "html"], /--format: "html" is not one of/],
    [["--spec", SPEC, "--timezone", "Nowhere/No"], /--timezone/],
    [["--spec", SPEC, "--out", "/nowhere/x"], /--out: cannot write/],
    [["--nonsense"], /unknown option/],
  ])("refuses %j", async (args, message) => {
    const { code, stdout, stderr } = await probes(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(lines(stderr)).toHaveLength(1);
    expect(stderr).toMatch(message);
  });
});
