import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { DataFault } from "../../telemetry/fault.ts";

/** Ending of a file that is still being written. */
export const PART = ".part";

/**
 * Writes a file aside, makes sure of it and renames it into place; nothing half-written stays.
 *
 * @throws DataFault where the disk is full or the folder cannot be written
 */
export async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  const aside = `${path}${PART}`;
  try {
    await mkdir(dirname(path), { recursive: true });
    const handle = await open(aside, "w");
    try {
      await handle.writeFile(content);
      await handle.datasync();
    } finally {
      await handle.close();
    }
    await rename(aside, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(aside, { force: true }).catch(() => {});
    throw writeFault(error, path);
  }
}

/** Makes sure of the names in a folder, on systems that let a folder be opened. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, "r").catch(() => null);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

/** What a failed write means to the user; an error that comes from elsewhere stays what it is. */
export function writeFault(error: unknown, path: string): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "") return error;
  return new DataFault(
    code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG"
      ? `no room to write it (${code})`
      : `cannot be written (${code})`,
    "make room or give another folder; what was written stays, and the same command goes on from there",
    { path },
  );
}
