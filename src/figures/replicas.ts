import { Calendar } from "../fleet/days.ts";
import type { Fleet } from "../fleet/fleet.ts";
import { contains, type Window } from "../fleet/settings.ts";
import type { MetricPoint } from "../telemetry/metric-point.ts";
import { formatTicks, TICKS_PER_MINUTE } from "../telemetry/time.ts";
import { type Birth, birthsOf } from "./replicas-births.ts";
import { type CalendarFigures, calendarFigures } from "./replicas-calendar.ts";
import { CAUSES, type Cause, type CauseName, EVIDENCE, type Evidence } from "./replicas-causes.ts";
import { type LifetimeCurve, lifetimeCurve } from "./replicas-lifetime.ts";
import { indexLog, type LogIndex, type ReplicaLog, type SetAside } from "./replicas-log.ts";
import { marksOf, type PhaseFigures, phaseFigures, type StartMarks } from "./replicas-phases.ts";
import type { StartSeconds } from "./replicas-scaling.ts";
import { type Cycles, cycleFigures, type Rates, ratePerSecond, startSeconds } from "./replicas-scaling.ts";
import {
  type NeverServed,
  neverServed,
  perThousand,
  type RowCoverage,
  rowCoverage,
} from "./replicas-service.ts";
import { unknownsOf } from "./replicas-unknown.ts";

/** What decides which births are told of. */
export interface ReplicaSettings {
  /** Apps to look at; null for all. */
  readonly apps: readonly string[] | null;
  readonly cooldownMs: number;
  readonly rates: Rates | null;
}

export interface EvidenceFigures {
  readonly name: Evidence;
  readonly meaning: string;
  readonly certainty: Cause["certainty"];
  readonly count: number;
}

export interface CauseFigures {
  readonly cause: CauseName;
  readonly count: number;
  readonly share: number | null;
  readonly told: number;
  readonly inferred: number;
  readonly evidence: readonly EvidenceFigures[];
}

/** Why containers did not come to be. */
export interface FailedCreations {
  readonly count: number;
  readonly replicas: number;
  /** The log's texts, each once, the most frequent first. */
  readonly reasons: { readonly text: string; readonly count: number }[];
}

/** One app in one window. */
export interface ReplicaGroup {
  readonly app: string;
  readonly window: Window["name"];
  /** What the log covers of the window, ISO 8601; null where it covers nothing. */
  readonly from: string | null;
  readonly to: string | null;
  readonly coveredHours: number;
  /** Starts of the app's container. */
  readonly births: number;
  /** Births that were the first of their replica. */
  readonly newReplicas: number;
  /** Null where the log covers less than a day of the window. */
  readonly birthsPerDay: number | null;
  /** Replicas in the window that were assigned, or failed to be created, and whose app container never started. */
  readonly neverStarted: number;
  /** Creations of the app's container that failed in the window. */
  readonly failedCreations: FailedCreations;
  readonly causes: readonly CauseFigures[];
  readonly calendar: CalendarFigures;
  readonly lifetime: LifetimeCurve;
  readonly phases: { readonly newReplicas: PhaseFigures[]; readonly restarts: PhaseFigures[] };
  readonly neverServed: (NeverServed & { readonly cost: number | null }) | null;
  readonly perThousand: PerThousandFigures | null;
  readonly cycles: Cycles;
  readonly startSeconds: StartSeconds & { readonly byCause: Readonly<Record<CauseName, number>> };
}

export interface PerThousandFigures {
  readonly source: "ingress-metric" | "request-rows";
  readonly starts: number;
  readonly requests: number;
  readonly startsPerThousand: number | null;
  readonly from: string;
  readonly to: string;
}

export interface BirthFigures {
  readonly at: string;
  readonly app: string;
  readonly revision: string;
  readonly replica: string;
  readonly window: Window["name"];
  readonly isNewReplica: boolean;
  readonly cause: CauseName;
  readonly certainty: "told" | "inferred" | "none";
  readonly evidence: Evidence;
  /** False where `at` is only the time of a batch of the log. */
  readonly ownClock: boolean;
  readonly lifeMinutes: number;
  readonly ended: boolean;
  /** User requests that its process served; null where the app has no request rows. */
  readonly userRequests: number | null;
}

export interface ReplicaFigures {
  readonly log: {
    readonly from: string | null;
    readonly to: string | null;
    readonly events: number;
    readonly ownClock: number;
    readonly apps: readonly string[];
  };
  readonly groups: readonly ReplicaGroup[];
  readonly births: readonly BirthFigures[];
  readonly setAside: SetAside;
  readonly costPerSecond: number | null;
  readonly unknown: readonly string[];
}

/** How often replicas are born, why, and how long they live. */
export function replicaFigures(
  fleet: Fleet,
  metrics: readonly MetricPoint[],
  settings: ReplicaSettings,
): ReplicaFigures {
  const events = fleet.events ?? [];
  const index = indexLog(events, fleet.starts, fleet.settings.container);
  const aside = index?.aside ?? {
    platformContainers: 0,
    daprContainers: 0,
    initContainers: 0,
    jobs: 0,
    withoutReplica: 0,
  };
  const calendar = new Calendar(fleet.settings.timezone, fleet.settings.holidays);
  const { revision, windows, days } = fleet.settings;
  const all = index === null ? [] : birthsOf(fleet, index);
  const isCounted = ({ replica, start }: Birth): boolean =>
    (revision === null || replica.revision === revision) &&
    (days === "all" || calendar.dayType(start.at) === "weekday");
  const appsInLog = [...new Set([...(index?.replicas.values() ?? [])].map(({ app }) => app))].sort();
  const apps = settings.apps === null ? appsInLog : appsInLog.filter((app) => settings.apps!.includes(app));
  const groups: ReplicaGroup[] = [];
  const births: { readonly ticks: number; readonly figures: BirthFigures }[] = [];
  const coverages = new Map<string, RowCoverage | null>();
  for (const app of index === null ? [] : apps) {
    const replicas = [...index!.replicas.values()].filter((replica) => replica.app === app);
    const rows = rowCoverage(fleet, app, new Set(replicas.map(({ name }) => name)));
    coverages.set(app, rows);
    // A metric file belongs to one app, and does not say to which.
    const own = (appsInLog.length === 1 || settings.apps?.length === 1) && revision === null ? metrics : [];
    for (const window of windows) {
      const inside = all.filter(
        (birth) => birth.replica.app === app && contains(window, birth.start.at) && isCounted(birth),
      );
      groups.push(groupOf(fleet, index!, app, window, inside, replicas, rows, own, settings));
      births.push(
        ...inside.map((birth) => ({ ticks: birth.start.at, figures: birthFigures(birth, window, rows) })),
      );
    }
  }
  return {
    log: {
      from: index === null ? null : formatTicks(index.from),
      to: index === null ? null : formatTicks(index.to),
      events: events.length,
      ownClock: events.filter(({ ownClock }) => ownClock).length,
      apps: appsInLog,
    },
    groups,
    births: births.sort((a, b) => a.ticks - b.ticks).map(({ figures }) => figures),
    setAside: aside,
    costPerSecond: settings.rates === null ? null : ratePerSecond(settings.rates),
    unknown: unknownsOf(fleet, groups, aside, coverages, metrics, appsInLog, settings),
  };
}

function groupOf(
  fleet: Fleet,
  index: LogIndex,
  app: string,
  window: Window,
  births: readonly Birth[],
  replicas: readonly ReplicaLog[],
  rows: RowCoverage | null,
  metrics: readonly MetricPoint[],
  { cooldownMs, rates }: ReplicaSettings,
): ReplicaGroup {
  const from = Math.max(index.from, window.from);
  // The log's last event belongs to what it covers.
  const to = Math.min(index.to + 1, window.to);
  const covered = Math.max(0, to - from);
  const hours = covered / (60 * TICKS_PER_MINUTE);
  const marks = new Map<Birth, StartMarks>(births.map((birth) => [birth, marksOf(birth, fleet.table)]));
  const marksIf = (test: (birth: Birth) => boolean): StartMarks[] =>
    births.filter(test).map((birth) => marks.get(birth)!);
  const isNew = ({ previous, cause }: Birth): boolean => previous === null && cause.name !== "restart";
  const byCause = Object.fromEntries(
    CAUSES.map((name) => [
      name,
      startSeconds(
        marksIf(({ cause }) => cause.name === name),
        null,
      ).totalSeconds ?? 0,
    ]),
  ) as Record<CauseName, number>;
  const served = neverServed(births, rows);
  // Requests are not told apart by day.
  const ratio = fleet.settings.days === "weekdays" ? null : perThousand(births, { from, to }, metrics, rows);
  const slots = births.map(({ start, cause }) => ({ at: start.at, cause: cause.name }));
  return {
    app,
    window: window.name,
    from: covered > 0 ? formatTicks(from) : null,
    to: covered > 0 ? formatTicks(Math.min(index.to, to)) : null,
    coveredHours: hours,
    births: births.length,
    newReplicas: births.filter(isNew).length,
    birthsPerDay: hours < 24 || fleet.settings.days === "weekdays" ? null : (births.length * 24) / hours,
    neverStarted: replicas.filter(
      (replica) => replica.starts.length === 0 && triedAt(replica).some((at) => contains(window, at)),
    ).length,
    failedCreations: failedCreations(replicas, window),
    causes: CAUSES.map((cause) => causeFigures(cause, births)),
    calendar: calendarFigures(slots, from, to, fleet.settings.timezone),
    lifetime: lifetimeCurve(
      births.map(({ minutes, ended }) => ({ time: minutes, ended })),
      births.filter(({ start }) => !start.ownClock).length,
    ),
    phases: {
      newReplicas: phaseFigures(marksIf(isNew)),
      restarts: phaseFigures(marksIf((birth) => !isNew(birth))),
    },
    neverServed:
      served === null
        ? null
        : { ...served, cost: rates === null ? null : served.minutes * 60 * ratePerSecond(rates) },
    perThousand:
      ratio === null ? null : { ...ratio, from: formatTicks(ratio.from), to: formatTicks(ratio.to) },
    cycles: cycleFigures(births, replicas, cooldownMs),
    startSeconds: { ...startSeconds([...marks.values()], rates), byCause },
  };
}

/** The instant at which a replica came that may never have started; none where only other things are seen of it. */
function triedAt({ assigned, failures }: ReplicaLog): number[] {
  const at = assigned?.ticks ?? failures[0]?.ticks;
  return at === undefined ? [] : [at];
}

function failedCreations(replicas: readonly ReplicaLog[], window: Window): FailedCreations {
  const texts = new Map<string, number>();
  let failed = 0;
  for (const { failures } of replicas) {
    const own = failures.filter(({ ticks }) => contains(window, ticks));
    if (own.length > 0) failed++;
    for (const { text } of own) texts.set(text, (texts.get(text) ?? 0) + 1);
  }
  const reasons = [...texts]
    .map(([text, count]) => ({ text, count }))
    .sort((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1));
  return { count: reasons.reduce((sum, { count }) => sum + count, 0), replicas: failed, reasons };
}

function causeFigures(cause: CauseName, births: readonly Birth[]): CauseFigures {
  const own = births.filter((birth) => birth.cause.name === cause);
  const names = Object.keys(EVIDENCE) as Evidence[];
  return {
    cause,
    count: own.length,
    share: births.length === 0 ? null : own.length / births.length,
    told: own.filter((birth) => birth.cause.certainty === "told").length,
    inferred: own.filter((birth) => birth.cause.certainty === "inferred").length,
    evidence: names
      .map((name) => {
        const some = own.filter((birth) => birth.cause.evidence === name);
        const certainty = some[0]?.cause.certainty ?? "none";
        return { name, meaning: EVIDENCE[name], certainty, count: some.length };
      })
      .filter(({ count }) => count > 0),
  };
}

function birthFigures(birth: Birth, window: Window, rows: RowCoverage | null): BirthFigures {
  const { replica, start, cause, life } = birth;
  return {
    at: formatTicks(start.at),
    app: replica.app,
    revision: replica.revision,
    replica: replica.name,
    window: window.name,
    isNewReplica: birth.previous === null && cause.name !== "restart",
    cause: cause.name,
    certainty: cause.certainty,
    evidence: cause.evidence,
    ownClock: start.ownClock,
    lifeMinutes: birth.minutes,
    ended: birth.ended,
    userRequests: rows === null ? null : (life?.users.length ?? 0),
  };
}
