import { createHash, randomUUID } from "node:crypto";
import { constants, copyFile, link, open, readFile, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { resolve } from "node:path";
import { z } from "zod";
import { DataFault } from "../../telemetry/fault.ts";
import { PART, writeFault } from "./durable.ts";

const LOCK = "lock";

const holderSchema = z.object({ pid: z.int().positive(), host: z.string(), since: z.string() });

type Holder = z.infer<typeof holderSchema>;

/** A pull may not write into this folder. */
export class CaptureRefused extends DataFault {}

/** Another process is writing the capture. */
export class CaptureBusy extends CaptureRefused {}

/** A lock that was taken. */
export interface Lock {
  /** Who held it and is gone; null where it was free. */
  readonly takenFrom: string | null;
  release(): Promise<void>;
}

/** Keys of the locks that this process holds. */
const held = new Set<string>();

/**
 * Takes a capture's lock. One whose process is gone from this machine is taken over.
 *
 * A lock that was left behind is not removed, which two openers could do at once, one of them removing what
 * the other has just taken. It gets a successor, whose name is made of its own content: of several openers
 * only one can create that. The last of the chain holds the lock, and removes the chain from its head on.
 *
 * @throws CaptureBusy where it is held; DataFault where the folder cannot be written
 */
export async function takeLock(folder: string, now: Date): Promise<Lock> {
  const own = { pid: process.pid, host: hostname(), since: now.toISOString(), key: randomUUID() };
  const content = JSON.stringify(own);
  const head = resolve(folder, LOCK);
  const aside = `${head}.${own.key}${PART}`;
  let lock: Lock | null = null;
  held.add(keyOf(content));
  try {
    // Linked into place, so that nobody ever sees a lock without its holder.
    await writeSynced(aside, content);
    while (lock === null) lock = await takeLast(head, aside, () => held.delete(keyOf(content)));
    return lock;
  } catch (error) {
    throw writeFault(error, folder);
  } finally {
    if (lock === null) held.delete(keyOf(content));
    await rm(aside, { force: true });
  }
}

/** Null where the chain was removed meanwhile. */
async function takeLast(head: string, aside: string, onRelease: () => void): Promise<Lock | null> {
  const chain = [head];
  let takenFrom: string | null = null;
  let first: string | null = null;
  while (!(await isLinked(aside, chain.at(-1)!))) {
    const path = chain.at(-1)!;
    const old = await readIfThere(path);
    if (old === null) return null;
    first ??= old;
    const holder = holderOf(old);
    takenFrom = holder === null ? "nobody" : `process ${holder.pid} since ${holder.since}`;
    if (holder !== null && !isGone(holder, old)) {
      throw new CaptureBusy(
        `process ${holder.pid} on ${holder.host} is writing this capture since ${holder.since}`,
        `wait for it, or give another folder; if no such process exists, remove ${path}`,
        { path: resolve(head, "..") },
      );
    }
    chain.push(`${head}.${keyOf(old)}`);
  }
  // The chain's head goes first: where it is another one now, this successor belongs to a lock of the past.
  if (first !== null && (await readIfThere(head)) !== first) {
    await rm(chain.at(-1)!, { force: true });
    return null;
  }
  return {
    takenFrom,
    release: async () => {
      for (const path of chain) await rm(path, { force: true });
      onRelease();
    },
  };
}

/** Whether a name in the lock's folder is the lock's own. */
export function isOfLock(name: string): boolean {
  return name === LOCK || name.startsWith(`${LOCK}.`);
}

async function writeSynced(path: string, content: string): Promise<void> {
  const handle = await open(path, "wx");
  try {
    await handle.writeFile(content);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

async function isLinked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    // Some network shares know no links; there a copy that must be new is the next best.
    if (code !== undefined && NO_LINKS.has(code)) return isCopied(from, to);
    throw error;
  }
}

const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

async function isCopied(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

function keyOf(content: string): string {
  return createHash("sha256").update(content).digest("hex").slice(0, 32);
}

/** Null for what no pull has written. */
function holderOf(content: string): Holder | null {
  try {
    return holderSchema.safeParse(JSON.parse(content)).data ?? null;
  } catch {
    return null;
  }
}

/** Whether the process cannot exist any more; on another host nobody knows, so the lock stands. */
function isGone({ pid, host }: Holder, content: string): boolean {
  if (host !== hostname()) return false;
  // The number of an earlier process, which this one got again.
  if (pid === process.pid) return !held.has(keyOf(content));
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
