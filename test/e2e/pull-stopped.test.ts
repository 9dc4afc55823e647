import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readManifest } from "../../src/sources/capture/manifest.ts";
import { describeWithEngine, KqlEngine } from "../azure/engine.ts";
import { temporaryFolder, WORKSPACE } from "../azure/pulled.ts";
import { AzureServer } from "../azure/server.ts";
import { ROOT } from "../cli/world.ts";

/** Rows of one role in the shape of the workspace's table, made in the engine: as many as are wanted. */
export const madeRows = (count: number, seconds: number): string => `
CREATE OR REPLACE TABLE AppRequests AS SELECT
  make_timestamp(epoch_us(TIMESTAMP '2026-06-01 00:00:00') + i * ${seconds * 1_000_000} // ${count}) AS TimeGenerated,
  printf('%016x', i) AS Id, '' AS Source, 'GET /quotes/' || (i % 50) AS Name,
  'https://quotes.example.test/quotes/' || (i % 50) AS Url, true AS Success, '200' AS ResultCode,
  CAST(CASE WHEN i % 97 = 0 THEN 2500 ELSE 12.5 + i % 7 END AS DOUBLE) AS DurationMs,
  '{"microsoft.sample_rate":"50"}'::JSON AS Properties, NULL::JSON AS Measurements,
  printf('%032x', i) AS OperationId, '' AS SyntheticSource, 'quotes--1' AS AppVersion, 'quotes' AS AppRoleName,
  'quotes--1-abcdefgh-' || printf('%05d', i * 200 // ${count}) AS AppRoleInstance, 'sdk' AS SDKVersion, 2::INT AS ItemCount
FROM range(${count}) t(i)`;

describeWithEngine("a pull that is stopped", () => {
  const folder = temporaryFolder();
  const bin = join(folder, "bin");
  const ROWS = 30_000;
  let engine: KqlEngine;
  let server: AzureServer;
  let folders = 0;

  beforeAll(async () => {
    engine = new KqlEngine();
    await engine.sql(madeRows(ROWS, 70 * 86_400));
    server = await AzureServer.start(engine);
    mkdirSync(bin);
    const expires = Math.floor(Date.now() / 1000) + 3600;
    writeFileSync(join(bin, "az"), `#!/bin/sh\necho '{"accessToken":"from-az","expires_on":${expires}}'\n`);
    chmodSync(join(bin, "az"), 0o755);
  });

  afterAll(async () => {
    await server.close();
    engine.close();
  });

  const begin = (out: string): ChildProcess =>
    spawn(
      process.execPath,
      [
        join(ROOT, "dist", "main.js"),
        ...["pull", "--workspace", WORKSPACE, "--credential", "azure-cli", "--table", "requests"],
        ...["--from", "2026-06-01", "--to", "2026-08-10", "--out", out],
      ],
      { cwd: folder, env: { ...server.env, PATH: `${bin}${delimiter}${process.env.PATH}` } },
    );
  const ended = (child: ChildProcess): Promise<{ code: number | null; said: string }> => {
    let said = "";
    child.stderr!.on("data", (chunk: Buffer) => (said += chunk.toString()));
    child.stdout!.resume();
    return new Promise((resolve) => child.on("close", (code) => resolve({ code, said })));
  };
  /** Resolves when so many slices are done. */
  const slicesDone = async (out: string, count: number): Promise<void> => {
    const journal = join(out, "slices.ndjson");
    while (!existsSync(journal) || readFileSync(journal, "utf8").split("\n").length <= count) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const rowsIn = async (out: string): Promise<number> =>
    (await readManifest(out)).slices.reduce((sum, { rows }) => sum + rows, 0);

  it.each([
    ["kill -9", "SIGKILL", null],
    ["Ctrl-C", "SIGINT", 130],
    ["a polite kill", "SIGTERM", 143],
  ] as const)("by %s keeps what it had, and the same command goes on", async (_, signal, code) => {
    server.set({});
    const out = join(folder, `capture-${folders++}`);
    const child = begin(out);
    const end = ended(child);
    await slicesDone(out, 2);
    child.kill(signal);
    expect((await end).code).toBe(code);
    const kept = await rowsIn(out);
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(ROWS);
    server.set({});
    const again = await ended(begin(out));
    expect(again).toEqual({ code: 0, said: "" });
    expect(await rowsIn(out)).toBe(ROWS);
    expect((await readManifest(out)).state).toBe("complete");
    // The count, and only the slices that were missing.
    expect(server.asked.length).toBeLessThan(12);
    expect(existsSync(join(out, "lock"))).toBe(false);
  });

  it("while another writes the same capture: the second is told, the first goes on", async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    server.set({ hold: () => held });
    const out = join(folder, `capture-${folders++}`);
    const first = ended(begin(out));
    while (!existsSync(join(out, "lock"))) await new Promise((resolve) => setTimeout(resolve, 5));
    const second = await ended(begin(out));
    expect(second.code).toBe(2);
    expect(second.said).toMatch(
      /^coldstart: .*: process \d+ on .* is writing this capture since .*; wait for it/,
    );
    release();
    expect(await first).toEqual({ code: 0, said: "" });
    expect(await rowsIn(out)).toBe(ROWS);
  });

  it("says one line where the sign-in is refused", async () => {
    writeFileSync(join(bin, "az"), "#!/bin/sh\necho 'Please run az login to setup account.' >&2\nexit 1\n");
    const { code, said } = await ended(begin(join(folder, `capture-${folders++}`)));
    expect(code).toBe(5);
    expect(said).toMatch(/^coldstart: cannot sign in to Azure .*run az login/);
    expect(said.trim().split("\n")).toHaveLength(1);
  });
});
