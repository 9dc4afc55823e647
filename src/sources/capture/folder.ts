import { createHash } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { beginOrResume, type OpenOptions, writeManifest } from "./begin.ts";
import { writeFault, writeWhole } from "./durable.ts";
import { Journal } from "./journal.ts";
import { takeLock } from "./lock.ts";
import {
  type Asked,
  type CaptureFile,
  type CaptureSlice,
  type CaptureTable,
  JOURNAL,
  keepWarning,
  type Manifest,
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

/**
 * A capture that is being written. A slice is done when its line stands in the journal, and the line is
 * written after the slice's files: whatever stops the program, nothing that is told as done is missing.
 */
export class CaptureFolder {
  /** Null for a capture that is complete: nothing is added to it. */
  readonly #journal: Journal | null;
  #next: number;
  /** The remarks on their way to the disk; the next slice waits for them, and is told what went wrong. */
  #unsaid: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly path: string,
    readonly manifest: Manifest,
    journal: Journal | null,
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
   *   another process is writing (CaptureBusy); DataFault where it cannot be read or written
   */
  static async open(path: string, asked: Asked, options: OpenOptions): Promise<CaptureFolder> {
    await mkdir(path, { recursive: true }).catch((error: unknown) => {
      throw writeFault(error, path);
    });
    // Only who has the lock may look: another opener may be just beginning this capture.
    const lock = await takeLock(path, options.now());
    try {
      const manifest = await beginOrResume(path, asked, options);
      const journal = manifest.state === "complete" ? null : await Journal.open(join(path, JOURNAL));
      const folder = new CaptureFolder(path, manifest, journal, options, lock.release);
      if (journal === null) await rm(join(path, JOURNAL), { force: true });
      else if (lock.takenFrom !== null) {
        const left = `the pull of ${lock.takenFrom} ended without giving the capture back; another one went on with it`;
        folder.warn("lock-taken-over", left);
      }
      return folder;
    } catch (error) {
      await lock.release();
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

  /**
   * Writes a slice's files and its line in the journal.
   *
   * @throws DataFault where there is no room; the slice is not done then
   */
  async addSlice(
    table: CaptureTable,
    window: { readonly from: string | null; readonly to: string | null },
    files: readonly SliceFile[],
    counts: SliceCounts,
  ): Promise<CaptureSlice> {
    const written: CaptureFile[] = [];
    const number = String(this.#next++).padStart(6, "0");
    try {
      for (const [i, { folder, rows, bytes }] of files.entries()) {
        const sameFolder = files.slice(0, i).filter((file) => file.folder === folder).length;
        const path = `${folder}/${number}${sameFolder === 0 ? "" : `-${sameFolder}`}.arrow`;
        await writeWhole(join(this.path, path), bytes);
        const sha256 = createHash("sha256").update(bytes).digest("hex");
        written.push({ path, rows, bytes: bytes.length, sha256 });
      }
    } catch (error) {
      for (const { path } of written) await rm(join(this.path, path), { force: true });
      throw error;
    }
    const pulledAt = this.options.now().toISOString();
    const slice: CaptureSlice = { table, ...window, ...counts, files: written, pulledAt };
    await this.#unsaid;
    await this.#open.append(slice);
    this.manifest.slices.push(slice);
    return slice;
  }

  /** Keeps a remark in the manifest, once, and in the journal until then. */
  warn(code: string, message: string, count = 1): void {
    const warning = { code, message, count };
    if (!keepWarning(this.manifest.warnings, warning)) return;
    const written = this.#open.append({ warning });
    this.#unsaid = Promise.all([this.#unsaid, written]);
    // Nobody need wait for it.
    this.#unsaid.catch(() => {});
  }

  /** Says that everything asked for is there. @throws DataFault where that cannot be written */
  async complete(unsettledFrom: string | null): Promise<void> {
    const finished = this.options.now().toISOString();
    const manifest: Manifest = { ...this.manifest, state: "complete", finished, unsettledFrom };
    await writeManifest(this.path, manifest);
    Object.assign(this.manifest, manifest);
    await rm(join(this.path, JOURNAL), { force: true });
  }

  async close(): Promise<void> {
    try {
      await this.#journal?.close();
    } finally {
      await this.release();
    }
  }

  get #open(): Journal {
    if (this.#journal === null) throw new Error("nothing can be added to a complete capture");
    return this.#journal;
  }
}

function highestNumber(slices: readonly CaptureSlice[]): number {
  const numbers = slices.flatMap(({ files }) =>
    files.map(({ path }) => Number(/(\d{6,})(?:-\d+)?\.arrow$/.exec(path)?.[1])),
  );
  return numbers.reduce((most, number) => Math.max(most, number), 0);
}
