import { describe, expect, it } from "vitest";
import { openBag } from "../../src/telemetry/dimensions.ts";
import { kindOf } from "../../src/telemetry/kind.ts";

interface Row {
  name?: string;
  url?: string;
  resultCode?: string;
  source?: string;
  sdkVersion?: string;
  dimensions?: object;
  measurements?: object;
}

function kind(row: Row): string {
  return kindOf({
    name: row.name ?? "",
    url: row.url ?? "",
    resultCode: row.resultCode ?? "",
    source: row.source ?? "",
    sdkVersion: row.sdkVersion ?? "",
    dimensions: openBag(row.dimensions ?? {}),
    measurements: openBag(row.measurements ?? {}),
  });
}

describe("kindOf", () => {
  it.each<[string, Row]>([
    ["a URL", { name: "x", url: "https://a.test/x", resultCode: "200" }],
    ["a path for a URL", { url: "/orders", resultCode: "0" }],
    ["a method in the name", { name: "GET /wiki/Rabbit", resultCode: "0" }],
    [
      "a functions HTTP trigger",
      { name: "GetOrder", dimensions: { HttpMethod: "GET", Category: "Host.Results" } },
    ],
    ["gRPC by its dimensions", { name: "Greet", resultCode: "0", dimensions: { "rpc.system": "grpc" } }],
    ["gRPC by its name", { name: "greet.Greeter/SayHello", resultCode: "0" }],
    ["gRPC of the collector", { name: "grpc Greeter", url: "grpc Greeter", resultCode: "5" }],
  ])("is http by %s", (_, row) => {
    expect(kind(row)).toBe("http");
  });

  it.each<[string, Row]>([
    ["a processor's name", { name: "QuoteEventProcessor.ProcessMessage", resultCode: "0" }],
    ["a topic's name", { name: "mytopic process", resultCode: "0", source: "mytopic" }],
    ["a broker's URL", { name: "x", url: "amqp://ns.test/queue", resultCode: "0" }],
    ["a host and destination", { name: "x", source: "ns.test/hub1", resultCode: "0" }],
    ["the classic source", { name: "x", source: "type:Azure Service Bus | name:q", resultCode: "" }],
    [
      "messaging dimensions",
      {
        name: "ServiceBusReceiver.Receive",
        resultCode: "0",
        dimensions: { "messaging.system": "servicebus" },
      },
    ],
    ["links", { name: "x", resultCode: "0", dimensions: { "_MS.links": "[]" } }],
    ["the time since enqueued", { name: "x", resultCode: "0", measurements: { timeSinceEnqueued: 3 } }],
    ["JavaScript's empty name", { resultCode: "0" }],
    [
      "a queue-triggered function",
      {
        name: "Handle",
        resultCode: "0",
        sdkVersion: "azurefunctions: 4.0",
        dimensions: { "messaging.system": "x" },
      },
    ],
  ])("is a consumer by %s", (_, row) => {
    expect(kind(row)).toBe("consumer");
  });

  it.each<[string, Row]>([
    ["a timer", { name: "Cleanup", resultCode: "0" }],
    ["a timer function", { name: "Nightly", resultCode: "0", dimensions: { Category: "Host.Results" } }],
    ["a WebSocket, which lives as long as its connection", { name: "GET /hub", resultCode: "101" }],
    ["a message name with an HTTP code", { name: "mytopic process", resultCode: "500" }],
    ["nothing at all", {}],
  ])("is other for %s", (_, row) => {
    expect(kind(row)).toBe("other");
  });

  it("keeps the order of the rules: a URL counts before messaging dimensions", () => {
    expect(
      kind({ url: "http://a.test/x", resultCode: "0", dimensions: { "messaging.system": "kafka" } }),
    ).toBe("http");
    expect(kind({ name: "a.B/C", resultCode: "0", dimensions: { "messaging.system": "kafka" } })).toBe(
      "http",
    );
  });
});
