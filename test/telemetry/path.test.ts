import { describe, expect, it } from "vitest";
import { foldPath, requestPath } from "../../src/telemetry/path.ts";

describe("requestPath", () => {
  it.each([
    ["https://a.test/Health/Ready/?x=1#y", "", "/health/ready"],
    ["http://100.100.0.17:8080/alive", "", "/alive"],
    ["http://a.test", "", "/"],
    ["http://a.test?x=/health", "", "/"],
    ["/health?x", "", "/health"],
    ["", "GET /healthz/", "/healthz"],
    ["", "get /healthz", "/healthz"],
    ["", "Cleanup", ""],
    ["https://a.test/orders", "GET /health", "/orders"],
  ])("of url %j and name %j is %j", (url, name, path) => {
    expect(requestPath(url, name)).toBe(path);
  });

  it("leaves the root its slash", () => {
    expect(foldPath("/")).toBe("/");
  });
});
