import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder, writeFault } from "./durable.ts";
import type { JournalLine } from "./manifest.ts";

/**
 * The journal of a pull: whole lines only, each on disk before it is told as written. A line that cannot be
 * written whole is taken back.
 */
export class Journal {
  readonly #handle: FileHandle;
  /** Bytes of the whole lines. */
  #size: number;
  #last: Promise<void> = Promise.resolve();
  /** Why half a line stands at the end and nothing may follow it; null where that is not so. */
  #broken: unknown = null;

  private constructor(
    readonly path: string,
    handle: FileHandle,
    size: number,
  ) {
    this.#handle = handle;
    this.#size = size;
  }

  /** Opens or begins a journal. A last line without its end was never told as written, and is cut off. */
  static async open(path: string): Promise<Journal> {
    let handle: FileHandle | null = null;
    try {
      handle = await open(path, constants.O_RDWR | constants.O_CREAT);
      const bytes = await handle.readFile();
      const size = bytes.lastIndexOf("\n") + 1;
      if (size < bytes.length) await handle.truncate(size);
      await syncFolder(dirname(path));
      return new Journal(path, handle, size);
    } catch (error) {
      await handle?.close();
      throw writeFault(error, path);
    }
  }

  /**
   * Appends a line; lines of several callers never mix.
   *
   * @throws DataFault where there is no room: the journal then holds what it held before
   */
  append(line: JournalLine): Promise<void> {
    const written = this.#last.then(() => this.#write(Buffer.from(`${JSON.stringify(line)}\n`)));
    this.#last = written.catch(() => {});
    return written;
  }

  async #write(line: Buffer): Promise<void> {
    if (this.#broken !== null) throw this.#broken;
    try {
      for (let done = 0; done < line.length; ) {
        done += (await this.#handle.write(line, done, line.length - done, this.#size + done)).bytesWritten;
      }
      await this.#handle.datasync();
      this.#size += line.length;
    } catch (error) {
      const fault = writeFault(error, this.path);
      await this.#handle.truncate(this.#size).catch(() => {
        this.#broken = fault;
      });
      throw fault;
    }
  }

  /** After what was begun has been written. */
  async close(): Promise<void> {
    await this.#last;
    await this.#handle.close();
  }
}
