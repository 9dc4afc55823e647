import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bindQuery } from "../../src/sources/azure/query-file.ts";
import { parseInstant } from "../../src/telemetry/time.ts";
import { describeWithEngine, KqlEngine } from "../azure/engine.ts";
import { ROOT } from "../cli/world.ts";
import { SINCE, UPTO } from "./sample-rows.ts";
import { SYSTEM_LOGS, SYSTEM_LOGS_CL_FORMS } from "./schemas.ts";
import { loadTable, type Row } from "./tables.ts";

const ticksOf = (text: string): number => parseInstant(text)!.ticks;
const LAST = "2026-09-21T08:59:59.999999Z";
const event = (
  TimeGenerated: string,
  Reason: string,
  ReplicaName: string,
  ContainerAppName = "quotes",
): Row => ({
  TimeGenerated,
  Reason,
  ReplicaName,
  ContainerAppName,
});
const EVENTS: readonly Row[] = [
  event("2026-09-21T07:59:59.999999Z", "ContainerStarted", "outside"),
  event(SINCE, "ContainerStarted", "a"),
  event("2026-09-21T08:30:00Z", "ContainerStarted", "b"),
  event(LAST, "ContainerStarted", "b"),
  event("2026-09-21T08:10:00Z", "ProbeFailed", "a"),
  event("2026-09-21T08:20:00Z", "ProbeFailed", "o", "orders"),
  event(UPTO, "ContainerStarted", "outside"),
];

describeWithEngine("what a system log holds", () => {
  let engine: KqlEngine;

  beforeAll(() => {
    engine = new KqlEngine();
  });
  afterAll(() => engine.close());

  const ask = async (name: string, app: string): Promise<unknown[]> => {
    const text = readFileSync(join(ROOT, "queries", `${name}.kql`), "utf8");
    const { rows } = await engine.query(
      bindQuery(text, {
        since: { type: "datetime", ticks: ticksOf(SINCE) },
        upto: { type: "datetime", ticks: ticksOf(UPTO) },
        app: { type: "string", value: app },
      }),
    );
    return rows.map(([reason, count, first, last, replicas]) => {
      const set = typeof replicas === "string" ? JSON.parse(replicas) : replicas;
      return [reason, count, first, last, [...(set as string[])].sort()];
    });
  };

  it.each(["doctor-system-logs-cl", "doctor-system-logs"])(
    "%s counts the events by their reason",
    async (name) => {
      const suffixed = EVENTS.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([key, value]) => [key === "TimeGenerated" ? key : `${key}_s`, value]),
        ),
      );
      const form = SYSTEM_LOGS_CL_FORMS["no optional column"]!.ContainerAppSystemLogs_CL!;
      await loadTable(engine, "ContainerAppSystemLogs_CL", form, suffixed);
      await loadTable(engine, "ContainerAppSystemLogs", SYSTEM_LOGS.ContainerAppSystemLogs!, EVENTS);
      const started = ["ContainerStarted", 3, ticksOf(SINCE), ticksOf(LAST), ["a", "b"]];
      const [ten, twenty] = [ticksOf("2026-09-21T08:10:00Z"), ticksOf("2026-09-21T08:20:00Z")];
      expect(await ask(name, "")).toEqual([started, ["ProbeFailed", 2, ten, twenty, ["a", "o"]]]);
      expect(await ask(name, "quotes")).toEqual([started, ["ProbeFailed", 1, ten, ten, ["a"]]]);
      expect(await ask(name, "nothing")).toEqual([]);
    },
  );

  it.each(["doctor-system-logs-cl", "doctor-system-logs"])(
    "%s gives nothing where its table is missing",
    async (name) => {
      await engine.sql("DROP TABLE IF EXISTS ContainerAppSystemLogs_CL");
      await engine.sql("DROP TABLE IF EXISTS ContainerAppSystemLogs");
      expect(await ask(name, "")).toEqual([]);
    },
  );
});
