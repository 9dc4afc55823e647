import { loadFiles } from "../sources/files/load.ts";
import { RequestBuilder } from "../telemetry/builder.ts";
import { DataFault } from "../telemetry/fault.ts";
import { RequestTable } from "../telemetry/table.ts";
import { formatTicks } from "../telemetry/time.ts";
import { ANALYSIS_VERSION } from "../verdict/bar.ts";
import { amendedLock, formatLock, isSameAnalysis, isSameBar, lockPathOf, newLock } from "../verdict/lock.ts";
import type { BarLock } from "../verdict/types.ts";
import { provenBar, readLock, writeWhole } from "./bar-files.ts";
import { ExitCode, UsageError } from "./exit-codes.ts";
import type { World } from "./world.ts";

export interface FreezeFlags {
  readonly data?: readonly string[];
}

/** Registers a bar: writes its lock, unless the same bar has one already. Returns the exit code. */
export async function freezeBar(file: string, flags: FreezeFlags, world: World): Promise<ExitCode> {
  const proven = await provenBar(file, world);
  if (proven === null) return ExitCode.usage;
  const old = await readLock(file, world);
  const path = lockPathOf(file);
  if (old !== null && !isSameBar(old, proven.digest)) {
    throw new UsageError(
      `the bar changed since it was frozen on ${old.frozenAt}; register the change with coldstart bar amend ${file} --reason "…"`,
    );
  }
  if (old !== null && !isSameAnalysis(old)) throw new UsageError(otherAnalysis(old, file));
  if (old !== null) {
    await world.stdout.write(`${path}: already frozen on ${old.frozenAt}, and the bar is the same\n`);
    return ExitCode.done;
  }
  const lock = newLock(proven.digest, world.now().toISOString(), await newestOf(flags, world));
  await writeWhole(path, formatLock(lock), world);
  await world.stdout.write(frozen(file, lock));
  return ExitCode.done;
}

/** Registers a changed bar in place of the old one, with the reason of the change. */
export async function amendBar(
  file: string,
  flags: FreezeFlags & { readonly reason?: string },
  world: World,
): Promise<ExitCode> {
  const reason = flags.reason?.trim() ?? "";
  if (reason === "") throw new UsageError('--reason: say why the bar changed: --reason "…"');
  const proven = await provenBar(file, world);
  if (proven === null) return ExitCode.usage;
  const old = await readLock(file, world);
  if (old === null) {
    throw new UsageError(`${lockPathOf(file)}: nothing is frozen yet; coldstart bar freeze ${file} does it`);
  }
  if (isSameBar(old, proven.digest) && isSameAnalysis(old)) {
    throw new UsageError(
      `${file}: the bar is as it was frozen on ${old.frozenAt}; there is nothing to amend`,
    );
  }
  const next = newLock(proven.digest, world.now().toISOString(), await newestOf(flags, world));
  const lock = amendedLock(old, next, reason);
  await writeWhole(lockPathOf(file), formatLock(lock), world);
  await world.stdout.write(frozen(file, lock));
  return ExitCode.done;
}

function otherAnalysis(lock: BarLock, file: string): string {
  return `the bar was frozen for version ${lock.analysisVersion} of the analysis and this is version ${ANALYSIS_VERSION}, which may judge otherwise; register it anew with coldstart bar amend ${file} --reason "…"`;
}

function frozen(file: string, lock: BarLock): string {
  const path = lockPathOf(file);
  const data =
    lock.newestData === null ? "no data was given with --data" : `the newest data is of ${lock.newestData}`;
  const old = lock.supersedes.at(-1);
  return `${path}: frozen on ${lock.frozenAt}; ${data}
sha256 ${lock.digest}
${old === undefined ? "" : `in place of ${old.digest.slice(0, 12)}… of ${old.frozenAt}: ${old.reason}\n`}
Commit both files before the deployment; the commit is what proves the date:
  git add ${file} ${path} && git commit -m "Bar: what the deployment must meet"
`;
}

/** The newest instant that the data shows, ISO 8601; null without `--data`. */
async function newestOf({ data = [] }: FreezeFlags, world: World): Promise<string | null> {
  if (data.length === 0) return null;
  if (data.filter((path) => path === "-").length > 1) {
    throw new UsageError("--data -: standard input can be read only once");
  }
  const builder = new RequestBuilder(new RequestTable(), {
    weight: "auto",
    probePaths: [],
    keepVersion: false,
  });
  const loaded = await loadFiles(data, builder, world.stdin);
  // Half an export would claim that less had been seen.
  if (loaded.faults.length > 0) throw loaded.faults[0]!;
  let newest = Number.NEGATIVE_INFINITY;
  const { table } = builder;
  table.forEach((row) => {
    newest = Math.max(newest, table.start(row));
  });
  for (const { ticks } of loaded.events ?? []) newest = Math.max(newest, ticks);
  if (newest === Number.NEGATIVE_INFINITY) {
    throw new DataFault("no row with a time", "leave out --data where there is no data yet", {
      path: data.join(", "),
    });
  }
  return formatTicks(newest);
}
