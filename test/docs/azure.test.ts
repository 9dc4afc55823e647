import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeWithEngine, KqlEngine } from "../azure/engine.ts";
import { loadFleet, temporaryFolder } from "../azure/pulled.ts";
import { AzureServer } from "../azure/server.ts";
import { seededFleet } from "../forms/random.ts";
import { type Block, blocksOf, commandLines, exampleOf, pages, ROOT, readPage } from "./manual.ts";

const TICKS_PER_MS = 10_000n;

/** The examples of the manual that ask Azure, each in a process of its own, with an `az` that signs in. */
describeWithEngine("examples that ask Azure", () => {
  const folder = temporaryFolder();
  const bin = join(folder, "bin");
  let engine: KqlEngine;
  let server: AzureServer;

  beforeAll(async () => {
    engine = new KqlEngine();
    const fleet = seededFleet(7, { milliseconds: true });
    const [first = 0n] = fleet.rows.map((row) => row.startTicks).sort((a, b) => Number(a - b));
    const shift = BigInt(Date.parse("2026-09-22T08:00:00Z")) * TICKS_PER_MS - first;
    const rows = fleet.rows.map((row) => ({
      ...row,
      startTicks: row.startTicks + shift,
      role: "quotes-api",
    }));
    const events = fleet.events.map((event) => ({
      ...event,
      timeTicks: event.timeTicks + shift,
      app: "quotes-api",
    }));
    await loadFleet(engine, { rows, events }, folder);
    server = await AzureServer.start(engine, {
      fault: ({ query }) =>
        query.includes("ingestion_time") ? { kind: "status", status: 403, code: "Forbidden" } : undefined,
    });
    mkdirSync(bin);
    const expires = Math.floor(Date.now() / 1000) + 3600;
    writeFileSync(
      join(bin, "az"),
      `#!/bin/sh\necho '{"accessToken":"from-az","expires_on":${expires},"tokenType":"Bearer"}'\n`,
    );
    chmodSync(join(bin, "az"), 0o755);
  });

  afterAll(async () => {
    await server.close();
    engine.close();
  });

  const blocks = pages().flatMap((page) =>
    blocksOf(readPage(page))
      .filter(({ comment }) => comment === "azure")
      .map((block) => [`${page}, line ${block.line}`, block] as const),
  );

  it("are there", () => {
    expect(blocks.length).toBeGreaterThan(2);
  });

  it.each(blocks)("%s", async (name, block: Block) => {
    const cwd = join(folder, name.replace(/\W+/g, "-"));
    mkdirSync(cwd);
    if (!block.text.includes("init")) {
      const id = "00000000-0000-0000-0000-000000000001";
      writeFileSync(join(cwd, "coldstart.config.yaml"), `source:\n  workspace: ${id}\n`);
    }
    const env = {
      ...server.env,
      COLDSTART_CREDENTIAL: "azure-cli",
      PATH: `${bin}${delimiter}${process.env.PATH}`,
    };
    for (const line of commandLines(block.text)) {
      const example = exampleOf(line);
      if (example === null) continue;
      const child = spawn(process.execPath, [join(ROOT, "dist", "main.js"), ...example.args], { cwd, env });
      let said = "";
      child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
      child.stdout.resume();
      const code = await new Promise((resolve) => child.on("close", resolve));
      // The engine does not know when rows were written, so the doctor's last question fails there.
      const expected = example.args[0] === "doctor" ? 5 : 0;
      expect(`${line}: exit ${code} ${code === expected ? "" : said}`).toBe(`${line}: exit ${expected} `);
    }
  });
});
