import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { anatomySchema } from "../../src/report/anatomy-document.ts";
import { type CallSpec, dependencyRows, instant, requestRows, union } from "../figures/audit-input.ts";
import { InputFolder } from "../figures/pipeline.ts";
import { lines, runWorld } from "./world.ts";

let folder: InputFolder;
const write = (name: string, text: string): string => folder.write(name, new TextEncoder().encode(text));

const REQUESTS = requestRows([
  { at: -3_600_000, ms: 1, instance: "old", operation: "old" },
  { at: 0, ms: 1000, instance: "a", operation: "a", id: "a" },
  { at: 5000, ms: 20, instance: "a", operation: "b", id: "b" },
]);
const CALLS: CallSpec[] = [{ at: 300, ms: 200, operation: "a", instance: "a" }];

let whole = "";
let requests = "";
beforeAll(() => {
  folder = new InputFolder();
  whole = write("whole.json", union(REQUESTS, dependencyRows(CALLS)));
  requests = write("requests.json", REQUESTS);
});
afterAll(() => folder.remove());

const anatomy = (...args: string[]) => runWorld(["anatomy", ...args]);

describe("coldstart anatomy", () => {
  it("tells where the time goes", async () => {
    const { code, stdout, stderr } = await anatomy("--data", whole, "--format", "json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const document = anatomySchema.strict().parse(JSON.parse(stdout));
    expect(document.cohorts[0]!.first).toMatchObject({
      n: 1,
      parts: { firstCall: { p50Ms: 300 }, outbound: { p50Ms: 200 }, rest: { p50Ms: 800 } },
    });
  });

  it.each([
    ["text", /^Where the time of first requests goes\n/],
    ["csv", /^cohort,figure,label,value,unit,n,ci95Low,ci95High\n/],
    ["markdown", /^### Where the time of first requests goes\n/],
  ])("prints %s, twice the same", async (format, begins) => {
    const first = await anatomy("--data", whole, "--format", format);
    expect(first.code).toBe(0);
    expect(first.stdout).toMatch(begins);
    expect((await anatomy("--data", whole, "--format", format)).stdout).toBe(first.stdout);
  });

  it("reads the telemetry that an SDK sends as well", async () => {
    const tags = { "ai.operation.id": "a", "ai.cloud.role": "app", "ai.cloud.roleInstance": "a" };
    const envelopes = [
      {
        time: instant(0),
        tags,
        data: {
          baseType: "RequestData",
          baseData: { id: "a", name: "GET /", duration: "00:00:01.000", responseCode: "200", success: true },
        },
      },
      {
        time: instant(400),
        tags: { ...tags, "ai.operation.parentId": "a" },
        data: {
          baseType: "RemoteDependencyData",
          baseData: { id: "d", name: "SELECT", type: "SQL", target: "db", duration: "00:00:00.250" },
        },
      },
    ];
    const path = write("envelopes.ndjson", `${envelopes.map((line) => JSON.stringify(line)).join("\n")}\n`);
    const { code, stdout } = await anatomy("--data", path, "--guard", "0s", "--format", "json");
    expect(code).toBe(0);
    expect(anatomySchema.parse(JSON.parse(stdout)).cohorts[0]!.first.parts.rest.p50Ms).toBe(750);
  });

  it("cannot tell without dependencies: 3, and which table to export", async () => {
    const { code, stdout, stderr } = await anatomy("--data", requests, "--format", "json");
    expect(code).toBe(3);
    expect(anatomySchema.parse(JSON.parse(stdout)).dependencies).toBeNull();
    expect(lines(stderr)).toHaveLength(1);
    expect(stderr).toMatch(/export the table dependencies \(AppDependencies\)/);
  });

  it.each([
    [
      "no call in any first request",
      [{ at: 9999, ms: 1, operation: "a", instance: "a" }],
      [],
      /no first request/,
    ],
    ["no new instance", CALLS, ["--from", instant(3_600_000)], /no user request in the window/],
    [
      "only instances that were running already",
      CALLS,
      ["--from", instant(4000)],
      /no new instance in the window/,
    ],
  ] as const)("cannot tell with %s", async (_, calls, flags, reason) => {
    const path = write("other.json", union(REQUESTS, dependencyRows(calls)));
    const { code, stderr } = await anatomy("--data", path, ...flags);
    expect({ code, lines: lines(stderr).length }).toEqual({ code: 3, lines: 1 });
    expect(stderr).toMatch(reason);
  });

  it("prints what there is of a file that breaks off, and ends with 4", async () => {
    const text = union(REQUESTS, dependencyRows(CALLS));
    const path = write("half.json", text.slice(0, -20));
    const { code, stdout, stderr } = await anatomy("--data", path);
    expect(code).toBe(4);
    expect(stdout).toContain("Where the time of first requests goes");
    expect(lines(stderr)).toHaveLength(1);
  });

  it.each([
    [["--data", "x", "--format", "html"], /--format/],
    [["--data", "x", "--path", "/a"], /unknown option '--path'/],
    [[], /no data/],
    [["--data", "x", "--from", "yesterday"], /--from/],
    [["--data", "x", "--out", "/nowhere/at/all"], /--out/],
  ])("%j is wrong usage, told before any data is read", async (args, message) => {
    const { code, stdout, stderr } = await anatomy(...args);
    expect({ code, stdout, lines: lines(stderr).length }).toEqual({ code: 2, stdout: "", lines: 1 });
    expect(stderr).toMatch(message);
  });

  it("says its warnings on standard error with JSON, unless it is to be quiet", async () => {
    const twice = write("twice.json", union(REQUESTS, dependencyRows([...CALLS, ...CALLS])));
    expect((await anatomy("--data", twice, "--format", "json")).stderr).toMatch(
      /^warning: dependency rows equal/,
    );
    expect((await anatomy("--data", twice, "--format", "json", "--quiet")).stderr).toBe("");
    expect((await anatomy("--data", twice)).stderr).toBe("");
  });
});
