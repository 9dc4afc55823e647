import { DEFAULT_WARMED_MESSAGE } from "../figures/leak-line.ts";
import { type Clock, realClock } from "../sources/azure/clock.ts";
import { gapsIn, planSlices, type Slice } from "../sources/azure/plan.ts";
import { countByHour } from "../sources/azure/query-file.ts";
import type { QueryAnswer, QueryService } from "../sources/azure/query-service.ts";
import { RateLimit } from "../sources/azure/rate-limit.ts";
import { withRetry } from "../sources/azure/retry.ts";
import { fetchSlices } from "../sources/azure/slices.ts";
import { SourceFault } from "../sources/azure/source-fault.ts";
import { CaptureFolder } from "../sources/capture/folder.ts";
import type { Asked, CaptureSlice, CaptureTable, Manifest } from "../sources/capture/manifest.ts";
import { formatTicks, parseInstant, TICKS_PER_MINUTE, ticksOfEpochMs } from "../telemetry/time.ts";
import { openSources, targetName } from "./azure-sources.ts";
import { UsageError } from "./exit-codes.ts";
import { pullIngress } from "./pull-ingress.ts";
import { PullProgress } from "./pull-progress.ts";
import { type QueryScope, queriesOf, type TableQuery } from "./pull-queries.ts";
import { type PullSettings, SETTLE_TICKS } from "./pull-settings.ts";
import { sliceFiles } from "./pull-slice.ts";
import { VERSION } from "./version.ts";
import type { World } from "./world.ts";

/** Well under what the service lets out of one query (500,000 rows, 100 MB). */
const ROWS_PER_SLICE = 50_000;
const CONCURRENCY = 3;
/** The system log's batches come up to eleven seconds after their events. */
const EVENT_TAIL = TICKS_PER_MINUTE;

export interface PullOptions {
  readonly isQuiet: boolean;
  readonly warmedMessage?: string;
  readonly rowsPerSlice?: number;
  readonly clock?: Clock;
}

/** What a pull asks its services with. */
export interface PullContext {
  readonly capture: CaptureFolder;
  readonly settings: PullSettings;
  readonly world: World;
  readonly progress: PullProgress;
  readonly rowsPerSlice: number;
  readonly signal: AbortSignal;
  /** Runs a call within the rate limit, again while it fails for reasons that pass. */
  ask<T>(run: () => Promise<T>): Promise<T>;
}

/**
 * Pulls a window into a capture, or goes on with one that was begun.
 *
 * @returns the capture's manifest
 * @throws SourceFault, DataFault; what was pulled by then stays
 */
export async function pullWindow(
  path: string,
  settings: PullSettings,
  options: PullOptions,
  world: World,
): Promise<Manifest> {
  if (/^\/.*\/[a-z]*$/.test(options.warmedMessage ?? "")) {
    throw new UsageError(
      `warmup.message: ${options.warmedMessage} is an expression, which the service cannot search for; write a text that the line holds`,
    );
  }
  const node = `node ${process.versions.node}`;
  const capture = await CaptureFolder.open(path, askedOf(settings), {
    program: VERSION,
    node,
    now: world.now,
  });
  const clock = options.clock ?? realClock;
  const progress = new PullProgress(world, options.isQuiet, () => clock.now());
  try {
    if (!capture.isComplete) {
      const { signal } = new AbortController();
      const limit = new RateLimit(clock);
      const context: PullContext = {
        capture,
        settings,
        world,
        progress,
        rowsPerSlice: options.rowsPerSlice ?? ROWS_PER_SLICE,
        signal,
        ask: (run) =>
          withRetry(
            async () => {
              await limit.turn(signal);
              return run();
            },
            {
              clock,
              random: Math.random,
              onRetry: ({ kind }, waitMs) => void progress.waiting(kind, waitMs),
            },
            signal,
          ),
      };
      await pullTables(context, options);
      await capture.complete(unsettledFrom(settings, world));
    }
    return capture.manifest;
  } finally {
    await progress.end();
    await capture.close();
  }
}

async function pullTables(context: PullContext, options: PullOptions): Promise<void> {
  const { settings, world, capture } = context;
  const { source, tables, include } = settings;
  const services = await openSources(source, world, context.signal);
  const scope: QueryScope = {
    roles: source.roles,
    app: source.app,
    keepQuery: include.includes("query-strings"),
    warmedMessage: options.warmedMessage ?? DEFAULT_WARMED_MESSAGE,
  };
  for (const table of tables) {
    if (table === "ingress") {
      await pullIngress(context, services.credential);
      continue;
    }
    const service = table === "system-events" ? services.logs : services.requests;
    if (service === null) continue;
    const queries = await queriesOf(table, service.schema, scope, world.bundled);
    await pullTable(table, queries, service, context);
  }
  if (source.logs === null) {
    capture.warn(
      "no-system-logs",
      "the system log was not pulled: name its workspace with --workspace beside --app-resource",
    );
  }
}

async function pullTable(
  table: CaptureTable,
  queries: readonly TableQuery[],
  service: QueryService,
  { capture, settings, progress, rowsPerSlice, signal, ask }: PullContext,
): Promise<void> {
  const tail = table === "system-events" ? EVENT_TAIL : 0;
  const window: Slice = { from: settings.dataFrom, to: settings.to + tail };
  const gaps = gapsIn(window, capture.done(table).map(sliceOf));
  if (gaps.length === 0) return;
  const counted = await Promise.all(
    queries.map(async (query) => ({
      query,
      counts: countsIn(await ask(() => service.query(countByHour(query(window)), window))),
    })),
  );
  // Of the two ways in which a system log is written, those that hold nothing need not be asked again.
  const filled = counted.filter(({ counts }) => counts.size > 0);
  const used = filled.length === 0 ? counted.slice(0, 1) : filled;
  const counts = new Map<number, number>();
  for (const { counts: own } of used) {
    for (const [hour, rows] of own) counts.set(hour, (counts.get(hour) ?? 0) + rows);
  }
  const slices = gaps.flatMap((gap) => planSlices(gap, counts, rowsPerSlice));
  await progress.table(table, slices.length);
  await fetchSlices(
    slices,
    {
      ask: async (slice) => {
        const answers = await Promise.all(
          used.map(({ query }) => ask(() => service.query(query(slice), slice))),
        );
        return joined(answers);
      },
      take: async (slice, answer) => {
        const from = formatTicks(slice.from);
        const to = formatTicks(slice.to);
        const { files, counts: rows } = await sliceFiles(table, answer, `${table} from ${from}`);
        const isEmpty = rows.rows + rows.duplicates + rows.malformed === 0;
        await capture.addSlice(table, { from, to }, isEmpty ? [] : files, rows);
        await progress.slice(rows.rows);
      },
      onHalved: () => progress.cut(),
    },
    CONCURRENCY,
    signal,
  );
  const total = [...counts.values()].reduce((sum, rows) => sum + rows, 0);
  warnOfMissing(capture, table, total);
}

/** Rows that the service counted and did not give. (More than it counted are rows that came meanwhile.) */
function warnOfMissing(capture: CaptureFolder, table: CaptureTable, counted: number): void {
  const pulled = capture
    .done(table)
    .reduce((sum, { rows, duplicates, malformed }) => sum + rows + duplicates + malformed, 0);
  if (pulled >= counted) return;
  capture.warn(
    "rows-missing",
    `${table}: the service counted ${counted} rows and gave ${pulled}; pull the window again into another folder`,
    counted - pulled,
  );
}

function countsIn({ columns, rows, partial }: QueryAnswer): Map<number, number> {
  if (partial !== null) {
    throw new SourceFault("service", `the count of rows came back cut (${partial})`, "pull a shorter window");
  }
  const hour = columns.indexOf("hour_ticks");
  const count = columns.indexOf("rows");
  return new Map(rows.map((row) => [Number(row[hour]), Number(row[count])]));
}

function joined(answers: readonly QueryAnswer[]): QueryAnswer {
  const [first] = answers;
  return {
    columns: answers.find(({ columns }) => columns.length > 0)?.columns ?? first!.columns,
    rows: answers.length === 1 ? first!.rows : answers.flatMap(({ rows }) => rows),
    partial: answers.find(({ partial }) => partial !== null)?.partial ?? null,
  };
}

/** The part of the window that a slice of the capture covers. */
export function sliceOf({ from, to }: CaptureSlice): Slice {
  return { from: parseInstant(from ?? "")?.ticks ?? 0, to: parseInstant(to ?? "")?.ticks ?? 0 };
}

function askedOf({ source, from, to, dataFrom, tables, include }: PullSettings): Asked {
  const { logs } = source;
  return {
    source: source.requests.kind,
    target: targetName(source),
    from: formatTicks(from),
    to: formatTicks(to),
    dataFrom: formatTicks(dataFrom),
    roles: [...source.roles],
    app: source.app === "" ? null : source.app,
    tables: [...tables],
    logs: logs === null || logs === "requests" ? logs : logs.id,
    metrics: source.metrics?.resource ?? null,
    include: [...include],
    files: [],
  };
}

function unsettledFrom({ from, to }: PullSettings, world: World): string | null {
  const settled = ticksOfEpochMs(world.now().getTime()) - SETTLE_TICKS;
  return to <= settled ? null : formatTicks(Math.max(from, settled));
}
