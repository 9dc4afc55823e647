import { getEventListeners } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { openKustoService } from "../../../src/sources/azure/kusto-service.ts";
import type { QueryService } from "../../../src/sources/azure/query-service.ts";
import { SourceFault } from "../../../src/sources/azure/source-fault.ts";
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

const WINDOW = { from: 0, to: 1 };

let server: StandIn | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const metadata = json(200, {
  AzureAD: {
    LoginEndpoint: "https://login.microsoftonline.com",
    LoginMfaRequired: false,
    KustoClientAppId: "app",
    KustoClientRedirectUri: "https://microsoft/kustoclient",
    KustoServiceResourceId: "https://kusto.kusto.windows.net",
    FirstPartyAuthorityUrl: "https://login.microsoftonline.com/f8cdef31-a31e-4b4a-93e4-5f571e91255a",
  },
});

/** An answer in frames: rows, an error in place of further rows or none, the errors at the end or none. */
function frames(rows: readonly unknown[], atEnd: readonly unknown[] = []): Play {
  return json(200, [
    { FrameType: "DataSetHeader", IsProgressive: false, Version: "v2.0" },
    {
      FrameType: "DataTable",
      TableId: 0,
      TableKind: "QueryProperties",
      TableName: "x",
      Columns: [],
      Rows: [[9]],
    },
    {
      FrameType: "DataTable",
      TableId: 1,
      TableKind: "PrimaryResult",
      TableName: "PrimaryResult",
      Columns: [
        { ColumnName: "ticks", ColumnType: "long" },
        { ColumnName: "name", ColumnType: "string" },
      ],
      Rows: rows,
    },
    {
      FrameType: "DataSetCompletion",
      HasErrors: atEnd.length > 0,
      Cancelled: false,
      ...(atEnd.length > 0 ? { OneApiErrors: atEnd } : {}),
    },
  ]);
}

const tooLarge = {
  error: {
    code: "LimitsExceeded",
    message: "Request is invalid and cannot be executed.",
    "@type": "Kusto.Data.Exceptions.KustoServicePartialQueryFailureLimitsExceededException",
    "@message": "Query execution has exceeded the allowed limits (80DA0003): .",
    "@permanent": false,
  },
};

async function open(
  play: Play,
  credential = testCredential().credential,
  signal = new AbortController().signal,
): Promise<QueryService> {
  server = await standIn(metadata, play);
  return openKustoService({
    cluster: server.url,
    database: "telemetry",
    schema: "workspace",
    credential,
    signal,
  });
}

async function faultOf(play: Play): Promise<SourceFault> {
  const error = await failureOf((await open(play)).query("T", WINDOW));
  expect(error).toBeInstanceOf(SourceFault);
  return error as SourceFault;
}

describe("a cluster over the wire", () => {
  it("is asked with token, database and ten minutes, after it has said where to sign in", async () => {
    const { credential, scopes } = testCredential();
    const service = await open(frames([[2023668000000001, "GET /"]]), credential);
    expect(await service.query("T | take 1", WINDOW)).toEqual({
      columns: ["ticks", "name"],
      rows: [[2023668000000001, "GET /"]],
      partial: null,
    });
    expect(service.schema).toBe("workspace");
    const [first, second] = server!.asked;
    expect(first).toMatchObject({ method: "GET", url: "/v1/rest/auth/metadata", authorization: undefined });
    expect(second).toMatchObject({
      method: "POST",
      url: "/v2/rest/query",
      authorization: "Bearer the-token",
    });
    expect(JSON.parse(second!.body)).toEqual({
      db: "telemetry",
      csl: "T | take 1",
      properties: { Options: { servertimeout: "00:10:00.000" } },
    });
    expect(scopes[0]).toBe("https://kusto.kusto.windows.net/.default");
  });

  it.each([
    ["among the rows", frames([[1, "a"], { OneApiErrors: [tooLarge] }])],
    ["at the end", frames([[1, "a"]], [tooLarge])],
  ])("says that the answer was cut, where the limit is told %s", async (_where, play) => {
    const answer = await (await open(play)).query("T", WINDOW);
    expect(answer.partial).not.toBeNull();
    expect(answer.rows).toEqual([[1, "a"]]);
  });

  it.each(["E_QUERY_RESULT_SET_TOO_LARGE", "E_LOW_MEMORY_CONDITION"])(
    "says that the answer was cut, where HTTP 400 tells of %s",
    async (code) => {
      const error = {
        code: "LimitsExceeded",
        message: "Request is invalid and cannot be executed.",
        "@message": `Query execution has resulted in error (0x80DA0003): ${code}.`,
      };
      const answer = await (await open(json(400, { error }))).query("T", WINDOW);
      expect(answer).toEqual({ columns: [], rows: [], partial: expect.stringContaining("limit") });
    },
  );

  it("takes a service that is too busy for no cut answer", async () => {
    const error = { code: "TooManyRequests", message: "The requests have exceeded the allowed limits" };
    expect((await faultOf(json(429, { error }))).kind).toBe("throttled");
  });

  it("fails on another error in the frames", async () => {
    const other = {
      error: { code: "General_BadRequest", "@message": "Semantic error: x", "@permanent": true },
    };
    const fault = await faultOf(frames([], [other]));
    expect(fault.kind).toBe("query");
    expect(fault.message).toContain("Semantic error: x");
  });

  it.each([
    [400, "query"],
    [401, "sign-in"],
    [403, "permission"],
    [404, "not-found"],
    [429, "throttled"],
    [500, "service"],
    [503, "service"],
    [504, "timeout"],
  ] as const)("names what HTTP %i means", async (status, kind) => {
    const fault = await faultOf(json(status, { error: { code: "Code", message: "the words" } }));
    expect(fault.kind).toBe(kind);
    expect(fault.message).toContain(`HTTP ${status}: Code: the words`);
    expect(fault.message).not.toContain("the-token");
  });

  it("takes over how long to wait", async () => {
    expect((await faultOf(json(429, {}, { "retry-after": "7" }))).retryAfterMs).toBe(7000);
  });

  it("takes an empty header for none", async () => {
    expect((await faultOf(json(429, {}, { "retry-after": "" }))).retryAfterMs).toBeNull();
  });

  it.each([
    ["a web page", text(200, "<html>Sign in</html>", "text/html"), "service"],
    [
      "an answer cut in the middle",
      text(200, '[{"FrameType":"DataTable","Rows":[[1', "application/json"),
      "service",
    ],
    ["a dropped connection", dropped, "network"],
  ] as const)("calls %s a passing fault", async (_what, play, kind) => {
    const fault = await faultOf(play);
    expect(fault.kind).toBe(kind);
    expect(fault.isPassing).toBe(true);
  });

  it("calls it a passing fault that nobody listens", async () => {
    const { credential } = testCredential();
    const cluster = await nobody();
    const signal = new AbortController().signal;
    const service = await openKustoService({ cluster, database: "d", schema: "classic", credential, signal });
    expect(await failureOf(service.query("T", WINDOW))).toMatchObject({ kind: "network" });
  });

  it("leaves no more behind on the signal, however many queries there are", async () => {
    const { signal } = new AbortController();
    const service = await open(frames([]), testCredential().credential, signal);
    for (let i = 0; i < 3; i++) await service.query("T", WINDOW);
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
  });

  it("stops at once when told to", async () => {
    const controller = new AbortController();
    const service = await open(silent, testCredential().credential, controller.signal);
    const reason = new Error("interrupted");
    setTimeout(() => controller.abort(reason), 100);
    expect(await failureOf(service.query("T", WINDOW))).toBe(reason);
  });

  it("stops at once when told to, while it asks where to sign in", async () => {
    server = await standIn(silent);
    const controller = new AbortController();
    const { credential } = testCredential();
    const { signal } = controller;
    const cluster = server.url;
    const service = await openKustoService({ cluster, database: "d", schema: "classic", credential, signal });
    const reason = new Error("interrupted");
    setTimeout(() => controller.abort(reason), 100);
    expect(await failureOf(service.query("T", WINDOW))).toBe(reason);
  });

  it("calls an answer that breaks off a fault of the network", async () => {
    expect((await faultOf(cutOff('[{"FrameType":"DataTable"'))).kind).toBe("network");
  });

  it("passes on that the sign-in failed", async () => {
    const refused = new SourceFault("sign-in", "cannot sign in", "run az login");
    const service = await open(frames([]), { getToken: () => Promise.reject(refused) });
    expect(await failureOf(service.query("T", WINDOW))).toBe(refused);
  });

  it("says what the engine says of a query that it refuses", async () => {
    const error = {
      code: "General_BadRequest",
      message: "Request is invalid.",
      "@message": "Syntax: SYN0002",
    };
    expect((await faultOf(json(400, { error }))).message).toContain("SYN0002");
  });

  it("does not take an answer for whole that failed without a reason", async () => {
    const play = json(200, [
      { FrameType: "DataTable", TableKind: "PrimaryResult", Columns: [{ ColumnName: "a" }], Rows: [[1]] },
      { FrameType: "DataSetCompletion", HasErrors: true, Cancelled: true },
    ]);
    expect((await faultOf(play)).message).toContain("without a reason");
  });

  it("never sends a token over http to another machine", async () => {
    const { credential, scopes } = testCredential();
    const cluster = "http://shop.westeurope.kusto.windows.net";
    const signal = new AbortController().signal;
    const opening = openKustoService({ cluster, database: "d", schema: "classic", credential, signal });
    expect(await failureOf(opening)).toMatchObject({ kind: "not-found" });
    expect(scopes).toEqual([]);
  });

  it("does not try a host again that the client does not trust", async () => {
    const { CloudSettings } = await import("azure-kusto-data");
    // Without a server of that name: what it would answer.
    const cluster = "https://shop.example.com";
    CloudSettings.writeToCache(cluster);
    const { credential, scopes } = testCredential();
    const signal = new AbortController().signal;
    const service = await openKustoService({ cluster, database: "d", schema: "classic", credential, signal });
    const fault = await failureOf(service.query("T", WINDOW));
    expect(fault).toMatchObject({ kind: "not-found", message: expect.stringContaining("shop.example.com") });
    expect(scopes).toEqual([]);
  });
});
