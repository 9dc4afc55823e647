import { describe, expect, it } from "vitest";
import { TICKS_PER_SECOND } from "../../src/telemetry/time.ts";
import {
  A1,
  A2,
  A3,
  assigned,
  B1,
  crashed,
  event,
  figuresOf,
  MIDNIGHT,
  refused,
  started,
  stopped,
} from "./replica-events.ts";

const birth = (second: number, replica: string) => [assigned(second, replica), started(second + 15, replica)];
const group = (...args: Parameters<typeof figuresOf>) => figuresOf(...args).groups[0]!;
const DAY = 86_400;

describe("what counts as a birth", () => {
  it("sets platform, Dapr, init containers, jobs and starts without a replica aside", () => {
    const job = "nightly-28400-abcde";
    const figures = figuresOf([
      assigned(0, A1),
      started(1, A1, "k8se-envoysc"),
      started(2, A1, "daprd"),
      // A repeated row of the same start, 9 ms later.
      started(2.009, A1, "daprd"),
      // An init container that took two minutes stands as a start of its own.
      started(3, A1, "migrate"),
      crashed(123, A1, "0", "migrate"),
      started(124, A1, "app"),
      { ...started(5, job, "nightly"), app: "", job: "nightly" },
      { ...started(6, "nightly-28401-abcde", "nightly"), app: "" },
      started(7, "", "app"),
    ]);
    expect(figures.setAside).toEqual({
      platformContainers: 1,
      daprContainers: 1,
      initContainers: 1,
      jobs: 2,
      withoutReplica: 1,
    });
    expect(figures.births.map(({ at, replica }) => [at, replica])).toEqual([["2026-09-01T00:02:04Z", A1]]);
  });

  it("keeps a second container that did not end well, or not at all, as a start", () => {
    expect(group([started(3, A1, "one"), crashed(100, A1, "1", "one"), started(124, A1, "two")]).births).toBe(
      2,
    );
    expect(group([started(3, A1, "one"), started(124, A1, "two")]).births).toBe(2);
  });

  it("counts replicas that were assigned and never started", () => {
    const { births, neverStarted } = group([...birth(0, A1), assigned(50, A2)]);
    expect([births, neverStarted]).toEqual([1, 1]);
  });

  it("counts failed creations by their text, rows that repeat once, and replicas that only failed as never started", () => {
    const failed = (second: number, replica: string, why: string, container = "app", count = 1) =>
      event(
        second,
        "ContainerTerminated",
        replica,
        `Container '${container}' was terminated with exit code '1' and reason 'ContainerCreateFailure'. ${why}`,
        { count },
      );
    const log = [
      ...birth(0, A1),
      failed(20, A2, "no disk"),
      failed(20.1, A2, "no disk"),
      failed(40, A2, "no disk", "app", 2),
      failed(60, A3, "no shell"),
      started(80, A3),
      failed(90, B1, "no matter", "daprd"),
    ];
    const { births, neverStarted, failedCreations } = group(log);
    expect([births, neverStarted]).toEqual([2, 1]);
    expect(failedCreations).toEqual({
      count: 3,
      replicas: 2,
      reasons: [
        { text: expect.stringMatching(/no disk$/), count: 2 },
        { text: expect.stringMatching(/no shell$/), count: 1 },
      ],
    });
    expect(group([...birth(0, A1)]).failedCreations).toEqual({ count: 0, replicas: 0, reasons: [] });
  });

  it("groups by app, and by window", () => {
    const web = "web--rev0009-6fd86b5c7c-zzzzz";
    const log = [
      ...birth(0, A1),
      ...birth(100, A2),
      { ...assigned(50, web), app: "web" },
      { ...started(60, web), app: "web" },
    ];
    expect(figuresOf(log).groups.map(({ app, births }) => [app, births])).toEqual([
      ["api", 2],
      ["web", 1],
    ]);
    expect(figuresOf(log, {}, { apps: ["web"] }).groups.map(({ app }) => app)).toEqual(["web"]);
    expect(figuresOf(log).births.map(({ app }) => app)).toEqual(["api", "web", "api"]);
    const split = figuresOf(log, {
      windows: [
        { name: "before", from: Number.NEGATIVE_INFINITY, to: MIDNIGHT + 60 * TICKS_PER_SECOND },
        { name: "after", from: MIDNIGHT + 60 * TICKS_PER_SECOND, to: Number.POSITIVE_INFINITY },
      ],
    });
    // The neighbour starts at 60 s sharp: the window is half-open.
    expect(split.groups.map(({ app, window, births }) => [app, window, births])).toEqual([
      ["api", "before", 1],
      ["api", "after", 1],
      ["web", "before", 0],
      ["web", "after", 1],
    ]);
  });

  it("restricts by revision, the causes still seeing the whole log", () => {
    const figures = figuresOf([...birth(0, A1), ...birth(4000, B1)], { revision: "api--rev0002" });
    expect(figures.births.map(({ cause, evidence }) => [cause, evidence])).toEqual([
      ["deployment", "revision-first-seen"],
    ]);
  });

  it("is empty without a log, and without events", () => {
    expect(figuresOf([]).groups).toEqual([]);
    expect(figuresOf([]).log.from).toBeNull();
  });
});

describe("births by day, hour and weekday", () => {
  // 2026-09-01 is a Tuesday. Vienna is UTC+2: 23:00 UTC is 01:00 on Wednesday.
  const log = [...birth(23 * 3600, A1), stopped(23 * 3600 + 700, A1), ...birth(2 * DAY, A2)];

  it("counts in local time, with the hours that the log covers", () => {
    const { calendar } = group(log, { timezone: "Europe/Vienna" });
    expect(calendar.perDay.map(({ label, births }) => [label, births])).toEqual([
      ["2026-09-02", 1],
      ["2026-09-03", 1],
    ]);
    expect(calendar.byWeekday.map(({ births }) => births)).toEqual([0, 0, 1, 1, 0, 0, 0]);
    expect(calendar.byHour[1]!.births).toBe(1);
    expect(calendar.byHour[2]!.births).toBe(1);
    // The log runs from 01:00:00 on Wednesday to 02:00:15 on Thursday: 23 h and 2 h 15 s.
    expect(calendar.perDay.map(({ coveredHours }) => Math.round(coveredHours * 3600))).toEqual([
      82_800, 7215,
    ]);
    expect(calendar.byWeekday[0]!.coveredHours).toBe(0);
    expect(Math.round(calendar.byHour[1]!.coveredHours * 3600)).toBe(7200);
  });

  it("gives a rate from one day of log on", () => {
    expect(group(log).birthsPerDay).toBeCloseTo((2 * 24 * 3600) / (25 * 3600 + 15), 6);
    expect(group(birth(0, A1)).birthsPerDay).toBeNull();
  });

  it("counts the two hours of a clock set back as one, covered twice", () => {
    // Vienna, 2026-10-25: 02:00–03:00 comes twice, at 00:00 and 01:00 UTC. Day 54 after 1 September.
    const back = 54 * DAY;
    const { calendar } = group([...birth(back - 3600, A1), ...birth(back + 2 * 3600 - 15, A2)], {
      timezone: "Europe/Vienna",
    });
    expect(Math.round(calendar.byHour[2]!.coveredHours * 3600)).toBe(7200);
  });

  it("leaves weekends out on demand", () => {
    // 2026-09-05 is a Saturday.
    const weekend = [...log, ...birth(4 * DAY + 3600, A3)];
    expect(group(weekend).births).toBe(3);
    expect(group(weekend, { days: "weekdays" }).births).toBe(2);
    expect(group(weekend, { days: "weekdays" }).birthsPerDay).toBeNull();
  });
});

describe("lifetimes", () => {
  it("handles lives that still run when the log ends", () => {
    // Lives: 10 min (ended), 20 min (ended), 30 min (still running at the log's end).
    const { lifetime } = group([
      started(0, A1),
      started(0, A2),
      started(0, A3),
      stopped(600, A1),
      stopped(1200, A2),
      event(1800, "ContainerAppReady", "", "…"),
    ]);
    expect([lifetime.n, lifetime.censored]).toEqual([3, 1]);
    // Survival: 2/3 after 10 min, 1/3 after 20 min, and it never gets to 0.1.
    expect([lifetime.p10Minutes, lifetime.p50Minutes, lifetime.p90Minutes]).toEqual([10, 20, null]);
    const at = (minutes: number) => lifetime.curve.find((step) => step.minutes === minutes);
    expect(at(5)).toEqual({ minutes: 5, survival: 1, atRisk: 3 });
    expect(at(10)!.survival).toBeCloseTo(2 / 3, 12);
    expect(at(20)!.survival).toBeCloseTo(1 / 3, 12);
    expect(at(30)).toEqual({ minutes: 30, survival: expect.closeTo(1 / 3, 12), atRisk: 1 });
    expect(lifetime.curve.at(-1)!.minutes).toBe(30);
  });

  it("has no quantile where no end was seen", () => {
    const { lifetime } = group([...birth(0, A1), event(1800, "ContainerAppReady", "", "…")]);
    expect([lifetime.p50Minutes, lifetime.censored]).toEqual([null, 1]);
  });
});

describe("phases of a start", () => {
  const pull = (second: number, replica: string) =>
    event(second, "PullingImage", replica, "Pulling image 'registry.example.com/api:1'");
  const pulled = (second: number, replica: string) =>
    event(second, "PulledImage", replica, 'Successfully pulled image "registry.example.com/api:1" in 2.5s.');
  const created = (second: number, replica: string, container = "app") =>
    event(second, "ContainerCreated", replica, `Created container '${container}'`);
  const log = [
    assigned(0, A1),
    pull(2, A1),
    pulled(4.5, A1),
    created(14.9, A1),
    started(15, A1),
    refused(16, A1),
    refused(17.002, A1),
    refused(18, A1),
    stopped(3000, A1),
  ];
  const phases = (events: ReturnType<typeof assigned>[]) =>
    Object.fromEntries(group(events).phases.newReplicas.map((phase) => [phase.name, phase]));

  it("measures each step from the events' own clock", () => {
    const { "started-first-request": first, ...steps } = phases(log);
    expect(Object.values(steps).map(({ name, n, p50Ms }) => [name, n, p50Ms])).toEqual([
      ["assigned-pulling", 1, 2000],
      ["pulling-pulled", 1, 2500],
      ["pulled-created", 1, 10_400],
      ["created-started", 1, 100],
      ["assigned-started", 1, 15_000],
      ["started-last-refusal", 1, 3000],
      // Refusals 1,002 and 998 ms apart: the period is the lower of the two by nearest rank.
      ["last-refusal-port-open", 1, 998],
    ]);
    expect(first).toMatchObject({ n: 0, p50Ms: null, unknown: 1 });
  });

  it("knows no port opening without a refusal, nor where the startup probe killed the process", () => {
    expect(phases([assigned(0, A1), started(15, A1)])["started-last-refusal"]).toMatchObject({
      n: 0,
      unknown: 1,
    });
    const kill = event(18.1, "ProbeFailed", A1, "Container app failed startup probe, will be restarted");
    expect(phases([...log, kill])["started-last-refusal"]).toMatchObject({ n: 0, unknown: 1 });
    // It ended within a period of its last refusal.
    const cut = log.map((entry) => (entry.reason === "ContainerTerminated" ? stopped(18.5, A1) : entry));
    expect(phases(cut)["started-last-refusal"]).toMatchObject({ n: 0, unknown: 1 });
  });

  it("knows no period from a single refusal", () => {
    const once = log.filter(
      ({ text, ticks }) => !text.startsWith("Probe") || ticks === refused(18, A1).ticks,
    );
    expect(phases(once)["started-last-refusal"]).toMatchObject({ n: 1, p50Ms: 3000 });
    expect(phases(once)["last-refusal-port-open"]).toMatchObject({ n: 0, unknown: 1 });
  });

  it("does not pretend precision where only a batch's time is known", () => {
    const batch = log.map((entry) => ({ ...entry, ownClock: false }));
    expect(phases(batch)["assigned-started"]).toEqual({
      name: "assigned-started",
      n: 0,
      p50Ms: null,
      p90Ms: null,
      batchTimed: 1,
      batchP50Seconds: 15,
      batchP90Seconds: 15,
      unknown: 0,
    });
    expect(phases(batch)["pulling-pulled"]).toMatchObject({
      n: 0,
      p50Ms: null,
      batchTimed: 1,
      batchP50Seconds: null,
    });
    expect(figuresOf(batch).unknown.join("\n")).toContain("9 of 9 events have only the time of their batch");
  });

  it("keeps the steps of a restart apart from those of the replica", () => {
    const { newReplicas, restarts } = group([
      ...log.slice(0, 8),
      crashed(100, A1),
      pull(110, A1),
      pulled(110.02, A1),
      created(110.1, A1),
      started(110.11, A1),
    ]).phases;
    expect(newReplicas.find(({ name }) => name === "pulling-pulled")).toMatchObject({ n: 1, p50Ms: 2500 });
    expect(restarts.find(({ name }) => name === "pulling-pulled")!.p50Ms).toBeCloseTo(20, 6);
    expect(restarts.find(({ name }) => name === "assigned-started")).toMatchObject({ n: 0, unknown: 1 });
  });

  it("takes the app's own creation, not Dapr's", () => {
    const dapr = [created(14.95, A1, "daprd"), started(14.97, A1, "daprd")];
    expect(phases([...log, ...dapr])["pulled-created"]!.p50Ms).toBe(10_400);
  });
});

describe("cycles", () => {
  const cycle = (gap: number) =>
    group([...birth(0, A1), stopped(1000, A1), ...birth(1000 + gap, A2), stopped(9000, A2)]).cycles;

  it("counts births up to the cool-down after a scale-in, and gives the gap", () => {
    expect(cycle(300)).toMatchObject({ n: 2, count: 1, share: 0.5, p50GapSeconds: 300, replacements: 0 });
    expect(cycle(301)).toMatchObject({ n: 2, count: 0, share: 0, p50GapSeconds: null });
  });

  it("takes the cool-down that is set", () => {
    const log = [...birth(0, A1), stopped(1000, A1), ...birth(1500, A2)];
    expect(group(log, {}, { cooldownMs: 600_000 }).cycles).toMatchObject({ cooldownSeconds: 600, count: 1 });
  });

  it("does not count a replica that a deployment replaced, nor one that crashed", () => {
    const deployed = group([...birth(0, A1), stopped(1000, A1), ...birth(1010, B1)]).cycles;
    expect(deployed).toMatchObject({ n: 1, count: 0, replacements: 1 });
    expect(group([...birth(0, A1), crashed(1000, A1), ...birth(1100, A2)]).cycles.count).toBe(0);
  });
});

describe("seconds and cost", () => {
  it("counts from the assignment to the last refusal, and prices them at the given rates", () => {
    const rates = { vcpu: 0.5, memoryGib: 1, vcpuRate: 0.00002, gibRate: 0.000005 };
    const { startSeconds } = group(
      [assigned(0, A1), started(15, A1), refused(18, A1), stopped(900, A1), ...birth(2000, A2)],
      {},
      { rates },
    );
    // 18 s and 15 s; a second costs 0.5 · 0.00002 + 1 · 0.000005 = 0.000015.
    expect(startSeconds).toMatchObject({ n: 2, totalSeconds: 33, meanSeconds: 16.5, untilStartOnly: 1 });
    expect(startSeconds.cost).toBeCloseTo(33 * 0.000015, 12);
    expect(startSeconds.byCause).toMatchObject({ unknown: 18, scaling: 15 });
  });

  it("has no price of its own, and no seconds where the begin is not in the log", () => {
    const { startSeconds } = group([started(0, A1)]);
    expect(startSeconds).toMatchObject({ n: 0, unknown: 1, totalSeconds: null, cost: null });
    expect(figuresOf([started(0, A1)]).costPerSecond).toBeNull();
  });
});
