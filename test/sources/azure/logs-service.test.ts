import { getEventListeners } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { faultPolicy, retryAfterOf } from "../../../src/sources/azure/http-faults.ts";
import { openLogsService } from "../../../src/sources/azure/logs-service.ts";
import type { QueryService } from "../../../src/sources/azure/query-service.ts";
import { SourceFault } from "../../../src/sources/azure/source-fault.ts";
import { parseInstant } from "../../../src/telemetry/time.ts";
import {
  cutOff,
  dropped,
  failureOf,
  json,
  nobody,
  type Play,
  type StandIn,
  silent,
  standIn,
  testCredential,
  text,
} from "./stand-in.ts";

const GUID = "11111111-2222-3333-4444-555555555555";
const APP = "/subscriptions/s/resourceGroups/g/providers/microsoft.insights/components/shop";
const WINDOW = {
  from: parseInstant("2026-06-01T00:00:00.0005001Z")!.ticks,
  to: parseInstant("2026-06-02T00:00:00.0005001Z")!.ticks,
};

const table = {
  name: "PrimaryResult",
  columns: [
    { name: "ticks", type: "long" },
    { name: "name", type: "string" },
    { name: "dimensions", type: "dynamic" },
  ],
  rows: [[2023668000000001, "GET /", '{"sampleRate":"25"}']],
};

let server: StandIn | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function open(
  play: Play,
  options: { kind?: "workspace" | "app"; id?: string; signal?: AbortSignal } = {},
): Promise<QueryService> {
  server = await standIn(play);
  const { kind = "workspace", id = GUID, signal = new AbortController().signal } = options;
  return openLogsService({
    kind,
    id,
    credential: testCredential().credential,
    endpoint: `${server.url}/v1`,
    signal,
  });
}

async function faultOf(play: Play): Promise<SourceFault> {
  const service = await open(play);
  const error = await failureOf(service.query("T", WINDOW));
  expect(error).toBeInstanceOf(SourceFault);
  return error as SourceFault;
}

describe("the query service over the wire", () => {
  it("asks a workspace with token, timeout and the window in whole milliseconds around it", async () => {
    const service = await open(json(200, { tables: [table] }));
    expect(await service.query("T | take 1", WINDOW)).toEqual({
      columns: ["ticks", "name", "dimensions"],
      rows: [[2023668000000001, "GET /", { sampleRate: "25" }]],
      partial: null,
    });
    expect(service.schema).toBe("workspace");
    const [asked] = server!.asked;
    expect(asked).toMatchObject({
      method: "POST",
      url: `/v1/workspaces/${GUID}/query`,
      authorization: "Bearer the-token",
      prefer: "wait=600",
    });
    expect(JSON.parse(asked!.body)).toEqual({
      query: "T | take 1",
      timespan: "2026-06-01T00:00:00.000Z/2026-06-02T00:00:00.001Z",
    });
  });

  it("asks an application, with one slash before its id", async () => {
    const service = await open(json(200, { tables: [table] }), { kind: "app", id: APP });
    await service.query("requests", WINDOW);
    expect(service.schema).toBe("classic");
    expect(server!.asked[0]!.url).toBe(`/v1${APP}/query`);
  });

  it("says why an answer was cut", async () => {
    const service = await open(
      json(200, { tables: [table], error: { code: "PartialError", message: "There were some errors" } }),
    );
    const answer = await service.query("T", WINDOW);
    expect(answer.partial).toBe("PartialError: There were some errors");
    expect(answer.rows).toHaveLength(1);
  });

  it.each([
    [400, "BadArgumentError", "query"],
    [401, "InvalidTokenError", "sign-in"],
    [403, "InsufficientAccessError", "permission"],
    [404, "PathNotFoundError", "not-found"],
    [429, "ThrottledError", "throttled"],
    [500, "InternalServerError", "service"],
    [502, "BadGateway", "service"],
    [503, "ServiceUnavailable", "service"],
    [504, "GatewayTimeout", "timeout"],
  ] as const)("names what HTTP %i means, once and in the service's words", async (status, code, kind) => {
    const body = {
      error: { code, message: "The outer words", innererror: { code: "Inner", message: "why" } },
    };
    const fault = await faultOf(json(status, body));
    expect(fault.kind).toBe(kind);
    expect(fault.message).toContain(`HTTP ${status}: ${code}: The outer words: Inner: why`);
    expect(fault.message).not.toContain("\n");
    expect(fault.message).not.toContain("the-token");
    expect(server!.asked).toHaveLength(1);
  });

  it.each([
    ["seconds", { "retry-after": "7" }, 7000],
    ["milliseconds", { "retry-after-ms": "250" }, 250],
    ["Microsoft's milliseconds", { "x-ms-retry-after-ms": "900" }, 900],
    [
      "a date",
      { date: "Tue, 01 Jan 2030 00:00:00 GMT", "retry-after": "Tue, 01 Jan 2030 00:00:45 GMT" },
      45_000,
    ],
    ["a date gone by", { "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" }, 0],
  ])("takes over how long to wait, given as %s", async (_form, headers, ms) => {
    const sent = headers as Record<string, string>;
    expect((await faultOf(json(429, {}, sent))).retryAfterMs).toBe(ms);
  });

  it("does not know how long to wait where the service does not say", async () => {
    expect((await faultOf(json(503, {}))).retryAfterMs).toBeNull();
  });

  it.each([
    ["retry-after", { "retry-after": "" }, null],
    ["retry-after-ms", { "retry-after-ms": "" }, null],
    ["x-ms-retry-after-ms", { "x-ms-retry-after-ms": " ", "retry-after": "7" }, 7000],
    ["both", { "retry-after-ms": "", "retry-after": "" }, null],
    ["a time without end", { "retry-after": "1e999" }, null],
    ["milliseconds without end", { "retry-after-ms": "Infinity", "retry-after": "3" }, 3000],
  ])("takes a header that says nothing for none: %s", (_name, headers, ms) => {
    const sent = headers as Readonly<Record<string, string>>;
    expect(retryAfterOf((name) => sent[name])).toBe(ms);
  });

  it.each([
    ["a web page", text(200, "<html>Sign in to the guest network</html>", "text/html"), "service"],
    ["a web page with an error", text(502, "<html>Bad gateway</html>", "text/html"), "service"],
    ["other text", text(200, "hello", "text/plain"), "service"],
    ["an answer of another service", json(200, { value: [] }), "service"],
    ["an answer cut off", cutOff('{"tables":[{"rows":['), "network"],
    ["a dropped connection", dropped, "network"],
  ] as const)("calls %s a passing fault", async (_what, play, kind) => {
    const fault = await faultOf(play);
    expect(fault.kind).toBe(kind);
    expect(fault.isPassing).toBe(true);
  });

  it("calls it a passing fault that nobody listens", async () => {
    const endpoint = `${await nobody()}/v1`;
    const signal = new AbortController().signal;
    const { credential } = testCredential();
    const service = await openLogsService({ kind: "workspace", id: GUID, credential, endpoint, signal });
    const fault = await failureOf(service.query("T", WINDOW));
    expect(fault).toMatchObject({ kind: "network", message: expect.stringContaining("ECONNREFUSED") });
  });

  it("passes on that the sign-in failed", async () => {
    server = await standIn(json(200, { tables: [table] }));
    const refused = new SourceFault("sign-in", "cannot sign in", "run az login");
    const service = await openLogsService({
      kind: "workspace",
      id: GUID,
      credential: { getToken: () => Promise.reject(refused) },
      endpoint: `${server.url}/v1`,
      signal: new AbortController().signal,
    });
    expect(await failureOf(service.query("T", WINDOW))).toBe(refused);
    expect(server.asked).toHaveLength(0);
  });

  it.each(["127.0.0.1", "localhost"])(
    "asks for the public cloud's scope where it talks to %s",
    async (host) => {
      const scopes: unknown[] = [];
      const refused = new SourceFault("sign-in", "cannot sign in", "run az login");
      const service = await openLogsService({
        kind: "workspace",
        id: GUID,
        credential: {
          getToken: (scope) => {
            scopes.push(...[scope].flat());
            return Promise.reject(refused);
          },
        },
        endpoint: `http://${host}:1/v1`,
        signal: new AbortController().signal,
      });
      expect(await failureOf(service.query("T", WINDOW))).toBe(refused);
      expect(scopes).toEqual(["https://api.loganalytics.io/.default"]);
    },
  );

  it("leaves nothing behind on the signal, however many queries there are", async () => {
    const { signal } = new AbortController();
    const service = await open(json(200, { tables: [table] }), { signal });
    for (let i = 0; i < 3; i++) await service.query("T", WINDOW);
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });

  it("stops at once when told to", async () => {
    const controller = new AbortController();
    const service = await open(silent, { signal: controller.signal });
    const reason = new Error("interrupted");
    setTimeout(() => controller.abort(reason), 100);
    expect(await failureOf(service.query("T", WINDOW))).toBe(reason);
  });

  it("never sends a token over http to another machine", async () => {
    const { credential, scopes } = testCredential();
    const signal = new AbortController().signal;
    for (const host of [
      "127.0.0.1.example.com",
      "localhost.example.com",
      "localhost@example.com",
      "10.0.0.1",
    ]) {
      const endpoint = `http://${host}/v1`;
      const opening = openLogsService({ kind: "workspace", id: GUID, credential, endpoint, signal });
      const fault = await failureOf(opening);
      expect(fault).toMatchObject({ kind: "not-found", message: expect.stringContaining("not https") });
    }
    expect(scopes).toEqual([]);
  });

  it("takes an answer without content for an empty workspace", async () => {
    const service = await open((response) => void response.writeHead(204).end());
    expect(await service.query("T", WINDOW)).toEqual({ columns: [], rows: [], partial: null });
    expect(server!.asked).toHaveLength(1);
  });

  it("tells nothing of what stands in an answer that it cannot read", async () => {
    const fault = await faultOf(text(200, '{"tables":[{"rows":[["a customer"', "application/json"));
    expect(fault.kind).toBe("service");
    expect(fault.message).not.toContain("customer");
  });
});

describe("a service that wants more of the sign-in", () => {
  const CLAIMS = '{"access_token":{"nbf":{"essential":true,"value":"1"}}}';
  const challenge = (claims: string): Play =>
    json(
      401,
      { error: { code: "InvalidTokenError", message: "the words" } },
      { "www-authenticate": `Bearer realm="", error="insufficient_claims", claims="${claims}"` },
    );

  async function asking(...plays: Play[]): Promise<{ readonly service: QueryService; claims: unknown[] }> {
    server = await standIn(...plays);
    const claims: unknown[] = [];
    const service = await openLogsService({
      kind: "workspace",
      id: GUID,
      credential: {
        getToken: (_scopes, options) => {
          claims.push(options?.claims);
          const token = options?.claims === undefined ? "the-token" : "the-token-with-claims";
          return Promise.resolve({ token, expiresOnTimestamp: Date.now() + 3_600_000 });
        },
      },
      endpoint: `${server.url}/v1`,
      signal: new AbortController().signal,
    });
    return { service, claims };
  }

  it("gets a token with those claims, and the question again", async () => {
    const { service, claims } = await asking(challenge(btoa(CLAIMS)), json(200, { tables: [table] }));
    expect((await service.query("T", WINDOW)).rows).toHaveLength(1);
    expect(claims).toEqual([undefined, CLAIMS]);
    expect(server!.asked.map(({ authorization }) => authorization)).toEqual([
      "Bearer the-token",
      "Bearer the-token-with-claims",
    ]);
  });

  it("is a fault of the sign-in where that does not do either", async () => {
    const { service, claims } = await asking(challenge(btoa(CLAIMS)));
    const fault = await failureOf(service.query("T", WINDOW));
    expect(fault).toBeInstanceOf(SourceFault);
    expect(fault).toMatchObject({
      kind: "sign-in",
      what: "the service does not take the sign-in (HTTP 401: InvalidTokenError: the words)",
    });
    expect(claims).toHaveLength(2);
    expect(server!.asked).toHaveLength(2);
  });

  it("is a fault of the sign-in at once where it does not say what it wants", async () => {
    const { service, claims } = await asking(json(401, {}, { "www-authenticate": 'Bearer realm=""' }));
    expect(await failureOf(service.query("T", WINDOW))).toMatchObject({ kind: "sign-in" });
    expect(claims).toHaveLength(1);
    expect(server!.asked).toHaveLength(1);
  });
});

describe("an answer that never ends", () => {
  const asking = async (play: Play): Promise<unknown> => {
    server = await standIn(play);
    const { createPipelineRequest, createDefaultHttpClient } = await import("@azure/core-rest-pipeline");
    const client = createDefaultHttpClient();
    const request = createPipelineRequest({ url: server.url, allowInsecureConnection: true });
    const policy = faultPolicy(new AbortController().signal, 150);
    return failureOf(policy.sendRequest(request, (last) => client.sendRequest(last)));
  };

  it.each([
    ["before its head", silent],
    ["in its body", (response: Parameters<Play>[0]) => void response.writeHead(200).write('{"tables":[')],
  ])("is given up, where it stops %s", async (_where, play) => {
    expect(await asking(play)).toMatchObject({ kind: "timeout", message: expect.stringContaining("0.15 s") });
  });
});
