import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isRefusal, refusals } from "../../src/figures/leak-refusals.ts";
import type { SystemEvent } from "../../src/telemetry/events.ts";
import { TICKS_PER_SECOND } from "../../src/telemetry/time.ts";
import { ROOT, runWorld } from "../cli/world.ts";
import { eventsOf, fixture } from "../corpus/cases.ts";
import { leaksOfPaths } from "./leak-data.ts";
import { InputFolder } from "./pipeline.ts";

const capture = (name: string): string => fixture(name, "container-apps");
const REQUESTS = capture("app-insights-query-requests.json");

interface Export {
  tables: { columns: { name: string; type: string }[]; rows: unknown[][] }[];
}

/** The real rows with the columns that the query left out: the replica of each row, and an operation. */
async function withReplica<T>(
  replica: (row: unknown[], index: number) => string,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const folder = new InputFolder();
  try {
    const read = JSON.parse(readFileSync(REQUESTS, "utf8")) as Export;
    const table = read.tables[0]!;
    table.columns.push({ name: "cloud_RoleInstance", type: "string" });
    table.rows.forEach((row, index) => {
      row.push(replica(row, index));
    });
    return await use(folder.write("requests.json", new TextEncoder().encode(JSON.stringify(read))));
  } finally {
    folder.remove();
  }
}

describe("the real request rows, counted by hand", () => {
  it("as they are, they name no instance, and the audit refuses them", async () => {
    const outcome = await runWorld(["leaks", "--data", REQUESTS, "--path", "/"]);
    expect([outcome.code, outcome.stdout]).toEqual([4, ""]);
    expect(outcome.stderr).toContain("cloud_RoleInstance");
  });

  it("20 rows, all GET /, nothing else: in one replica they are all candidates of one start", async () => {
    // app-insights-query-requests.json: its 20 rows run from 05:09:24.935442 to 05:09:44, each "GET /".
    const document = await withReplica(
      () => "one",
      (path) => leaksOfPaths([path], { path: ["/"] }),
    );
    expect(document.requests.since).toMatchObject({
      starts: 1,
      withPath: { count: 1 },
      firstIsPath: { count: 1 },
      rows: { observed: 20, estimated: 20 },
      inside: { rows: 0 },
      undecidedStarts: 1,
    });
    expect(document.requests.baseline).toBeNull();
    expect(document.verdict).toBe("cannot-tell");
  });

  it("rows that leave the replica empty belong to no start, and are told", async () => {
    // The first five rows get a replica, so fifteen have none.
    const document = await withReplica(
      (_, index) => (index < 5 ? "one" : ""),
      (path) => leaksOfPaths([path], { path: ["/"] }),
    );
    expect(document.requests).toMatchObject({ withoutInstance: 15, since: { rows: { observed: 5 } } });
    expect(document.reasons.map(({ code }) => code)).toContain("rows-without-instance");
  });

  it("with a deployment after the tenth row, the replica of the first ten is the baseline", async () => {
    const read = JSON.parse(readFileSync(REQUESTS, "utf8")) as Export;
    const eleventh = String(read.tables[0]!.rows.map(([time]) => String(time)).sort()[10]);
    const document = await withReplica(
      ([time]) => (String(time) < eleventh ? "before" : "since"),
      (path) => leaksOfPaths([path], { path: ["/"], since: eleventh }),
    );
    expect(document.requests.before).toMatchObject({ starts: 1, rows: { observed: 10 } });
    expect(document.requests.since).toMatchObject({ starts: 1, rows: { observed: 10 } });
    expect(document.requests.baseline).toMatchObject({ share: 1, expectedStarts: 1, excessStarts: 0, p: 1 });
  });
});

describe("startup probes of the real logs", () => {
  it.each([
    // 9 times status code 404, 3 times no code: the port may have been open each time.
    ["logs-show-crash-loop.ndjson", 12],
    ["logs-show-dapr.ndjson", 0],
    ["log-analytics-query-system-events-1.json", 0],
    ["log-analytics-query-system-events-2.json", 0],
    // 31 times 404, 11 times no code.
    ["log-analytics-query-crash-loop.json", 42],
  ])("%s: %i failures, none of them a refused connection", async (name, failures) => {
    const { events } = await eventsOf(capture(name));
    expect(events.filter(({ text }) => /^Probe of StartUp failed/.test(text))).toHaveLength(failures);
    expect(events.filter(isRefusal)).toEqual([]);
  });

  it("lines in both dialects, each judged by reading it", () => {
    const lines = readFileSync(join(ROOT, "fixtures/samples/probe-failures.ndjson"), "utf8")
      .trim()
      .split("\n");
    const judged = lines.map((line) => {
      const { record } = JSON.parse(line) as { record: Record<string, string> };
      const text = record.Msg ?? record.Log_s ?? "";
      return [text.slice(0, 30), isRefusal({ text } as SystemEvent)];
    });
    expect(judged).toEqual([
      ["Probe of Liveness failed with ", false],
      ['Startup probe failed: Get "htt', true],
      ['Startup probe failed: Get "htt', true],
      ["startup probe failed: connecti", true],
      ["readiness probe failed: connec", false],
      ["Probe of StartUp failed with s", true],
      ["Probe of StartUp failed with t", false],
    ]);
  });

  it("a batch's time may be ten seconds late, an event's own is at most a second off", () => {
    const event = {
      text: "startup probe failed: connection refused",
      replica: "r",
      ticks: 100 * TICKS_PER_SECOND,
    };
    const until = (ownClock: boolean): number =>
      refusals([{ ...event, ownClock } as SystemEvent]).get("r")![0]! / TICKS_PER_SECOND;
    expect([until(true), until(false)]).toEqual([99, 89]);
  });
});

describe("cases of the corpus", () => {
  const rowsCsv = (replica: string, times: readonly string[]): Uint8Array =>
    new TextEncoder().encode(
      `timestamp,name,duration,success,resultCode,itemCount,cloud_RoleInstance\n${times.map((time) => `${time},GET /,20,True,200,1,${replica}\n`).join("")}`,
    );

  it("50: the second refusal, at 28.156178 s, makes rows up to 27.156 s inside", async () => {
    const folder = new InputFolder();
    try {
      const replica = "orders-api--0000001-666f66947d-mjk8g";
      const rows = rowsCsv(replica, ["2026-06-22T02:24:27.1561Z", "2026-06-22T02:24:27.1562Z"]);
      const document = await leaksOfPaths(
        [folder.write("rows.csv", rows), fixture("50-system-cli-three-timestamp-shapes.ndjson")],
        { path: ["/"] },
      );
      expect(document.requests.since.inside).toEqual({ rows: 1, starts: 1, byLine: 0, byRefusal: 1 });
      expect(document.examples).toMatchObject([{ at: "2026-06-22T02:24:27.1561000Z", by: "refusal" }]);
      expect(document.verdict).toBe("leak");
    } finally {
      folder.remove();
    }
  });

  it("54: one replica, four starts, each of them begun with the path", async () => {
    const files = ["54-requests-same-replica.csv", "54-system-oom-loop-same-replica.json"].map((name) =>
      fixture(name),
    );
    const { requests } = await leaksOfPaths(files, { path: ["/"] });
    // Six rows: two in the first and in the last life, one in the others.
    expect(requests.since).toMatchObject({ starts: 4, firstIsPath: { count: 4 }, rows: { observed: 6 } });
    const alone = await leaksOfPaths(files.slice(0, 1), { path: ["/"] });
    expect(alone.requests.since).toMatchObject({ starts: 1, rows: { observed: 6 } });
  });

  it("40: a message consumer comes first, and is no other user's request", async () => {
    const { requests } = await leaksOfPaths([fixture("40-breeze-consumer-spans.ndjson")], {
      path: ["/sendMessage"],
    });
    expect(requests.since).toMatchObject({ firstIsPath: { count: 0 }, withPath: { count: 1 } });
  });

  it("44: five copies of one request are one row", async () => {
    const { requests } = await leaksOfPaths([fixture("44-breeze-five-webhosts-same-request.ndjson")], {
      path: ["/"],
    });
    expect(requests.since.rows.observed).toBe(1);
  });

  it("90: probes of the path after the first user request are no candidates", async () => {
    const document = await leaksOfPaths([fixture("90-requests-sampled-probes-consumers.csv")], {
      path: ["/health/live"],
    });
    expect(document.requests.since).toMatchObject({
      starts: 1,
      withPath: { count: 0 },
      rows: { observed: 0 },
    });
    // The first row has weight 1, though all that follow have 8.
    expect(document.zero).toMatchObject({ rate: 1, rateN: 1 });
  });

  it("100: an availability test at the path before a user's counts too", async () => {
    const { requests } = await leaksOfPaths([fixture("100-requests-synthetic.csv")], { path: ["/"] });
    // 08:00:00 test, 08:00:20 user, 08:00:24 AlwaysOn: no user request of another path.
    expect(requests.since.rows.observed).toBe(3);
  });

  it("32: requests without an instance", async () => {
    const { requests } = await leaksOfPaths([fixture("32-breeze-array-mixed-types.json")], { path: ["/"] });
    expect(requests.since.starts).toBe(0);
  });
});
