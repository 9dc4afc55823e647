import type { Fleet } from "../fleet/fleet.ts";
import { contains } from "../fleet/settings.ts";
import type { Detail } from "../telemetry/detail.ts";
import { appOfReplica, revisionOfReplica, type SystemEvent } from "../telemetry/events.ts";
import { type AppSpec, mainProbes, PROBE_TYPES, type ProbeType } from "../telemetry/spec.ts";
import { budgetFindings } from "./probe-budget.ts";
import { kindConsequences, type ProbeSet } from "./probe-consequences.ts";
import { type DeclaredFigures, declaredProbe } from "./probe-declared.ts";
import { checkExpectations, type Expectation, type ExpectationResult } from "./probe-expect.ts";
import { type Finding, graveFirst } from "./probe-finding.ts";
import { type Inference, inferProbe } from "./probe-infer.ts";
import { type AppSides, joinSides } from "./probe-join.ts";
import { type AppLog, type Excluded, probeLogs } from "./probe-log.ts";
import { contradictions, logFindings } from "./probe-log-findings.ts";
import { type Refusals, refusalsOf } from "./probe-refusals.ts";
import { type AppRows, probeRows } from "./probe-rows.ts";
import { portDifferences, specFaults, unprobedContainers } from "./probe-spec-findings.ts";
import { type MeasuredStarts, measureStarts } from "./probe-starts.ts";
import { unknownsOf } from "./probe-unknowns.ts";

/** One probe type of one app. */
export interface ProbeFigures extends Inference {
  readonly type: ProbeType;
  readonly declared: DeclaredFigures;
  /** Null without a system log of the app. */
  readonly refusals: Refusals | null;
}

export interface LogSummary {
  readonly events: number;
  readonly excluded: Readonly<Excluded>;
  readonly platformContainers: readonly string[];
  readonly hasReplicas: boolean;
  readonly ownClock: boolean;
}

export interface AppProbes {
  readonly app: string;
  readonly spec: {
    readonly file: string;
    readonly form: AppSpec["form"];
    readonly kind: AppSpec["kind"];
  } | null;
  readonly log: LogSummary | null;
  readonly rows: AppRows | null;
  readonly probes: readonly ProbeFigures[];
  /** Null without a system log of the app. */
  readonly starts: MeasuredStarts | null;
}

/** Which probes run, of every app that a side speaks of. */
export interface ProbesFigures {
  readonly apps: readonly AppProbes[];
  readonly findings: readonly Finding[];
  readonly expectations: readonly ExpectationResult[];
  /** What could not be known, in sentences. */
  readonly unknown: readonly string[];
}

/** The telemetry to look at, where there is any. */
export interface ProbesData {
  readonly fleet: Fleet;
  readonly detail: Detail;
}

/**
 * Which probes the platform really runs, by the spec, the system log and the request rows. With a spec,
 * apps that only the data knows are left aside.
 */
export function probesFigures(
  specs: readonly AppSpec[],
  data: ProbesData | null,
  expectations: readonly Expectation[],
): ProbesFigures {
  const all = sidesOf(specs, data);
  const sides = specs.length === 0 ? all : all.filter(({ spec }) => spec !== null);
  const others = all.filter((side) => !sides.includes(side)).map(({ app }) => app);
  const apps: AppProbes[] = [];
  const findings: Finding[] = [];
  for (const side of sides) {
    const { figures, found } = appProbes(side, data);
    apps.push(figures);
    findings.push(...found);
  }
  return {
    apps,
    findings: graveFirst(findings),
    expectations: checkExpectations(expectations, apps),
    unknown: unknownsOf(apps, data, others),
  };
}

function sidesOf(specs: readonly AppSpec[], data: ProbesData | null): AppSides[] {
  if (data === null) return joinSides(specs, [], []);
  const { fleet, detail } = data;
  const paths = specs.flatMap((spec) => mainProbes(spec).flatMap(({ path }) => path ?? []));
  const logs = probeLogs(selected(fleet), fleet.settings.container);
  const joined = joinSides(specs, logs, probeRows(fleet, detail, paths));
  return joined;
}

/** The events of the windows, the revision and, where it is an app's name, the role. */
function selected({ events, settings }: Fleet): SystemEvent[] {
  const { windows, revision, role } = settings;
  const inside = (events ?? []).filter(
    (event) =>
      windows.some((window) => contains(window, event.ticks)) &&
      (revision === null || (event.revision || revisionOfReplica(event.replica)) === revision),
  );
  const appOf = (event: SystemEvent): string => event.app || appOfReplica(event.replica || event.revision);
  const own = role === null ? [] : inside.filter((event) => appOf(event) === role);
  return own.length > 0 ? own : inside;
}

function appProbes(
  { app, spec, log, rows }: AppSides,
  data: ProbesData | null,
): { figures: AppProbes; found: Finding[] } {
  const declared = byType((type) => declaredProbe(spec, type));
  const refusals = log === null ? null : byType((type) => refusalsOf(log, type));
  const inferred = byType((type) => {
    const others = (["readiness", "liveness"] as const).filter((other) => other !== type);
    return inferProbe(
      type,
      declared[type],
      refusals?.[type] ?? null,
      rows,
      others.map((other) => declared[other]),
    );
  });
  const starts = log === null || data === null ? null : measureStarts(log, data.fleet);
  const set: ProbeSet = { declared, inferred };
  const found = [
    ...(spec === null ? [] : [...specFaults(spec), ...portDifferences(spec)]),
    ...budgetFindings(spec, set, starts),
    ...(log === null || refusals === null ? [] : logFindings(log, refusals, set)),
    ...contradictions(set),
    ...kindConsequences(spec, set),
    ...(spec === null ? [] : unprobedContainers(spec)),
  ].map((finding) => ({ app, ...finding }));
  const figures: AppProbes = {
    app,
    spec: spec === null ? null : { file: spec.file, form: spec.form, kind: spec.kind },
    log: log === null ? null : summaryOf(log),
    rows,
    probes: PROBE_TYPES.map((type) => ({
      type,
      declared: declared[type],
      refusals: refusals?.[type] ?? null,
      ...inferred[type],
    })),
    starts,
  };
  return { figures, found };
}

function byType<T>(make: (type: ProbeType) => T): Record<ProbeType, T> {
  return { startup: make("startup"), readiness: make("readiness"), liveness: make("liveness") };
}

function summaryOf({ events, excluded, platformContainers, hasReplicas, ownClock }: AppLog): LogSummary {
  return { events, excluded, platformContainers, hasReplicas, ownClock };
}
