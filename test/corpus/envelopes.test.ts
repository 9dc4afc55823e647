import { describe, expect, it } from "vitest";
import { lines } from "../cli/world.ts";
import { buckets, documentOf, expectRows, NO_GUARD, reportOn, warningCounts } from "./cases.ts";

describe("envelopes of the Application Insights SDKs", () => {
  it("30: the debug output's prefix is taken off", async () => {
    const outcome = await reportOn(["30-dotnet-debug-prefixed-envelopes.txt"]);
    expect(outcome.code).toBe(0);
    expectRows(outcome, { read: 1, user: 1 });
    const document = documentOf(outcome);
    expect(document.inputs[0]).toMatchObject({ form: "envelopes", rows: 1, otherRows: 1 });
    expect(buckets(document)).toEqual({ 1: [1, 1, 4.5034] });
    expect(document.cohorts[0]!.firstRequest.failed.count).toBe(1);
  });

  // The corpus counts two requests; by the definitions the second row, without URL, verb and HTTP code,
  // is of kind `other` and no user request.
  it("32: a batch of every type holds two requests, neither with an instance", async () => {
    const outcome = await reportOn(["32-breeze-array-mixed-types.json"]);
    expectRows(outcome, { read: 2, other: 1, user: 1, noInstance: 1 });
    const document = documentOf(outcome);
    expect(document.inputs[0]).toMatchObject({ rows: 2, otherRows: 4 });
    expect(document.cohorts[0]!.instances.total).toBe(0);
    expect(outcome.code).toBe(3);
    expect(warningCounts(document)).toMatchObject({ "no-instance": 1 });
  });

  it("32: where no user request has an instance, the reason says so", async () => {
    const { stderr } = await reportOn(["32-breeze-array-mixed-types.json"]);
    const reason = lines(stderr).filter((line) => line.startsWith("coldstart: "));
    expect(reason).toHaveLength(1);
    // Neither a wider window nor system logs would help.
    expect(reason[0]).toMatch(/role instance/);
    expect(reason[0]).not.toMatch(/widen the window/);
  });

  it("32: six fraction digits and days are read", async () => {
    const outcome = await reportOn(["32-breeze-array-mixed-types.json"], ["--threshold", "2300ms"]);
    expect(documentOf(outcome).requests).toEqual({ observed: 1, estimated: 1 });
    expectRows(outcome, { read: 2, other: 1, user: 1, noInstance: 1 });
  });

  it("34: a server span without URL and code is a request by its name; 0 ms and a day are durations", async () => {
    const outcome = await reportOn(["34-breeze-opencensus-python.ndjson"]);
    expect(outcome.code).toBe(0);
    // The four rows share one id, but not one start, so none is a duplicate.
    expectRows(outcome, { read: 4, user: 4 });
    const document = documentOf(outcome);
    expect(buckets(document)).toEqual({
      1: [1, 1, 111],
      2: [1, 1, 111],
      3: [1, 1, 86_400_000],
      "4-5": [1, 1, 0],
    });
    expect(warningCounts(document)).toEqual({ "over-ingress-timeout": 1 });
  });

  it("36: 99.99 % means that all is kept; 100 / rate rounds to 1, 3, 1, 2, 27", async () => {
    const outcome = await reportOn(["36-breeze-java-sample-rates.ndjson"]);
    expect(outcome.code).toBe(0);
    const document = documentOf(outcome);
    expect(document.requests).toEqual({ observed: 5, estimated: 34 });
    expect(document.cohorts[0]!.firstRequest.certainOrder).toEqual({ count: 1, share: 1 });
    expect(buckets(document)).toEqual({
      1: [1, 1, 4100],
      2: [1, 3, 50],
      "4-5": [1, 1, 60],
      "6-10": [2, 29, 30],
    });
    // Nothing says "sampled" of the first row: there is no contradiction to warn of.
    expect(warningCounts(document)).toEqual({});
  });

  it("38: an item count of 1 beside a sample rate below 100 gives way to the rate, and that is said", async () => {
    const outcome = await reportOn(["38-rows-itemcount-1-with-sample-rate.json"]);
    expect(outcome.code).toBe(0);
    const document = documentOf(outcome);
    expect(document.requests.observed).toBe(6);
    expect(document.requests.estimated).toBeCloseTo(1 + 2 * (100 / 24.87) + 4 + 100 / 33.33 + 1, 9);
    expect(warningCounts(document)).toMatchObject({ "item-count-ignores-sampling": 3 });
    expect(document.cohorts[0]!.firstRequest.certainOrder.count).toBe(1);
  });

  it("40: consumer spans are no user requests, and the first of them warmed the process", async () => {
    const outcome = await reportOn(["40-breeze-consumer-spans.ndjson"]);
    expect(outcome.code).toBe(0);
    expectRows(outcome, { read: 7, consumer: 6, user: 1 });
    const document = documentOf(outcome);
    expect(buckets(document)).toEqual({ 1: [1, 1, 310] });
    expect(document.cohorts[0]!.instances.warmedBy).toEqual({
      nothing: 0,
      probe: 0,
      synthetic: 0,
      consumer: 1,
      other: 0,
    });
  });

  it("42: six durations are valid, eleven are malformed, none is guessed", async () => {
    const outcome = await reportOn(["42-breeze-weird-durations.ndjson"], [...NO_GUARD, "--verbose"]);
    expect(outcome.code).toBe(0);
    expectRows(outcome, { read: 17, malformed: 11, user: 6 });
    expect(buckets(documentOf(outcome))).toEqual({
      1: [1, 1, 0],
      2: [1, 1, 0],
      3: [1, 1, 86_400_000],
      "4-5": [2, 2, 145],
      "6-10": [1, 1, 500],
    });
  });

  it("42: --verbose names the malformed rows", async () => {
    const outcome = await reportOn(["42-breeze-weird-durations.ndjson"], [...NO_GUARD, "--verbose"]);
    const rows = [...outcome.stderr.matchAll(/^malformed: .*, row (\d+): /gm)].map((match) =>
      Number(match[1]),
    );
    expect(rows.length).toBeGreaterThan(0);
    const wrong = [3, 4, 8, 9, 10, 11, 12, 13, 14, 16, 17];
    expect(rows).toEqual(wrong.slice(0, rows.length));
  });

  it("44: one request that five hosts of a process sent is counted once", async () => {
    const outcome = await reportOn(["44-breeze-five-webhosts-same-request.ndjson"]);
    expect(outcome.code).toBe(0);
    expectRows(outcome, { read: 5, duplicate: 4, user: 1 });
    // The earliest row stays.
    expect(buckets(documentOf(outcome))).toEqual({ 1: [1, 1, 100] });
  });
});
