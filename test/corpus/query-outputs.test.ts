import { describe, expect, it } from "vitest";
import { lines, runReportJson } from "../cli/world.ts";
import { buckets, documentOf, expectRows, reportOn, warningCounts } from "./cases.ts";

describe("outputs of query commands and portals with request rows", () => {
  it("01: without the instance column no ranking is invented; the missing column is named", async () => {
    const outcome = await reportOn(["01-ai-query-cli-projected.json"]);
    expect(outcome.code).toBe(4);
    expect(outcome.stdout).toBe("");
    expect(lines(outcome.stderr)).toHaveLength(1);
    expect(outcome.stderr).toContain("01-ai-query-cli-projected.json");
    expect(outcome.stderr).toContain("cloud_RoleInstance");
    expect(outcome.stderr).toContain("AppRoleInstance");
  });

  it("03: texts become numbers, and the word None a missing value", async () => {
    const outcome = await reportOn(["03-la-query-cli-all-strings.json"]);
    expect(outcome.code).toBe(0);
    expectRows(outcome, { read: 4, malformed: 1, user: 3, noInstance: 1 });
    const document = documentOf(outcome);
    expect(document.inputs[0]).toMatchObject({ form: "log-analytics-cli", rows: 4, partial: false });
    expect(document.requests).toEqual({ observed: 3, estimated: 17 });
    expect(document.cohorts[0]!.instances.total).toBe(1);
    expect(buckets(document)).toEqual({ 1: [1, 1, 2381.4417], 2: [1, 8, 12.4117] });
    expect(document.cohorts[0]!.firstRequest.failed).toEqual({ count: 0, share: 0 });
    expect(warningCounts(document)).toEqual({
      "malformed-rows": 1,
      "no-instance": 1,
      "no-id": 3,
      "truncation-invisible": 1,
    });
  });

  it("08: of Kusto v2 frames only the primary result is read", async () => {
    const outcome = await reportOn(["08-kusto-v2-frames.json"]);
    expect(outcome.code).toBe(0);
    expectRows(outcome, { read: 3, malformed: 1, user: 2 });
    const document = documentOf(outcome);
    expect(document.inputs[0]).toMatchObject({ form: "kusto-v2", rows: 3, otherRows: 0, partial: false });
    expect(document.requests).toEqual({ observed: 2, estimated: 6 });
    expect(buckets(document)).toEqual({ 1: [1, 1, 3140], 2: [1, 5, 2.71] });
  });

  it("10: an error object beside the rows makes the input partial, with its inner message", async () => {
    const outcome = await reportOn(["10-rest-partial-error.json"]);
    expect(outcome.code).toBe(4);
    expectRows(outcome, { read: 2, user: 2 });
    expect(documentOf(outcome).inputs[0]!.partial).toBe(true);
    const fault = lines(outcome.stderr).filter((line) => line.startsWith("coldstart: "));
    expect(fault).toHaveLength(1);
    for (const part of [
      "PartialError",
      "The results of this query exceed the set limit of 2 records.",
      "-2133196797",
      "Error",
    ]) {
      expect(fault[0]).toContain(part);
    }
  });

  it("10: the file is named once, in the reason for the exit code, and the fault is told once", async () => {
    const outcome = await reportOn(["10-rest-partial-error.json"]);
    expect(warningCounts(documentOf(outcome))).toEqual({ "no-id": 2, "partial-input": 1 });
    const told = lines(outcome.stderr);
    expect(told.map((line) => line.split(": ")[0])).toEqual(["warning", "coldstart"]);
    expect(told.map((line) => line.split("10-rest-partial-error.json").length - 1)).toEqual([0, 1]);
  });

  it("12: NaN and the infinities, which arrive as text, are malformed", async () => {
    const outcome = await reportOn(["12-rest-nan-infinity-strings.json"]);
    expect(outcome.code).toBe(0);
    expectRows(outcome, { read: 5, malformed: 3, user: 2 });
    expect(buckets(documentOf(outcome))).toEqual({ 1: [1, 1, 1893.2], 2: [1, 1, 11.5] });
    expect(outcome.stdout).not.toMatch(/NaN|Infinity/);
  });

  it("14: a status row says that the service cut the result", async () => {
    const outcome = await reportOn(["14-kusto-v1-status-table-truncated.json"]);
    expect(outcome.code).toBe(4);
    // The status rows are no requests, nor do they count as rows of another kind that someone exported.
    expectRows(outcome, { read: 2, user: 2 });
    expect(documentOf(outcome).inputs[0]).toMatchObject({ form: "kusto-v1", rows: 2, partial: true });
    expect(outcome.stderr).toContain("E_QUERY_RESULT_SET_TOO_LARGE");
  });

  it("20: diagnostic records have `time`, an object of properties, and typed values", async () => {
    const outcome = await reportOn(["20-eventhub-records-apprequests.json"]);
    expect(outcome.code).toBe(0);
    expectRows(outcome, { read: 2, user: 2 });
    expect(buckets(documentOf(outcome))).toEqual({ 1: [1, 1, 9.1593], 2: [1, 1, 3.2] });
    // The time comes from `time`: a window between the two rows parts them.
    const parted = await reportOn(
      ["20-eventhub-records-apprequests.json"],
      ["--from", "2021-04-29T22:41:14.1238382Z", "--guard", "0s"],
    );
    expectRows(parted, { read: 2, outsideWindow: 1, user: 1 });
  });

  it("22: continuous export holds ticks of 100 ns, and count is 100 / samplingRate", async () => {
    const outcome = await reportOn(["22-continuous-export-requests.ndjson"]);
    expect(outcome.code).toBe(0);
    expectRows(outcome, { read: 4, synthetic: 1, user: 3 });
    const document = documentOf(outcome);
    expect(document.requests).toEqual({ observed: 3, estimated: 6 });
    expect(buckets(document)).toEqual({
      1: [1, 1, 2104.6804],
      2: [1, 4, 104.6804],
      "6-10": [1, 1, 247.5921],
    });
  });

  it("24: bins of a summarize are no rows", async () => {
    const outcome = await reportOn(["24-rest-bins-unordered.json"]);
    expect(outcome.code).toBe(4);
    expect(outcome.stdout).toBe("");
    expect(lines(outcome.stderr)).toHaveLength(1);
    expect(outcome.stderr).toMatch(/summarised.*count_/);
  });

  it("05: a text table of an unknown query is refused, with the way out", async () => {
    const outcome = await reportOn(["05-la-query-o-table.txt"]);
    expect(outcome.code).toBe(4);
    expect(lines(outcome.stderr)).toHaveLength(1);
    expect(outcome.stderr).toContain("-o json");
  });

  it("108: header names are trimmed and folded, booleans read in lower case", async () => {
    const outcome = await reportOn(["108-requests-mixed-casing-headers.csv"]);
    expect(outcome.code).toBe(0);
    expectRows(outcome, { read: 2, user: 2 });
    const document = documentOf(outcome);
    expect(document.requests).toEqual({ observed: 2, estimated: 9 });
    expect(buckets(document)).toEqual({ 1: [1, 1, 2381.4], 2: [1, 8, 12.4] });
    expect(document.cohorts[0]!.firstRequest.failed).toEqual({ count: 0, share: 0 });
    // The second row alone is a failure: `false` was read from text.
    const second = await reportOn(
      ["108-requests-mixed-casing-headers.csv"],
      ["--from", "2026-09-10T06:40:02Z", "--guard", "0s"],
    );
    expect(documentOf(second).requests).toEqual({ observed: 1, estimated: 8 });
  });

  it.each([
    ["104: 10,000 rows, the portal's old limit", 10_000],
    ["104: 30,000 rows, the portal's limit", 30_000],
  ])("%s, are probably cut, and that is said", async (_, n) => {
    const { document, stderr } = await runReportJson(["--data", "-", "--guard", "0s"], {
      stdin: generated(n),
    });
    expect(document?.rows).toMatchObject({ read: n, user: n });
    expect(document?.inputs[0]?.warnings.map(({ code }) => code)).toContain("row-cap");
    expect(stderr).toMatch(/rows are probably missing/);
  });

  it("104: the API's limit of 500,000 rows is known too", async () => {
    const { document } = await runReportJson(["--data", "-", "--guard", "0s"], { stdin: generated(500_000) });
    expect(document?.inputs[0]?.warnings.map(({ code }) => code)).toContain("row-cap");
  });

  it("104: one row more or less is no limit", async () => {
    for (const n of [29_999, 30_001]) {
      const { code, document } = await runReportJson(["--data", "-", "--guard", "0s"], {
        stdin: generated(n),
      });
      expect(code).toBe(0);
      expect(document?.inputs[0]?.warnings.map(({ code }) => code)).not.toContain("row-cap");
    }
  });
});

/** Case 104: rows 1 ms apart, in turn of three instances, each of 10 ms. */
function generated(n: number): string {
  const rows = ["timestamp,name,duration,success,resultCode,itemCount,cloud_RoleInstance"];
  const begin = Date.UTC(2026, 8, 10, 6);
  for (let i = 0; i < n; i++) {
    rows.push(`${new Date(begin + i).toISOString()},GET /a,10,True,200,1,i-${i % 3}`);
  }
  return `${rows.join("\n")}\n`;
}
