import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { reconcileSchema } from "../../src/report/reconcile-document.ts";
import { instant, metricsAnswer, requestRows } from "../figures/audit-input.ts";
import { InputFolder } from "../figures/pipeline.ts";
import { lines, ROOT, runWorld } from "./world.ts";

let folder: InputFolder;
const write = (name: string, text: string): string => folder.write(name, new TextEncoder().encode(text));

let rows = "";
let metrics = "";
beforeAll(() => {
  folder = new InputFolder();
  rows = write("requests.json", requestRows(Array.from({ length: 97 }, (_, i) => ({ at: i * 100, ms: 5 }))));
  metrics = write("metrics.json", metricsAnswer([[0, 100]]));
});
afterAll(() => folder.remove());

const reconcile = (...args: string[]) => runWorld(["reconcile", ...args]);

describe("coldstart reconcile", () => {
  it("is done where the totals agree", async () => {
    const { code, stdout, stderr } = await reconcile("--data", rows, "--data", metrics, "--format", "json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const document = reconcileSchema.strict().parse(JSON.parse(stdout));
    expect(document).toMatchObject({ verdict: "within", tolerance: 0.05, reasons: [] });
    expect(document.total).toMatchObject({ weighted: 97, ingress: 100, ratio: 0.97 });
  });

  it.each([
    ["3%", 0],
    ["2.9%", 1],
    ["3 %", 0],
  ])("--tolerance %s gives %i", async (tolerance, expected) => {
    const run = await reconcile("--data", rows, "--data", metrics, "--tolerance", tolerance);
    expect({ code: run.code, stderr: run.stderr }).toEqual({ code: expected, stderr: "" });
    expect(run.stdout.includes("The usual reasons")).toBe(expected === 1);
  });

  it.each([
    ["text", /^Weighted rows against the ingress metric\n/],
    ["csv", /^cohort,figure,label,value,unit,n,ci95Low,ci95High\n/],
    ["markdown", /^### Weighted rows against the ingress metric\n/],
  ])("prints %s, twice the same", async (format, begins) => {
    const args = ["--data", rows, "--data", metrics, "--tolerance", "1%", "--format", format];
    const first = await reconcile(...args);
    expect(first.code).toBe(1);
    expect(first.stdout).toMatch(begins);
    expect((await reconcile(...args)).stdout).toBe(first.stdout);
  });

  it("cannot tell without metrics, without rows, without a common time: 3", async () => {
    const later = write("later.json", metricsAnswer([[3_600_000, 100]]));
    const nothing = write("nothing.json", metricsAnswer([[0, 0]]));
    const capture = join(ROOT, "fixtures/container-apps/metrics-requests-by-status.json");
    for (const [args, message] of [
      [["--data", rows], /no ingress metrics/],
      [["--data", capture], /no request row/],
      [["--data", rows, "--data", metrics, "--from", instant(3_600_000)], /no request row in the window/],
      [["--data", rows, "--data", later], /no time in common/],
      [["--data", rows, "--data", nothing], /the ingress counted nothing/],
    ] as const) {
      const { code, stdout, stderr } = await reconcile(...args, "--format", "json");
      expect({ code, lines: lines(stderr).length }).toEqual({ code: 3, lines: 1 });
      expect(stderr).toMatch(message);
      expect(reconcileSchema.parse(JSON.parse(stdout)).verdict).toBe("unknown");
    }
  });

  it("compares rows without the column of the instance, which nothing here asks for", async () => {
    const bare = write(
      "bare.csv",
      `timestamp,name,duration,success,resultCode,itemCount\n${instant(0)},GET /,5,True,200,1\n`,
    );
    const one = write("one.json", metricsAnswer([[0, 1]]));
    const { code, stdout, stderr } = await reconcile("--data", bare, "--data", one);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("The totals agree within 5 %: 1 weighted, 1 at the ingress");
    expect((await runWorld(["replicas", "--data", bare])).stderr).toMatch(/cloud_RoleInstance/);
  });

  it("cannot tell where metrics files of unnamed resources may hold the same requests: 3", async () => {
    const again = write("again.json", metricsAnswer([[0, 100]]));
    const { code, stdout, stderr } = await reconcile("--data", rows, "--data", metrics, "--data", again);
    expect({ code, lines: lines(stderr).length }).toEqual({ code: 3, lines: 1 });
    expect(stderr).toMatch(/do not name the resource/);
    expect(stdout.replace(/\s+/g, " ")).toContain("The metrics files cannot be put together.");
  });

  it("says of the totals that agree how many hours do not, and that too much is not compared", async () => {
    const hour = 3_600_000;
    // By hour 0, 200, 0, 200 rows against 100 each.
    const uneven = write(
      "uneven.json",
      requestRows([
        { at: 0, ms: 1 },
        ...[1, 3].flatMap((h) => Array.from({ length: 200 }, (_, i) => ({ at: h * hour + i * 100, ms: 1 }))),
      ]),
    );
    const even = write(
      "even.json",
      metricsAnswer(
        [0, 1, 2, 3].map((h) => [h * hour, 100] as const),
        "PT1H",
      ),
    );
    const balanced = await reconcile("--data", uneven, "--data", even);
    expect(balanced.code).toBe(0);
    expect(balanced.stdout.replace(/\s+/g, " ")).toContain("(n 401 rows); 4 of 4 hours outside.");
    expect(balanced.stdout.replace(/\s+/g, " ")).toContain(
      "Compared: the 4 intervals of 60 min that both cover, between 2026-09-10 06:00 and 2026-09-10 10:00 UTC.",
    );
    const holes = write(
      "holes.json",
      metricsAnswer(
        [0, 2, 3].map((h) => [h * hour, 100] as const),
        "PT1H",
      ),
    );
    const partial = await reconcile("--data", uneven, "--data", holes);
    expect(partial.code).toBe(3);
    expect(partial.stderr).toMatch(/more than 20 % of the weighted rows/);
    expect(partial.stdout.replace(/\s+/g, " ")).toContain("200 rows (200 weighted): the metric has no value");
    expect(partial.stdout).toContain("Compared: the 3 intervals of 60 min");
  });

  it("does not call three rows that stand for 1,000 each agreement", async () => {
    const heavy = write("heavy.json", requestRows([0, 1, 2].map((i) => ({ at: i, ms: 1, itemCount: 1000 }))));
    const all = write("all.json", metricsAnswer([[0, 3000]]));
    const { code, stderr } = await reconcile("--data", heavy, "--data", all);
    expect(code).toBe(3);
    expect(stderr).toMatch(/sampling error is too large/);
  });

  it("prints what there is of a file that breaks off, and ends with 4", async () => {
    const half = write(
      "half.json",
      requestRows([
        { at: 0, ms: 1 },
        { at: 1, ms: 1 },
      ]).slice(0, -20),
    );
    const { code, stdout, stderr } = await reconcile("--data", half, "--data", metrics);
    expect(code).toBe(4);
    expect(stdout).toContain("Weighted rows against the ingress metric");
    expect(lines(stderr)).toHaveLength(1);
  });

  it.each([
    [["--data", "x", "--tolerance", "0.05"], /--tolerance: "0.05" is no percentage/],
    [["--data", "x", "--tolerance=-5%"], /--tolerance/],
    [["--data", "x", "--tolerance", "0%"], /--tolerance: "0%" is not more than 0 and at most 50 %/],
    [["--data", "x", "--tolerance", "50.1%"], /--tolerance/],
    [["--data", "x", "--tolerance", "900%"], /--tolerance/],
    [["--data", "x", "--format", "html"], /--format/],
    [["--data", "x", "--bar", "b"], /unknown option '--bar'/],
    [[], /no data/],
  ])("%j is wrong usage, told before any data is read", async (args, message) => {
    const { code, stdout, stderr } = await reconcile(...args);
    expect({ code, stdout, lines: lines(stderr).length }).toEqual({ code: 2, stdout: "", lines: 1 });
    expect(stderr).toMatch(message);
  });
});
