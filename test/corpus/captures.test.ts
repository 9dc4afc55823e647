import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { containerStarts } from "../../src/fleet/starts.ts";
import { lines, runReportJson } from "../cli/world.ts";
import { documentOf, eventsOf, expectRows, fixture, secondsBetween, timeOf } from "./cases.ts";

const capture = (name: string): string => fixture(name, "container-apps");

/** Counted by hand: rows, rows of the connection, and container starts by replica. */
const SYSTEM_LOGS = [
  ["logs-show-crash-loop.ndjson", "logs-show", 36, 2, [4]],
  ["logs-show-dapr.ndjson", "logs-show", 37, 2, [1]],
  ["logs-show-large-image.ndjson", "logs-show", 27, 2, []],
  ["logs-show-small-image.ndjson", "logs-show", 35, 2, []],
  ["log-analytics-query-system-events-1.json", "log-analytics-cli", 150, 0, Array<number>(51).fill(1)],
  ["log-analytics-query-system-events-2.json", "log-analytics-cli", 168, 0, Array<number>(57).fill(1)],
  // Without the replica's name no start can be given to a replica.
  ["log-analytics-query-crash-loop.json", "log-analytics-cli", 100, 0, []],
] as const;

describe("real captures of system logs", () => {
  it.each(SYSTEM_LOGS)("%s", async (name, form, rows, other, perReplica) => {
    const read = await eventsOf(capture(name));
    expect(read).toMatchObject({ form, otherRows: other });
    expect(read.events).toHaveLength(rows);
    const starts = containerStarts(read.events, null);
    expect([...starts.values()].map((list) => list.length)).toEqual(perReplica);
    const outcome = await runReportJson(["--data", capture(name)]);
    expect(outcome.code).toBe(3);
    expectRows(outcome, {});
    expect(documentOf(outcome).inputs[0]).toMatchObject({ form, rows, otherRows: other, partial: false });
  });

  it("the crash loop starts again in one replica, with a growing counter", async () => {
    const { events } = await eventsOf(capture("logs-show-crash-loop.ndjson"));
    const starts = containerStarts(events, null).get("ca-labrevprov-e2upm2--badpath2-779b85697c-2bckf")!;
    expect(starts.map(({ at }) => timeOf({ ticks: at }))).toEqual([
      "2026-06-20T13:35:17.7992799Z",
      "2026-06-20T13:35:38.1509886Z",
      "2026-06-20T13:36:08.4536957Z",
      "2026-06-20T13:36:58.7434847Z",
    ]);
    expect(starts.every(({ ownClock }) => ownClock)).toBe(true);
  });

  it("Dapr's sidecar starts eleven seconds before the app's container, which is the start", async () => {
    const { events } = await eventsOf(capture("logs-show-dapr.ndjson"));
    const replica = "ca-labdapr-5nichn--md3mnmx-b779b858-kl4lm";
    const [start] = containerStarts(events, null).get(replica)!;
    expect(timeOf({ ticks: start!.at })).toBe("2026-06-26T10:29:00.3901486Z");
    expect(start!.app).toBe("ca-labdapr-5nichn");
    const [sidecar] = containerStarts(events, "daprd").get(replica)!;
    expect(timeOf({ ticks: sidecar!.at })).toBe("2026-06-26T10:28:49.4129391Z");
  });

  it("a rollout of the second capture takes 17.2 s from scheduling to start", async () => {
    const { events } = await eventsOf(capture("log-analytics-query-system-events-2.json"));
    const replica = "subject-app--0000015-6ff4646495-df5qx";
    expect(secondsBetween(events, replica, "AssigningReplica", "ContainerStarted")).toBeCloseTo(
      17.1647247,
      7,
    );
  });

  it("events that stand in both captures are starts once", async () => {
    const first = await eventsOf(capture("log-analytics-query-system-events-1.json"));
    const second = await eventsOf(capture("log-analytics-query-system-events-2.json"));
    const starts = containerStarts([...first.events, ...second.events], null);
    expect(starts.size).toBe(57);
    expect([...starts.values()].every((list) => list.length === 1)).toBe(true);
  });

  it("a log without replica names says what that costs", async () => {
    const { warnings } = await eventsOf(capture("log-analytics-query-crash-loop.json"));
    expect(warnings).toContain("no-replica-name");
  });
});

describe("other real captures", () => {
  it("requests without the instance column are refused, the column named", async () => {
    const outcome = await runReportJson(["--data", capture("app-insights-query-requests.json")]);
    expect(outcome.code).toBe(4);
    expect(outcome.stdout).toBe("");
    expect(lines(outcome.stderr)).toHaveLength(1);
    expect(outcome.stderr).toContain("cloud_RoleInstance");
  });

  it("summarised results are refused, the column named", async () => {
    const outcome = await runReportJson(["--data", capture("log-analytics-query-summarised.json")]);
    expect(outcome.code).toBe(4);
    expect(outcome.stdout).toBe("");
    expect(lines(outcome.stderr)).toHaveLength(1);
    // By the name that the file has.
    expect(outcome.stderr).toContain("EventCount");
    expect(outcome.stderr).toContain("summarize");
  });

  it.each([
    // Two hours of minutes, in ten series by replica and in three by status.
    ["metrics-requests-by-replica.json", 10 * 120],
    ["metrics-requests-by-status.json", 3 * 120],
  ])("%s is known for ingress metrics, which are no request rows", async (name, points) => {
    const outcome = await runReportJson(["--data", capture(name)]);
    expect(outcome.code).toBe(3);
    expect(outcome.stderr).toContain("no request rows were read");
    expect(documentOf(outcome).inputs).toMatchObject([{ form: "metrics", rows: 0, otherRows: points }]);
  });

  it.each(["containerapp-show-startup-probe.yaml", "LICENSE"])(
    "%s, given by name, is refused",
    async (name) => {
      const outcome = await runReportJson(["--data", capture(name)]);
      expect(outcome.code).toBe(4);
      expect(outcome.stdout).toBe("");
      expect(lines(outcome.stderr)).toHaveLength(1);
      expect(outcome.stderr).toContain(name);
    },
  );
});

describe("a folder in which an export stands beside other files", () => {
  let folder = "";
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "coldstart-folder-"));
    await copyFile(fixture("108-requests-mixed-casing-headers.csv"), join(folder, "requests.csv"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function expectIgnored(names: readonly string[]): Promise<void> {
    for (const name of names) await copyFile(capture(name), join(folder, name));
    const outcome = await runReportJson(["--data", folder, "--guard", "0s"]);
    expect(outcome.stderr).not.toMatch(/^coldstart: /m);
    expect(outcome.code).toBe(0);
    expectRows(outcome, { read: 2, user: 2 });
    expect(documentOf(outcome).inputs).toHaveLength(1);
    const warning = documentOf(outcome).warnings.find(({ code }) => code === "ignored-files");
    expect(warning?.count).toBe(names.length);
    for (const name of names) expect(warning?.message).toContain(name);
  }

  it("a specification is left out with a warning", () =>
    expectIgnored(["containerapp-show-startup-probe.yaml"]));

  it("ingress metrics are an input of their own", async () => {
    await copyFile(capture("metrics-requests-by-status.json"), join(folder, "metrics.json"));
    const outcome = await runReportJson(["--data", folder, "--guard", "0s"]);
    expect(outcome.code).toBe(0);
    expectRows(outcome, { read: 2, user: 2 });
    expect(documentOf(outcome).inputs.map(({ form }) => form)).toEqual(["metrics", "csv"]);
  });

  it.each([
    [".DS_Store", "\0\0\0\u0001Bud1"],
    ["LICENSE", "MIT License\n"],
    ["NOTICE.txt", ""],
    ["Readme", "<p>What lies here</p>\n"],
    ["README.txt", "ERROR: none\n"],
    ["how-it-was-exported.md", "# With the portal\n"],
  ])("prose and hidden files are not looked at, whatever they hold: %s", async (name, content) => {
    await writeFile(join(folder, name), content);
    const outcome = await runReportJson(["--data", folder, "--guard", "0s"]);
    expect(outcome.code).toBe(0);
    expectRows(outcome, { read: 2, user: 2 });
    expect(documentOf(outcome).warnings.map(({ code }) => code)).not.toContain("ignored-files");
  });

  it.each([
    ["readings.txt", "made by hand\n"],
    ["LICENSE-numbers.csv.txt", "seats\n"],
    ["app.json", '{"name":"quotes-api"}\n'],
  ])("a file whose name only resembles prose is named: %s", async (name, content) => {
    await writeFile(join(folder, name), content);
    const outcome = await runReportJson(["--data", folder, "--guard", "0s"]);
    expect(outcome.code).toBe(0);
    const warning = documentOf(outcome).warnings.find(({ code }) => code === "ignored-files");
    expect(warning).toMatchObject({ count: 1, message: expect.stringContaining(join(folder, name)) });
  });

  it("a damaged export in it is refused, not left out", async () => {
    await writeFile(join(folder, "slice-2.json"), "");
    const outcome = await runReportJson(["--data", folder, "--guard", "0s"]);
    expect(outcome.code).toBe(4);
    expect(outcome.stdout).toBe("");
    expect(outcome.stderr).toContain("slice-2.json");
  });

  it("a folder without any export is no data", async () => {
    await rm(join(folder, "requests.csv"));
    const outcome = await runReportJson(["--data", folder]);
    expect(outcome.code).toBe(4);
    expect(lines(outcome.stderr)).toHaveLength(1);
    expect(outcome.stderr).toContain(folder);
  });
});
