import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { portMismatch, probeEvent, stopOf } from "../../src/figures/probe-events.ts";
import { fixture } from "../corpus/cases.ts";
import { event } from "./probe-cases.ts";

const read = (text: string) => probeEvent(event(0, "ProbeFailed", text));

describe("what an event says of a probe", () => {
  it.each([
    ["Probe of StartUp failed with status code: 1", "startup", "1", "tcp", false],
    ["Probe of StartUp failed with status code: 404", "startup", "404", "http", true],
    ["Probe of StartUp failed with status code: ", "startup", "", null, false],
    ["Probe of StartUp failed with status code:", "startup", "", null, false],
    ["Probe of Liveness failed with status code: 503", "liveness", "503", "http", true],
    ["Probe of Readiness failed with timeout in 2 seconds.", "readiness", "timeout", null, false],
    ["Startup probe failed: HTTP probe failed with statuscode: 502", "startup", "502", "http", true],
    ["readiness probe failed: connection refused", "readiness", "refused", null, false],
    [
      "Startup probe failed: dial tcp 100.100.0.18:3000: connect: connection refused",
      "startup",
      "refused",
      "tcp",
      true,
    ],
    [
      'Liveness probe failed: Get "https://10.0.0.9:443/live": http: server gave HTTP response to HTTPS client',
      "liveness",
      "",
      "http",
      true,
    ],
  ] as const)("%s", (text, type, status, handler, isCertain) => {
    expect(read(text)).toMatchObject({ kind: "failure", type, status, handler, isCertain });
  });

  it("takes port and path from the URL, not the dialled address alone", () => {
    const text =
      'Startup probe failed: Get "http://10.130.0.13:8080/healthz/startup": dial tcp 10.130.0.13:8080: connect: connection refused';
    expect(read(text)).toMatchObject({
      handler: "http",
      port: 8080,
      path: "/healthz/startup",
      status: "refused",
    });
    expect(read("Startup probe failed: dial tcp 100.100.0.18:3000: i/o timeout")).toMatchObject({
      port: 3000,
      path: null,
      status: "timeout",
    });
  });

  it("takes the timeout and the threshold that are said", () => {
    expect(read("Probe of StartUp failed with timeout in 2 seconds.")?.timeoutSeconds).toBe(2);
    expect(
      read("Readiness Probe of Readiness reached failure threshold 3, changing status to Failure."),
    ).toMatchObject({ kind: "threshold", type: "readiness", threshold: 3 });
  });

  it("knows a verdict and its container in both dialects", () => {
    for (const reason of ["ProbeFailed", "StoppingContainer"]) {
      expect(
        probeEvent(event(0, reason, "Container slow-start failed startup probe, will be restarted")),
      ).toMatchObject({ kind: "verdict", type: "startup", container: "slow-start" });
    }
    expect(read("Container daprd failed readiness probe")).toMatchObject({
      kind: "verdict",
      container: "daprd",
    });
  });

  it("takes nothing from events that are no refusal", () => {
    expect(read("Probe started from stage StartUp")).toBeNull();
    expect(read("Container 'app' was terminated with exit code '' and reason 'ProbeFailure'")).toBeNull();
    expect(read("Started container 'probe failed'")).toBeNull();
  });

  it("reads every real message of the samples", () => {
    const lines = readFileSync(fixture("probe-messages.ndjson", "samples"), "utf8").trim().split("\n");
    const kinds = lines.map((line) => {
      const { reason, text } = JSON.parse(line);
      const found = probeEvent(event(0, reason, text));
      return found === null ? null : `${found.kind} ${found.type} ${found.status}`.trim();
    });
    expect(kinds).toEqual([
      "verdict liveness",
      "failure startup refused",
      "verdict startup",
      "failure startup refused",
      "failure readiness refused",
      "failure startup",
      "failure startup timeout",
      "verdict startup",
      "failure liveness timeout",
      "failure readiness timeout",
      "failure startup 1",
    ]);
  });
});

describe("how a container ended", () => {
  it.each([
    ["Container 'app' was terminated with exit code '' and reason 'ProbeFailure'", "probe", "app"],
    ["Container 'app' was terminated with reason 'ProbeFailure'", "probe", "app"],
    ["Container 'app' was terminated with exit code '' and reason 'ManuallyStopped'", "stopped", "app"],
    ["Container 'app' was terminated with exit code '137'", "exited", "app"],
    ["Stopping container app", "stopped", "app"],
  ])("%s", (text, how, container) => {
    expect(stopOf(event(0, "ContainerTerminated", text))).toEqual({ how, container });
  });

  it("is silent about other events, and knows the two ports of a mismatch", () => {
    expect(stopOf(event(0, "ContainerStarted", "Started container 'app'"))).toBeNull();
    const text = "The TargetPort 8081 does not match the listening port 80.";
    expect(portMismatch(event(0, "Pending:PortMismatch", text))).toEqual({ target: 8081, listening: 80 });
  });
});
