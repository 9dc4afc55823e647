import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ReplicasDocument, replicasSchema } from "../../src/report/replicas-document.ts";
import { lines, type Outcome, ROOT, runWorld, type WorldOptions } from "./world.ts";

const CAPTURES = "fixtures/container-apps";
const CORPUS = "fixtures/corpus";

interface Result extends Outcome {
  readonly document: ReplicasDocument;
}

async function replicas(args: readonly string[], options: WorldOptions = {}): Promise<Result> {
  const outcome = await runWorld(["replicas", "--format", "json", ...args], options);
  return { ...outcome, document: replicasSchema.strict().parse(JSON.parse(outcome.stdout)) };
}

const of = (file: string, ...more: string[]) => replicas(["--data", file, ...more]);

/** `cause/evidence: births`, of one group. */
function causes({ groups }: ReplicasDocument, group = 0): string[] {
  return groups[group]!.causes.flatMap(({ cause, evidence }) =>
    evidence.map(({ name, count }) => `${cause}/${name}: ${count}`),
  );
}

function phase({ groups }: ReplicasDocument, name: string) {
  return groups[0]!.phases.newReplicas.find((one) => one.name === name)!;
}

const NO_PYTHON = 'exec: "python": executable file not found in $PATH';

describe("coldstart replicas, on real captures", () => {
  /*
   * Counted by hand in log-analytics-query-system-events-1.json, which holds 51 rows AssigningReplica, 51
   * ContainerStarted (container 'subject', no replica twice) and 48 ContainerTerminated, all of subject-app:
   * - 17 replicasets of 3 replicas each: bxdkxgx-85c54486bf, then one of each revision 0000001 … 0000015,
   *   then 0000015-6ff4646495, a second one of revision 0000015;
   * - nothing stands before bxdkxgx: 3 births of unknown cause. The revisions 1 … 15 are 15 × 3 = 45 births
   *   in a log that knew another revision. The last 3 are of a revision that was there: a rollout;
   * - 51 − 48 = 3 replicas, those of 6ff4646495, have no end;
   *   They are 28 to 111 s old when the log ends, younger than any that ended: the other 48 lives last 11.90 min
   *   (0000012-42ccn) to 766.48 min (0000015-xwc8p), and the 24th of them, 0000010-f84q8 from 16:08:57.29 to
   *   16:20:59.22, 12.03 min: it is the first at which half have ended;
   * - assigned to started: 13:02:26.24 → 13:02:43.26 is 17.0 s, for the first three; over all the sum of the
   *   51 differences is 823.24 s.
   */
  it("agrees with the hand count of the first system log", async () => {
    const { code, document } = await of(`${CAPTURES}/log-analytics-query-system-events-1.json`);
    expect(code).toBe(0);
    const group = document.groups[0]!;
    expect([group.app, group.births, group.newReplicas, group.neverStarted]).toEqual([
      "subject-app",
      51,
      51,
      0,
    ]);
    expect(causes(document)).toEqual([
      "deployment/revision-first-seen: 45",
      "rollout/new-replicaset: 3",
      "unknown/log-begins: 3",
    ]);
    expect(group.lifetime).toMatchObject({ n: 51, censored: 3, batchTimed: 51 });
    expect(group.lifetime.p50Minutes).toBeCloseTo(12.0321, 4);
    expect(group.startSeconds).toMatchObject({ n: 51, batchTimed: 51 });
    expect(group.startSeconds.totalSeconds).toBeCloseTo(823.24, 2);
    // Every row bears TimeGenerated alone: no phase in milliseconds.
    expect(group.phases.newReplicas.map(({ n }) => n)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    expect(phase(document, "assigned-started")).toMatchObject({ batchTimed: 51, batchP50Seconds: 16 });
    // 12 June 2026 was a Friday: 48 births of the 51; 3 on Saturday, between 05:48 and 05:50.
    expect(group.calendar.byWeekday.map(({ births }) => births)).toEqual([0, 0, 0, 0, 48, 3, 0]);
    expect(group.calendar.perDay.map(({ label, births }) => [label, births])).toEqual([
      ["2026-06-12", 48],
      ["2026-06-13", 3],
    ]);
    expect(group.calendar.byHour[5]!.births).toBe(3);
  });

  /*
   * The second system log goes on with two more replicasets of revision 0000015 (7ddc89b8f5, 565d97dcfc): 57
   * births, 9 of rollouts. Of these, four began at most 300 s after the last death: 05:49:21 (41 s after
   * 05:48:40), 05:59:54 (41 s), 06:09:50 (the same batch) and 06:10:37 (47 s). The other five: 05:47:55
   * (nobody had died since 17:04), 05:48:39 and 05:59:12 (each a second before a death), 05:58:31 (507 s) and
   * 06:09:03 (501 s). They are replacements, not cycles.
   */
  it("agrees with the hand count of the second system log", async () => {
    const { document } = await of(`${CAPTURES}/log-analytics-query-system-events-2.json`);
    expect(causes(document)).toEqual([
      "deployment/revision-first-seen: 45",
      "rollout/new-replicaset: 9",
      "unknown/log-begins: 3",
    ]);
    expect(document.groups[0]!.cycles).toMatchObject({ n: 3, count: 0, replacements: 4 });
    expect(document.groups[0]!.lifetime).toMatchObject({ n: 57, censored: 3 });
  });

  /*
   * logs-show-crash-loop.ndjson: one replica, started at 13:35:17.80, 13:35:38.15, 13:36:08.45 and 13:36:58.74,
   * each time terminated after 10.03 s with the reason ProbeFailure. Its assignment is not in the log. First
   * start: pulling 13:34:59.2000824 → pulled 13:35:02.6253715 is 3,425.2891 ms, → created 13:35:17.7886384 is
   * 15,163.2669 ms, → started 13:35:17.7992799 is 10.6415 ms. The startup probe killed it: no port opening.
   */
  it("tells the crash loop, and that no port was opened in it", async () => {
    const { code, document } = await of(`${CAPTURES}/logs-show-crash-loop.ndjson`);
    expect(code).toBe(0);
    expect(causes(document)).toEqual(["crash-loop/failed-before: 3", "unknown/log-begins: 1"]);
    const group = document.groups[0]!;
    expect([group.newReplicas, group.lifetime.censored]).toEqual([1, 0]);
    expect(group.lifetime.p50Minutes! * 60).toBeCloseTo(10.03, 2);
    expect(phase(document, "pulling-pulled").p50Ms).toBeCloseTo(3425.2891, 6);
    expect(phase(document, "pulled-created").p50Ms).toBeCloseTo(15_163.2669, 6);
    expect(phase(document, "created-started").p50Ms).toBeCloseTo(10.6415, 6);
    expect(phase(document, "started-last-refusal").n).toBe(0);
    expect(document.groups[0]!.phases.restarts.map(({ n }) => n)).toEqual([0, 3, 3, 3, 0, 0, 0, 0]);
  });

  it("sets Dapr's container aside, and knows the older replica by its end alone", async () => {
    const { document } = await of(`${CAPTURES}/logs-show-dapr.ndjson`);
    expect(document.setAside.daprContainers).toBe(1);
    expect(causes(document)).toEqual(["rollout/new-replicaset: 1"]);
    // Pulled 10:28:49.229942, Created container 'app' 10:29:00.3763527.
    expect(phase(document, "pulled-created").p50Ms).toBeCloseTo(11_146.4107, 6);
  });

  // By hand: `grep -c ContainerCreateFailure` gives 4 in each file, all with one text, of one replica
  // (…-mjk8g, Count 1 to 4). `grep AssigningReplica` gives that replica in the large file, and in the small
  // file only another one (…-d6zv4): so two replicas never started there.
  it.each([
    ["logs-show-large-image.ndjson", 1, 4, NO_PYTHON],
    ["logs-show-small-image.ndjson", 2, 4, NO_PYTHON],
  ] as const)("%s holds failed creations and no start: exit 3", async (file, never, count, detail) => {
    const { code, stderr, document } = await of(`${CAPTURES}/${file}`);
    const { births, neverStarted, failedCreations } = document.groups[0]!;
    expect([code, births, neverStarted]).toEqual([3, 0, never]);
    expect(failedCreations).toMatchObject({ count, replicas: 1, reasons: [{ count }] });
    expect(failedCreations.reasons[0]!.text).toContain(detail);
    expect(lines(stderr)).toEqual([expect.stringMatching(/^coldstart: no start of an app's container /)]);
    expect(stderr).toContain(`: ${count} creations failed, ${count} with: Container 'app' was terminated`);
    expect(stderr).toContain(detail);
  });

  it("cannot count starts without a replica name, and says so", async () => {
    const { code, stderr, document } = await of(`${CAPTURES}/log-analytics-query-crash-loop.json`);
    // 15 rows ContainerStarted in the file, none with ReplicaName_s.
    expect([code, document.setAside.withoutReplica]).toEqual([3, 15]);
    expect(stderr).toContain("15 container starts, all without a replica name; add ReplicaName_s");
    expect(document.unknown[0]).toContain("15 container starts without a replica name");
  });
});

describe("coldstart replicas, on the corpus", () => {
  it("07: a rolling restart of the same revision", async () => {
    const { document } = await of(`${CORPUS}/07-system-rolling-restart-same-revision.json`);
    expect(causes(document)).toEqual(["rollout/new-replicaset: 3"]);
    // 17.16 s, 14.85 s and 14.79 s, by times of batches.
    expect(phase(document, "assigned-started")).toMatchObject({
      n: 0,
      batchTimed: 3,
      batchP50Seconds: 15,
      batchP90Seconds: 17,
    });
  });

  it("16: events twice, Dapr first, the reason misspelt", async () => {
    const { document } = await of(`${CORPUS}/16-portal-csv-system-de-at-doubled.csv`);
    expect(document.births.map(({ at }) => at)).toEqual(["2022-09-10T11:27:55.402Z"]);
    expect(document.setAside.daprContainers).toBe(1);
  });

  it("18: 69 s from assignment to start, one refusal of unknown code", async () => {
    const { document } = await of(`${CORPUS}/18-portal-csv-system-non-cl.csv`);
    expect(phase(document, "assigned-started")).toMatchObject({ batchTimed: 1, batchP50Seconds: 69 });
    expect(causes(document)).toEqual(["unknown/log-begins: 1"]);
  });

  it("50: a creation told by the log, phases by the events' own clock", async () => {
    const { document } = await of(`${CORPUS}/50-system-cli-three-timestamp-shapes.ndjson`);
    expect(causes(document)).toEqual(["deployment/revision-created: 1"]);
    expect(phase(document, "assigned-started").p50Ms).toBeCloseTo(5021.942, 6);
    // Two refusals, 2,134 ms after the start at the latest; they are 1,002 ms apart.
    expect(phase(document, "started-last-refusal").p50Ms).toBeCloseTo(2134.236, 6);
    expect(phase(document, "last-refusal-port-open").p50Ms).toBeCloseTo(1002.1117, 6);
  });

  it("54: four lives in one replica, each of which served", async () => {
    const { document } = await replicas([
      "--data",
      `${CORPUS}/54-system-oom-loop-same-replica.json`,
      "--data",
      `${CORPUS}/54-requests-same-replica.csv`,
    ]);
    expect(causes(document)).toEqual(["crash-loop/failed-before: 3", "unknown/log-begins: 1"]);
    expect(document.births.map(({ userRequests }) => userRequests)).toEqual([2, 1, 1, 2]);
    expect(document.groups[0]!.neverServed).toMatchObject({ n: 4, count: 0, undecided: 0 });
    // All four starts, against the six rows.
    expect(document.groups[0]!.perThousand).toMatchObject({ source: "request-rows", starts: 4, requests: 6 });
    // The steps of one batch bear one time: no seconds of starting are made up from them.
    expect(document.groups[0]!.startSeconds).toMatchObject({ n: 0, unknown: 4, totalSeconds: null });
  });

  it("58: a port mismatch alone is no start", async () => {
    expect((await of(`${CORPUS}/58-system-pending-portmismatch.json`)).code).toBe(3);
  });

  it("60: a platform container that exits 0 is none of the app's births", async () => {
    const { document } = await of(`${CORPUS}/60-system-platform-container-exit-0.ndjson`);
    expect(document.setAside.platformContainers).toBe(1);
    expect(causes(document)).toEqual(["deployment/app-updated: 1"]);
    expect(document.births[0]).toMatchObject({ at: "2025-03-12T09:00:01Z", ended: false });
  });

  it("64: the table without _CL", async () => {
    const { document } = await of(`${CORPUS}/64-system-rest-non-cl.json`);
    expect(document.births.map(({ replica, ownClock }) => [replica, ownClock])).toEqual([
      ["app--1-aa-bb", false],
    ]);
  });

  it.each([
    "05-la-query-o-table.txt",
    "56-system-init-container-table.txt",
    "62-console-logs-not-system.ndjson",
  ])("%s is refused", async (file) => {
    const outcome = await runWorld(["replicas", "--data", `${CORPUS}/${file}`]);
    expect([outcome.code, outcome.stdout, lines(outcome.stderr).length]).toEqual([4, "", 1]);
  });
});

const metric = (points: [string, number][]): string =>
  JSON.stringify({
    timespan: "2026-06-20T13:36:00Z/2026-06-20T14:36:00Z",
    interval: "PT1M",
    namespace: "Microsoft.App/containerapps",
    value: [
      {
        name: { value: "Requests", localizedValue: "Requests" },
        unit: "Count",
        timeseries: [
          { metadatavalues: [], data: points.map(([timeStamp, total]) => ({ timeStamp, total })) },
        ],
      },
    ],
  });

describe("coldstart replicas, with more than a log", () => {
  const crash = `${CAPTURES}/logs-show-crash-loop.ndjson`;

  it("counts starts against the ingress metric over the time that both cover", async () => {
    // The metric begins at 13:36:00: two of the four starts, at 13:36:08 and 13:36:58, and 500 requests.
    const stdin = metric([
      ["2026-06-20T13:36:00Z", 300],
      ["2026-06-20T13:37:00Z", 200],
    ]);
    const { document } = await replicas(["--data", crash, "--data", "-"], { stdin });
    expect(document.groups[0]!.perThousand).toEqual({
      source: "ingress-metric",
      starts: 2,
      requests: 500,
      startsPerThousand: 4,
      from: "2026-06-20T13:36:00Z",
      to: expect.stringMatching(/^2026-06-20T13:37:08\.77/),
    });
  });

  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "coldstart-replicas-metrics-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("counts what several metrics files hold of an app once, as reconcile does, or says that it cannot", async () => {
    const named = (file: string, minutes: readonly number[], label: string) => {
      const answer = JSON.parse(metric(minutes.map((total, i) => [`2026-06-20T13:3${6 + i}:00Z`, total])));
      answer.value[0].id = "/subscriptions/s/containerApps/ca-labrevprov-e2upm2/metrics/Requests";
      const [name, value] = label.split("=");
      answer.value[0].timeseries[0].metadatavalues = [{ name: { value: name }, value }];
      const path = join(folder, file);
      writeFileSync(path, JSON.stringify(answer));
      return ["--data", path];
    };
    const status = named("status.json", [300, 200], "statuscodecategory=2xx");
    const one = named("one.json", [300, 200], "revisionname=one");
    const two = named("two.json", [300, 200], "revisionname=two");
    const requests = async (...files: string[]) =>
      (await replicas(["--data", crash, ...files])).document.groups[0]!.perThousand?.requests ?? null;
    expect(await requests(...status, ...one)).toBe(500);
    expect(await requests(...one, ...two)).toBe(1000);
    expect(await requests(...status, ...one, ...two)).toBeNull();
    const { document } = await replicas(["--data", crash, ...status, ...one, ...two]);
    expect(document.unknown.join("\n")).toMatch(/how many requests the ingress counted: .* do not add up/);
  });

  it("does not divide by no request", async () => {
    const stdin = metric([["2026-06-20T13:36:00Z", 0]]);
    const { document } = await replicas(["--data", crash, "--data", "-"], { stdin });
    expect(document.groups[0]!.perThousand).toMatchObject({ requests: 0, startsPerThousand: null });
  });

  it("gives a metric to no app where the log has several, until one is chosen", async () => {
    const stdin = metric([["2026-06-20T13:36:00Z", 300]]);
    const both = ["--data", crash, "--data", `${CAPTURES}/logs-show-dapr.ndjson`, "--data", "-"];
    const { document } = await replicas(both, { stdin });
    expect(document.groups.map(({ app, perThousand }) => [app, perThousand])).toEqual([
      ["ca-labdapr-5nichn", null],
      ["ca-labrevprov-e2upm2", null],
    ]);
    expect(document.unknown.join("\n")).toContain("to which app the ingress metric belongs");
    const chosen = await replicas([...both, "--app", "ca-labrevprov-e2upm2"], { stdin });
    expect(chosen.document.groups.map(({ perThousand }) => perThousand?.requests)).toEqual([300]);
  });

  it("tells who served and who did not, and who is undecided", async () => {
    const log = `${CORPUS}/54-system-oom-loop-same-replica.json`;
    const csv = readFileSync(join(ROOT, `${CORPUS}/54-requests-same-replica.csv`), "utf8");
    const kept = (test: (line: string) => boolean) =>
      `${csv
        .trimEnd()
        .split("\n")
        .filter((line, index) => index === 0 || test(line))
        .join("\n")}\n`;
    // The third life's row taken out: it served nobody. Then the fourth's too: it started after the last row.
    const three = await replicas(["--data", log, "--data", "-"], {
      stdin: kept((line) => !line.includes("T05:41")),
    });
    expect(three.document.groups[0]!.neverServed).toMatchObject({
      n: 4,
      count: 1,
      share: 0.25,
      undecided: 0,
    });
    const two = await replicas(["--data", log, "--data", "-"], {
      stdin: kept((line) => line.includes("T05:31") || line.includes("T05:36")),
    });
    expect(two.document.groups[0]!.neverServed).toMatchObject({ n: 2, count: 0, undecided: 2 });
  });

  it("says that sampling may hide who served", async () => {
    const stdin =
      "timestamp,name,duration,itemCount,cloud_RoleInstance\n2026-06-20T05:31:45.6Z,GET /,10,8,app--0000001-67d777f859-v6brv\n";
    const log = `${CORPUS}/54-system-oom-loop-same-replica.json`;
    const { document } = await replicas(["--data", log, "--data", "-"], { stdin });
    expect(document.unknown.join("\n")).toContain("the rows are sampled");
  });

  it("splits at a deployment", async () => {
    const { document } = await of(
      `${CAPTURES}/log-analytics-query-system-events-1.json`,
      "--deployed-at",
      "2026-06-13",
    );
    expect(document.groups.map(({ window, births }) => [window, births])).toEqual([
      ["before", 48],
      ["after", 3],
    ]);
  });

  it("takes a role for its replicas' app", async () => {
    const data = ["--data", "fixtures/examples/export"];
    expect((await replicas([...data, "--role", "quotes-api"])).document.groups[0]!.births).toBe(34);
    const none = await replicas(["--data", crash, "--role", "nobody"]);
    expect([none.code, none.stderr]).toEqual([3, expect.stringContaining('no replica of "nobody"')]);
  });

  it("prices seconds at the given rates alone", async () => {
    const rates = ["--vcpu", "0.5", "--memory", "1Gi", "--vcpu-rate", "0.00002", "--gib-rate", "5e-6"];
    const { document } = await of(`${CAPTURES}/logs-show-crash-loop.ndjson`, ...rates);
    expect(document.costPerSecond).toBeCloseTo(0.000015, 12);
    const { totalSeconds, cost } = document.groups[0]!.startSeconds;
    expect(cost).toBeCloseTo(totalSeconds! * 0.000015, 12);
    expect((await of(crash)).document.groups[0]!.startSeconds.cost).toBeNull();
  });
});

describe("coldstart replicas, its exits", () => {
  it("has nothing to say without a system log: 3, never 0", async () => {
    const { code, stderr, document } = await of("fixtures/examples/requests.csv");
    expect([code, document.groups, document.log.from]).toEqual([3, [], null]);
    expect(lines(stderr).at(-1)).toMatch(/^coldstart: no event of a system log/);
  });

  it("prints what there is of a cut log, and exits 4", async () => {
    const text = readFileSync(join(ROOT, CAPTURES, "log-analytics-query-system-events-1.json"), "utf8");
    const { code, stderr, document } = await replicas(["--data", "-"], { stdin: text.slice(0, 20_000) });
    expect(code).toBe(4);
    expect(document.births.length).toBeGreaterThan(10);
    expect(lines(stderr).filter((line) => line.startsWith("coldstart: "))).toHaveLength(1);
  });

  it.each([
    [["--cooldown", "5"], "--cooldown"],
    [["--vcpu", "1"], "go together"],
    [["--vcpu", "x", "--memory", "1", "--vcpu-rate", "1", "--gib-rate", "1"], "--vcpu"],
    [["--vcpu", "1", "--memory", "1MB", "--vcpu-rate", "1", "--gib-rate", "1"], "--memory"],
    [["--format", "html"], "--format"],
    [["--timezone", "Nowhere/Land"], "--timezone"],
    [["--no-such"], "--no-such"],
    [["--out", "no/such/folder/file"], "--out"],
  ])("refuses %j before any data is read: exit 2", async (args, named) => {
    const outcome = await runWorld(["replicas", "--data", "no-such-file", ...args]);
    expect([outcome.code, outcome.stdout]).toEqual([2, ""]);
    expect(lines(outcome.stderr)).toEqual([expect.stringContaining(named)]);
  });

  it("refuses to run without data", async () => {
    expect((await runWorld(["replicas"])).code).toBe(2);
  });

  it("writes to a file, and warns on standard error in JSON form alone", async () => {
    const folder = mkdtempSync(join(tmpdir(), "coldstart-replicas-"));
    try {
      const out = join(folder, "replicas.csv");
      const log = ["--data", `${CAPTURES}/logs-show-crash-loop.ndjson`];
      const outcome = await runWorld(["replicas", ...log, "--format", "csv", "--out", out]);
      expect([outcome.code, outcome.stdout]).toEqual([0, ""]);
      expect(readFileSync(out, "utf8")).toContain("ca-labrevprov-e2upm2,all,births,,4,births,4,,");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
