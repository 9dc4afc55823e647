import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type VerdictDocument, verdictSchema } from "../../src/report/verdict-document.ts";
import { runWorld } from "./world.ts";

/** Data that look like a success and are none: each of these once passed. */
const DEPLOYED_AT = "2026-09-21T06:00:00Z";
const T0 = Date.parse("2026-09-21T07:00:00Z");

interface Row {
  readonly at: number;
  readonly instance: string;
  readonly ms: number | string;
  readonly role?: string;
  readonly itemCount?: number;
  readonly success?: string | null;
  readonly synthetic?: string;
  readonly path?: string;
}

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "coldstart-honesty-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

let id = 0;
function line(row: Row): string {
  const { success = "True" } = row;
  return JSON.stringify({
    timestamp: new Date(row.at).toISOString(),
    id: `r${id++}`,
    name: `GET ${row.path ?? "/q"}`,
    url: `https://h.test${row.path ?? "/q"}`,
    ...(success === null ? {} : { success }),
    resultCode: "200",
    duration: row.ms,
    itemCount: row.itemCount ?? 1,
    cloud_RoleName: row.role ?? "app",
    cloud_RoleInstance: row.instance,
    operation_Id: `o${id}`,
    operation_SyntheticSource: row.synthetic ?? "",
  });
}

/** One row three days before the deployment, so that the data's start casts no doubt, and a guard's worth before it. */
const EARLIER: Row[] = [
  { at: T0 - 3 * 86_400_000, instance: "old", ms: 30 },
  { at: Date.parse(DEPLOYED_AT) - 120_000, instance: "old", ms: 30 },
];

function fleet(n: number, ms: number, more: Partial<Row> = {}, from = T0): Row[] {
  return Array.from({ length: n }, (_, i) => ({ at: from + i * 600_000, instance: `i${i}`, ms, ...more }));
}

async function gate(
  bar: string,
  rows: readonly Row[],
  files: Readonly<Record<string, string>> = {},
): Promise<VerdictDocument> {
  mkdirSync(join(folder, "data"), { recursive: true });
  writeFileSync(join(folder, "data/rows.ndjson"), `${rows.map(line).join("\n")}\n`);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, "data", name), text);
  writeFileSync(join(folder, "bar.yaml"), `name: b\nhypothesis: h\n${bar}`);
  const args = ["gate", "--bar", "bar.yaml", "--data", join(folder, "data"), "--deployed-at", DEPLOYED_AT];
  const { code, stdout } = await runWorld([...args, "--allow-retrospective", "--format", "json"], {
    cwd: folder,
  });
  const document = verdictSchema.parse(JSON.parse(stdout));
  expect(code).toBe({ pass: 0, fail: 1, inconclusive: 3, error: 4 }[document.verdict]);
  return document;
}

const bar = (conditions: string, rest = ""): string =>
  `conditions:\n${conditions}population: { role: app }\nsample: { minimum: 20 }\n${rest}`;
const P50 = "  - { metric: firstRequest.p50, below: 2s }\n";

it("a sound success passes, so that the rest of this file means something", async () => {
  expect((await gate(bar(P50), [...EARLIER, ...fleet(40, 30)])).verdict).toBe("pass");
});

describe("too little to judge by", () => {
  it.each(["overlap.p50", "afterFirst.p50", "byOrder.>100.p50", "byOrder.2.p50"])(
    "%s counts the instances that contribute, not all there are",
    async (metric) => {
      const overlapping: Row = { at: T0 + 10, instance: "i0", ms: 800 };
      const rows = [...EARLIER, ...fleet(100, 900), overlapping];
      const document = await gate(bar(`  - { metric: "${metric}", below: 2s }\n`), rows);
      expect(document.verdict).toBe("inconclusive");
      expect(document.bars[0]!.n).toBeLessThanOrEqual(1);
    },
  );

  it("a comparison with one instance before is none", async () => {
    const before: Row = { at: T0 - 2 * 86_400_000, instance: "b0", ms: 9000 };
    const conditions = "  - { metric: comparison.firstRequest.p50Ratio, above: 2 }\n";
    const document = await gate(bar(conditions), [...EARLIER, before, ...fleet(30, 900)]);
    expect(document.verdict).toBe("inconclusive");
    expect(document.bars[0]!.n).toBe(1);
  });

  it("a figure at order 1 is judged as exactly as the first requests", async () => {
    const document = await gate(bar("  - { metric: byOrder.1.p50, below: 2s }\n"), [
      ...EARLIER,
      ...fleet(40, 30),
    ]);
    expect(document.bars[0]).toMatchObject({ method: "order-statistics", verdict: "pass", needed: 26 });
  });

  it("what was never seen is not shown to be rare: 20 fast instances", async () => {
    const conditions = "  - { metric: slowEarlyPerInstance, below: 0.05 }\n";
    expect((await gate(bar(conditions), [...EARLIER, ...fleet(20, 30)])).verdict).toBe("inconclusive");
  });

  it("but with enough instances the exact bound shows it", async () => {
    const conditions = "  - { metric: slowEarlyPerInstance, below: 0.5 }\n";
    const document = await gate(bar(conditions), [...EARLIER, ...fleet(100, 30)]);
    // Ten at most an instance, and at most 2.95 % of the instances: 1 − 0.05^(1/100).
    expect(document.bars[0]!.upperBound).toBeCloseTo(10 * (1 - 0.05 ** 0.01), 9);
    expect(document.verdict).toBe("pass");
  });

  it("a request that does not say whether it succeeded is no success", async () => {
    const known: Row = { at: T0 + 59 * 600_000, instance: "known", ms: 30 };
    const rows = [...EARLIER, ...fleet(59, 30, { success: null }), known];
    const document = await gate(bar("  - { metric: firstRequest.failed.share, below: 0.2 }\n"), rows);
    expect(document.bars[0]).toMatchObject({ n: 1, verdict: "inconclusive" });
  });
});

describe("the judged sample", () => {
  it("is what the guards look at, so that later instances cannot lift them", async () => {
    const text = bar(P50).replace("minimum: 20", "minimum: 20, take: { first: 20 }");
    const uncertain = fleet(20, 30, { itemCount: 10 });
    const later = fleet(30, 30, {}, T0 + 2 * 86_400_000).map((row, i) => ({ ...row, instance: `late${i}` }));
    const early = await gate(text, [...EARLIER, ...uncertain]);
    const all = await gate(text, [...EARLIER, ...uncertain, ...later]);
    for (const document of [early, all]) {
      expect(document.verdict).toBe("inconclusive");
      expect(document.guards.find(({ name }) => name === "comparable cohorts")?.status).toBe("violated");
    }
  });
});

describe("incomplete or mixed data", () => {
  const guard = (document: VerdictDocument, name: string): string | undefined =>
    document.guards.find((entry) => entry.name === name)?.status;

  it("a hole before the deployment makes old instances look new", async () => {
    const rows = [
      EARLIER[0]!,
      ...fleet(40, 30, {}, Date.parse(DEPLOYED_AT) + 1000).map((row, i) => ({
        ...row,
        at: Date.parse(DEPLOYED_AT) + 1000 + i,
      })),
    ];
    const document = await gate(bar(P50), rows);
    expect(document.verdict).toBe("inconclusive");
    expect(guard(document, "coverage before the deployment")).toBe("violated");
    // Another role's rows show nothing of what this one was doing.
    const other: Row = { at: Date.parse(DEPLOYED_AT) - 120_000, instance: "x", ms: 1, role: "other" };
    expect((await gate(bar(P50), [...rows, other])).verdict).toBe("inconclusive");
  });

  it.each([
    ["slice.txt", "(504) Gateway Timeout\n"],
    ["slice.json", "{}\n"],
    ["slice.json", '{"status":"PartialFailure","tables":[]}\n'],
    [
      "slice.json",
      '[{"FrameType":"DataSetHeader"},{"FrameType":"DataSetCompletion","HasErrors":false,"Cancelled":true}]',
    ],
    ["slice.json", '[{"FrameType":"DataSetHeader"}]'],
  ])("a failed slice beside good rows: %s %s", async (name, text) => {
    const document = await gate(bar(P50), [...EARLIER, ...fleet(40, 30)], { [name]: text });
    expect(["inconclusive", "error"]).toContain(document.verdict);
  });

  it("first requests that cannot be read", async () => {
    const broken = fleet(30, 30).flatMap((row) => [
      { ...row, ms: "7468x" },
      { ...row, at: row.at + 9000, ms: 20 },
    ]);
    const document = await gate(bar(P50), [...EARLIER, ...broken]);
    expect(document.verdict).toBe("inconclusive");
    expect(guard(document, "complete input")).toBe("violated");
  });

  it("a container that no start bears", async () => {
    const start = JSON.stringify({
      TimeStamp: "2026-09-20T06:00:00Z",
      Type: "Normal",
      ContainerAppName: "app",
      RevisionName: "app--1",
      ReplicaName: "i0",
      Msg: "Started container 'app'",
      Reason: "ContainerStarted",
      EventSource: "ContainerAppController",
      Count: 1,
    });
    const text = bar(P50).replace("role: app", "role: app, container: apq");
    const document = await gate(text, [...EARLIER, ...fleet(40, 30)], { "log.ndjson": `${start}\n` });
    expect(document.verdict).toBe("inconclusive");
    expect(document.reasons.join()).toContain('no start of a container "apq"');
  });

  it("two roles in a bar that names none", async () => {
    const text = bar(P50).replace("population: { role: app }\n", "");
    const rows = [...EARLIER, ...fleet(40, 30), ...fleet(40, 30, { role: "[env]/app" })];
    expect((await gate(text, rows)).verdict).toBe("inconclusive");
  });

  it("a row cap is one of the whole result, not of its requests alone", async () => {
    const header = "timestamp,itemType,name,duration,id,cloud_RoleInstance,cloud_RoleName,itemCount,success";
    const traces = Array.from(
      { length: 9_960 },
      (_, i) => `2026-09-21T08:00:00Z,trace,x,1,t${i},i0,app,1,True`,
    );
    const requests = Array.from(
      { length: 40 },
      (_, i) =>
        `2026-09-21T1${Math.floor(i / 10)}:${10 + (i % 10)}:00Z,request,GET /q,30,q${i},c${i},app,1,True`,
    );
    const document = await gate(bar(P50), EARLIER, {
      "cap.csv": [header, ...traces, ...requests].join("\n"),
    });
    expect(document.verdict).toBe("inconclusive");
    expect(document.reasons.join()).toContain("exactly 10000 rows");
  });
});

describe("the leak guard", () => {
  it("finds the warm-up request in every form and under every class", async () => {
    const rows = fleet(40, 30).flatMap((row) => [
      { ...row, at: row.at - 2000, path: "/warmup", synthetic: "x" },
      row,
    ]);
    const text = bar(P50, "guards: { leak: { path: /warmup } }\n");
    const document = await gate(text, [...EARLIER, ...rows]);
    expect(document.guards.find(({ name }) => name.startsWith("no leak"))?.status).toBe("violated");
    expect(document.verdict).toBe("inconclusive");
  });
});
