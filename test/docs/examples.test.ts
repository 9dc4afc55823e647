import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, normalize } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  anchorsOf,
  type Block,
  blocksOf,
  commandLines,
  exampleOf,
  linksOf,
  matches,
  mentions,
  pages,
  ROOT,
  readPage,
} from "./manual.ts";

const MAIN = join(ROOT, "dist", "main.js");
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "coldstart-manual-"));
  cpSync(join(ROOT, "fixtures", "examples"), folder, { recursive: true });
  cpSync(join(ROOT, "fixtures", "demo"), join(folder, "demo"), { recursive: true });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Result {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function coldstart(args: readonly string[], input = ""): Result {
  const { PATH } = process.env;
  const env = PATH === undefined ? {} : { PATH };
  const result = spawnSync(process.execPath, [MAIN, ...args], { cwd: folder, env, input, encoding: "utf8" });
  return { status: result.status, stdout: result.stdout, stderr: result.stderr };
}

const helps = new Map<string, Result>();

/** The help of a command, asked once. */
function helpOf(command: string): Result {
  const known = helps.get(command) ?? coldstart([command, "--help"]);
  helps.set(command, known);
  return known;
}

/** Runs the examples of a block; returns what they wrote to standard output. */
function runBlock(block: Block): string {
  const expected = /^exit (\d+)$/.exec(block.comment)?.[1] ?? "0";
  let output = "";
  for (const line of commandLines(block.text)) {
    const example = exampleOf(line);
    if (example === null) continue;
    const input = example.stdin === null ? "" : readFileSync(join(folder, example.stdin), "utf8");
    const result = coldstart(example.args, input);
    expect(`${line}: exit ${result.status}\n${result.status === Number(expected) ? "" : result.stderr}`).toBe(
      `${line}: exit ${expected}\n`,
    );
    output += result.stdout;
  }
  return output;
}

/** Examples that ask Azure: they run against the loopback service, in azure.test.ts. */
const asksAzure = ({ comment }: Block): boolean => comment === "azure";
const isShell = ({ language }: Block): boolean => language === "sh" || language === "console";
const isExample = (block: Block): boolean =>
  isShell(block) && !asksAzure(block) && commandLines(block.text).some((line) => exampleOf(line) !== null);

describe.each(pages())("%s", (page) => {
  const markdown = readPage(page);
  const blocks = blocksOf(markdown);

  it.each(blocks.filter(isExample).map((block) => [block.line, block] as const))(
    "runs the examples at line %i, and prints what is shown",
    (_line, block) => {
      const output = runBlock(block);
      // All outputs up to the next example are of this one.
      const after = blocks.slice(blocks.indexOf(block) + 1);
      const next = after.findIndex(isExample);
      for (const shown of after.slice(0, next === -1 ? after.length : next)) {
        if (shown.language !== "text" || shown.comment !== "output") continue;
        if (!matches(shown.text, output)) {
          expect(output, `${page}, line ${shown.line}, shows other output`).toBe(shown.text);
        }
      }
    },
  );

  it("marks every text block as checked output", () => {
    const unchecked = blocks.filter(({ language, comment }) => language === "text" && comment !== "output");
    expect(unchecked.map(({ line }) => line)).toEqual([]);
  });

  it("names only commands and options that exist", () => {
    for (const { command, options } of mentions(markdown)) {
      if (command === "help") continue;
      const help = helpOf(command);
      expect(help.status, `coldstart ${command}`).toBe(0);
      for (const option of options) expect(optionsOf(help.stdout), `coldstart ${command}`).toContain(option);
    }
  });
});

/** The options that a help text lists, short and long. */
function optionsOf(help: string): string[] {
  const lines = help.split("\n").filter((line) => /^ {2}-/.test(line));
  return lines.flatMap(
    (line) =>
      line
        .trim()
        .split(/ {2,}/)[0]!
        .match(/(?<![\w<-])--?[a-z][a-z-]*/gi) ?? [],
  );
}

/** The options that a page describes in its tables. */
function described(page: string): string[] {
  const rows = readPage(page).match(/^\| `-.*$/gm) ?? [];
  return rows.flatMap(
    (row) =>
      row
        .replaceAll("\\|", "")
        .split("|")[1]!
        .match(/(?<=`)--?[a-z][a-z-]*/gi) ?? [],
  );
}

describe("the pages of the commands", () => {
  it.each([
    "report",
    "demo",
    "gate",
    "leaks",
    "probes",
    "replicas",
    "anatomy",
    "reconcile",
    "pull",
    "doctor",
  ])("docs/%s.md describes exactly the options of its command", (command) => {
    const options = optionsOf(helpOf(command).stdout);
    expect(options.length).toBeGreaterThan(4);
    expect(described(`docs/${command}.md`).sort()).toEqual(options.sort());
  });

  it("README.md lists exactly the commands", () => {
    const help = coldstart(["--help"]).stdout;
    const commands = Array.from(help.matchAll(/^ {2}([a-z]+)(?= \[| {2})/gm), ([, name]) => name!).filter(
      (name) => name !== "help",
    );
    const listed = Array.from(
      readPage("README.md").matchAll(/^\| \[`coldstart (\S+)`\]/gm),
      ([, name]) => name!,
    );
    expect(listed.sort()).toEqual(commands.sort());
  });

  it("explain every warning code, docs/report.md those of the report", () => {
    const codes = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
      .filter((name) => /^(?:figures|sources|cli|telemetry|fleet)\/.*\.ts$/.test(name))
      .flatMap((name) => {
        const source = readFileSync(join(ROOT, "src", name), "utf8");
        return Array.from(source.matchAll(/(?:(?<!\w)code: |\.note\(\s*)"([a-z-]+)"/g), ([, code]) => code!);
      });
    const explainedIn = (page: string): string[] =>
      Array.from(readPage(page).matchAll(/^\| `([a-z]+(?:-[a-z]+)+)` \|/gm), ([, code]) => code!);
    const explained = new Set(pages().flatMap(explainedIn));
    // `custom` is what the schemas' library calls a check of ours.
    const ours = [...new Set(codes)].filter((code) => code !== "custom");
    expect(ours.filter((code) => !explained.has(code))).toEqual([]);
    expect(explainedIn("docs/report.md").filter((code) => !codes.includes(code))).toEqual([]);
  });
});

const LINKED = [...pages(), "CHANGELOG.md", "CONTRIBUTING.md", "fixtures/README.md"];

describe("links", () => {
  it.each(LINKED)("%s links to pages and headings that exist", (page) => {
    for (const link of linksOf(readPage(page))) {
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? page : normalize(join(dirname(page), path));
      expect(existsSync(join(ROOT, target)), `${page}: ${link}`).toBe(true);
      if (anchor !== undefined) expect(anchorsOf(readPage(target)), `${page}: ${link}`).toContain(anchor);
    }
  });
});
