import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { BoundValue } from "../../src/sources/azure/literal.ts";
import { bindQuery } from "../../src/sources/azure/query-file.ts";
import { parseInstant } from "../../src/telemetry/time.ts";
import { describeWithEngine, type EngineAnswer, KqlEngine } from "../azure/engine.ts";
import { ROOT } from "../cli/world.ts";
import { REQUESTS, SINCE, UPTO } from "./sample-rows.ts";
import { CLASSIC, WORKSPACE } from "./schemas.ts";
import { loadTable, type Row, workspaceRows } from "./tables.ts";

const FROM = parseInstant(SINCE)!.ticks;
const TO = parseInstant(UPTO)!.ticks;
const MINUTE = 600_000_000;

interface Interval {
  readonly instance: string;
  readonly begin: number;
  readonly end: number;
}

/** One request a minute of three instances, two of them of one role; the names need quoting. */
const INSTANCES = ['quotes--a1-5d5f-"x"', "quotes--a1-5d5f-y\\", "orders--b2-7c7d-z"];
const MINUTES: readonly Row[] = INSTANCES.flatMap((instance, which) =>
  Array.from({ length: 60 }, (_, minute) => ({
    timestamp: `2026-09-21T08:${String(minute).padStart(2, "0")}:00Z`,
    id: `${which}-${minute}`,
    name: "GET /",
    success: "True",
    resultCode: "200",
    duration: 1,
    itemCount: 1,
    cloud_RoleName: which < 2 ? "quotes" : "orders",
    cloud_RoleInstance: instance,
  })),
);

const intervals = fc.array(
  fc.record({
    instance: fc.constantFrom(...INSTANCES, "nobody"),
    begin: fc.integer({ min: -3, max: 62 }),
    length: fc.integer({ min: -1, max: 25 }),
  }),
  { maxLength: 9 },
);

describeWithEngine("the early requests", () => {
  let engine: KqlEngine;

  beforeAll(async () => {
    engine = new KqlEngine();
    const rows = [...REQUESTS, ...MINUTES];
    await loadTable(engine, "requests", CLASSIC.requests!, rows);
    await loadTable(engine, "AppRequests", WORKSPACE.AppRequests!, workspaceRows(rows));
  });
  afterAll(() => engine.close());

  const ask = (name: string, more: Record<string, BoundValue>): Promise<EngineAnswer> => {
    const text = readFileSync(join(ROOT, "queries", `${name}.kql`), "utf8");
    const values: Record<string, BoundValue> = {
      since: { type: "datetime", ticks: FROM },
      upto: { type: "datetime", ticks: TO },
      roles: { type: "dynamic", values: [] },
      keepQuery: { type: "bool", value: false },
      ...more,
    };
    return engine.query(bindQuery(text, values));
  };
  const births = (some: readonly Interval[]): BoundValue => ({
    type: "datatable",
    columns: { cloud_RoleInstance: "string", begin_ticks: "long", end_ticks: "long" },
    rows: some.map(({ instance, begin, end }) => [
      { type: "string", value: instance },
      { type: "long", value: begin },
      { type: "long", value: end },
    ]),
  });
  const sorted = ({ rows }: EngineAnswer): string[] => rows.map((row) => JSON.stringify(row)).sort();
  const idsOf = ({ columns, rows }: EngineAnswer): string[] => {
    const at = columns.findIndex(({ name }) => name === "id");
    return rows.map((row) => String(row[at])).sort();
  };

  it.each(["", "app-"])("%srequests-early gives the very rows of the whole query", async (prefix) => {
    const everything = ["quotes--a1-5d5f-x", "", ...INSTANCES].map((instance) => ({
      instance,
      begin: FROM - MINUTE,
      end: TO + MINUTE,
    }));
    const [early, whole] = [
      await ask(`${prefix}requests-early`, { births: births(everything) }),
      await ask(`${prefix}requests`, {}),
    ];
    expect(early.columns).toEqual(whole.columns);
    expect(sorted(early)).toEqual(sorted(whole));
    expect(early.rows.length).toBe(3 + MINUTES.length);
  });

  it.each(["", "app-"])(
    "%srequests-early gives each row that an interval holds once, and no others",
    async (prefix) => {
      await fc.assert(
        fc.asyncProperty(intervals, fc.boolean(), async (some, oneRole) => {
          const expected = MINUTES.filter((row) => {
            const minute = Number(String(row.id).split("-")[1]);
            return (
              (!oneRole || row.cloud_RoleName === "quotes") &&
              some.some(
                ({ instance, begin, length }) =>
                  instance === row.cloud_RoleInstance && begin <= minute && minute < begin + length,
              )
            );
          }).map(({ id }) => String(id));
          const table = some.map(({ instance, begin, length }) => ({
            instance,
            begin: FROM + begin * MINUTE,
            end: FROM + (begin + length) * MINUTE,
          }));
          const answer = await ask(`${prefix}requests-early`, {
            births: births(table),
            roles: { type: "dynamic", values: oneRole ? ["quotes"] : [] },
          });
          expect(idsOf(answer)).toEqual(expected.sort());
        }),
        { numRuns: 12 },
      );
    },
  );

  it.each(["", "app-"])(
    "%srequests-early holds the begin of an interval, and not its end",
    async (prefix) => {
      const at = FROM + 5 * MINUTE;
      const ids = async (begin: number, end: number): Promise<string[]> =>
        idsOf(
          await ask(`${prefix}requests-early`, { births: births([{ instance: INSTANCES[0]!, begin, end }]) }),
        );
      expect(await ids(at, at + 1)).toEqual(["0-5"]);
      expect(await ids(at + 1, at + MINUTE)).toEqual([]);
      expect(await ids(at - MINUTE, at)).toEqual(["0-4"]);
    },
  );
});
