import { analysisSettings } from "../../src/cli/analysis-options.ts";
import type { Expectation } from "../../src/figures/probe-expect.ts";
import {
  type AppProbes,
  type ProbeFigures,
  type ProbesFigures,
  probesFigures,
} from "../../src/figures/probes.ts";
import { buildFleet } from "../../src/fleet/fleet.ts";
import { loadFiles } from "../../src/sources/files/load.ts";
import { readSpec } from "../../src/sources/specs/read-spec.ts";
import { RequestBuilder } from "../../src/telemetry/builder.ts";
import { Detail } from "../../src/telemetry/detail.ts";
import type { SystemEvent } from "../../src/telemetry/events.ts";
import { DEFAULT_PROBE_PATHS } from "../../src/telemetry/path.ts";
import type { AppSpec, ProbeType } from "../../src/telemetry/spec.ts";
import { RequestTable } from "../../src/telemetry/table.ts";
import { TICKS_PER_SECOND } from "../../src/telemetry/time.ts";

export async function* nothing(): AsyncGenerator<Uint8Array> {}

/** The specs of a file. */
export function specsOf(path: string): Promise<AppSpec[]> {
  return readSpec(path, nothing());
}

/** The figures of files, read as the command reads them. */
export async function figuresOf(
  specs: readonly AppSpec[],
  data: readonly string[],
  expectations: readonly Expectation[] = [],
  flags: object = {},
): Promise<ProbesFigures> {
  if (data.length === 0) return probesFigures(specs, null, expectations);
  const settings = await analysisSettings(flags);
  const detail = new Detail();
  const builder = new RequestBuilder(
    new RequestTable(),
    { weight: "auto", probePaths: DEFAULT_PROBE_PATHS, keepVersion: true },
    detail,
  );
  const loaded = await loadFiles(data, builder, nothing());
  const fleet = buildFleet(builder.table, loaded.events, settings.fleet);
  return probesFigures(specs, { fleet, detail }, expectations);
}

/** The only app of the figures. */
export function onlyApp({ apps }: ProbesFigures): AppProbes {
  if (apps.length !== 1) throw new Error(`${apps.length} apps: ${apps.map(({ app }) => app).join(", ")}`);
  return apps[0]!;
}

export function probeOf(app: AppProbes, type: ProbeType): ProbeFigures {
  return app.probes.find((probe) => probe.type === type)!;
}

/** The refusals of a type, which a log must have given. */
export function refusalsIn(app: AppProbes, type: ProbeType) {
  const { refusals } = probeOf(app, type);
  if (refusals === null) throw new Error("no log");
  return refusals;
}

/** `code at place` of the findings, in their order. */
export function findingsOf(figures: ProbesFigures, level?: "problem" | "caution" | "note"): string[] {
  return figures.findings
    .filter((finding) => level === undefined || finding.level === level)
    .map(({ code, place }) => `${code} at ${place}`);
}

export function codesOf(figures: ProbesFigures): string[] {
  return figures.findings.map(({ code }) => code);
}

const REPLICA = "orders--abc1234-6fd86b5c7c-aaaaa";

/** An event of the system log, its time in seconds. */
export function event(
  second: number,
  reason: string,
  text: string,
  more: Partial<SystemEvent> = {},
): SystemEvent {
  return {
    ticks: second * TICKS_PER_SECOND,
    ownClock: true,
    reason,
    text,
    app: "orders",
    revision: "orders--abc1234",
    replica: REPLICA,
    source: "ContainerAppController",
    severity: "Warning",
    count: null,
    job: "",
    ...more,
  };
}
