import type { Fleet } from "../fleet/fleet.ts";
import type { Life } from "../fleet/lives.ts";
import { contains } from "../fleet/settings.ts";
import { Sum } from "../stats/sum.ts";
import type { Detail } from "../telemetry/detail.ts";
import { appOfReplica } from "../telemetry/events.ts";
import { foldPath } from "../telemetry/path.ts";
import { RowClass } from "../telemetry/table.ts";
import { TICKS_PER_SECOND } from "../telemetry/time.ts";

/** The rows on one path that a probe may have left. */
export interface PathRows {
  readonly path: string;
  readonly rows: number;
  /** Requests with sampling undone. */
  readonly estimated: number;
  /** Instances that have such rows. */
  readonly instances: number;
  /** Whether the path counts as a probe's, so that user requests do not mix with it. */
  readonly isProbePath: boolean;
  /** Seconds of observed life per request: the period of a single probe that asks this path. */
  readonly impliedPeriodSeconds: number | null;
  readonly perInstanceDay: number | null;
}

/** What an app's request rows tell about HTTP probes. */
export interface AppRows {
  readonly app: string;
  /** Whether the app is that of replica names, or only the role of the rows. */
  readonly namedBy: "replica" | "role";
  readonly instances: number;
  readonly rows: number;
  readonly estimated: number;
  /** Seconds between the first and the last row of each instance, summed. */
  readonly observedSeconds: number;
  readonly paths: readonly PathRows[];
}

/**
 * The rows of each app on probe paths and on the paths that its spec declares.
 *
 * @param declared folded paths, whatever class their rows have
 */
export function probeRows(fleet: Fleet, detail: Detail, declared: readonly string[]): AppRows[] {
  const wanted = new Set(declared.map(foldPath));
  const byApp = new Map<string, Life[]>();
  for (const life of fleet.lives) {
    const app = life.instance.includes("--") ? appOfReplica(life.instance) : life.role;
    const list = byApp.get(app);
    if (list === undefined) byApp.set(app, [life]);
    else list.push(life);
  }
  return [...byApp]
    .map(([app, lives]) => appRows(app, lives, fleet, detail, wanted))
    .filter(({ rows }) => rows > 0)
    .sort((a, b) => (a.app < b.app ? -1 : 1));
}

interface Tally {
  rows: number;
  readonly estimated: Sum;
  readonly lives: Set<Life>;
  others: number;
}

function appRows(
  app: string,
  lives: readonly Life[],
  fleet: Fleet,
  detail: Detail,
  wanted: ReadonlySet<string>,
): AppRows {
  const { table, settings } = fleet;
  const paths = new Map<string, Tally>();
  const estimated = new Sum();
  const observed = new Sum();
  let rows = 0;
  let instances = 0;
  for (const life of lives) {
    let first: number | null = null;
    let last = 0;
    for (const row of life.rows) {
      const start = table.start(row);
      if (!settings.windows.some((window) => contains(window, start))) continue;
      first ??= start;
      last = start;
      rows++;
      estimated.add(table.weight(row));
      const path = detail.requests.get(row)?.path ?? "";
      const isProbe = table.rowClass(row) === RowClass.probe;
      if (!isProbe && !wanted.has(path)) continue;
      const tally = paths.get(path) ?? { rows: 0, estimated: new Sum(), lives: new Set(), others: 0 };
      tally.rows++;
      tally.estimated.add(table.weight(row));
      tally.lives.add(life);
      if (!isProbe) tally.others++;
      paths.set(path, tally);
    }
    if (first === null) continue;
    instances++;
    observed.add((last - first) / TICKS_PER_SECOND);
  }
  const seconds = observed.value;
  return {
    app,
    namedBy: lives.some(({ instance }) => instance.includes("--")) ? "replica" : "role",
    instances,
    rows,
    estimated: estimated.value,
    observedSeconds: seconds,
    paths: [...paths]
      .map(([path, tally]) => ({
        path,
        rows: tally.rows,
        estimated: tally.estimated.value,
        instances: tally.lives.size,
        isProbePath: tally.others === 0,
        impliedPeriodSeconds: seconds > 0 ? seconds / tally.estimated.value : null,
        perInstanceDay: seconds > 0 ? (tally.estimated.value / seconds) * 86_400 : null,
      }))
      .sort((a, b) => b.estimated - a.estimated || (a.path < b.path ? -1 : 1)),
  };
}
