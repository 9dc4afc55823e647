import { createHash } from "node:crypto";
import { join, relative, resolve } from "node:path";
import type { AnalysisFlags, AnalysisSettings } from "./analysis-options.ts";
import type { Config } from "./config-schema.ts";
import { UsageError } from "./exit-codes.ts";
import type { World } from "./world.ts";

/** Where an analysis gets its data: `--data`, or else the source of the configuration. */
export interface DataFlags {
  readonly data?: readonly string[];
  readonly quiet?: boolean;
  /** The configuration, as the hook before each command leaves it here. */
  readonly configuration?: Config;
}

/** The paths of `--data`; empty where a source is configured. @throws UsageError without either */
export function dataPaths(flags: DataFlags): readonly string[] {
  const paths = flags.data ?? [];
  const { source } = flags.configuration ?? {};
  const isConfigured =
    source?.workspace !== undefined || source?.app !== undefined || source?.cluster !== undefined;
  if (paths.length === 0 && !isConfigured) {
    throw new UsageError(
      "no data: name an export with --data PATH (a file, a folder, or -), or a source with coldstart init",
    );
  }
  if (paths.filter((path) => path === "-").length > 1) {
    throw new UsageError("--data -: standard input can be read only once");
  }
  return paths;
}

/** Begin and end of what an analysis looks at, in ticks; null where it does not say. */
export interface Reach {
  readonly from: number | null;
  readonly to: number | null;
}

/** The reach of windows: a split window, or two windows apart. */
export function reachOf({ fleet }: AnalysisSettings): Reach {
  const from = Math.min(...fleet.windows.map((window) => window.from));
  const to = Math.max(...fleet.windows.map((window) => window.to));
  return { from: Number.isFinite(from) ? from : null, to: Number.isFinite(to) ? to : null };
}

/**
 * The paths to read: those of `--data`, or a capture of the window, pulled now if it is not there yet.
 *
 * @throws UsageError where the window has no begin; SourceFault
 */
export async function dataFor(
  flags: DataFlags,
  reach: Reach,
  analysis: Pick<AnalysisFlags, "role" | "guard">,
  world: World,
): Promise<readonly string[]> {
  const paths = dataPaths(flags);
  if (paths.length > 0) return paths;
  const config = flags.configuration!;
  if (reach.from === null) {
    throw new UsageError("--from is missing: without --data, say where the window to pull begins");
  }
  const { pullSettings, settledBefore } = await import("./pull-settings.ts");
  const { formatTicks } = await import("../telemetry/time.ts");
  // Beyond what has settled there is nothing to be had yet, and the gate would refuse it.
  const to = Math.min(reach.to ?? Number.POSITIVE_INFINITY, settledBefore(world.now()));
  const settings = pullSettings(
    {
      from: formatTicks(reach.from),
      to: formatTicks(to),
      ...(analysis.role === undefined ? {} : { role: [analysis.role] }),
      ...(analysis.guard === undefined ? {} : { guard: analysis.guard }),
    },
    config,
    world,
  );
  const question = JSON.stringify([settings.source, settings.dataFrom, settings.to]);
  const name = createHash("sha256").update(question).digest("hex").slice(0, 12);
  const folder = resolve(world.cwd, ".coldstart", name);
  const { pullWindow } = await import("./pull-run.ts");
  const warmedMessage = config.warmup?.message;
  await pullWindow(
    folder,
    settings,
    { isQuiet: flags.quiet === true, ...(warmedMessage === undefined ? {} : { warmedMessage }) },
    world,
  );
  const path = relative(world.cwd, folder) || folder;
  if (flags.quiet !== true) {
    await world.stderr.write(
      `pulled ${formatTicks(settings.from)} to ${formatTicks(settings.to)} into ${join(path)}; give it with --data to use it again\n`,
    );
  }
  return [folder];
}
