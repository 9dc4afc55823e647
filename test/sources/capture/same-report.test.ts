import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readManifest } from "../../../src/sources/capture/manifest.ts";
import { ROOT, runReportJson, runWorld } from "../../cli/world.ts";
import { InputFolder } from "../../figures/pipeline.ts";
import { eventForms } from "../../forms/events.ts";
import { seededFleet } from "../../forms/random.ts";
import { requestForms } from "../../forms/requests.ts";
import { newFolders } from "./sample.ts";

const newFolder = newFolders();
let folder: InputFolder;
beforeAll(() => {
  folder = new InputFolder();
});
afterAll(() => folder.remove());

const fixture = (name: string): string => join(ROOT, "fixtures", name);
const DEMO = readdirSync(fixture("demo"))
  .filter((name) => name.endsWith(".gz"))
  .map((name) => fixture(join("demo", name)));
const dataOf = (paths: readonly string[]): string[] => paths.flatMap((path) => ["--data", path]);

/** A capture of export files. */
async function captured(files: readonly string[]): Promise<string> {
  const out = newFolder();
  const from = files.flatMap((file) => ["--from-files", file]);
  const { code, stderr } = await runWorld(["pull", ...from, "--out", out, "--quiet"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return out;
}

/** A document but for what it, or an audit in it, says of its inputs. */
function withoutInputs(document: unknown): Record<string, unknown> {
  const text = JSON.stringify(document, (key, value: unknown) => (key === "inputs" ? undefined : value));
  return JSON.parse(text) as Record<string, unknown>;
}

/** The document of a report, but for what it says of its inputs. */
async function reportOf(data: readonly string[], flags: readonly string[]) {
  const { document, code } = await runReportJson([...dataOf(data), ...flags, "--quiet"]);
  return { code, rows: document?.rows, warnings: document?.warnings, document: withoutInputs(document) };
}

/** How a command ends, and what it prints as JSON but for its inputs. */
async function printed(command: string, data: readonly string[], flags: readonly string[]) {
  const { code, stdout, stderr } = await runWorld([
    command,
    ...dataOf(data),
    ...flags,
    "--format",
    "json",
    "--quiet",
  ]);
  expect(stderr).toBe("");
  return { code, document: withoutInputs(JSON.parse(stdout)) };
}

async function expectSame(files: readonly string[], flags: readonly (readonly string[])[]): Promise<void> {
  const capture = await captured(files);
  for (const some of flags) {
    const direct = await reportOf(files, some);
    expect(direct.rows?.read).toBeGreaterThan(0);
    expect(await reportOf([capture], some)).toEqual(direct);
  }
}

const FLAGS = [
  [],
  ["--guard", "0s"],
  ["--weight", "item-count", "--threshold", "700ms"],
  ["--probe-path", "/quotes/today", "--days", "weekdays"],
  ["--full", "--path", "/quotes/today"],
];

describe("a report on a capture of export files", () => {
  it("is that on the demo's files themselves", async () => {
    await expectSame(DEMO, [...FLAGS, ["--deployed-at", "2026-09-21T06:00:00Z", "--role", "quotes-api"]]);
  }, 120_000);

  it("counts a row once that stands in another input as well", async () => {
    const capture = await captured(DEMO);
    const [once, twice] = [await reportOf(DEMO, []), await reportOf([capture, ...DEMO], [])];
    expect(twice.document.cohorts).toEqual(once.document.cohorts);
    expect(twice.rows!.user).toBe(once.rows!.user);
    expect(twice.rows!.duplicate).toBeGreaterThan(once.rows!.user);
  }, 60_000);

  it.each([1, 2, 3, 4, 5, 6])(
    "is that on the files of seeded fleet %i",
    async (seed) => {
      const requests = requestForms[(seed * 3) % requestForms.length]!;
      const events = eventForms[seed % eventForms.length]!;
      const fleet = seededFleet(seed, { milliseconds: true, replicas: 12 });
      await expectSame(
        [
          folder.write(`${seed}-${requests.fileName}`, requests.write(fleet.rows)),
          folder.write(`${seed}-${events.fileName}`, events.write(fleet.events)),
        ],
        [[], ["--guard", "0s", "--weight", "item-count"], ["--guard", "0s", "--role", fleet.rows[0]!.role]],
      );
    },
    60_000,
  );

  it("counts repeated and malformed rows and their oddities as the files do", async () => {
    const rows = gunzipSync(readFileSync(DEMO.find((name) => name.includes("requests"))!)).toString();
    const [head, ...lines] = rows.trimEnd().split("\n");
    const columns = head!.split(",");
    const with_ = (line: string, column: string, value: string): string => {
      const cells = line.split(",");
      expect(cells.length).toBe(columns.length);
      const at = columns.indexOf(column);
      expect(at).not.toBe(-1);
      return cells.map((cell, i) => (i === at ? value : cell)).join(",");
    };
    const plain = lines.filter((line) => line.split(",").length === columns.length);
    const odd = plain.slice(0, 40).map((line, i) => with_(line, "itemCount", `${[500, 2.5, 0, 7][i % 4]}`));
    const text = [
      head,
      ...odd,
      ...plain.slice(40),
      ...odd.slice(0, 12),
      ...plain.slice(50, 60),
      ...plain.slice(60, 67).map((line) => with_(line, "duration", "long")),
      ...plain.slice(70, 73).map((line) => with_(line, "timestamp", "yesterday")),
    ];
    const file = folder.write("odd.csv", new TextEncoder().encode(`${text.join("\n")}\n`));
    const direct = await reportOf([file], []);
    // The demo itself has 7 repeated rows and 3 malformed ones.
    expect(direct.rows).toMatchObject({ malformed: 13, duplicate: 29 });
    const codes = direct.warnings!.map(({ code }) => code);
    expect(codes).toEqual(
      expect.arrayContaining([
        "malformed-rows",
        "large-item-count",
        "fractional-item-count",
        "invalid-item-count",
      ]),
    );
    await expectSame([file], [[], ["--verbose"], ["--guard", "0s"]]);
    const { slices } = await readManifest(await captured([file]));
    expect(slices[0]).toMatchObject({ duplicates: 29, malformed: 13 });
  }, 60_000);
});

describe("an audit of a capture of export files", () => {
  const examples = (...names: string[]): string[] => names.map((name) => fixture(join("examples", name)));
  const SINCE = ["--since", "2026-09-21T06:00:00Z"];

  it.each([
    ["anatomy", examples("anatomy.ndjson", "system-logs.ndjson"), ["--deployed-at", "2026-09-21T06:00:00Z"]],
    ["anatomy", examples("anatomy.ndjson"), ["--role", "quotes-api"]],
    ["leaks", examples("telemetry.ndjson", "system-logs.ndjson"), ["--path", "/quotes/today", ...SINCE]],
    [
      "leaks",
      examples("telemetry.ndjson", "leak.ndjson", "system-logs.ndjson"),
      ["--path", "/quotes/today", "--method", "GET", ...SINCE],
    ],
    ["replicas", examples("requests.csv", "system-logs.ndjson"), []],
    ["reconcile", examples("requests.csv", "metrics.json"), ["--from", "2026-09-21", "--to", "2026-09-27"]],
  ])(
    "%s prints the same %#",
    async (command, files, flags) => {
      const direct = await printed(command, files, flags);
      // A leak is a result too.
      expect([0, 1]).toContain(direct.code);
      expect(Object.keys(direct.document).length).toBeGreaterThan(2);
      expect(await printed(command, [await captured(files)], flags)).toEqual(direct);
    },
    60_000,
  );
});
