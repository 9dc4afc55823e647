import { describe, expect, it } from "vitest";
import { at, BEFORE, event, leaksOf, Rows, SINCE } from "./leak-data.ts";

const HOUR = 3_600_000;
const codes = ({ reasons }: { reasons: { code: string }[] }): string[] => reasons.map(({ code }) => code);

/** Starts `name-0…` an hour apart: a line of the warm-up, then a user request to another path. */
function warmedStarts(rows: Rows, count: number, from = HOUR): Rows {
  for (let i = 0; i < count; i++) {
    const start = from + i * HOUR;
    rows.warmed(`w-${i}`, start).request(`w-${i}`, start + 2_000, "/authors");
  }
  return rows;
}

describe("a clean warm-up", () => {
  it("is clean where lines show that it ran and nothing of it is seen", async () => {
    const document = await leaksOf(warmedStarts(new Rows(), 5));
    expect(document.verdict).toBe("clean");
    expect(document.reasons).toEqual([]);
    expect(document.warmUp).toMatchObject({
      starts: 5,
      logged: { count: 5, share: 1 },
      ran: 5,
      outcomes: [{ outcome: "warmed", starts: 5 }],
      p50Ms: 400,
      timed: 5,
      paths: ["/quotes/today"],
    });
    expect(document.zero).toMatchObject({ n: 5, rate: 1, everyStartUnseen: 0 });
    // 0.9 to the fifth.
    expect(document.zero.oneInTenUnseen).toBeCloseTo(0.59049, 10);
  });

  it("tells callers of the path after the line from the warm-up, without any baseline", async () => {
    const rows = warmedStarts(new Rows(), 5);
    for (let i = 0; i < 5; i++) rows.request(`w-${i}`, HOUR + i * HOUR + 500, "/quotes/today");
    const document = await leaksOf(rows);
    expect(document.requests.since).toMatchObject({
      withPath: { count: 5 },
      firstIsPath: { count: 5 },
      inside: { rows: 0 },
      outsideStarts: 5,
      undecidedStarts: 0,
    });
    expect(document.verdict).toBe("clean");
    expect(document.examples).toEqual([]);
  });
});

describe("silence is no pass", () => {
  it("without traces", async () => {
    const document = await leaksOf(new Rows().request("a", HOUR, "/authors"));
    expect([document.verdict, codes(document)]).toEqual(["cannot-tell", ["nothing-logged"]]);
    expect(document.reasons[0]?.text).toContain("holds no traces");
  });

  it("with traces of which none is the warm-up's", async () => {
    const document = await leaksOf(
      new Rows().request("a", HOUR, "/authors").trace("a", HOUR - 1, "listening"),
    );
    expect(codes(document)).toEqual(["nothing-logged"]);
    expect(document.reasons[0]?.text).toContain("--warmed-message");
  });

  it("where every line says skipped", async () => {
    const rows = new Rows().warmed("a", HOUR, { outcome: "skipped" }).request("a", HOUR + 1_000, "/authors");
    expect(codes(await leaksOf(rows))).toEqual(["nothing-ran"]);
  });

  it("where the lines name another path", async () => {
    const rows = new Rows().warmed("a", HOUR, { path: "/alive" }).request("a", HOUR + 1_000, "/authors");
    expect(codes(await leaksOf(rows))).toEqual(["few-warmed", "other-paths"]);
  });

  it("where sampling could have hidden a leak on every start", async () => {
    const rows = new Rows();
    // Weights 1, 1 and 4 keep 3 of 6 rows: r = 0.5, not the mean of 1, 1 and 0.25.
    [1, 1, 4].forEach((itemCount, i) => {
      rows.warmed(`w-${i}`, HOUR).request(`w-${i}`, HOUR + 1_000, "/authors", { itemCount });
    });
    const document = await leaksOf(rows);
    expect(document.zero).toMatchObject({ n: 3, rate: 0.5, rateFrom: "rows", rateN: 3 });
    expect(document.zero.everyStartUnseen).toBeCloseTo(0.125, 12);
    expect(document.zero.oneInTenUnseen).toBeCloseTo(0.95 ** 3, 12);
    expect(codes(document)).toEqual(["too-few"]);
    const assumed = await leaksOf(rows, { rateAssumed: "90%" });
    expect(assumed.zero).toMatchObject({ rate: 0.9, rateFrom: "assumed" });
    expect(assumed.verdict).toBe("clean");
  });

  it.each([
    [{ outcome: "skipped" }],
    [{ outcome: "failed" }],
    [{ outcome: "redirected" }],
    [{ path: "/authors" }],
    [{ path: null }],
    [{ outcome: null, status: 500 }],
    [{ outcome: null, status: null }],
  ])("where more than one start in twenty logs no success: %j", async (fields) => {
    const mixed = async (good: number): Promise<string[]> => {
      const rows = warmedStarts(new Rows(), good).warmed("odd", 50 * HOUR, fields);
      const document = await leaksOf(rows.request("odd", 50 * HOUR + 1, "/authors"));
      expect([document.warmUp.succeeded, document.zero.n]).toEqual([good, good]);
      return codes(document);
    };
    expect(await mixed(18)).toEqual(["few-warmed"]);
    expect(await mixed(19)).toEqual([]);
  });

  it("a status of 2xx stands in for an outcome that the line lacks", async () => {
    const rows = new Rows().warmed("a", HOUR, { outcome: null, status: "204" });
    expect((await leaksOf(rows.request("a", HOUR + 1, "/authors"))).verdict).toBe("clean");
  });

  it("where the input holds no request rows", async () => {
    const document = await leaksOf(new Rows().warmed("a", HOUR), { rateAssumed: "100%" });
    expect([document.verdict, codes(document)]).toEqual(["cannot-tell", ["no-requests"]]);
    expect([document.held.requests, document.zero.n]).toEqual([false, 0]);
  });

  it("where the request rows end before the starts do", async () => {
    const rows = warmedStarts(new Rows(), 1);
    for (let i = 1; i < 5; i++) rows.warmed(`late-${i}`, (5 + i) * HOUR);
    const document = await leaksOf(rows);
    expect(document.warmUp).toMatchObject({ starts: 5, succeeded: 5, covered: 1 });
    expect([codes(document), document.zero.n]).toEqual([["not-covered"], 1]);
    const covered = await leaksOf(rows.request("late-4", 10 * HOUR, "/authors"));
    expect([covered.verdict, covered.zero.n]).toEqual(["clean", 5]);
  });

  it("names the kinds of telemetry that are not looked at", async () => {
    const { unknown } = await leaksOf(warmedStarts(new Rows(), 5));
    expect(unknown.join(" ")).toContain("Exceptions, custom events");
  });

  it("where the first rows jumped to the path, though after the line", async () => {
    const rows = warmedStarts(new Rows(), 5);
    for (let i = 0; i < 5; i++) {
      rows
        .request(`w-${i}`, HOUR + i * HOUR + 3, "/quotes/today")
        .request(`b-${i}`, BEFORE + i * 60_000, "/x");
    }
    const document = await leaksOf(rows, { since: SINCE });
    expect(codes(document)).toEqual(["first-row-rise"]);
    // Fisher: one way in C(10, 5) = 252; those proven to be called from outside left out, none is seen.
    expect(document.requests.baseline?.firstRiseP).toBeCloseTo(1 / 252, 12);
    expect(document.requests.baseline?.jumpP).toBe(1);
  });

  it("with no rows at all since the deployment", async () => {
    const document = await leaksOf(new Rows().request("a", BEFORE, "/authors"), { since: SINCE });
    expect(codes(document)).toEqual(["no-starts", "nothing-logged"]);
    expect(document.zero.rate).toBeNull();
  });
});

describe("time", () => {
  it("a row before the line of its start came from inside", async () => {
    const rows = warmedStarts(new Rows(), 5).request("w-2", HOUR + 2 * HOUR - 300, "/quotes/today");
    const document = await leaksOf(rows);
    expect([document.verdict, codes(document)]).toEqual(["leak", ["rows-inside"]]);
    expect(document.requests.since.inside).toEqual({ rows: 1, starts: 1, byLine: 1, byRefusal: 0 });
    expect(document.examples).toMatchObject([
      { instance: "w-2", at: at(3 * HOUR - 300), place: "inside", by: "line" },
    ]);
  });

  it("a row at the very instant of the line did not", async () => {
    const document = await leaksOf(warmedStarts(new Rows(), 5).request("w-2", 3 * HOUR, "/quotes/today"));
    expect(document.verdict).toBe("clean");
  });

  const REPLICA = "quotes-api--v1-abcdefgh12-x1y2z";
  const refusedAt = (ms: number, text = "Probe of StartUp failed with status code: 1"): string =>
    event(REPLICA, 0, "ContainerStarted", "Started container 'app'") +
    event(REPLICA, ms, "ProbeFailed", text);
  const rows = (ms: number): Rows =>
    new Rows().request(REPLICA, ms, "/quotes/today").request(REPLICA, 9_000, "/authors");

  it.each([
    ["Probe of StartUp failed with status code: 1"],
    ["startup probe failed: connection refused"],
    [
      'Startup probe failed: Get "http://100.100.0.76:80/": dial tcp 100.100.0.76:80: connect: connection refused',
    ],
  ])("a row more than a second before a refusal came from inside: %s", async (text) => {
    const document = await leaksOf(rows(2_999), {}, refusedAt(4_000, text));
    expect(document.requests.since.inside).toMatchObject({ rows: 1, byRefusal: 1 });
    expect(document.verdict).toBe("leak");
    const later = await leaksOf(rows(3_000), {}, refusedAt(4_000, text));
    expect(later.requests.since.inside.rows).toBe(0);
    expect(later.requests.since.undecidedStarts).toBe(1);
  });

  it.each([
    ["Probe of StartUp failed with status code: 404"],
    ["Probe of StartUp failed with status code: "],
    ["Probe of StartUp failed with status code: 100"],
    ["Probe of StartUp failed with timeout in 2 seconds."],
    ["Probe of Readiness failed with status code: 1"],
    [
      'Startup probe failed: Get "http://10.0.0.1:3501/v1.0/healthz": dial tcp 10.0.0.1:3501: connect: connection refused',
    ],
  ])("%s says nothing of a closed port", async (text) => {
    const document = await leaksOf(rows(1_500), {}, refusedAt(4_000, text));
    expect(document.requests.since.inside.rows).toBe(0);
  });

  it("a refusal after a restart says nothing of the life before", async () => {
    const log = `${refusedAt(1_000)}${event(REPLICA, 20_000, "ContainerStarted", "Started container 'app'", { Count: 2 })}${event(REPLICA, 24_000, "ProbeFailed", "Probe of StartUp failed with status code: 1", { Count: 2 })}`;
    const document = await leaksOf(rows(5_000), {}, log);
    expect(document.requests.since.inside.rows).toBe(0);
    expect(document.starts.idle).toBe(1);
  });

  it("where Dapr runs in the replica, a refusal may be Dapr's", async () => {
    const log = event(REPLICA, -5_000, "ContainerStarted", "Started container 'daprd'") + refusedAt(4_000);
    const document = await leaksOf(rows(2_000), {}, log);
    expect(document.requests.since.inside.rows).toBe(0);
    expect(document.starts.sharedPort).toBe(1);
  });
});

describe("callers from outside", () => {
  /** Of `count` starts the first `withPath` are first called at the path. */
  function called(rows: Rows, name: string, from: number, count: number, withPath: number): Rows {
    for (let i = 0; i < count; i++) {
      const start = from + i * 600_000;
      if (i < withPath) rows.request(`${name}-${i}`, start, "/quotes/today");
      rows.request(`${name}-${i}`, start + 1_000, "/authors");
    }
    return rows;
  }

  it("are subtracted where the starts before the deployment show as many", async () => {
    const rows = called(called(new Rows(), "b", BEFORE, 10, 4), "s", HOUR, 10, 5);
    warmedStarts(rows, 2, 10 * HOUR);
    const document = await leaksOf(rows, { since: SINCE });
    // 4 of 10 before; 12 starts since, of which 4.8 are expected and 5 seen.
    expect(document.requests.baseline).toMatchObject({ from: "before", n: 10, withPath: 4, share: 0.4 });
    expect(document.requests.baseline?.expectedStarts).toBeCloseTo(4.8, 12);
    expect(document.requests.baseline?.excessStarts).toBeCloseTo(0.2, 12);
    // A p that is not significant is no proof of innocence.
    expect(codes(document)).toEqual(["few-warmed", "undecided-excess"]);
    const fewer = called(called(new Rows(), "b", BEFORE, 10, 5), "s", HOUR, 1, 1);
    warmedStarts(fewer, 20, 10 * HOUR);
    const explained = await leaksOf(fewer, { since: SINCE });
    // 20 of 21 starts logged it, and 10.5 were expected to begin with the path.
    expect(explained.requests).toMatchObject({
      since: { undecidedStarts: 1 },
      baseline: { excessStarts: -9.5 },
    });
    expect(explained.verdict).toBe("clean");
  });

  it("do not explain a jump from none to all", async () => {
    const rows = called(called(new Rows(), "b", BEFORE, 5, 0), "s", HOUR, 5, 5);
    const document = await leaksOf(rows, { since: SINCE });
    // Fisher: one way in C(10, 5) = 252.
    expect(document.requests.baseline?.p).toBeCloseTo(1 / 252, 12);
    expect(document.requests.baseline?.jumpP).toBeCloseTo(1 / 252, 12);
    expect(codes(document)).toEqual(["more-than-before", "first-row-jump"]);
    expect(document.requests.since.withPath.ci95[0]).toBeCloseTo(0.5655, 4);
  });

  it("a start with the path's rows alone counts too", async () => {
    const rows = new Rows().request("a", HOUR, "/quotes/today").request("a", HOUR + 60_000, "/quotes/today/");
    const document = await leaksOf(rows);
    expect(document.requests.since).toMatchObject({ withPath: { count: 1 }, rows: { observed: 2 } });
    expect(codes(document)).toEqual(["nothing-logged", "no-baseline"]);
  });

  it("that never call the path later cannot have called it first in most starts", async () => {
    const rows = called(new Rows(), "s", HOUR, 6, 6);
    for (let i = 0; i < 60; i++) rows.request("s-0", 5 * HOUR + i * 1_000, "/authors");
    const document = await leaksOf(rows);
    // 66 later requests without the path bound its share by 1 - 0.05^(1/66).
    expect(document.requests.baseline).toMatchObject({ from: "later", n: 66, withPath: 0 });
    expect(document.requests.baseline?.p).toBeCloseTo((1 - 0.05 ** (1 / 66)) ** 6, 12);
    expect(codes(document)).toEqual(["never-called-later"]);
  });

  it("other methods are no warm-up, a row without a method may be", async () => {
    const rows = new Rows()
      .request("a", HOUR, "/quotes/today", { name: "POST /quotes/today" })
      .request("b", HOUR, "/quotes/today", { name: "Quotes/Today" });
    const document = await leaksOf(rows, { method: "get" });
    expect(document.requests.since).toMatchObject({ starts: 2, withPath: { count: 1 } });
  });

  it("a route template is found in the name", async () => {
    const rows = new Rows().request("a", HOUR, "/quotes/42", { name: "GET /quotes/{id}" });
    expect((await leaksOf(rows, { path: ["/quotes/{id}"] })).requests.since.rows.observed).toBe(1);
  });
});

describe("outbound calls and traces", () => {
  it("under the operation of a leaked row are counted", async () => {
    const rows = warmedStarts(new Rows(), 3).request("w-0", HOUR - 300, "/quotes/today", {
      operation_Id: "leak",
    });
    rows.dependency("w-0", HOUR - 290, "SELECT", { operation_Id: "leak" });
    rows.trace("w-0", HOUR - 280, "rendered", {}, { operation_Id: "leak" });
    const document = await leaksOf(rows);
    expect(document.operations?.sameOperation).toEqual({ dependencies: 1, traces: 1, starts: 1 });
  });

  it("begun while the warm-up ran, as the path makes them, are a leak without any request row", async () => {
    const rows = warmedStarts(new Rows(), 3);
    rows.request("w-0", HOUR + 5_000, "/quotes/today", { operation_Id: "user" });
    rows.dependency("w-0", HOUR + 5_010, "SELECT quotes", { operation_Id: "user" });
    rows.dependency("w-1", 2 * HOUR - 200, "SELECT quotes");
    const document = await leaksOf(rows);
    expect(document.operations?.during).toMatchObject({ starts: 3, asRoute: 1, asRouteStarts: 1, other: 0 });
    expect(codes(document)).toEqual(["calls-during"]);
  });

  it("of another kind, or before the warm-up began, are no leak", async () => {
    const rows = warmedStarts(new Rows(), 3);
    rows.request("w-0", HOUR + 5_000, "/quotes/today", { operation_Id: "user" });
    rows.dependency("w-0", HOUR + 5_010, "SELECT quotes", { operation_Id: "user" });
    rows
      .dependency("w-1", 2 * HOUR - 200, "GET /metadata")
      .dependency("w-1", 2 * HOUR - 402, "SELECT quotes");
    const document = await leaksOf(rows);
    expect(document.operations).toMatchObject({
      during: { asRoute: 0, other: 1 },
      earlier: 1,
      earlierAsRoute: 1,
    });
    expect(codes(document)).toEqual(["unknown-calls-during", "calls-earlier"]);
  });

  it("traces of an operation while the warm-up ran leave the verdict open", async () => {
    const rows = warmedStarts(new Rows(), 3)
      .trace("w-1", 2 * HOUR - 200, "Executing endpoint", {}, { operation_Id: "wu" })
      .trace("w-1", 2 * HOUR - 150, "listening");
    const document = await leaksOf(rows);
    expect([codes(document), document.operations?.during.traces]).toEqual([["traces-during"], 1]);
  });

  it("of a request from outside on the same instance are explained, of another instance not", async () => {
    const explained = (instance: string): Rows =>
      warmedStarts(new Rows(), 3)
        .request(instance, 2 * HOUR + 5, "/stocks", { operation_Id: "user" })
        .dependency("w-1", 2 * HOUR - 1, "SELECT", { operation_Id: "user" })
        .trace("w-1", 2 * HOUR - 1, "routing", {}, { operation_Id: "user" });
    expect((await leaksOf(explained("w-1"))).verdict).toBe("clean");
    expect(codes(await leaksOf(explained("w-0")))).toEqual(["unknown-calls-during", "traces-during"]);
  });

  it("before a line without a duration may be the warm-up's", async () => {
    const rows = warmedStarts(new Rows(), 3).warmed("late", 9 * HOUR, { ms: null });
    rows
      .request("late", 9 * HOUR + 9, "/authors")
      .dependency("late", 9 * HOUR - 200, "SELECT")
      .trace("late", 9 * HOUR - 200, "routing", {}, { operation_Id: "wu" });
    const document = await leaksOf(rows);
    expect([codes(document), document.operations?.undated]).toEqual([["undated-operations"], 2]);
  });

  it.each(["", "a-guid"])(
    "as the path makes them without a known instance (%j) are not cleared",
    async (instance) => {
      const rows = warmedStarts(new Rows(), 3)
        .request("w-0", HOUR + 5_000, "/quotes/today", { operation_Id: "user" })
        .dependency("w-0", HOUR + 5_010, "SELECT quotes", { operation_Id: "user" })
        .dependency(instance, 2 * HOUR - 200, "GET /other");
      expect((await leaksOf(rows)).verdict).toBe("clean");
      rows.dependency(instance, 2 * HOUR - 200, "SELECT quotes");
      const document = await leaksOf(rows);
      expect([codes(document), document.operations?.stray]).toEqual([["calls-without-instance"], 1]);
    },
  );

  it("of which nobody knows whether the path makes them cannot be judged", async () => {
    const rows = warmedStarts(new Rows(), 3).dependency("w-1", 2 * HOUR - 200, "SELECT quotes");
    expect(codes(await leaksOf(rows))).toEqual(["unknown-calls-during"]);
  });

  it("user requests of other paths before the line leave the verdict open", async () => {
    const rows = warmedStarts(new Rows(), 3).request("w-1", 2 * HOUR - 200, "/stocks");
    expect(codes(await leaksOf(rows))).toEqual(["others-before-line"]);
  });
});

describe("metrics", () => {
  const NAME = "http.server.request.duration";
  /** One start of three user requests whose metric counts `count`. */
  function metered(
    rows: Rows,
    name: string,
    from: number,
    starts: number,
    count: number,
    route?: string,
  ): Rows {
    for (let i = 0; i < starts; i++) {
      const start = from + i * 600_000;
      rows.warmed(`${name}-${i}`, start);
      for (let j = 1; j <= 3; j++) rows.request(`${name}-${i}`, start + j * 1_000, "/quotes/today");
      rows.metric(
        `${name}-${i}`,
        start + 60_000,
        NAME,
        count,
        route === undefined ? {} : { "http.route": route },
      );
    }
    // An export after the last row of the data counts for nothing.
    const end = from + starts * 600_000 + 60_000;
    return rows.warmed(`${name}-end`, end).request(`${name}-end`, end + 1, "/authors");
  }

  it("count no more than the rows", async () => {
    const document = await leaksOf(metered(new Rows(), "s", HOUR, 3, 3, "quotes/today"));
    expect(document.metrics).toMatchObject([
      { name: NAME, scope: "route", since: { starts: 3, counted: 9, explained: 9, surplusPerStart: 0 } },
    ]);
    expect(document.verdict).toBe("clean");
  });

  it("of the path that count one more in each start are a leak", async () => {
    const document = await leaksOf(metered(new Rows(), "s", HOUR, 3, 4, "quotes/today"));
    expect(document.metrics[0]?.since).toMatchObject({
      surplusPerStart: 1,
      withSurplus: { count: 3, share: 1 },
    });
    expect(codes(document)).toEqual(["metric-surplus"]);
  });

  it("of all requests with a surplus need starts before to prove a leak, and are never clean", async () => {
    expect(codes(await leaksOf(metered(new Rows(), "s", HOUR, 3, 4)))).toEqual(["metric-unjudged"]);
    const same = metered(metered(new Rows(), "b", BEFORE, 5, 4), "s", HOUR, 5, 4);
    const before = await leaksOf(same, { since: SINCE });
    expect([codes(before), before.metrics[0]?.p]).toEqual([["metric-unjudged"], 1]);
    const more = metered(metered(new Rows(), "b", BEFORE, 5, 3), "s", HOUR, 5, 4);
    const after = await leaksOf(more, { since: SINCE });
    expect(after.metrics[0]?.p).toBeCloseTo(1 / 252, 12);
    expect(codes(after)).toEqual(["metric-surplus"]);
  });

  it.each(["", "a-guid"])("without a known instance (%j) cannot be compared with rows", async (instance) => {
    const rows = metered(new Rows(), "s", HOUR, 3, 3);
    rows.metric(instance, HOUR + 60_000, NAME, 40);
    const document = await leaksOf(rows);
    expect([codes(document), document.metrics[0]?.strayCount]).toEqual([["metric-without-instance"], 40]);
  });

  it("a surplus that no start alone shows counts once all together do", async () => {
    const rows = new Rows();
    // Each start: 2 ± 3 · sqrt(2) = 4.2, and 6 counted; forty of them: 160 more, ± 3 · sqrt(80) = 26.8.
    for (let i = 0; i < 40; i++) {
      rows.warmed(`s-${i}`, HOUR + i * 1_000, { ms: 1 });
      rows.request(`s-${i}`, HOUR + i * 1_000 + 5, "/authors", { itemCount: 2 });
      rows.metric(`s-${i}`, HOUR + i * 1_000 + 9, NAME, 6);
    }
    const document = await leaksOf(rows.request("s-0", 2 * HOUR, "/end"));
    expect(document.metrics[0]?.since).toMatchObject({ withSurplus: { count: 0 }, beyondError: true });
    expect(codes(document)).toEqual(["metric-unjudged"]);
  });

  it("a surplus within the error of sampling is none", async () => {
    const rows = new Rows().warmed("a", HOUR);
    // Two rows of weight 4: 8 ± sqrt(2 · 4 · 3); three standard errors are 14.7.
    for (const ms of [1_000, 2_000]) rows.request("a", HOUR + ms, "/authors", { itemCount: 4 });
    rows.metric("a", HOUR + 60_000, "requests/duration", 22).request("end", 2 * HOUR, "/authors");
    const { metrics } = await leaksOf(rows);
    expect(metrics[0]?.since).toMatchObject({ counted: 22, explained: 8, withSurplus: { count: 0 } });
  });

  it("exported after the last row count for nothing: their rows may not be in the data", async () => {
    const rows = new Rows().request("a", HOUR, "/authors").metric("a", HOUR + 60_000, NAME, 2);
    expect((await leaksOf(rows)).metrics[0]?.since).toMatchObject({ starts: 0, surplusPerStart: null });
  });

  it("take the instance from the dimensions where the column is empty, and count fewer as a deficit", async () => {
    const rows = new Rows().request("a", HOUR, "/authors").request("a", HOUR + 1, "/authors");
    rows.metric("", HOUR + 60_000, "requests/duration", 1, { "cloud/roleInstance": "a" });
    rows.metric("", HOUR + 60_000, "requests/duration", 1).request("end", 2 * HOUR, "/authors");
    const { metrics } = await leaksOf(rows);
    expect(metrics[0]).toMatchObject({ unusable: 1, since: { starts: 1, withDeficit: 1 } });
  });
});

describe("the line", () => {
  it("is read from its text, and one line a request is one warm-up", async () => {
    const rows = new Rows()
      .trace("a", HOUR, "Warm-up finished: outcome=warmed path=/quotes/today status=200 ms=300")
      .trace("a", HOUR + 500, 'warm-up finished: outcome=failed path="/authors" status=500 ms=450')
      .request("a", HOUR + 400, "/quotes/today");
    const document = await leaksOf(rows);
    expect(document.warmUp).toMatchObject({
      logged: { count: 1 },
      outcomes: [{ outcome: "failed", starts: 1 }],
      p50Ms: 800,
      paths: ["/authors", "/quotes/today"],
    });
    expect(document.requests.since.inside.byLine).toBe(1);
  });

  it("keeps the duration as it stands", async () => {
    const rows = new Rows().warmed("a", HOUR, { ms: 400.123456 }).request("a", HOUR + 1_000, "/authors");
    expect((await leaksOf(rows)).warmUp.p50Ms).toBe(400.123456);
  });

  it("is read by an expression with names", async () => {
    const rows = new Rows()
      .trace("a", HOUR, "[boot] warmed /quotes/today in 212 ms")
      .request("a", HOUR + 1, "/x");
    const document = await leaksOf(rows, {
      warmedMessage: "/(?<outcome>WARMED) (?<path>\\S+) in (?<ms>\\d+) ms/i",
    });
    expect(document.warmUp).toMatchObject({ p50Ms: 212, paths: ["/quotes/today"] });
    expect(document.verdict).toBe("clean");
  });

  it("of an instance without any row is a start too, and one without an instance is told", async () => {
    const document = await leaksOf(
      warmedStarts(new Rows(), 2)
        .warmed("quiet", 9 * HOUR)
        .warmed("", 9 * HOUR),
    );
    expect(document.warmUp).toMatchObject({ starts: 3, logged: { count: 3 }, linesWithoutInstance: 1 });
    expect(document.requests.since.starts).toBe(2);
  });

  it("of another role does not count", async () => {
    const rows = warmedStarts(new Rows(), 2).trace(
      "w-0",
      HOUR,
      "warm-up finished",
      {},
      { cloud_RoleName: "other" },
    );
    expect((await leaksOf(rows, { role: "quotes-api" })).warmUp.starts).toBe(2);
  });

  it("proves a birth that rows alone would leave in doubt", async () => {
    const doubtful = new Rows().request("a", HOUR, "/authors").request("b", HOUR + 1, "/authors");
    expect((await leaksOf(doubtful, { guard: "10m" })).starts.birthUnknown).toBe(2);
    const document = await leaksOf(doubtful.warmed("a", HOUR - 100), { guard: "10m" });
    expect([document.starts.birthUnknown, document.warmUp.starts]).toEqual([1, 1]);
  });
});
