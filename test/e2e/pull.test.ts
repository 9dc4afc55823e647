import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ReportDocument } from "../../src/report/document.ts";
import { readManifest } from "../../src/sources/capture/manifest.ts";
import { describeWithEngine, KqlEngine } from "../azure/engine.ts";
import { APP, CONTAINER_APP, loadFleet, runAgainst, temporaryFolder, WORKSPACE } from "../azure/pulled.ts";
import { AzureServer, type Fault } from "../azure/server.ts";
import { seededFleet } from "../forms/random.ts";
import type { FormRow } from "../forms/types.ts";

const HOUR = 36_000_000_000n;
const EPOCH = BigInt(Date.UTC(1970, 0, 1)) * 10_000n;

describeWithEngine("coldstart pull, against a service that runs the KQL", () => {
  const folder = temporaryFolder();
  let engine: KqlEngine;
  let server: AzureServer;
  let files: { classic: string; workspace: string; events: string };
  let window: { from: string; to: string };
  let rows = 0;
  let folders = 0;

  beforeAll(async () => {
    engine = new KqlEngine();
    const fleet = seededFleet(20_260_921, { milliseconds: true, replicas: 14 });
    const times = [
      ...fleet.rows.map((row) => row.startTicks),
      ...fleet.events.map((event) => event.timeTicks),
    ].sort((a, b) => Number(a - b));
    const first = times[0]! - 10_000_000n;
    const last = times.at(-1)!;
    // A timer's row at the very begin: the data of the files and of the capture then begin at the same time.
    const timer: FormRow = {
      startTicks: first,
      durationTicks: 10_000,
      id: "timer",
      name: "timer",
      resultCode: "",
      success: true,
      itemCount: 1,
      role: fleet.rows[0]!.role,
    };
    const all = [timer, ...fleet.rows];
    rows = all.length;
    files = await loadFleet(engine, { rows: all, events: fleet.events }, folder);
    const iso = (ticks: bigint): string => new Date(Number((ticks - EPOCH) / 10_000n)).toISOString();
    window = { from: iso(first + HOUR / 6n), to: iso(last + HOUR) };
    server = await AzureServer.start(engine);
  });

  afterAll(async () => {
    await server.close();
    engine.close();
  });

  const newFolder = (): string => join(folder, `capture-${folders++}`);
  const pull = (out: string, ...args: string[]) =>
    runAgainst(server, folder, ["pull", "--from", window.from, "--to", window.to, "--out", out, ...args]);
  const report = async (...data: string[]): Promise<Omit<ReportDocument, "inputs">> => {
    const paths = data.flatMap((path) => ["--data", path]);
    const outcome = await runAgainst(server, folder, [
      "report",
      "--format",
      "json",
      "--quiet",
      "--from",
      window.from,
      "--to",
      window.to,
      ...paths,
    ]);
    const { inputs, ...document } = JSON.parse(outcome.stdout) as ReportDocument;
    expect(inputs.length).toBeGreaterThan(0);
    return document;
  };
  const pulledRows = async (out: string): Promise<number> =>
    (await readManifest(out)).slices
      .filter(({ table }) => table === "requests")
      .reduce((sum, slice) => sum + slice.rows + slice.duplicates + slice.malformed, 0);

  it.each([
    ["a workspace", ["--workspace", WORKSPACE], "workspace"],
    ["an Application Insights resource", ["--app-resource", APP, "--workspace", WORKSPACE], "classic"],
  ] as const)("gives the same report as the rows themselves, from %s", async (_, source, schema) => {
    server.set({});
    const out = newFolder();
    const outcome = await pull(out, ...source);
    expect(outcome.stderr).toBe("");
    expect(outcome.code).toBe(0);
    expect(await pulledRows(out)).toBe(rows);
    const [pulled, direct] = [await report(out), await report(files[schema], files.events)];
    expect(pulled).toEqual(direct);
    expect(pulled.cohorts[0]!.instances.total).toBeGreaterThan(5);
  });

  it("goes through Azure Data Explorer as well", async () => {
    server.set({});
    const out = newFolder();
    const outcome = await pull(out, "--cluster", server.url, "--database", "telemetry");
    expect(outcome.stderr).toBe("");
    expect(outcome.code).toBe(0);
    expect(server.asked.some(({ path }) => path === "/v2/rest/query")).toBe(true);
    const { warnings: _, ...pulled } = await report(out);
    const { warnings: __, ...direct } = await report(files.workspace, files.events);
    expect(pulled).toEqual(direct);
  });

  it("halves what the service cuts, and loses nothing", async () => {
    server.set({ maxRows: 40 });
    const out = newFolder();
    expect((await pull(out, "--workspace", WORKSPACE, "--table", "requests")).code).toBe(0);
    expect(await pulledRows(out)).toBe(rows);
    expect((await readManifest(out)).slices.length).toBeGreaterThan(10);
    expect((await readManifest(out)).slices.every((slice) => slice.rows <= 40)).toBe(true);
  });

  it("says so where a single millisecond holds more than the service lets out", async () => {
    server.set({ maxRows: 0 });
    const to = new Date(Date.parse(window.from) + 1000).toISOString();
    const outcome = await pull(newFolder(), "--workspace", WORKSPACE, "--table", "requests", "--to", to);
    expect(outcome.code).toBe(5);
    expect(outcome.stderr).toMatch(/^coldstart: the service cuts the answer even for the 1 ms from /);
  });

  const passing: readonly (readonly [string, Fault])[] = [
    ["429 with Retry-After", { kind: "status", status: 429, code: "ThrottledError", retryAfter: "0" }],
    ["500", { kind: "status", status: 500, code: "InternalServerError", retryAfter: "0" }],
    ["504", { kind: "status", status: 504, code: "GatewayTimeout", retryAfter: "0" }],
    ["a dropped connection", { kind: "drop" }],
    ["a body that breaks off", { kind: "truncate" }],
    ["a proxy's page", { kind: "html" }],
  ];
  it.each(passing)("asks again after %s, and then has everything", async (_, fault) => {
    // The count comes first; what fails is a slice.
    server.set({ fault: (_asked, index) => (index === 1 ? fault : undefined) });
    const out = newFolder();
    const outcome = await pull(out, "--workspace", WORKSPACE, "--table", "requests");
    expect(outcome.stderr).toBe("");
    expect(outcome.code).toBe(0);
    expect(await pulledRows(out)).toBe(rows);
  });

  const final: readonly (readonly [string, Fault, RegExp])[] = [
    [
      "403",
      { kind: "status", status: 403, code: "InsufficientAccessError" },
      /no permission to read it .*Log Analytics Reader/,
    ],
    ["404", { kind: "status", status: 404, code: "PathNotFoundError" }, /does not know the workspace/],
    ["401", { kind: "status", status: 401, code: "InvalidToken" }, /does not take the sign-in .*az login/],
  ];
  it.each(final)("stops at %s with one line and exit 5, and goes on from there", async (_, fault, line) => {
    server.set({
      fault: (asked) =>
        asked.query.includes("dependencies") || asked.query.includes("AppDependencies") ? fault : undefined,
    });
    const out = newFolder();
    const tables = ["--table", "requests", "--table", "dependencies"];
    const outcome = await pull(out, "--workspace", WORKSPACE, ...tables);
    expect(outcome.code).toBe(5);
    expect(outcome.stderr).toMatch(line);
    expect(outcome.stderr.trim().split("\n")).toHaveLength(1);
    expect(outcome.stdout + outcome.stderr).not.toContain("a-token-nobody-may-see");
    expect(await pulledRows(out)).toBe(rows);
    // A capture that is not finished can be looked at, and is never judged.
    const half = await runAgainst(server, folder, ["report", "--data", out, "--format", "json"]);
    expect(half.code).toBe(4);
    expect(half.stderr).toContain("a capture whose pull has not finished");
    const { warnings, rows: counted } = JSON.parse(half.stdout) as ReportDocument;
    expect(warnings).toBeInstanceOf(Array);
    expect(counted.read).toBe(rows);
    server.set({});
    expect((await pull(out, "--workspace", WORKSPACE, ...tables)).code).toBe(0);
    expect(server.asked.some(({ query }) => query.includes("AppRequests"))).toBe(false);
    expect(await pulledRows(out)).toBe(rows);
  });

  it("pulls no query strings and no address unless asked for, and never a token", async () => {
    server.set({});
    const [out, asked] = [newFolder(), newFolder()];
    await engine.sql(
      "CREATE OR REPLACE TABLE kept AS SELECT * FROM AppRequests; UPDATE AppRequests SET Url = 'https://h.test/p?secret=1' WHERE Url LIKE 'https://%'",
    );
    try {
      expect((await pull(out, "--workspace", WORKSPACE, "--table", "requests")).code).toBe(0);
      const include = ["--include", "query-strings"];
      expect((await pull(asked, "--workspace", WORKSPACE, "--table", "requests", ...include)).code).toBe(0);
    } finally {
      await engine.sql("DELETE FROM AppRequests; INSERT INTO AppRequests SELECT * FROM kept");
    }
    const text = (path: string): string =>
      readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
        .join("");
    expect(text(out)).toContain("https://h.test/p");
    expect(text(out)).not.toContain("secret=1");
    expect(text(asked)).toContain("secret=1");
    expect(text(out)).not.toMatch(/a-token-nobody-may-see|client_?IP/i);
  });

  it("reads the ingress metric, from the resource where the region refuses", async () => {
    const minute = new Date(Math.ceil(Date.parse(window.from) / 60_000) * 60_000).toISOString();
    server.set({
      ingress: [[minute, 12]],
      fault: ({ path }) =>
        path.endsWith("metrics:getBatch") ? { kind: "status", status: 403, code: "Forbidden" } : undefined,
    });
    const out = newFolder();
    const metrics = ["--metrics-resource", CONTAINER_APP, "--metrics-region", "westeurope"];
    const outcome = await pull(
      out,
      "--workspace",
      WORKSPACE,
      "--table",
      "requests",
      "--table",
      "ingress",
      ...metrics,
    );
    expect(outcome.stderr).toBe("");
    expect(outcome.code).toBe(0);
    const { slices, warnings } = await readManifest(out);
    expect(slices.filter(({ table }) => table === "ingress").reduce((sum, { rows: n }) => sum + n, 0)).toBe(
      1,
    );
    expect(warnings.map(({ code }) => code)).toContain("metrics-fallback");
  });

  it("refuses another question, and a folder that is something else", async () => {
    server.set({});
    const out = newFolder();
    expect((await pull(out, "--workspace", WORKSPACE, "--table", "requests")).code).toBe(0);
    const other = await pull(out, "--workspace", WORKSPACE, "--table", "traces");
    expect(other.code).toBe(2);
    expect(other.stderr).toContain("holds a capture of something else (tables");
    const foreign = mkdtempSync(join(folder, "foreign-"));
    writeFileSync(join(foreign, "thesis.txt"), "mine");
    expect((await pull(foreign, "--workspace", WORKSPACE)).code).toBe(2);
    expect(readdirSync(foreign)).toEqual(["thesis.txt"]);
    rmSync(foreign, { recursive: true });
  });

  it("marks what had not settled, and the gate does not judge it", async () => {
    server.set({});
    const out = newFolder();
    const now = window.to;
    const outcome = await runAgainst(
      server,
      folder,
      [
        "pull",
        "--from",
        window.from,
        "--to",
        window.to,
        "--out",
        out,
        "--workspace",
        WORKSPACE,
        "--table",
        "requests",
      ],
      now,
    );
    expect(outcome.code).toBe(0);
    expect((await readManifest(out)).unsettledFrom).not.toBeNull();
    const document = await runAgainst(server, folder, ["report", "--data", out, "--format", "json"]);
    const { inputs } = JSON.parse(document.stdout) as ReportDocument;
    expect(inputs[0]!.warnings.map(({ code }) => code)).toContain("unsettled-rows");
  });

  it("lets a report pull what it needs, once", async () => {
    server.set({});
    const args = ["report", "--from", window.from, "--to", window.to, "--format", "json", "--quiet"];
    writeFileSync(
      join(folder, "coldstart.config.yaml"),
      `source:\n  workspace: ${WORKSPACE}\n  endpoint: ${server.url}/v1\n`,
    );
    const first = await runAgainst(server, folder, args);
    expect(first.stderr).toBe("");
    expect(first.code).toBe(0);
    const asked = server.asked.length;
    expect(asked).toBeGreaterThan(0);
    const second = await runAgainst(server, folder, args);
    expect(server.asked.length).toBe(asked);
    expect(second.stdout).toBe(first.stdout);
    rmSync(join(folder, "coldstart.config.yaml"));
  });

  it("lets a gate pull what its bar needs, and judges nothing that had not settled", async () => {
    server.set({});
    const cwd = mkdtempSync(join(folder, "gate-"));
    writeFileSync(join(cwd, "coldstart.config.yaml"), `source:\n  workspace: ${WORKSPACE}\n`);
    const bar = [
      "--name",
      "n",
      "--hypothesis",
      "h",
      "--condition",
      "firstRequest.p50 below 60s",
      "--minimum",
      "5",
    ];
    expect((await runAgainst(server, cwd, ["bar", "new", ...bar])).code).toBe(0);
    const nextDay = new Date(Date.parse(window.to) + 86_400_000).toISOString();
    const gate = ["gate", "--deployed-at", window.from, "--allow-retrospective", "--format", "json"];
    const judged = await runAgainst(server, cwd, gate, nextDay);
    const verdict = JSON.parse(judged.stdout) as {
      report: ReportDocument;
      guards: { name: string; status: string }[];
    };
    expect(server.asked.length).toBeGreaterThan(0);
    expect(verdict.report.rows.read).toBe(rows);
    expect(verdict.guards.find(({ name }) => name === "complete input")?.status).toBe("ok");
    const out = join(cwd, "late");
    const late = ["pull", "--from", window.from, "--to", window.to, "--out", out];
    expect((await runAgainst(server, cwd, late, window.to)).code).toBe(0);
    const refused = await runAgainst(server, cwd, [...gate, "--data", out]);
    expect(refused.code).toBe(3);
    expect(refused.stdout).toContain("were still arriving when they were pulled");
  });

  it("finds what a doctor should find", async () => {
    // The engine does not know when a row was written.
    server.set({
      fault: ({ query }) =>
        query.includes("ingestion_time") ? { kind: "status", status: 403, code: "Forbidden" } : undefined,
    });
    const args = ["doctor", "--workspace", WORKSPACE, "--from", window.from, "--to", window.to];
    const outcome = await runAgainst(server, folder, args);
    expect(outcome.stdout).toContain("requests: ");
    expect(outcome.stdout).toMatch(/system-events: [\d,]+ rows in the window/);
    expect(outcome.stdout).toMatch(/dependencies: no rows at all/);
    expect(outcome.stdout).toMatch(/FAIL delay: no permission to read it/);
    expect(outcome.stdout).toMatch(/looked at are\s+replicas of\s+the\s+system\s+log/);
    expect(outcome.stdout.split("\n").every((line) => line.length <= 80)).toBe(true);
    expect(outcome.code).toBe(5);
  });
});
