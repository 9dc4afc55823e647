import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { leaksSchema } from "../../src/report/leaks-document.ts";
import { Rows } from "../figures/leak-data.ts";
import { InputFolder } from "../figures/pipeline.ts";
import { runWorld } from "./world.ts";

const HOUR = 3_600_000;
const folder = new InputFolder();
afterAll(() => folder.remove());

const clean = new Rows().warmed("a", HOUR).request("a", HOUR + 1_000, "/authors");
const leak = new Rows().warmed("a", HOUR).request("a", HOUR - 100, "/quotes/today");
const silent = new Rows().request("a", HOUR, "/authors");

function leaks(rows: Rows, ...args: string[]): ReturnType<typeof runWorld> {
  const data = folder.write("rows.ndjson", rows.bytes());
  return runWorld(["leaks", "--data", data, "--path", "/quotes/today", "--guard", "0s", ...args]);
}

describe("exit codes", () => {
  it.each([
    ["clean", clean, 0, "clean"],
    ["a leak", leak, 1, "leak"],
    ["silence", silent, 3, "cannot-tell"],
    ["no rows", new Rows().request("a", HOUR, "/x", { duration: "?" }), 3, "cannot-tell"],
  ])("%s", async (_name, rows, code, verdict) => {
    const outcome = await leaks(rows, "--format", "json");
    expect(outcome.code).toBe(code);
    const document = leaksSchema.strict().parse(JSON.parse(outcome.stdout));
    expect(document.verdict).toBe(verdict);
    const name = verdict === "leak" ? "leak" : "cannot tell";
    const line = code === 0 ? "" : `coldstart: ${name}: ${document.reasons[0]!.text}\n`;
    expect(outcome.stderr).toBe(line);
    const text = await leaks(rows);
    expect([text.code, text.stderr]).toEqual([code, line]);
    expect((await leaks(rows, "--quiet")).stderr).toBe("");
  });

  it("partial data is 4, whatever the verdict, with the document printed", async () => {
    const outcome = await leaks(leak, "--data", "fixtures/corpus/10-rest-partial-error.json");
    expect(outcome.code).toBe(4);
    expect(outcome.stdout).toMatch(/^LEAK: /);
    expect(outcome.stderr.trim().split("\n")).toHaveLength(1);
  });

  it.each([
    [[], "no path: name what the warm-up requests"],
    [["--path", "quotes"], '--path: "quotes" must begin with a slash'],
    [["--path", "/x", "--method", "G T"], '--method: "G T" is no HTTP method'],
    [["--path", "/x", "--since", "soon"], '--since: "soon" is no instant'],
    [["--path", "/x", "--since", "2026-09-22", "--to", "2026-09-22"], "--since must lie before --to"],
    [["--path", "/x", "--since", "2026-09-22", "--from", "2026-09-22"], "--since must lie after --from"],
    [["--path", "/x", "--since", "2026-09-22", "--deployed-at", "2026-09-22"], "leave out --deployed-at"],
    [["--path", "/x", "--warmed-message", "/(/"], "--warmed-message: Invalid regular expression"],
    [["--path", "/x", "--warmed-message", " "], "--warmed-message: an empty text"],
    [["--path", "/x", "--rate-assumed", "20"], '--rate-assumed: "20" is no share'],
    [["--path", "/x", "--rate-assumed", "0"], '--rate-assumed: "0" is no share'],
    [["--path", "/x", "--format", "html"], '--format: "html" is not one of text, json, csv, markdown'],
    [["--path", "/x", "--nonsense"], "unknown option '--nonsense'"],
  ])("wrong flags are 2, in one line, before any data is read: %j", async (args, message) => {
    const outcome = await runWorld(["leaks", "--data", "missing.csv", ...args]);
    expect([outcome.code, outcome.stdout]).toEqual([2, ""]);
    expect(outcome.stderr).toContain(message);
    expect(outcome.stderr.trim().split("\n")).toHaveLength(1);
  });

  it("no data is 2, data that is not there 4", async () => {
    expect((await runWorld(["leaks", "--path", "/x"])).code).toBe(2);
    expect((await runWorld(["leaks", "--path", "/x", "--data", "missing.csv"])).code).toBe(4);
  });
});

describe("options", () => {
  const periods = new Rows().request("b", -HOUR, "/quotes/today").request("a", HOUR, "/quotes/today");

  it.each([
    [["--since", "2026-09-21T06:00:00Z"]],
    [["--since", "2026-09-21T08:00:00", "--timezone", "Europe/Vienna"]],
    [["--deployed-at", "2026-09-21T06:00:00Z"]],
    [["--before", "2026-09-20..2026-09-21T06:00:00Z", "--after", "2026-09-21T06:00:00Z..2026-09-22"]],
  ])("%j splits the starts", async (args) => {
    const { stdout } = await leaks(periods, "--format", "json", ...args);
    const { requests, question } = leaksSchema.parse(JSON.parse(stdout));
    expect([requests.before?.starts, requests.since.starts]).toEqual([1, 1]);
    expect(question).toMatchObject({ since: "2026-09-21T06:00:00Z", beforeTo: "2026-09-21T06:00:00Z" });
  });

  it("--from, --to, --days and several paths restrict and widen what counts", async () => {
    const seen = async (...args: string[]): Promise<number[]> => {
      const { stdout } = await leaks(periods, "--format", "json", ...args);
      const { requests } = leaksSchema.parse(JSON.parse(stdout));
      return [requests.since.starts, requests.since.rows.observed];
    };
    expect(await seen()).toEqual([2, 2]);
    expect(await seen("--from", "2026-09-21T06:00:00Z")).toEqual([1, 1]);
    expect(await seen("--to", "2026-09-21T06:00:00Z")).toEqual([1, 1]);
    // 21 September 2026 is a Monday.
    expect(await seen("--days", "weekdays")).toEqual([2, 2]);
    expect(await seen("--days", "weekdays", "--holidays", "2026-09-21")).toEqual([0, 0]);
    expect(await seen("--role", "nobody")).toEqual([0, 0]);
    const data = folder.write(
      "more.ndjson",
      new Rows().request("a", HOUR, "/x").request("a", HOUR, "/y").bytes(),
    );
    const args = ["leaks", "--data", data, "--guard", "0s", "--format", "json"];
    const both = await runWorld([...args, "--path", "/x", "--path", "/Y/"]);
    expect(leaksSchema.parse(JSON.parse(both.stdout)).requests.since.rows.observed).toBe(2);
  });

  it("--out writes the result, and --format csv and markdown draw it", async () => {
    const out = join(folder.path, "leaks.md");
    const outcome = await leaks(clean, "--format", "markdown", "--out", out);
    expect([outcome.code, outcome.stdout]).toEqual([0, ""]);
    expect(readFileSync(out, "utf8")).toMatch(/^### CLEAN/);
    expect((await leaks(clean, "--format", "csv")).stdout).toContain(",verdict,clean,");
    expect((await leaks(clean, "--out", folder.path)).code).toBe(2);
  });
});
