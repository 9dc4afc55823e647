import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Expectation } from "../../src/figures/probe-expect.ts";
import { parseSpec } from "../../src/sources/specs/read-spec.ts";
import { fixture } from "../corpus/cases.ts";
import { codesOf, figuresOf, findingsOf, onlyApp, probeOf, refusalsIn, specsOf } from "./probe-cases.ts";

const capture = (name: string) => fixture(name, "container-apps");
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "coldstart-probes-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe("real captures, counted by hand", () => {
  // logs-show-crash-loop.ndjson, 38 lines: 2 of the stream itself, 36 events. `grep -c 'Started container'`
  // gives 4. Refusals by line: 404 with Count 1 to 9 (nine), empty status with Count 1 to 3 (three), so 12,
  // three after each start: 13:35:17.83, 22.83, 27.83 (5.0 s apart); 38.18, 43.18, 48.18; 36:08.48, 13.48,
  // 18.48; 58.77, 37:03.77, 08.77. "Container app failed startup probe" has Count 1 to 4.
  it("crash loop with its spec: HTTP for certain, 12 refusals over 4 starts, all ended", async () => {
    const figures = await figuresOf(await specsOf(capture("containerapp-show-startup-probe.yaml")), [
      capture("logs-show-crash-loop.ndjson"),
    ]);
    const app = onlyApp(figures);
    expect(app.log).toMatchObject({
      events: 36,
      excluded: { duplicate: 0, platform: 0, afterStop: 0, job: 0 },
    });
    expect(probeOf(app, "startup")).toMatchObject({
      confidence: "certain",
      contradiction: null,
      declared: { budgetSeconds: 15 },
      inferred: {
        handler: "http",
        port: 80,
        path: "/nonexistent-health-endpoint",
        periodSeconds: 5,
        failureThreshold: 3,
      },
    });
    expect(refusalsIn(app, "startup")).toMatchObject({
      count: 12,
      byStatus: [
        { status: "404", count: 9 },
        { status: "", count: 3 },
      ],
      perStart: { n: 4, p50: 3, max: 3 },
      periodSeconds: { n: 8, p50: 5 },
      kills: 4,
    });
    expect(app.starts).toMatchObject({
      starts: 4,
      killed: 4,
      silent: 0,
      lastRefusal: { n: 0 },
      firstRow: { n: 0 },
    });
    expect(findingsOf(figures, "problem")).toEqual([
      "ended-by-probe at system log, startup",
      "path-not-found at properties.template.containers[0].probes[0]",
    ]);
    expect(codesOf(figures)).toContain("startup-budget-short");
    expect(figures.unknown.join("\n")).toMatch(
      /why 3 attempts failed; the log gives them an empty status code/,
    );
  });

  // The same loop from Log Analytics, 100 rows without replica and counter: 14 starts of …--badpath2 and one
  // of …--badpath, 31 rows "404" and 11 with an empty status, 14 verdicts, 14 terminations "ProbeFailure".
  it("crash loop from Log Analytics: 42 refusals, 14 containers ended, no times between attempts", async () => {
    const figures = await figuresOf([], [capture("log-analytics-query-crash-loop.json")]);
    const app = onlyApp(figures);
    expect(refusalsIn(app, "startup")).toMatchObject({
      count: 42,
      byStatus: [
        { status: "404", count: 31 },
        { status: "", count: 11 },
      ],
      perStart: { n: 15, max: 3 },
      periodSeconds: { n: 0, p50: null },
      failureThreshold: 3,
      kills: 14,
    });
    expect(app.starts).toMatchObject({ starts: 15, killed: 14, silent: 1 });
    expect(app.log).toMatchObject({ hasReplicas: false, ownClock: false });
    expect(probeOf(app, "startup")).toMatchObject({ confidence: "certain", inferred: { handler: "http" } });
    expect(figures.unknown.join("\n")).toMatch(/no replica column/);
  });

  // logs-show-dapr.ndjson, 39 lines: 20 refusals of readiness (empty twice, 500 with Count 1 to 18) and 2 of
  // liveness at 10:28:52 and :58, before 'app' started at 10:29:00. The two verdicts name daprd.
  it("Dapr: all 22 refusals are the sidecar's, so nothing is known of the app", async () => {
    const figures = await figuresOf([], [capture("logs-show-dapr.ndjson")]);
    const app = onlyApp(figures);
    expect(app.log).toMatchObject({ excluded: { platform: 22 }, platformContainers: ["daprd"] });
    expect(app.probes.map(({ confidence, refusals }) => `${confidence} ${refusals?.count}`)).toEqual([
      "unknown 0",
      "unknown 0",
      "unknown 0",
    ]);
    expect(app.starts).toMatchObject({ starts: 1, killed: 0, silent: 1 });
    expect(codesOf(figures)).toEqual(["sidecar-refused"]);
  });
});

describe("system logs of the corpus", () => {
  const corpus = (name: string) => figuresOf([], [fixture(name)]);

  it("16: the misspelt PodUnhealhy is a refusal over HTTP, with path and port", async () => {
    const app = onlyApp(await corpus("16-portal-csv-system-de-at-doubled.csv"));
    expect(app.app).toBe("lab-dev-grpc");
    expect(probeOf(app, "startup")).toMatchObject({
      confidence: "certain",
      inferred: { handler: "http", path: "/healthz/startup", port: 8080 },
      refusals: { count: 1 },
    });
    expect(app.starts).toMatchObject({ starts: 1 });
  });

  it("18: an empty status is a failure that tells no handler", async () => {
    const app = onlyApp(await corpus("18-portal-csv-system-non-cl.csv"));
    expect(probeOf(app, "startup")).toMatchObject({
      confidence: "unknown",
      inferred: { handler: null },
      refusals: { count: 1, byStatus: [{ status: "", count: 1 }] },
    });
    // 10:05:40.118 to 10:05:41.300
    expect(app.starts?.lastRefusal).toEqual({ n: 1, p50Seconds: 1.182, maxSeconds: 1.182 });
  });

  it("50: two refused connections are two, whatever the counter says, and likely TCP", async () => {
    const figures = await corpus("50-system-cli-three-timestamp-shapes.ndjson");
    expect(probeOf(onlyApp(figures), "startup")).toMatchObject({
      confidence: "likely",
      inferred: { handler: "tcp" },
      refusals: { count: 2 },
    });
    expect(codesOf(figures)).toEqual(["tcp-passes-on-open-port"]);
  });

  it("54: a container out of memory was not ended by a probe", async () => {
    const figures = await corpus("54-system-oom-loop-same-replica.json");
    expect(onlyApp(figures).starts).toMatchObject({ starts: 4, killed: 0 });
    expect(figures.findings).toEqual([]);
  });

  it("58: the port mismatch is a problem although its type is Normal", async () => {
    const figures = await corpus("58-system-pending-portmismatch.json");
    expect(findingsOf(figures, "problem")).toEqual(["port-mismatch at system log, Pending:PortMismatch"]);
    expect(figures.findings[0]?.message).toContain("port 8081, the app listens on 80 (said 4 times)");
  });

  it("60: a platform container that exits is not the app", async () => {
    const figures = await corpus("60-system-platform-container-exit-0.ndjson");
    expect(onlyApp(figures).starts).toMatchObject({ starts: 1, killed: 0 });
    expect(figures.findings).toEqual([]);
  });

  it("64: liveness over HTTP for certain, which warms nothing", async () => {
    const figures = await corpus("64-system-rest-non-cl.json");
    expect(probeOf(onlyApp(figures), "liveness")).toMatchObject({
      confidence: "certain",
      inferred: { handler: "http" },
      refusals: { count: 1, byStatus: [{ status: "500", count: 1 }] },
    });
    expect(codesOf(figures)).toEqual(["liveness-does-not-warm"]);
  });
});

const START = Date.parse("2026-09-01T00:00:00Z");

/** Rows of an instance: one probe every `period` seconds of an hour, of which one in `weight` is kept. */
function requests(
  period: number,
  path: string,
  weight = 1,
  instance = "quotes--abc1234-6fd86b5c7c-aaaaa",
): string {
  const lines = ["timestamp,id,name,duration,success,resultCode,itemCount,cloud_RoleName,cloud_RoleInstance"];
  const row = (second: number, id: string, name: string, count: number): void => {
    const at = new Date(START + second * 1000).toISOString();
    lines.push(`${at},${id},${name},5,True,200,${count},quotes,${instance}`);
  };
  row(0, "first", "GET /quotes", 1);
  for (let i = 0; i * period * weight < 3600; i++) row(i * period * weight, `p${i}`, `GET ${path}`, weight);
  row(3600, "last", "GET /quotes", 1);
  return `${lines.join("\n")}\n`;
}

function spec(probes: readonly object[], name = "quotes") {
  const template = { containers: [{ name: "app", probes }] };
  const app = { name, properties: { configuration: { ingress: { targetPort: 80 } }, template } };
  return parseSpec(JSON.stringify(app), "app.json");
}

const http = (type: string, path: string, periodSeconds = 10) => ({
  type,
  httpGet: { path, port: 80 },
  periodSeconds,
});

describe("request rows", () => {
  it("of a declared HTTP probe are as many as its period asks, with sampling undone", async () => {
    const data = file("sampled.csv", requests(10, "/ready", 8));
    const app = onlyApp(await figuresOf(spec([http("Readiness", "/ready")]), [data]));
    const readiness = probeOf(app, "readiness");
    // 3,600 s every 10 s: 360 requests, of which 45 rows of weight 8 were kept
    expect(readiness.expectedRows).toMatchObject({ path: "/ready", expected: 360, seen: 360 });
    expect(app.rows?.paths).toMatchObject([
      { path: "/ready", rows: 45, estimated: 360, perInstanceDay: 8640 },
    ]);
    expect(readiness.confidence).toBe("certain");
  });

  it("that are missing do not prove that the probe is, and are told", async () => {
    const data = file("none.csv", requests(10_000, "/other"));
    const figures = await figuresOf(spec([http("Readiness", "/ready")]), [data]);
    expect(probeOf(onlyApp(figures), "readiness")).toMatchObject({
      confidence: "likely",
      expectedRows: { expected: 360, seen: 0 },
    });
    expect(codesOf(figures)).toContain("no-rows-of-probe");
  });

  it("on a path that two probes share are split by their periods", async () => {
    const data = file("shared.csv", requests(5, "/health"));
    const figures = await figuresOf(spec([http("Readiness", "/health"), http("Liveness", "/health/")]), [
      data,
    ]);
    const app = onlyApp(figures);
    expect(probeOf(app, "readiness").expectedRows).toMatchObject({ expected: 360, seen: 360 });
    expect(probeOf(app, "liveness").expectedRows).toMatchObject({ expected: 360, seen: 360 });
  });

  it("without a spec show an HTTP probe by its path and its regular coming", async () => {
    const live = onlyApp(await figuresOf([], [file("live.csv", requests(10, "/health/live"))]));
    expect(probeOf(live, "liveness")).toMatchObject({ confidence: "likely", inferred: { handler: "http" } });
    expect(probeOf(live, "readiness").confidence).toBe("unknown");
    const rare = onlyApp(await figuresOf([], [file("rare.csv", requests(600, "/health/live"))]));
    expect(probeOf(rare, "liveness").confidence).toBe("unknown");
    const typeless = await figuresOf([], [file("health.csv", requests(10, "/health"))]);
    expect(probeOf(onlyApp(typeless), "liveness").confidence).toBe("unknown");
    expect(typeless.unknown.join("\n")).toContain("whether it is readiness or liveness that asks /health");
  });

  it("are the app's of a spec by role where instances are no replicas, never those of another app", async () => {
    const data = file("role.csv", requests(10, "/ready", 1, "host-1"));
    const own = onlyApp(await figuresOf(spec([http("Readiness", "/ready")], "other-name"), [data]));
    expect(own.rows?.namedBy).toBe("role");
    const replica = file("replica.csv", requests(10, "/ready"));
    const figures = await figuresOf(spec([http("Readiness", "/ready")], "other-name"), [replica]);
    expect(onlyApp(figures).rows).toBeNull();
    expect(figures.unknown.join("\n")).toContain("The probes of quotes: the data holds them");
  });
});

const REPLICA = "quotes--abc1234-6fd86b5c7c-aaaaa";

function log(
  events: readonly (readonly [second: number, reason: string, text: string, replica?: string])[],
): string {
  const lines = events.map(([second, Reason, Msg, ReplicaName = REPLICA]) =>
    JSON.stringify({
      TimeStamp: new Date(START + second * 1000).toISOString(),
      Type: "Normal",
      ContainerAppName: "quotes",
      RevisionName: "quotes--abc1234",
      ReplicaName,
      Msg,
      Reason,
      EventSource: "ContainerAppController",
      Count: second,
    }),
  );
  return `${lines.join("\n")}\n`;
}

const tcp = (type: string, more: object = {}) => ({ type, tcpSocket: { port: 80 }, ...more });
const START_EVENT = [0, "ContainerStarted", "Started container 'app'"] as const;
const refusal = (second: number, type = "StartUp", status = "1", replica = REPLICA) =>
  [second, "ProbeFailed", `Probe of ${type} failed with status code: ${status}`, replica] as const;

describe("the budget of a start", () => {
  const budget = async (probe: object, data: string) => {
    const figures = await figuresOf(spec([probe]), [file("budget.ndjson", data)]);
    return figures.findings.find(({ code }) => code === "startup-budget-short") ?? null;
  };

  it("is compared with the starts measured here", async () => {
    const data = log([START_EVENT, refusal(1), refusal(20)]);
    // The slowest start took 20 s: 40 s are enough, 39 s are tight, 20 s are used up.
    expect(await budget(tcp("Startup", { periodSeconds: 1, failureThreshold: 40 }), data)).toBeNull();
    expect(await budget(tcp("Startup", { periodSeconds: 1, failureThreshold: 39 }), data)).toMatchObject({
      level: "caution",
    });
    const used = await budget(tcp("Startup", { periodSeconds: 1, failureThreshold: 20 }), data);
    expect(used).toMatchObject({ level: "problem" });
    expect(used?.message).toBe("a start may take 20 s; the longest of 1 measured here took 20.0 s");
  });

  it("takes the first request row of a start that was never refused", async () => {
    const rows = file("rows.csv", requests(10_000, "/x").replaceAll("T00:00:00.000Z", "T00:00:12.000Z"));
    const events = file("started.ndjson", log([START_EVENT]));
    const app = onlyApp(await figuresOf([], [rows, events]));
    expect(app.starts).toMatchObject({
      silent: 0,
      firstRow: { n: 1, maxSeconds: 12 },
      lastRefusal: { n: 0 },
    });
  });
});

describe("the first request of a start", () => {
  const startupOf = async (failureThreshold: number, second: number) => {
    const at = `T00:${String(Math.floor(second / 60)).padStart(2, "0")}:${String(second % 60).padStart(2, "0")}.000Z`;
    const rows = file("idle.csv", requests(10_000, "/x").replaceAll("T00:00:00.000Z", at));
    const events = file("idle.ndjson", log([START_EVENT]));
    const probe = tcp("Startup", { periodSeconds: 1, failureThreshold });
    const { findings } = await figuresOf(spec([probe]), [rows, events]);
    return findings.find(({ code }) => code === "startup-budget-short") ?? null;
  };

  it("does not make an idle replica a slow start", async () => {
    // The first request comes 1,200 s after the start: that says nothing of a budget of 240 s.
    expect(await startupOf(240, 1200)).toBeNull();
  });

  it("is an upper bound in words where the budget is short anyway, and clears it where it fits twice", async () => {
    const short = await startupOf(20, 1200);
    expect(short).toMatchObject({ level: "caution" });
    expect(short?.message).toMatch(
      /1 passed without a refusal, the first request came 1200\.0 s after the start at the latest, which is only an upper bound/,
    );
    expect(await startupOf(24, 12)).toBeNull();
    expect(await startupOf(23, 12)).toMatchObject({ level: "caution" });
  });
});

describe("two sides that differ", () => {
  const startup = async (probe: object, ...events: Parameters<typeof log>[0]) => {
    const figures = await figuresOf(spec([probe]), [file("sides.ndjson", log([START_EVENT, ...events]))]);
    return { ...probeOf(onlyApp(figures), "startup"), codes: codesOf(figures) };
  };

  it("leave no doubt where they agree", async () => {
    expect(await startup(tcp("Startup"), refusal(1))).toMatchObject({
      confidence: "certain",
      contradiction: null,
    });
  });

  it("let an HTTP answer win over the spec", async () => {
    const probe = await startup(tcp("Startup"), refusal(1, "StartUp", "503"));
    expect(probe).toMatchObject({ confidence: "likely", inferred: { handler: "http" } });
    expect(probe.codes).toContain("spec-and-log-differ");
  });

  it("cannot be told where a refused connection meets a written HTTP probe", async () => {
    const probe = await startup(http("Startup", "/up"), refusal(1));
    expect(probe).toMatchObject({ confidence: "unknown", inferred: { handler: "http" } });
    expect(probe.codes).toContain("spec-and-log-differ");
  });

  it("show attempts before the initial delay", async () => {
    const early = await startup(tcp("Startup", { initialDelaySeconds: 10 }), refusal(2));
    expect(early.codes).toContain("delay-not-kept");
    const kept = await startup(tcp("Startup", { initialDelaySeconds: 10 }), refusal(10));
    expect(kept.codes).not.toContain("delay-not-kept");
  });
});

it("replicas that fail readiness together, long after their starts, point at a shared dependency", async () => {
  const second = "quotes--abc1234-6fd86b5c7c-bbbbb";
  const started = [START_EVENT, [0.5, "ContainerStarted", "Started container 'app'", second]] as const;
  const codes = async (...at: readonly [number, number]) => {
    const events = [refusal(at[0], "Readiness", "503"), refusal(at[1], "Readiness", "503", second)];
    return codesOf(await figuresOf([], [file("together.ndjson", log([...started, ...events]))]));
  };
  expect(await codes(500, 530)).toContain("readiness-failed-together");
  expect(await codes(500, 700)).not.toContain("readiness-failed-together");
  expect(await codes(10, 12)).not.toContain("readiness-failed-together");
});

describe("expectations", () => {
  const check = async (probes: readonly object[], ...expectations: Expectation[]) => {
    const figures = await figuresOf(spec(probes), [], expectations);
    return figures.expectations.map(({ result }) => result);
  };

  it("are met or missed by what is declared", async () => {
    expect(await check([tcp("Startup")], { type: "startup", handler: "tcp" })).toEqual(["met"]);
    expect(await check([tcp("Startup")], { type: "startup", handler: "http" })).toEqual(["missed"]);
    expect(
      await check([], { type: "startup", handler: "tcp" }, { type: "liveness", handler: "none" }),
    ).toEqual(["met", "missed"]);
  });

  const reasoned = async (probes: readonly object[], data: readonly string[], expected: Expectation) =>
    (await figuresOf(spec(probes), data, [expected])).expectations[0]!;

  it("say that spec and log are in conflict, and do not ask for the spec that was given", async () => {
    const data = [file("conflict.ndjson", log([START_EVENT, refusal(1)]))];
    const open = await reasoned([http("Startup", "/up")], data, { type: "startup", handler: "http" });
    expect(open).toMatchObject({ result: "unknown", confidence: "unknown" });
    expect(open.reason).toMatch(/^spec and log are in conflict: the spec has http on \d+, the log shows tcp/);
    expect(open.reason).not.toMatch(/no spec/);
    const missed = await reasoned([http("Startup", "/up")], data, { type: "startup", handler: "tcp" });
    expect(missed).toMatchObject({ result: "missed" });
    expect(missed.reason).toMatch(/the spec has http at .*; that is a conflict with the log/);
    const answers = [file("answers.ndjson", log([START_EVENT, refusal(1, "StartUp", "503")]))];
    const seen = await reasoned([], answers, { type: "startup", handler: "tcp" });
    expect(seen).toMatchObject({ result: "missed" });
    expect(seen.reason).toMatch(/^spec and log are in conflict: the spec has tcp/);
    const bare = (await figuresOf([], data, [{ type: "liveness", handler: "http" }])).expectations[0]!;
    expect(bare.reason).toContain("no spec was given");
  });

  it("cannot be told where the rows that the probe would leave are missing", async () => {
    const expected = { type: "readiness", handler: "http" } as const;
    const none = file("none.csv", requests(10_000, "/other"));
    const missing = await reasoned([http("Readiness", "/ready")], [none], expected);
    expect(missing).toMatchObject({ result: "unknown", confidence: "unknown" });
    expect(missing.reason).toBe(
      "the spec has http, but of about 360 rows that it would leave on /ready there is none: its telemetry is filtered, or it does not run",
    );
    const all = file("all.csv", requests(10, "/ready"));
    expect(await reasoned([http("Readiness", "/ready")], [all], expected)).toMatchObject({
      result: "met",
      confidence: "certain",
    });
  });

  it("cannot be told for a type left out beside others", async () => {
    expect(await check([http("Liveness", "/live")], { type: "startup", handler: "tcp" })).toEqual([
      "unknown",
    ]);
  });

  it("are missed by a handler that the platform does not take, and by one of two probes", async () => {
    expect(
      await check([{ type: "Startup", grpc: { port: 80 } }], { type: "startup", handler: "tcp" }),
    ).toEqual(["missed"]);
    expect(await check([tcp("Startup"), http("Startup", "/")], { type: "startup", handler: "tcp" })).toEqual([
      "missed",
    ]);
  });
});
