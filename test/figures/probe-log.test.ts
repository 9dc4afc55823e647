import { describe, expect, it } from "vitest";
import { type AppLog, probeLogs } from "../../src/figures/probe-log.ts";
import { refusalsOf } from "../../src/figures/probe-refusals.ts";
import type { SystemEvent } from "../../src/telemetry/events.ts";
import { event } from "./probe-cases.ts";

const started = (second: number, name = "app", more: Partial<SystemEvent> = {}) =>
  event(second, "ContainerStarted", `Started container '${name}'`, more);
const refused = (second: number, more: Partial<SystemEvent> = {}, status = "1") =>
  event(second, "ProbeFailed", `Probe of StartUp failed with status code: ${status}`, more);
const ended = (second: number, reason: string, name = "app") =>
  event(
    second,
    "ContainerTerminated",
    `Container '${name}' was terminated with exit code '' and reason '${reason}'`,
  );

function logOf(events: readonly SystemEvent[], container: string | null = null): AppLog {
  const logs = probeLogs(events, container);
  expect(logs).toHaveLength(1);
  return logs[0]!;
}

describe("refusals", () => {
  it("are events: the running counter is no number of occurrences", () => {
    const log = logOf([started(0), refused(1, { count: 13_778 }), refused(2, { count: 13_779 })]);
    expect(refusalsOf(log, "startup")).toMatchObject({ count: 2, perStart: { n: 1, p50: 2, max: 2 } });
  });

  it("are counted once where a row is repeated: the same counter, or without one a few ms apart", () => {
    const counted = [
      started(0),
      refused(1, { count: 4 }),
      refused(1.9, { count: 4 }),
      refused(2.9, { count: 5 }),
    ];
    expect(logOf(counted)).toMatchObject({ failures: [{}, {}], excluded: { duplicate: 1 } });
    const plain = [started(0), refused(1), refused(1.009), refused(1.9)];
    expect(logOf(plain)).toMatchObject({ failures: [{}, {}], excluded: { duplicate: 1 } });
  });

  it("are kept where only a batch time is equal", () => {
    const batch = { ownClock: false };
    const log = logOf([started(0, "app", batch), refused(1, batch), refused(1, batch)]);
    expect(log.failures).toHaveLength(2);
    expect(refusalsOf(log, "startup").periodSeconds).toEqual({ n: 0, p50: null });
  });

  it("belong to the start before them", () => {
    const log = logOf([
      refused(-1),
      started(0),
      refused(1),
      refused(2),
      ended(3, "ProbeFailure"),
      started(13),
      refused(14),
    ]);
    expect(log.failures.map(({ start }) => start?.at ?? null)).toEqual(
      [null, 0, 0, 13].map((s) => s && s * 1e7),
    );
    expect(refusalsOf(log, "startup").perStart).toEqual({ n: 2, p50: 1, max: 2 });
  });

  it("after a stop do not count, until the container starts again", () => {
    const events = [
      started(0),
      ended(10, "ManuallyStopped"),
      refused(11),
      refused(12),
      started(20),
      refused(21),
    ];
    expect(logOf(events)).toMatchObject({ failures: [{ ticks: 21e7 }], excluded: { afterStop: 2 } });
    const kubelet = [started(0), event(10, "StoppingContainer", "Stopping container app"), refused(11)];
    expect(logOf(kubelet)).toMatchObject({ failures: [], excluded: { afterStop: 1 } });
  });

  it("go on after a stop where the log names no replicas: another one may still run", () => {
    const none = { replica: "" };
    const stop = event(10, "StoppingContainer", "Stopping container app", none);
    const log = logOf([started(0, "app", none), stop, refused(11, none)]);
    expect(log).toMatchObject({
      hasReplicas: false,
      failures: [{ ticks: 11e7 }],
      excluded: { afterStop: 0 },
    });
  });

  it("of jobs are told apart", () => {
    expect(logOf([started(0), refused(1), refused(2, { job: "nightly" })])).toMatchObject({
      failures: [{}],
      excluded: { job: 1 },
    });
  });
});

describe("containers of the platform", () => {
  it("own what is refused before the app's container has started", () => {
    const log = logOf([started(0, "daprd"), refused(1), started(11), refused(12)]);
    expect(log).toMatchObject({ failures: [{ ticks: 12e7, isShared: true }], excluded: { platform: 1 } });
    expect(refusalsOf(log, "startup")).toMatchObject({ count: 1, shared: 1 });
  });

  it("own what a verdict gives them, and the app what one gives to it", () => {
    const verdict = (name: string) =>
      event(3, "ProbeFailed", `Container ${name} failed startup probe, will be restarted`);
    const base = [started(0, "daprd"), started(0.2), refused(1), refused(2)];
    expect(logOf([...base, verdict("daprd")])).toMatchObject({
      failures: [],
      kills: [],
      platformContainers: ["daprd"],
    });
    const log = logOf([...base, verdict("app")]);
    expect(log).toMatchObject({ failures: [{ isShared: false }, {}], kills: [{ type: "startup" }] });
  });

  it("do not stop the app when they end, and are not the app's starts", () => {
    const log = logOf([
      started(0, "k8se-envoysc"),
      started(1),
      ended(2, "ProcessExited", "k8se-envoysc"),
      refused(3),
    ]);
    expect(log).toMatchObject({ starts: [{ at: 1e7 }], failures: [{ isShared: false }] });
  });

  it("are probed on Dapr's own path", () => {
    const text =
      'Readiness probe failed: Get "http://10.0.0.4:3501/v1.0/healthz": dial tcp 10.0.0.4:3501: connect: connection refused';
    const log = logOf([started(0), event(5, "PodUnhealthy", text)]);
    expect(log).toMatchObject({ failures: [], excluded: { platform: 1 }, platformContainers: ["daprd"] });
  });
});

describe("containers ended for a probe", () => {
  const verdict = (second: number, type: string, reason = "ProbeFailed") =>
    event(second, reason, `Container app failed ${type} probe, will be restarted`);

  it("are counted once for verdict and termination, and once for a verdict under two reasons", () => {
    const log = logOf([
      started(0),
      refused(1),
      verdict(2, "startup"),
      verdict(2.001, "startup", "StoppingContainer"),
      ended(2.01, "ProbeFailure"),
    ]);
    expect(log.kills).toMatchObject([{ type: "startup", start: { at: 0 } }]);
  });

  it("are of an unnamed probe where only the termination is logged", () => {
    expect(logOf([started(0), ended(30, "ProbeFailure")]).kills).toMatchObject([{ type: null }]);
    expect(logOf([started(0), ended(30, "ProcessExited")]).kills).toEqual([]);
  });

  it("tell the failure threshold of startup where all cases agree", () => {
    const loop = [0, 60].flatMap((at) => [
      started(at),
      refused(at + 1),
      refused(at + 2),
      verdict(at + 2, "startup"),
      ended(at + 2, "ProbeFailure"),
    ]);
    expect(refusalsOf(logOf(loop), "startup")).toMatchObject({ kills: 2, failureThreshold: 2 });
    expect(
      refusalsOf(logOf([...loop, started(120), refused(121), verdict(122, "startup")]), "startup"),
    ).toMatchObject({
      kills: 3,
      failureThreshold: null,
    });
  });

  it("do not include a failed readiness, which ends nothing", () => {
    const log = logOf([started(0), event(9, "ProbeFailed", "Container app failed readiness probe")]);
    expect(log).toMatchObject({ kills: [], notReady: [{ ticks: 9e7 }] });
  });
});

describe("the handler", () => {
  it("is that of the latest revision", () => {
    const other = { revision: "orders--old", replica: "orders--old-6fd86b5c7c-bbbbb" };
    const log = logOf([started(0, "app", other), refused(1, other, "404"), started(100), refused(101)]);
    expect(refusalsOf(log, "startup")).toMatchObject({ handler: "tcp", isCertain: false });
  });

  it("is HTTP where any attempt was answered", () => {
    const log = logOf([started(0), refused(1, {}, "1"), refused(2, {}, "503")]);
    expect(refusalsOf(log, "startup")).toMatchObject({ handler: "http", isCertain: false });
    expect(
      refusalsOf(logOf([started(0), refused(1, {}, ""), refused(2, {}, "503")]), "startup").isCertain,
    ).toBe(true);
  });

  it("is not told by an empty status or a timeout", () => {
    expect(refusalsOf(logOf([started(0), refused(1, {}, "")]), "startup").handler).toBeNull();
  });
});
