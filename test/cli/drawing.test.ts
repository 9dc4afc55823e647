import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { displayWidth } from "../../src/report/plain.ts";
import { lines, runWorld, type WorldOptions } from "./world.ts";

const REPORT = [
  ...["report", "--data", "fixtures/examples/requests.csv", "--data", "fixtures/examples/system-logs.ndjson"],
  ...["--deployed-at", "2026-09-21T06:00:00Z"],
];

async function draw(options: WorldOptions, ...flags: string[]): Promise<string> {
  const { code, stdout, stderr } = await runWorld([...REPORT, ...flags], options);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

const isColoured = (text: string): boolean => text !== stripVTControlCharacters(text);
const isAscii = (text: string): boolean => /^[\n\x20-\x7e]*$/.test(text);
const widest = (text: string): number =>
  Math.max(...lines(stripVTControlCharacters(text)).map((line) => displayWidth(line)));

describe("colour", () => {
  it.each([
    ["on a terminal", { terminal: 100 }, true],
    ["with NO_COLOR set to nothing", { terminal: 100, env: { NO_COLOR: "" } }, true],
    ["with NO_COLOR", { terminal: 100, env: { NO_COLOR: "1" } }, false],
    ["with NO_COLOR set to 0, which is something", { terminal: 100, env: { NO_COLOR: "0" } }, false],
    ["on a dumb terminal", { terminal: 100, env: { TERM: "dumb" } }, false],
    ["on a pipe", { env: { TERM: "xterm-256color", COLORTERM: "truecolor" } }, false],
  ] as const)("%s", async (_, options, expected) => {
    expect(isColoured(await draw(options))).toBe(expected);
  });

  it("only paints: the words are the same", async () => {
    const painted = await draw({ terminal: 100 });
    expect(stripVTControlCharacters(painted)).toBe(await draw({ terminal: 100, env: { NO_COLOR: "1" } }));
  });

  it("no other form has any, on a terminal either", async () => {
    for (const format of ["markdown", "json", "csv"]) {
      const { stdout } = await runWorld([...REPORT, "--format", format], { terminal: 100 });
      expect(isColoured(stdout)).toBe(false);
    }
  });
});

describe("width", () => {
  it.each([
    [60, 54],
    [72, 66],
    [80, 72],
    // Prose ends at 100 columns; tables stand side by side where they fit.
    [120, 101],
  ])("no line is wider than a terminal of %d columns, and some have at least %d", async (columns, least) => {
    const width = widest(await draw({ terminal: columns }));
    expect(width).toBeLessThanOrEqual(columns);
    expect(width).toBeGreaterThanOrEqual(least);
  });

  it("a terminal below 60 columns is drawn as one of 60", async () => {
    expect(await draw({ terminal: 20 })).toBe(await draw({ terminal: 60 }));
    expect(await draw({ terminal: 0 })).toBe(await draw({ terminal: 60 }));
  });

  it("a pipe is 80 columns wide", async () => {
    expect(await draw({})).toBe(await draw({ terminal: 80, env: { NO_COLOR: "1" } }));
  });

  it("a file is drawn as for a pipe, though the program stands on a terminal", async () => {
    const folder = mkdtempSync(join(tmpdir(), "coldstart-out-"));
    try {
      const out = join(folder, "report.txt");
      expect(await draw({ terminal: 120 }, "--out", out)).toBe("");
      expect(readFileSync(out, "utf8")).toBe(await draw({}));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("--out - is standard output, with its terminal", async () => {
    expect(await draw({ terminal: 120 }, "--out", "-")).toBe(await draw({ terminal: 120 }));
  });
});

describe("characters", () => {
  it.each([
    [{}, false],
    [{ LANG: "en_US.UTF-8" }, false],
    [{ LANG: "C.UTF-8" }, false],
    [{ LANG: "C" }, true],
    [{ LANG: "POSIX" }, true],
    [{ LC_CTYPE: "C", LANG: "en_US.UTF-8" }, true],
    [{ LC_ALL: "C", LC_CTYPE: "en_US.UTF-8", LANG: "en_US.UTF-8" }, true],
    [{ LC_ALL: "en_US.UTF-8", LC_CTYPE: "C", LANG: "C" }, false],
    // Empty is as good as not set.
    [{ LC_ALL: "", LC_CTYPE: "", LANG: "C" }, true],
    [{ LC_ALL: "", LC_CTYPE: "de_AT.UTF-8", LANG: "C" }, false],
    [{ TERM: "xterm" }, false],
    [{ TERM: "linux" }, true],
    [{ TERM: "dumb", LANG: "en_US.UTF-8" }, true],
  ] as const)("%j: plain ASCII %s", async (env, expected) => {
    expect(isAscii(await draw({ env }))).toBe(expected);
  });

  it("plain ASCII holds where the data does not", async () => {
    const stdin =
      "timestamp,name,duration,cloud_RoleName,cloud_RoleInstance\n2026-09-21T06:00:00Z,GET /ä,5,näme→,ì\n";
    const flags = ["report", "--data", "-", "--guard", "0s", "--role", "näme→"];
    const { code, stdout } = await runWorld(flags, { stdin, env: { LANG: "C" } });
    expect(code).toBe(0);
    expect(isAscii(stdout)).toBe(true);
    expect((await runWorld(flags, { stdin })).stdout).toContain("näme→");
  });
});
