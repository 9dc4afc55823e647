import { link, readFile, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { resolve } from "node:path";
import { DataFault } from "../../telemetry/fault.ts";

const LOCK = "lock";

interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly since: string;
}

/** A pull may not write into this folder. */
export class CaptureRefused extends DataFault {}

/** Another process is writing the capture. */
export class CaptureBusy extends CaptureRefused {}

/** Locks that this process holds. */
const held = new Set<string>();

/**
 * Takes a capture's lock. One whose process is gone from this machine is taken over.
 *
 * @returns gives the lock back
 * @throws CaptureBusy where it is held
 */
export async function takeLock(folder: string, now: Date): Promise<() => Promise<void>> {
  const path = resolve(folder, LOCK);
  const own: Holder = { pid: process.pid, host: hostname(), since: now.toISOString() };
  // Linked into place, so that nobody ever sees a lock without its holder.
  const aside = `${path}.${process.pid}.part`;
  for (;;) {
    await writeFile(aside, JSON.stringify(own));
    try {
      await link(aside, path);
      held.add(path);
      return async () => {
        held.delete(path);
        await rm(path, { force: true });
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    } finally {
      await rm(aside, { force: true });
    }
    const holder = await readHolder(path);
    if (holder !== null && !isGone(holder, path)) {
      throw new CaptureBusy(
        `process ${holder.pid} on ${holder.host} is writing this capture since ${holder.since}`,
        `wait for it, or give another folder; if no such process exists, remove ${path}`,
        { path: folder },
      );
    }
    await rm(path, { force: true });
  }
}

/** Null for a lock that is gone again. */
async function readHolder(path: string): Promise<Holder | null> {
  const text = await readFile(path, "utf8").catch(() => "");
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && "pid" in value ? (value as Holder) : null;
  } catch {
    return null;
  }
}

/** Whether the process cannot exist any more; on another host nobody knows, so the lock stands. */
function isGone({ pid, host }: Holder, path: string): boolean {
  if (host !== hostname()) return false;
  // The number of an earlier process, which this one got again.
  if (pid === process.pid) return !held.has(path);
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
