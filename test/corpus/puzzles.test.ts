import { afterEach, describe, expect, it } from "vitest";
import { buckets, documentOf, expectRows, NO_GUARD, reportOn, warningCounts } from "./cases.ts";

describe("figures that came out wrong elsewhere", () => {
  it("90: probes and messages are set aside before rows are weighted", async () => {
    const outcome = await reportOn(["90-requests-sampled-probes-consumers.csv"]);
    expect(outcome.code).toBe(0);
    expectRows(outcome, { read: 19, consumer: 2, probe: 10, user: 7 });
    const document = documentOf(outcome);
    expect(document.requests).toEqual({ observed: 7, estimated: 49 });
    const [cohort] = document.cohorts;
    expect(cohort!.firstRequest).toMatchObject({ n: 1, p50Ms: 2010.5, certainOrder: { count: 1, share: 1 } });
    expect(cohort!.instances.warmedBy.nothing).toBe(1);
    // The orders are 1, 2, 10, 18, 26, 34 and 42.
    expect(buckets(document)).toEqual({
      1: [1, 1, 2010.5],
      2: [1, 8, 10],
      "6-10": [1, 8, 11],
      "11-20": [1, 8, 12],
      "21-100": [3, 24, 14],
    });
    // Only the orders 2 and 10 are early; the first request's end is at 2.0105 s, past the second's start.
    expect(cohort!.overlap).toMatchObject({ n: 1, perInstance: 8, p50Ms: 10 });
    expect(cohort!.afterFirst).toMatchObject({ n: 1, p50Ms: 11 });
  });

  it("90: without --probe-path rules of their own the probes would be requests", async () => {
    const outcome = await reportOn(
      ["90-requests-sampled-probes-consumers.csv"],
      [...NO_GUARD, "--probe-path", "/none"],
    );
    expectRows(outcome, { read: 19, consumer: 2, user: 17 });
    expect(documentOf(outcome).requests.estimated).toBe(129);
  });

  it("92: huge, fractional and impossible item counts are used or left out, each with a word", async () => {
    const outcome = await reportOn(["92-requests-itemcount-odd.csv"]);
    expect(outcome.code).toBe(0);
    expectRows(outcome, { read: 7, user: 7 });
    const document = documentOf(outcome);
    // 1000 + 2000 + 1 (zero) + 1 (blank) + 1 (negative) + 3.5 + 1 ("1,000" is no number)
    expect(document.requests).toEqual({ observed: 7, estimated: 3007.5 });
    expect(warningCounts(document)).toMatchObject({
      "large-item-count": 2,
      "invalid-item-count": 3,
      "fractional-item-count": 1,
    });
    // The blank one alone: the three that count as absent have their own warning.
    expect(warningCounts(document)["no-item-count"]).toBe(1);
    expect(outcome.stderr).toMatch(/2,000/);
    expect(document.cohorts[0]!.firstRequest.certainOrder).toEqual({ count: 0, share: 0 });
  });

  it("94: all that waited for the start are affected, in the order of arrival", async () => {
    const outcome = await reportOn(["94-requests-concurrent-cold.csv"]);
    expect(outcome.code).toBe(0);
    const [cohort] = documentOf(outcome).cohorts;
    expect(cohort!.firstRequest).toMatchObject({ n: 1, p50Ms: 3900 });
    expect(cohort!.second.overlapping).toMatchObject({ n: 1, p50Ms: 3850 });
    expect(cohort!.second.sequential.n).toBe(0);
    expect(cohort!.overlap).toMatchObject({ n: 4, perInstance: 4, p50Ms: 3750 });
    expect(cohort!.afterFirst).toMatchObject({ n: 2, p50Ms: 11 });
    expect(cohort!.slowEarlyPerInstance).toBe(5);
  });

  // The corpus wants one call; by the definitions rows of two instances are no duplicates, so both stay
  // and a warning says that the host and its worker may have written one call twice.
  it("96: host and worker are told of, not merged", async () => {
    const outcome = await reportOn(["96-requests-host-and-worker.csv"]);
    expectRows(outcome, { read: 2, user: 2 });
    expect(warningCounts(documentOf(outcome))).toMatchObject({ "functions-host-and-worker": 1 });
    expect(outcome.stderr).toMatch(/host and .*may be counted/);
  });

  it("98: offsets are honoured", async () => {
    const outcome = await reportOn(["98-requests-offsets-and-dst.csv"]);
    expect(outcome.code).toBe(0);
    const document = documentOf(outcome);
    expect(buckets(document)).toEqual({ 1: [1, 1, 1900], 2: [1, 1, 12], 3: [1, 1, 13] });
    // Two seconds lie between the first and the last: two arrivals in them.
    expect(document.cohorts[0]!.arrivals.firstTenSecondsPerSecond).toBe(1);
    expect(warningCounts(document)).not.toHaveProperty("no-time-zone");
    const window = ["--from", "2025-09-15T10:20:01Z", "--to", "2025-09-15T10:20:02Z"];
    const parted = await reportOn(["98-requests-offsets-and-dst.csv"], [...NO_GUARD, ...window]);
    expectRows(parted, { read: 3, outsideWindow: 2, user: 1 });
  });

  describe("98: times without a zone", () => {
    const before = process.env.TZ;
    afterEach(() => {
      if (before === undefined) delete process.env.TZ;
      else process.env.TZ = before;
    });

    it.each(["UTC", "Europe/Vienna", "America/New_York", "Asia/Kolkata"])(
      "are UTC and that is said, on a machine in %s",
      async (zone) => {
        process.env.TZ = zone;
        const outcome = await reportOn(["98-requests-local-time-no-zone.csv"]);
        expect(outcome.code).toBe(0);
        const document = documentOf(outcome);
        // 02:00:01, 02:30:00, 02:59:59
        expect(buckets(document)).toEqual({ 1: [1, 1, 13], 2: [1, 1, 1900], 3: [1, 1, 12] });
        expect(document.cohorts[0]!.arrivals.firstTenSecondsPerSecond).toBe(0);
        expect(document.cohorts[0]!.lifetime.p50Minutes).toBeCloseTo(59 + 58.012 / 60, 9);
        expect(warningCounts(document)).toMatchObject({ "no-time-zone": 3 });
      },
    );

    it("are not read in --timezone either, which is for days and the command's own times", async () => {
      const flags = [...NO_GUARD, "--timezone", "Europe/Vienna", "--from", "2026-10-25T02:30:00Z"];
      const outcome = await reportOn(["98-requests-local-time-no-zone.csv"], flags);
      expectRows(outcome, { read: 3, outsideWindow: 1, user: 2 });
    });
  });

  it("100: one user request of six; the availability test met the cold start", async () => {
    const outcome = await reportOn(["100-requests-synthetic.csv"]);
    expect(outcome.code).toBe(0);
    expectRows(outcome, { read: 6, synthetic: 3, probe: 2, user: 1 });
    const [cohort] = documentOf(outcome).cohorts;
    expect(cohort!.firstRequest).toMatchObject({ n: 1, p50Ms: 14 });
    expect(cohort!.instances.warmedBy).toMatchObject({ nothing: 0, synthetic: 1 });
  });

  it("102: connections and polls that last for their own sake are kept out", async () => {
    const outcome = await reportOn(["102-requests-long-running.csv"]);
    expect(outcome.code).toBe(0);
    expectRows(outcome, { read: 4, consumer: 1, other: 1, user: 2 });
    const document = documentOf(outcome);
    expect(buckets(document)).toEqual({ 1: [1, 1, 1700], 2: [1, 1, 11] });
    expect(warningCounts(document)).not.toHaveProperty("over-ingress-timeout");
  });
});
