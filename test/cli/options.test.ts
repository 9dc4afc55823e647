import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ReportDocument, SettingsDocument } from "../../src/report/document.ts";
import { type Outcome, runReportJson, runWorld } from "./world.ts";

/** One user request on a Monday, at 23:30 in Vienna. */
const ROWS = `timestamp,id,name,duration,itemCount,cloud_RoleInstance
2026-10-26T22:30:00Z,a,GET /a,2500,1,i-1
`;

async function reportWith(...flags: readonly string[]): Promise<ReportDocument> {
  const { document, stderr } = await runReportJson(["--data", "-", ...flags], { stdin: ROWS });
  if (document === null) throw new Error(`no document was printed: ${stderr}`);
  return document;
}

async function settingsOf(...flags: readonly string[]): Promise<SettingsDocument> {
  return (await reportWith(...flags)).settings;
}

/** Standard input holds rows, so that a run that goes on in spite of its options ends otherwise. */
function refused(...flags: readonly string[]): Promise<Outcome> {
  return runWorld(["report", "--data", "-", ...flags], { stdin: ROWS });
}

function usage(line: string): Outcome {
  return { code: 2, stdout: "", stderr: `coldstart: ${line}\n` };
}

it("without options the settings are the documented ones", async () => {
  expect(await settingsOf()).toEqual({
    from: null,
    to: null,
    deployedAt: null,
    role: null,
    revision: null,
    container: null,
    timezone: "UTC",
    days: "all",
    holidays: [],
    thresholdMs: 2000,
    guardMinutes: 10,
    probePaths: [
      ...["/alive", "/health", "/healthz", "/health/live", "/health/ready", "/health/startup", "/livez"],
      ...["/ready", "/readyz", "/startupz"],
      ...["/actuator/health", "/actuator/health/liveness", "/actuator/health/readiness"],
    ],
    weight: "auto",
    seed: 1,
    resamples: 9999,
    quantileDefinition: "inverse-ecdf",
  });
});

it("every other setting is the one that was given", async () => {
  const flags =
    "--role r --revision v --container c --timezone Asia/Kathmandu --days weekdays --weight item-count";
  const given = await settingsOf(...flags.split(" "), "--probe-path", "/up/", "--probe-path", "/Ready");
  expect(given).toMatchObject({ role: "r", revision: "v", container: "c", timezone: "Asia/Kathmandu" });
  expect(given).toMatchObject({ days: "weekdays", weight: "item-count", probePaths: ["/up/", "/Ready"] });
});

describe("durations", () => {
  it.each([
    ["2s", 2000],
    ["1500ms", 1500],
    ["0.5ms", 0.5],
    ["1.1s", 1100],
    // In doubles 1004.9999999999999.
    ["1.005s", 1005],
    ["10m", 600_000],
    ["1h", 3_600_000],
    ["2d", 172_800_000],
    ["1.5h", 5_400_000],
    ["0s", 0],
    [" 2s ", 2000],
  ])("%j is %d ms", async (text, ms) => {
    expect((await settingsOf("--threshold", text)).thresholdMs).toBe(ms);
    expect((await settingsOf("--guard", text)).guardMinutes).toBe(ms / 60_000);
  });

  it.each(["2", "", "s", "2 s", "2S", "2w", "-2s", "+2s", ".5s", "2.s", "1,5s", "1e3ms", "1m30s", "NaNs"])(
    "%j is none",
    async (text) => {
      for (const option of ["--threshold", "--guard"]) {
        expect(await refused(`${option}=${text}`)).toEqual(
          usage(`${option}: "${text}" is no duration; write it with its unit, such as 2s, 1500ms or 10m`),
        );
      }
    },
  );

  it("the threshold is exceeded only by what is longer", async () => {
    const over = async (threshold: string): Promise<number> =>
      (await reportWith("--guard", "0s", "--threshold", threshold)).cohorts[0]!.firstRequest.overThreshold
        .count;
    expect(await over("2500ms")).toBe(0);
    expect(await over("2499.999ms")).toBe(1);
  });
});

describe("seeds", () => {
  it.each(["0", "7", "2147483647"])("%s is taken", async (seed) => {
    expect((await settingsOf("--seed", seed)).seed).toBe(Number(seed));
  });

  it.each(["-1", "1.5", "2147483648", "one", "NaN", "Infinity"])("%s is refused", async (seed) => {
    expect(await refused(`--seed=${seed}`)).toEqual(
      usage(`--seed: "${seed}" is no whole number from 0 to 2147483647`),
    );
  });

  it("the same seed gives the same bytes, another one another interval and nothing else", async () => {
    const data = ["--data", "fixtures/examples/requests.csv", "--deployed-at", "2026-09-21T06:00:00Z"];
    const once = await runReportJson([...data, "--seed", "7"]);
    expect(await runReportJson([...data, "--seed", "7"])).toEqual(once);
    const other = (await runReportJson([...data, "--seed", "9"])).document!;
    const { document } = once;
    const interval = other.comparison!.firstRequest.p50DeltaCi95Ms;
    expect(interval).not.toEqual(document!.comparison!.firstRequest.p50DeltaCi95Ms);
    document!.comparison!.firstRequest.p50DeltaCi95Ms = interval;
    document!.settings.seed = 9;
    expect(other).toEqual(document);
  });
});

describe("holidays", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "coldstart-holidays-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function file(text: string): string {
    const path = join(folder, "holidays.txt");
    writeFileSync(path, text);
    return path;
  }

  it("dates come from lists and files together, sorted, each once", async () => {
    const path = file(
      "\uFEFF2026-12-08 # Immaculate Conception\r\n\r\n# later\r\n2026-10-26\n  2026-11-01  ",
    );
    const { holidays } = await settingsOf("--holidays", "2026-12-25, 2026-10-26,", "--holidays", path);
    expect(holidays).toEqual(["2026-10-26", "2026-11-01", "2026-12-08", "2026-12-25"]);
  });

  it("a file may hold none", async () => {
    expect((await settingsOf("--holidays", file("# none this year\n"))).holidays).toEqual([]);
  });

  it("a holiday is the local day of the first request, and counts as weekend", async () => {
    const flags = ["--guard", "0s", "--holidays", "2026-10-26"];
    const instances = async (...more: string[]): Promise<unknown> =>
      (await reportWith(...flags, ...more)).cohorts[0]!.instances;
    const vienna = ["--timezone", "Europe/Vienna"];
    expect(await instances(...vienna)).toMatchObject({ total: 1, weekday: 0, weekend: 1 });
    expect(await instances(...vienna, "--days", "weekdays")).toMatchObject({ total: 0 });
    // There the request came on Tuesday, the 27th.
    expect(await instances("--timezone", "Asia/Tokyo")).toMatchObject({ total: 1, weekday: 1, weekend: 0 });
  });

  it.each(["2026-13-01", "2026-00-10", "2026-10-32", "2026-02-30", "2026-1-6", "20261026"])(
    "%s is no date, in a list or in a file",
    async (date) => {
      const line = usage(`--holidays: "${date}" is no date; write YYYY-MM-DD`);
      expect(await refused("--holidays", `2026-10-26,${date}`)).toEqual(line);
      expect(await refused("--holidays", file(`2026-10-26\n${date}\n`))).toEqual(line);
    },
  );

  it.each(["", "no-such-file.txt", "fixtures"])(
    "%j is neither a list nor a file that can be read",
    async (path) => {
      const line = `--holidays: "${path}" is neither a list of dates (YYYY-MM-DD,…) nor a readable file`;
      expect(await refused(`--holidays=${path}`)).toEqual(usage(line));
    },
  );
});
