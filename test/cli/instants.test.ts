import { describe, expect, it } from "vitest";
import { type Outcome, runReportJson, runWorld } from "./world.ts";

const HEADER = "timestamp,id,name,duration,itemCount,cloud_RoleInstance\n";

/** How the report names the instant that `--from` gives in a time zone; null where it is refused. */
async function instant(text: string, timezone: string): Promise<string | null | undefined> {
  const flags = ["--data", "-", `--from=${text}`, "--timezone", timezone];
  return (await runReportJson(flags, { stdin: HEADER })).document?.settings.from;
}

function refused(...flags: readonly string[]): Promise<Outcome> {
  return runWorld(["report", "--data", "-", ...flags], { stdin: HEADER });
}

function usage(line: string): Outcome {
  return { code: 2, stdout: "", stderr: `coldstart: ${line}\n` };
}

const VIENNA = "Europe/Vienna";

describe("instants", () => {
  it.each([
    ["2026-09-21T06:00:00Z", VIENNA, "2026-09-21T06:00:00Z"],
    ["2026-09-21T06:00:00+02:00", "Asia/Tokyo", "2026-09-21T04:00:00Z"],
    ["2026-09-21T06:00-0930", VIENNA, "2026-09-21T15:30:00Z"],
    ["2026-09-21T06:00+02", "UTC", "2026-09-21T04:00:00Z"],
  ])("%s is that instant whatever the zone (%s)", async (text, timezone, expected) => {
    expect(await instant(text, timezone)).toBe(expected);
  });

  it.each([
    ["2026-09-21T06:00", "UTC", "2026-09-21T06:00:00Z"],
    ["2026-09-21T06:00", VIENNA, "2026-09-21T04:00:00Z"],
    ["2026-12-21 06:00:00", VIENNA, "2026-12-21T05:00:00Z"],
    ["2026-09-21T06:00:00.5", "Asia/Kathmandu", "2026-09-21T00:15:00.500Z"],
    ["2026-09-21T06:00:00.123456789", VIENNA, "2026-09-21T04:00:00.1234567Z"],
    // The other ways of writing the same that are read: local as well.
    ["2026-09-21T06:00:00,5", VIENNA, "2026-09-21T04:00:00.500Z"],
    ["2026-09-21t06:00:00", VIENNA, "2026-09-21T04:00:00Z"],
  ])("%s is local time in %s", async (text, timezone, expected) => {
    expect(await instant(text, timezone)).toBe(expected);
  });

  it.each([
    ["2026-09-21", "UTC", "2026-09-21T00:00:00Z"],
    ["2026-09-21", VIENNA, "2026-09-20T22:00:00Z"],
    ["2026-12-21", VIENNA, "2026-12-20T23:00:00Z"],
    ["2028-02-29", "America/St_Johns", "2028-02-29T03:30:00Z"],
    // The clocks go from 00:00 to 01:00: midnight does not exist.
    ["2026-03-08", "America/Havana", "2026-03-08T05:00:00Z"],
    ["2018-11-04", "America/Sao_Paulo", "2018-11-04T03:00:00Z"],
    // They go back from 01:00 to 00:00: the first of two midnights.
    ["2026-11-01", "America/Havana", "2026-11-01T04:00:00Z"],
  ])("%s alone is the day's first moment in %s", async (text, timezone, expected) => {
    expect(await instant(text, timezone)).toBe(expected);
  });

  it.each([
    ["2026-03-29T01:59:59.9999999", VIENNA, "2026-03-29T00:59:59.9999999Z"],
    ["2026-03-29T02:00:00", VIENNA, null],
    ["2026-03-29T02:59:59.9999999", VIENNA, null],
    ["2026-03-29T03:00:00", VIENNA, "2026-03-29T01:00:00Z"],
    ["2026-03-08T00:00", "America/Havana", null],
    ["2026-10-25T01:59:59", VIENNA, "2026-10-24T23:59:59Z"],
    ["2026-10-25T02:00:00", VIENNA, null],
    ["2026-10-25T02:59:59", VIENNA, null],
    ["2026-10-25T03:00:00", VIENNA, "2026-10-25T02:00:00Z"],
    // Half an hour only.
    ["2026-04-05T01:29", "Australia/Lord_Howe", "2026-04-04T14:29:00Z"],
    ["2026-04-05T01:30", "Australia/Lord_Howe", null],
    ["2026-04-05T02:00", "Australia/Lord_Howe", "2026-04-04T15:30:00Z"],
    ["2026-10-25T02:30", "UTC", "2026-10-25T02:30:00Z"],
  ])("%s in %s is %s: skipped and repeated times are refused", async (text, timezone, expected) => {
    if (expected !== null) expect(await instant(text, timezone)).toBe(expected);
    else {
      expect(await refused("--from", text, "--timezone", timezone)).toEqual(
        usage(
          `--from: "${text}" does not name one moment in ${timezone}; give it with an offset, such as ${text}Z`,
        ),
      );
    }
  });

  it("an offset names one of two repeated times", async () => {
    expect(await instant("2026-10-25T02:30:00+02:00", VIENNA)).toBe("2026-10-25T00:30:00Z");
    expect(await instant("2026-10-25T02:30:00+01:00", VIENNA)).toBe("2026-10-25T01:30:00Z");
  });

  it.each([
    ...["2026-02-30", "2027-02-29", "2026-13-01", "2026-00-01", "2026-02-30T06:00", "2026-02-30T06:00:00Z"],
    ...["2026-09-21T24:00", "2026-09-21T06:60", "2026-09-21T06", "20260921", "21.9.2026", "9/21/2026"],
    ...["yesterday", "now", "1789966800", "", "2026-09-21T06:00:00 Europe/Vienna", "2026-09-21T06:00+25:00"],
  ])("%j is no instant", async (text) => {
    expect(await refused(`--from=${text}`)).toEqual(
      usage(`--from: "${text}" is no instant; write ISO 8601, such as 2026-09-21 or 2026-09-21T06:00:00Z`),
    );
  });

  it.each([
    ["--from", "2026-02-30"],
    ["--to", "2026-02-30"],
    ["--deployed-at", "2026-02-30"],
    ["--before", "2026-02-28..2026-02-30"],
    ["--after", "2026-02-30..2026-03-10"],
  ])("%s names itself", async (option, text) => {
    const ranges = { "--before": "2026-01-01..2026-01-02", "--after": "2026-05-01..2026-05-02" };
    const others = Object.entries(ranges).filter(([name]) => option in ranges && name !== option);
    const { code, stderr } = await refused(option, text, ...others.flat());
    expect(code).toBe(2);
    expect(stderr).toMatch(new RegExp(`^coldstart: ${option}: "2026-02-30" is no instant; .*\\n$`));
  });
});

describe("windows", () => {
  const zone = ["--timezone", VIENNA];

  it("the ends of ranges are local too, and may meet", async () => {
    const flags = ["--before", "2026-03-22..2026-03-29", "--after", "2026-03-29..2026-04-05", ...zone];
    const { document } = await runReportJson(["--data", "-", ...flags], { stdin: HEADER });
    expect(document?.cohorts.map(({ name, from, to }) => [name, from, to])).toEqual([
      ["before", "2026-03-21T23:00:00Z", "2026-03-28T23:00:00Z"],
      // That day has 23 hours.
      ["after", "2026-03-28T23:00:00Z", "2026-04-04T22:00:00Z"],
    ]);
  });

  it("a deployment splits the window, open ends stay open", async () => {
    const flags = ["--deployed-at", "2026-09-21T08:00", "--to", "2026-09-28", ...zone];
    const { document } = await runReportJson(["--data", "-", ...flags], { stdin: HEADER });
    expect(document?.cohorts.map(({ name, from, to }) => [name, from, to])).toEqual([
      ["before", null, "2026-09-21T06:00:00Z"],
      ["after", "2026-09-21T06:00:00Z", "2026-09-27T22:00:00Z"],
    ]);
  });

  it.each([
    ["--from 2026-09-28 --to 2026-09-21", "--from must be earlier than --to"],
    ["--from 2026-09-21 --to 2026-09-21", "--from must be earlier than --to"],
    ["--from 2026-09-21 --deployed-at 2026-09-21", "--deployed-at must lie between --from and --to"],
    ["--to 2026-09-21 --deployed-at 2026-09-21", "--deployed-at must lie between --from and --to"],
    [
      "--before 2026-09-08..2026-09-01 --after 2026-09-10..2026-09-12",
      "--before: the range ends before it begins",
    ],
    [
      "--before 2026-09-01..2026-09-08 --after 2026-09-07..2026-09-12",
      "--before must end before --after begins",
    ],
  ])("%s is refused", async (flags, line) => {
    expect(await refused(...flags.split(" "))).toEqual(usage(line));
  });
});

describe("time zones", () => {
  it.each(["Europe/Wien", "CET+1", "+02:00", "", "Vienna"])("%j is none", async (name) => {
    expect(await refused(`--timezone=${name}`)).toEqual(
      usage(`--timezone: "${name}" is no IANA time zone; write it like Europe/Vienna`),
    );
  });
});
