import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { BoundValue } from "../../src/sources/azure/literal.ts";
import { bindQuery } from "../../src/sources/azure/query-file.ts";
import { findRate, openBag } from "../../src/telemetry/dimensions.ts";
import { parseInstant, ticksOfMs } from "../../src/telemetry/time.ts";
import { validRate, weigh } from "../../src/telemetry/weight.ts";
import { describeWithEngine, KqlEngine } from "../azure/engine.ts";
import { ROOT } from "../cli/world.ts";
import { CLASSIC, WORKSPACE } from "./schemas.ts";
import { loadTable, type Row, workspaceRows } from "./tables.ts";

const SINCE = "2026-09-21T08:30:00Z";
const UPTO = "2026-09-21T11:00:00Z";
const HOUR = 36_000_000_000;
const OVER_MS = 500;
const KEYS = [
  "microsoft.sample_rate",
  "_MS.sampleRate",
  "sampleRate",
  "applicationinsights.internal.sample_rate",
];
const VALUES = ["12.5", 25, "99.99", "100", "0.1", "0", "-5", "101", "NaN", "many", "", null];

/** Every key with every value in both bags, rates that hide behind invalid ones, and every item count. */
const bags: readonly (readonly [dimensions: unknown, measurements: unknown])[] = [
  [null, null],
  [{}, {}],
  [{ other: "1" }, { "microsoft.sample_rate": 20 }],
  ...KEYS.flatMap((key) => VALUES.map((value) => [{ [key]: value }, null] as const)),
  ...KEYS.map((key) => [null, { [key]: 40 }] as const),
  ...KEYS.slice(1).map((key) => [{ [KEYS[0]!]: "0", [key]: "50" }, { [KEYS[0]!]: 10 }] as const),
  [{ sampleRate: "nothing" }, { sampleRate: 5 }],
  [{ "_MS.sampleRate": "10" }, { "microsoft.sample_rate": 50 }],
];
const COUNTS = [null, 0, -3, 1, 2, 4, 8, 9, 10, 100];
const ROWS: readonly Row[] = bags.flatMap(([customDimensions, customMeasurements], i) =>
  COUNTS.map((itemCount, j) => ({
    timestamp: `2026-09-21T${["08:59:59.999999", "09:00:00", "09:59:59.999999", "10:00:00.000001"][(i + j) % 4]}Z`,
    duration: [0, 499.9999, 500, 500.0001, 7_200_000, null][(i * 3 + j) % 6],
    id: `${i}-${j}`,
    success: "True",
    itemCount,
    customDimensions,
    customMeasurements,
    application_Version: `v${j % 2}`,
    cloud_RoleName: i % 2 === 0 ? "quotes" : "orders",
    cloud_RoleInstance: ["a", "b", ""][i % 3],
  })),
);
const OUTSIDE: readonly Row[] = ["2026-09-21T08:29:59.999999Z", UPTO].map((timestamp) => ({
  timestamp,
  duration: 1,
  itemCount: 1,
  success: "True",
  cloud_RoleName: "quotes",
}));

type Sum = [first: number, last: number, rows: number, weight: number, over: number];

/** The same figures by the program's own rules, from the rows. */
function expected(roles: readonly string[]): Map<string, Sum> {
  const sums = new Map<string, Sum>();
  for (const row of ROWS) {
    if (roles.length > 0 && !roles.includes(String(row.cloud_RoleName))) continue;
    const start = parseInstant(String(row.timestamp))!.ticks;
    const duration = row.duration as number | null;
    const end = start + Math.round(ticksOfMs(duration ?? 0));
    const count = row.itemCount as number | null;
    const { rate } = findRate(openBag(row.customDimensions), openBag(row.customMeasurements));
    const { weight } = weigh(count === null || count < 1 ? null : count, validRate(rate), "auto");
    const over = duration !== null && duration > OVER_MS ? weight : 0;
    const hour = Math.floor(start / HOUR) * HOUR;
    const key = [row.cloud_RoleName, row.cloud_RoleInstance, row.application_Version, hour].join("|");
    const [first, last, rows, w, o] = sums.get(key) ?? [Infinity, -Infinity, 0, 0, 0];
    sums.set(key, [Math.min(first, start), Math.max(last, end), rows + 1, w + weight, o + over]);
  }
  return sums;
}

describeWithEngine("the requests by the hour", () => {
  let engine: KqlEngine;

  beforeAll(async () => {
    engine = new KqlEngine();
    const rows = [...ROWS, ...OUTSIDE];
    await loadTable(engine, "requests", CLASSIC.requests!, rows);
    await loadTable(engine, "AppRequests", WORKSPACE.AppRequests!, workspaceRows(rows));
  });
  afterAll(() => engine.close());

  it.each([
    ["requests-hours", []],
    ["requests-hours", ["orders"]],
    ["app-requests-hours", []],
    ["app-requests-hours", ["orders"]],
  ] as const)("%s of the roles %j adds up the rows by the program's own rules", async (name, roles) => {
    const text = readFileSync(join(ROOT, "queries", `${name}.kql`), "utf8");
    const values: Record<string, BoundValue> = {
      since: { type: "datetime", ticks: parseInstant(SINCE)!.ticks },
      upto: { type: "datetime", ticks: parseInstant(UPTO)!.ticks },
      roles: { type: "dynamic", values: roles },
      overMs: { type: "real", value: OVER_MS },
    };
    const { rows } = await engine.query(bindQuery(text, values));
    const found = new Map(rows.map((row) => [row.slice(0, 4).join("|"), row.slice(4).map(Number)]));
    const sums = expected(roles);
    expect(found.size).toBe(rows.length);
    expect([...found.keys()].sort()).toEqual([...sums.keys()].sort());
    for (const [key, [first, last, count, weight, over]] of sums) {
      const [foundFirst, foundLast, foundCount, foundWeight, foundOver] = found.get(key)!;
      expect([foundFirst, foundLast, foundCount], key).toEqual([first, last, count]);
      expect(foundWeight, key).toBeCloseTo(weight, 6);
      expect(foundOver, key).toBeCloseTo(over, 6);
    }
    expect(sums.size).toBeGreaterThan(10);
  });
});
