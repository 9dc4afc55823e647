import { viewOf } from "../../telemetry/byte-find.ts";

/** Bytes behind the text that may be read, though nothing there counts. */
const SLACK = 16;
const LF = 10;
const QUOTE = 34;

/**
 * The piece of a stream that is being split into rows: an unfinished row and what has been read behind
 * it, in one buffer that is filled again and again. A newline and a quote stand behind the last byte, so
 * that loops which look for one of them need no other end.
 */
export class RowWindow {
  bytes: Buffer = Buffer.alloc(SLACK);
  view = viewOf(this.bytes);
  /** Where the next row begins. */
  from = 0;
  /** Where the text ends. */
  to = 0;

  /** Bytes of a row that has begun and not ended. */
  get pending(): number {
    return this.to - this.from;
  }

  /** The place for what comes next, of at least `least` bytes; {@link took} says how many were put there. */
  room(least: number): Buffer {
    const { pending } = this;
    if (pending + least + SLACK <= this.bytes.length) this.bytes.copyWithin(0, this.from, this.to);
    else {
      const grown = Buffer.alloc(Math.max(2 * pending, pending + least) + SLACK);
      this.bytes.copy(grown, 0, this.from, this.to);
      this.bytes = grown;
      this.view = viewOf(grown);
    }
    this.from = 0;
    this.to = pending;
    return this.bytes.subarray(pending, this.bytes.length - SLACK);
  }

  took(length: number): void {
    this.to += length;
    this.bytes[this.to] = LF;
    this.bytes[this.to + 1] = QUOTE;
  }

  push(chunk: Uint8Array): void {
    this.room(chunk.length).set(chunk);
    this.took(chunk.length);
  }
}
