import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";

const MAIN = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const CASES = fileURLToPath(new URL("../golden", import.meta.url));
const UPDATE = process.env.UPDATE_GOLDEN === "1";

interface Result {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: string;
}

/**
 * The command line as it is installed: each folder of test/golden holds the arguments (command.txt), its
 * input files, perhaps standard input (stdin.txt), and what came out, byte for byte, as it was read and
 * approved. UPDATE_GOLDEN=1 writes the outputs anew and fails, so that a run that wrote is never mistaken
 * for one that checked.
 */
describe("golden folders", () => {
  beforeAll(() => {
    if (!existsSync(MAIN)) throw new Error("dist/main.js is missing: run `npm run build` before this test");
  });

  const names = readdirSync(CASES, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  it.concurrent.each(names.map(({ name }) => name).sort())("%s", async (name) => {
    const folder = join(CASES, name);
    const filesBefore = readdirSync(folder).sort();
    const result = await runIn(folder);
    // A command leaves nothing behind in the folder it was started in, least of all a half-written file.
    expect(readdirSync(folder).sort()).toEqual(filesBefore);
    if (UPDATE) {
      for (const key of ["stdout", "stderr", "exit"] as const) {
        writeFileSync(join(folder, `${key}.txt`), result[key]);
      }
      throw new Error(`${name} was written: read it, then run without UPDATE_GOLDEN`);
    }
    expect(result).toEqual({
      stdout: readFileSync(join(folder, "stdout.txt"), "utf8"),
      stderr: readFileSync(join(folder, "stderr.txt"), "utf8"),
      exit: readFileSync(join(folder, "exit.txt"), "utf8"),
    });
  });
});

/** What the approved failures have in common, so that a careless update is noticed. */
describe("golden failures", () => {
  // Without arguments the help is the answer.
  const names = readdirSync(CASES).filter(
    (name) => name !== "no-arguments" && read(name, "exit.txt") !== "0\n",
  );

  it.each(names)("%s: one line says what, where and what to do", (name) => {
    const exit = read(name, "exit.txt");
    expect(["2\n", "3\n", "4\n"]).toContain(exit);
    const others = read(name, "stderr.txt")
      .split("\n")
      .filter((line) => line !== "" && !/^(?:warning|malformed): /.test(line));
    for (const line of others) expect(line).toMatch(/^coldstart: /);
    // Cohorts can be incomparable for more than one reason, each in its line.
    if (exit === "3\n") expect(others.length).toBeGreaterThan(0);
    else expect(others).toHaveLength(1);
    if (exit === "2\n") expect(read(name, "stdout.txt")).toBe("");
  });
});

/** A case's file; what is not written yet is empty, and fails above. */
function read(name: string, file: string): string {
  const path = join(CASES, name, file);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

/** Runs the built program in a case's folder, in a fixed environment whose time zone is not UTC. */
function runIn(folder: string): Promise<Result> {
  const command = readFileSync(join(folder, "command.txt"), "utf8").trim();
  const stdin = join(folder, "stdin.txt");
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [MAIN, ...splitArguments(command)], {
      cwd: folder,
      env: { PATH: process.env.PATH, TZ: "Asia/Kolkata", LC_ALL: "en_US.UTF-8" },
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
    child.on("error", reject);
    child.on("close", (code, signal) => {
      resolve({
        stdout: Buffer.concat(out).toString(),
        stderr: Buffer.concat(err).toString(),
        exit: `${code ?? signal}\n`,
      });
    });
    // A program that never reads its input may have closed it.
    child.stdin.on("error", () => {});
    child.stdin.end(existsSync(stdin) ? readFileSync(stdin) : "");
  });
}

/** Splits at blanks; double quotes hold blanks together. */
function splitArguments(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
}
