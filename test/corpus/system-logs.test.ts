import { describe, expect, it } from "vitest";
import { containerStarts } from "../../src/fleet/starts.ts";
import { TICKS_PER_SECOND } from "../../src/telemetry/time.ts";
import { lines, runReportJson } from "../cli/world.ts";
import {
  buckets,
  documentOf,
  eventsOf,
  expectRows,
  fixture,
  reportOn,
  secondsBetween,
  timeOf,
} from "./cases.ts";

const SYSTEM_LOGS = [
  ["07-system-rolling-restart-same-revision.json", "log-analytics-cli", 9, 0],
  ["16-portal-csv-system-de-at-doubled.csv", "csv", 16, 0],
  ["18-portal-csv-system-non-cl.csv", "csv", 5, 0],
  ["50-system-cli-three-timestamp-shapes.ndjson", "logs-show", 11, 2],
  ["52-system-cli-pretty-concatenated.txt", "logs-show", 2, 0],
  ["54-system-oom-loop-same-replica.json", "log-analytics-cli", 16, 0],
  ["58-system-pending-portmismatch.json", "log-analytics-cli", 4, 0],
  ["60-system-platform-container-exit-0.ndjson", "logs-show", 4, 0],
  ["64-system-rest-non-cl.json", "query-tables", 2, 0],
] as const;

describe("system logs alone hold no user request", () => {
  it.each(SYSTEM_LOGS)("%s: exit 3 with its account", async (name, form, rows, otherRows) => {
    const outcome = await reportOn([name]);
    expect(outcome.code).toBe(3);
    expectRows(outcome, {});
    const document = documentOf(outcome);
    expect(document.inputs).toMatchObject([{ form, rows, otherRows, partial: false }]);
    expect(document.requests).toEqual({ observed: 0, estimated: 0 });
    const reasons = lines(outcome.stderr).filter((line) => line.startsWith("coldstart: "));
    expect(reasons).toHaveLength(1);
    expect(reasons[0]).toMatch(/no user request/);
  });
});

describe("what the events say", () => {
  it("07: a rollout replaces three replicas, each started about 15 s after scheduling", async () => {
    const { events } = await eventsOf(fixture("07-system-rolling-restart-same-revision.json"));
    const seconds = (replica: string) =>
      secondsBetween(events, replica, "AssigningReplica", "ContainerStarted");
    expect(seconds("orders-api--0000015-6ff4646495-df5qx")).toBeCloseTo(17.1647247, 7);
    expect(seconds("orders-api--0000015-6ff4646495-p97rh")).toBeCloseTo(14.8457188, 7);
    expect(seconds("orders-api--0000015-6ff4646495-tmg92")).toBeCloseTo(14.7929513, 7);
    const starts = containerStarts(events, null);
    expect([...starts.keys()].sort()).toEqual([
      "orders-api--0000015-6ff4646495-df5qx",
      "orders-api--0000015-6ff4646495-p97rh",
      "orders-api--0000015-6ff4646495-tmg92",
    ]);
    for (const [start] of starts.values()) expect(start?.revision).toBe("orders-api--0000015");
    const ended = events.filter(({ reason }) => reason === "ContainerTerminated");
    expect(ended).toHaveLength(3);
    for (const { text } of ended) expect(text).toMatch(/exit code '' and reason 'ManuallyStopped'/);
  });

  // The corpus wants doubled events collapsed to 9; the definitions collapse container starts alone,
  // so the 16 rows stay events and the start is the one thing that must be counted once.
  it("16: dots mean day first, and a doubled start is one, at its first writing", async () => {
    const { events } = await eventsOf(fixture("16-portal-csv-system-de-at-doubled.csv"));
    expect(events).toHaveLength(16);
    expect(timeOf(events[0]!)).toBe("2022-09-10T11:27:48.580Z");
    const replica = "lab-dev-grpc--bxgqh32-b45689f66-svx4d";
    const starts = containerStarts(events, null);
    expect([...starts.keys()]).toEqual([replica]);
    expect(starts.get(replica)!.map(timeOfStart)).toEqual(["2022-09-10T11:27:55.402Z"]);
    const sidecar = containerStarts(events, "daprd").get(replica)!;
    expect(sidecar.map(timeOfStart)).toEqual(["2022-09-10T11:27:55.170Z"]);
    expect(events.find(({ reason }) => reason === "PodUnhealhy")).toMatchObject({
      severity: "Warning",
      count: 1,
    });
    // `time_t` is the event's own clock.
    expect(events.every(({ ownClock }) => ownClock)).toBe(true);
  });

  it("18: the table without _CL has other column names; 69 s from scheduling to start", async () => {
    const { events } = await eventsOf(fixture("18-portal-csv-system-non-cl.csv"));
    const replica = "reporting--standard-health-6d5f7c-x8k2p";
    expect(secondsBetween(events, replica, "AssigningReplica", "ContainerStarted")).toBeCloseTo(69.116, 7);
    expect(timeOf(events[3]!)).toBe("2024-06-03T22:05:40.118Z");
    expect(containerStarts(events, null).get(replica)).toHaveLength(1);
    expect(events[4]).toMatchObject({
      reason: "ProbeFailed",
      text: expect.stringContaining("status code:"),
      severity: "Warning",
      revision: "reporting--standard-health",
      source: "ContainerAppController",
    });
    expect(events.every(({ ownClock }) => !ownClock)).toBe(true);
  });

  it("50: three shapes of time in one stream, and two lines of the connection", async () => {
    const { events, otherRows } = await eventsOf(fixture("50-system-cli-three-timestamp-shapes.ndjson"));
    expect(events).toHaveLength(11);
    expect(otherRows).toBe(2);
    const replica = "orders-api--0000001-666f66947d-mjk8g";
    expect(secondsBetween(events, replica, "AssigningReplica", "ContainerStarted")).toBeCloseTo(5.021942, 7);
    expect(events.filter(({ replica: name }) => name === replica).map(timeOf)).toEqual([
      "2026-06-22T02:24:21Z",
      "2026-06-22T02:24:22.9122879Z",
      "2026-06-22T02:24:25.7316352Z",
      "2026-06-22T02:24:25.900Z",
      "2026-06-22T02:24:26.0219420Z",
      "2026-06-22T02:24:27.1540663Z",
      "2026-06-22T02:24:28.1561780Z",
    ]);
    // A running counter stands in the events as it is; two rows are two failures.
    const failures = events.filter(({ reason }) => reason === "ProbeFailed");
    expect(failures.map(({ count }) => count)).toEqual([13_778, 13_779]);
  });

  it("52: objects written one after another, over several lines", async () => {
    const { events } = await eventsOf(fixture("52-system-cli-pretty-concatenated.txt"));
    expect(events.map(({ replica }) => replica)).toEqual([
      "my-app--9uj51l6-5f96557ffb-f795d",
      "my-app--9uj51l6-5f96557ffb-k2k2k",
    ]);
    expect(events.map(timeOf)).toEqual(["2023-08-01T18:09:52Z", "2023-08-01T18:09:52Z"]);
  });

  it("54: four starts in one replica; doubled ProcessExited add none", async () => {
    const { events } = await eventsOf(fixture("54-system-oom-loop-same-replica.json"));
    const starts = containerStarts(events, null).get("app--0000001-67d777f859-v6brv")!;
    expect(starts.map(timeOfStart)).toEqual([
      "2026-06-20T05:31:45.3700609Z",
      "2026-06-20T05:36:47.2386781Z",
      "2026-06-20T05:41:49.3854347Z",
      "2026-06-20T05:46:52.5895466Z",
    ]);
  });

  it("54: each life's first request is cold, although the name is one", async () => {
    const outcome = await reportOn(
      ["54-requests-same-replica.csv", "54-system-oom-loop-same-replica.json"],
      [],
    );
    expect(outcome.code).toBe(0);
    const cohort = documentOf(outcome).cohorts[0]!;
    expect(cohort.instances).toMatchObject({ total: 4, idle: 0 });
    expect(cohort.firstRequest).toMatchObject({ n: 4, p50Ms: 1388.7, p90Ms: 1502.9 });
    expect(buckets(documentOf(outcome))).toEqual({ 1: [4, 4, 1388.7], 2: [2, 2, 11.1] });
    // The lives lasted 1.8156368, 1.9584750, 2.2372759 and 1.6891731 s.
    expect(cohort.lifetime).toMatchObject({ source: "system-logs", n: 4, censored: 0 });
    expect(cohort.lifetime.p50Minutes).toBeCloseTo(1.8156368 / 60, 12);
  });

  it("54: without the log it is one instance with one first request", async () => {
    const document = documentOf(await reportOn(["54-requests-same-replica.csv"]));
    expect(document.cohorts[0]!.firstRequest).toMatchObject({ n: 1, p50Ms: 1310.2 });
  });

  it("56: a table without delimiters is refused", async () => {
    const outcome = await reportOn(["56-system-init-container-table.txt"]);
    expect(outcome.code).toBe(4);
    expect(outcome.stdout).toBe("");
    expect(lines(outcome.stderr)).toHaveLength(1);
  });

  it("56: an init container and a sidecar share one start with the app, at the latest", async () => {
    const replica = "multi--94j5cq2-66b45d94c-wmhlq";
    const event = (seconds: number, reason: string, text: string) => ({
      ticks: seconds * TICKS_PER_SECOND,
      ownClock: false,
      reason,
      text,
      app: "multi",
      revision: "multi--94j5cq2",
      replica,
      source: "",
      severity: "",
      count: null,
      job: "",
    });
    const starts = containerStarts(
      [
        event(15.721, "ContainerStarted", "Started container 'go-init'"),
        event(15.721, "ContainerTerminated", "Container 'go-init' was terminated with exit code '0'"),
        event(15.721, "ContainerStarted", "Started container 'envoyproxy'"),
        event(18.25, "ContainerStarted", "Started container 'go'"),
      ],
      null,
    ).get(replica)!;
    expect(starts).toHaveLength(1);
    expect(starts[0]!.at).toBe(18.25 * TICKS_PER_SECOND);
    expect([...starts[0]!.containers.keys()].sort()).toEqual(["envoyproxy", "go", "go-init"]);
  });

  it("58: a colon belongs to the reason, and the severity is as written", async () => {
    const { events } = await eventsOf(fixture("58-system-pending-portmismatch.json"));
    expect(events).toHaveLength(4);
    for (const event of events) {
      expect(event).toMatchObject({
        reason: "Pending:PortMismatch",
        severity: "Normal",
        replica: "app--n6v50k0-55dfdfd9b-7bwp8",
        text: "The TargetPort 8081 does not match the listening port 80.",
      });
    }
    expect(containerStarts(events, null).size).toBe(0);
  });

  it("60: the platform's own container is none of the app's", async () => {
    const { events } = await eventsOf(fixture("60-system-platform-container-exit-0.ndjson"));
    const starts = containerStarts(events, null);
    expect([...starts.keys()]).toEqual(["api--77-5d-zz1"]);
    const [start, ...rest] = starts.get("api--77-5d-zz1")!;
    expect(rest).toEqual([]);
    expect(timeOfStart(start!)).toBe("2025-03-12T09:00:01Z");
    expect([...start!.containers.keys()]).toEqual(["api"]);
  });

  it("62: console logs are refused, with the type that is needed", async () => {
    const outcome = await reportOn(["62-console-logs-not-system.ndjson"]);
    expect(outcome.code).toBe(4);
    expect(outcome.stdout).toBe("");
    expect(lines(outcome.stderr)).toHaveLength(1);
    expect(outcome.stderr).toContain("--type system");
  });

  it("64: Type tells neither the table nor the severity; a missing count stays missing", async () => {
    const { events } = await eventsOf(fixture("64-system-rest-non-cl.json"));
    expect(events.map(({ reason, count, job }) => [reason, count, job])).toEqual([
      ["ContainerStarted", 1, ""],
      ["ProbeFailed", null, ""],
    ]);
    expect(containerStarts(events, null).get("app--1-aa-bb")!.map(timeOfStart)).toEqual([
      "2026-04-01T10:00:00.1234567Z",
    ]);
  });

  it("64: given with requests of that replica, the start is the birth", async () => {
    const requests = [
      "timestamp,name,duration,cloud_RoleInstance",
      "2026-04-01T10:00:01Z,GET /,2500,app--1-aa-bb",
      "2026-04-01T10:00:05Z,GET /,5,app--1-aa-bb",
    ].join("\n");
    const { code, document } = await runReportJson(
      ["--data", "-", "--data", fixture("64-system-rest-non-cl.json")],
      { stdin: requests },
    );
    expect(code).toBe(0);
    expect(document?.cohorts[0]?.instances).toMatchObject({ total: 1, idle: 0 });
  });
});

function timeOfStart(start: { readonly at: number }): string {
  return timeOf({ ticks: start.at });
}
