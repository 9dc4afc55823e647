import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { Table } from "apache-arrow";
import { DataFault } from "../../telemetry/fault.ts";
import { damaged, readTable } from "./arrow-read.ts";
import type { CaptureFile } from "./manifest.ts";

/** A file of a capture, opened. */
export interface OpenFile {
  readonly file: CaptureFile;
  readonly path: string;
  readonly table: Table;
}

/**
 * Opens files one after another, and reads the next one while the caller is at the present one.
 * A table is good until the next one is asked for: its bytes are then written over.
 *
 * @throws DataFault where a file is missing, cut, changed, or no Arrow file
 */
export async function* openInTurn(folder: string, files: readonly CaptureFile[]): AsyncGenerator<OpenFile> {
  const buffers: Uint8Array[] = [new Uint8Array(0), new Uint8Array(0)];
  const begin = async (i: number): Promise<Uint8Array | null> => {
    const file = files[i];
    if (file === undefined) return null;
    buffers[i % 2] = await readInto(join(folder, file.path), file, buffers[i % 2]!);
    return buffers[i % 2]!.subarray(0, file.bytes);
  };
  let next = begin(0);
  try {
    for (const [i, file] of files.entries()) {
      const bytes = (await next)!;
      next = begin(i + 1);
      // It is awaited in its turn, and may fail before.
      next.catch(() => {});
      const path = join(folder, file.path);
      yield { file, path, table: await within(path, () => decode(bytes, file)) };
    }
  } finally {
    await next.catch(() => {});
  }
}

/** Opens a file of a capture. @throws DataFault where it is missing, cut, changed, or no Arrow file */
export async function openFile(folder: string, file: CaptureFile): Promise<OpenFile> {
  const path = join(folder, file.path);
  const bytes = await readInto(path, file, new Uint8Array(0));
  return { file, path, table: await within(path, () => decode(bytes, file)) };
}

/** Runs what reads a file, and says of which one a fault tells. */
export async function within<T>(path: string, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof DataFault ? error.at({ path }) : error;
  }
}

async function decode(bytes: Uint8Array, { rows, sha256 }: CaptureFile): Promise<Table> {
  if (createHash("sha256").update(bytes).digest("hex") !== sha256) {
    throw damaged("is not what was written: its digest differs");
  }
  return readTable(bytes, rows);
}

/** The file's bytes at the begin of the buffer, or of a larger one where they do not fit. */
async function readInto(path: string, file: CaptureFile, buffer: Uint8Array): Promise<Uint8Array> {
  return within(path, async () => {
    const unreadable = (error: NodeJS.ErrnoException): never => {
      throw damaged(`a file of the capture cannot be read (${error.code})`);
    };
    const handle = await open(path).catch(unreadable);
    try {
      const { size } = await handle.stat();
      const other = (bytes: number): DataFault =>
        damaged(`holds ${bytes} bytes, not the ${file.bytes} that were written`);
      if (size !== file.bytes) throw other(size);
      const into = size > buffer.length ? new Uint8Array(size) : buffer;
      for (let done = 0; done < size; ) {
        const { bytesRead } = await handle.read(into, done, size - done, done).catch(unreadable);
        if (bytesRead === 0) throw other(done);
        done += bytesRead;
      }
      return into;
    } finally {
      await handle.close();
    }
  });
}
