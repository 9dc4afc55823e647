import { createHash } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DataFault } from "../../telemetry/fault.ts";
import { CaptureRefused, takeLock } from "./lock.ts";
import {
  type Asked,
  CAPTURE_SCHEMA,
  type CaptureFile,
  type CaptureSlice,
  type CaptureTable,
  isCapture,
  JOURNAL,
  MANIFEST,
  type Manifest,
  readManifest,
} from "./manifest.ts";

/** A file of a slice before it is written. */
export interface SliceFile {
  /** Folder of the capture that it belongs into. */
  readonly folder: string;
  readonly rows: number;
  readonly bytes: Uint8Array;
}

export interface SliceCounts {
  readonly rows: number;
  readonly duplicates: number;
  readonly malformed: number;
}

export interface OpenOptions {
  readonly program: string;
  readonly node: string;
  now(): Date;
}

/**
 * A capture that is being written. A slice is done when its line stands in the journal, and the line is
 * written after the slice's files: whatever stops the program, nothing that is told as done is missing.
 */
export class CaptureFolder {
  readonly #journal: FileHandle;
  #next: number;

  private constructor(
    readonly path: string,
    readonly manifest: Manifest,
    journal: FileHandle,
    readonly options: OpenOptions,
    readonly release: () => Promise<void>,
  ) {
    this.#journal = journal;
    this.#next = 1 + highestNumber(manifest.slices);
  }

  /**
   * Begins a capture, or takes one up again that was asked for in the same words.
   *
   * @throws CaptureRefused where the folder holds something else, a capture of something else, or one that
   *   another process is writing
   */
  static async open(path: string, asked: Asked, options: OpenOptions): Promise<CaptureFolder> {
    await mkdir(path, { recursive: true });
    const isOld = await isCapture(path);
    if (!isOld && (await readdir(path)).length > 0) {
      throw new CaptureRefused("the folder is not empty and holds no capture", "give a new folder", { path });
    }
    const release = await takeLock(path, options.now());
    try {
      const manifest = isOld ? await readManifest(path) : emptyManifest(asked, options);
      const other = difference(manifest.asked, asked);
      if (other !== null) {
        throw new CaptureRefused(
          `the folder holds a capture of something else (${other})`,
          "give a new folder, or the options of that capture",
          { path },
        );
      }
      await removeParts(path);
      if (!isOld) await writeWhole(join(path, MANIFEST), render(manifest));
      const journal = await openJournal(join(path, JOURNAL));
      return new CaptureFolder(path, manifest, journal, options, release);
    } catch (error) {
      await release();
      throw error;
    }
  }

  get isComplete(): boolean {
    return this.manifest.state === "complete";
  }

  /** The slices of a table that are done. */
  done(table: CaptureTable): CaptureSlice[] {
    return this.manifest.slices.filter((slice) => slice.table === table);
  }

  /** Writes a slice's files and its line in the journal. */
  async addSlice(
    table: CaptureTable,
    window: { readonly from: string | null; readonly to: string | null },
    files: readonly SliceFile[],
    counts: SliceCounts,
  ): Promise<CaptureSlice> {
    const written: CaptureFile[] = [];
    const number = String(this.#next++).padStart(6, "0");
    for (const [i, { folder, rows, bytes }] of files.entries()) {
      const sameFolder = files.slice(0, i).filter((file) => file.folder === folder).length;
      const name = `${folder}/${number}${sameFolder === 0 ? "" : `-${sameFolder}`}.arrow`;
      await writeWhole(join(this.path, name), bytes);
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      written.push({ path: name, rows, bytes: bytes.length, sha256 });
    }
    const pulledAt = this.options.now().toISOString();
    const slice: CaptureSlice = { table, ...window, ...counts, files: written, pulledAt };
    await this.#journal.write(`${JSON.stringify(slice)}\n`);
    await this.#journal.datasync();
    this.manifest.slices.push(slice);
    return slice;
  }

  /** Keeps a remark in the manifest, once. */
  warn(code: string, message: string, count = 1): void {
    const { warnings } = this.manifest;
    const at = warnings.findIndex((warning) => warning.code === code && warning.message === message);
    if (at === -1) warnings.push({ code, message, count });
    else warnings[at] = { code, message, count };
  }

  /** Says that everything asked for is there. */
  async complete(unsettledFrom: string | null): Promise<void> {
    Object.assign(this.manifest, {
      state: "complete",
      finished: this.options.now().toISOString(),
      unsettledFrom,
    });
    await writeWhole(join(this.path, MANIFEST), render(this.manifest));
    await rm(join(this.path, JOURNAL), { force: true });
  }

  async close(): Promise<void> {
    await this.#journal.close();
    await this.release();
  }
}

function emptyManifest(asked: Asked, { program, node, now }: OpenOptions): Manifest {
  const started = now().toISOString();
  return {
    schema: CAPTURE_SCHEMA,
    state: "running",
    program,
    node,
    asked,
    started,
    finished: null,
    unsettledFrom: null,
    slices: [],
    warnings: [],
  };
}

function render(manifest: Manifest): string {
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** The first thing in which two questions differ; null where they are the same. */
function difference(old: Asked, asked: Asked): string | null {
  for (const key of Object.keys(asked) as (keyof Asked)[]) {
    const [before, now] = [JSON.stringify(old[key]), JSON.stringify(asked[key])];
    if (before !== now) return `${key} ${before}, now ${now}`;
  }
  return null;
}

function highestNumber(slices: readonly CaptureSlice[]): number {
  const numbers = slices.flatMap(({ files }) =>
    files.map(({ path }) => Number(/(\d{6,})(?:-\d+)?\.arrow$/.exec(path)?.[1])),
  );
  return numbers.reduce((most, number) => Math.max(most, number), 0);
}

/** The journal for appending; a last line without its end was never told as done, and is cut off. */
async function openJournal(path: string): Promise<FileHandle> {
  const handle = await open(path, "a+");
  const text = await handle.readFile("utf8");
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  if (whole.length < text.length) await handle.truncate(Buffer.byteLength(whole));
  return handle;
}

async function removeParts(path: string): Promise<void> {
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && entry.name.endsWith(".part")) await rm(join(entry.parentPath, entry.name));
  }
}

/** Writes a file aside, makes sure of it and renames it into place; nothing half-written stays. */
async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  const aside = `${path}.part`;
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
  } catch (error) {
    await rm(aside, { force: true }).catch(() => {});
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "") throw error;
    throw new DataFault(
      code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG"
        ? `no room to write it (${code})`
        : `cannot be written (${code})`,
      "make room or give another folder; what was written stays, and the same command goes on from there",
      { path },
    );
  }
}
