import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { readManifest } from "../../../src/sources/capture/manifest.ts";
import { built, newFolders, read, startsOf } from "./sample.ts";

const newFolder = newFolders();
const DIST = dirname(built("main.js"));

function writer(args: readonly (string | number)[], blocks: number | null = null): ChildProcess {
  const command = [process.execPath, join(import.meta.dirname, "writer.mjs"), DIST, ...args.map(String)];
  // The shell's limit on the size of a file, in blocks of 512 bytes.
  const [program, ...rest] =
    blocks === null ? command : ["sh", "-c", `ulimit -f ${blocks}; exec "$@"`, "sh", ...command];
  return spawn(program!, rest, { stdio: ["ignore", "pipe", "inherit"] });
}

/** The lines that a process says until it ends; `each` is called at every line. */
async function said(child: ChildProcess, each: (line: string) => void = () => {}): Promise<string[]> {
  const lines: string[] = [];
  let rest = "";
  child.stdout!.setEncoding("utf8").on("data", (text: string) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop()!;
    for (const line of parts) {
      lines.push(line);
      each(line);
    }
  });
  await new Promise((resolve) => child.on("close", resolve));
  return lines;
}

const slicesIn = (lines: readonly string[]): number =>
  lines.filter((line) => line.startsWith("slice ")).length;

describe("a process that writes a capture", () => {
  it("may be killed at any moment: what it told as done is there, and the next one goes on", async () => {
    const path = newFolder();
    const [slices, rows] = [40, 2000];
    let done = 0;
    let kills = 0;
    for (let turn = 0; ; turn++) {
      const child = writer([path, "write", slices, rows]);
      let seen = 0;
      const lines = await said(child, (line) => {
        // After so many slices, and then a little later each time: in the middle of the next one's files.
        if (line.startsWith("slice ") && ++seen === 1 + (turn % 4)) {
          void wait(turn * 1.7).then(() => child.kill("SIGKILL"));
        }
      });
      expect(lines[0]).toBe(`open with ${done}`);
      const { state, slices: found } = await readManifest(path);
      // A slice may be done without having been told.
      expect(found.length).toBeGreaterThanOrEqual(done + slicesIn(lines));
      expect(found.length).toBeLessThanOrEqual(done + slicesIn(lines) + 1);
      done = found.length;
      const { builder } = await read(path);
      expect(builder.table.length).toBe(done * rows);
      if (state === "complete") break;
      expect(child.signalCode).toBe("SIGKILL");
      kills++;
    }
    expect(kills).toBeGreaterThan(5);
    // The last one may have been killed with nothing left to do but to give the lock back.
    expect((await said(writer([path, "write", slices, rows]))).at(-1)).toBe("complete");
    const { builder, manifest } = await read(path);
    const starts = startsOf(builder);
    expect(new Set(starts).size).toBe(slices * rows);
    expect(starts).toEqual([...starts].sort((a, b) => a - b));
    // Each kill left its lock.
    expect(manifest.warnings.map(({ code }) => code)).toEqual(Array(kills).fill("lock-taken-over"));
    const left = readdirSync(path, { recursive: true }).map(String);
    expect(left.filter((name) => name.endsWith(".part"))).toEqual([]);
    expect(left.filter((name) => !name.includes("/")).sort()).toEqual([
      "manifest.json",
      "request-details",
      "requests",
    ]);
  }, 120_000);

  it("is alone: of several that begin at once the others are told who it is", async () => {
    const path = newFolder();
    const children = Array.from({ length: 5 }, () => writer([path, "write", 12, 2000]));
    const lines = await Promise.all(children.map((child) => said(child)));
    expect(lines.reduce((sum, own) => sum + slicesIn(own), 0)).toBe(12);
    const winners = children.filter((_, i) => slicesIn(lines[i]!) > 0);
    expect(winners.length).toBe(1);
    for (const own of lines) {
      // Who comes late finds the capture complete.
      if (own.at(-1) !== "complete") {
        expect(own).toEqual([
          expect.stringMatching(/^CaptureBusy: .*: process \d+ on \S+ is writing this capture/),
        ]);
        expect(own[0]).toContain(`process ${winners[0]!.pid} on`);
      }
    }
    expect(lines.filter((own) => own.at(-1) === "complete").length).toBeGreaterThanOrEqual(1);
    expect((await read(path)).builder.table.length).toBe(12 * 2000);
  }, 60_000);

  it("is alone with a lock that it took from one that is gone", async () => {
    const path = newFolder();
    mkdirSync(path);
    const [rounds, at_once] = [6, 8];
    for (let round = 0; round < rounds; round++) {
      const begin = Date.now() + 700;
      const ends = await Promise.all(
        Array.from({ length: at_once }, (_, i) =>
          said(writer([path, "contend", begin, i % 4 === 3 ? 0 : 1])),
        ),
      );
      expect(ends).toEqual(Array(at_once).fill(["taken"]));
    }
  }, 120_000);
});

const hasShell = process.platform !== "win32";
if (!hasShell) console.warn("SKIPPED: a full disk needs a shell that limits the size of files");

describe.skipIf(!hasShell)("a disk that is full", () => {
  /** Writes until there is no room, and goes on with room: everything is there in the end. */
  async function fill(
    rows: number,
    blocks: number,
  ): Promise<{ readonly fault: string; readonly path: string }> {
    const path = newFolder();
    const slices = 60;
    const full = await said(writer([path, "write", slices, rows], blocks));
    const done = slicesIn(full);
    const { state, slices: found } = await readManifest(path);
    expect(state).toBe("running");
    expect(found.length).toBe(done);
    expect((await read(path)).builder.table.length).toBe(done * rows);
    const names = readdirSync(path, { recursive: true }).map(String);
    expect(names.filter((name) => name.endsWith(".part"))).toEqual([]);
    // Not even half a line stands at its end.
    expect(readFileSync(join(path, "slices.ndjson"), "utf8")).toMatch(/^(?:\{.*\}\n)*$/);
    // Full once more at the same place.
    expect((await said(writer([path, "write", slices, rows], blocks))).at(-1)).toBe(full.at(-1));
    const rest = await said(writer([path, "write", slices, rows]));
    expect(rest[0]).toBe(`open with ${done}`);
    expect(rest.at(-1)).toBe("complete");
    expect((await read(path)).builder.table.length).toBe(slices * rows);
    return { fault: full.at(-1)!, path };
  }

  it("fails a file of a slice", async () => {
    const { fault, path } = await fill(20_000, 200);
    expect(fault).toMatch(
      /^DataFault: .*\d{6}\.arrow: no room to write it \(EFBIG\); make room or give another/,
    );
    expect(statSync(join(path, "requests/000001.arrow")).size).toBeGreaterThan(200 * 512);
  }, 60_000);

  it("fails a line of the journal, which is taken back", async () => {
    const { fault, path } = await fill(1, 24);
    expect(fault).toBe(
      `DataFault: ${join(path, "slices.ndjson")}: no room to write it (EFBIG); make room or give another folder; what was written stays, and the same command goes on from there`,
    );
    expect(statSync(join(path, "requests/000001.arrow")).size).toBeLessThan(24 * 512);
  }, 60_000);
});
