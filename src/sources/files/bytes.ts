import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";

const CHUNK = 1 << 18;
/** How much of an input is looked at to tell its form. */
const HEAD = 1 << 18;

/** Bytes of one input, decompressed and in UTF-8, with its beginning known before the rest is read. */
export interface ByteSource {
  readonly head: Uint8Array;
  /** Where the head begins in a file whose bytes are read as they are; null for any other input. */
  readonly plainOffset: number | null;
  /** All bytes, the head included. A chunk is only valid until the next one is asked for. */
  chunks(): AsyncGenerator<Uint8Array>;
  /** Whether the compressed stream broke off; known when the chunks have ended. */
  truncated(): boolean;
  close(): Promise<void>;
}

/** Opens a file, or standard input for `-`. Gzip and UTF-16 are told from the first bytes. */
export async function openBytes(path: string, stdin: AsyncIterable<Uint8Array>): Promise<ByteSource> {
  const file = path === "-" ? null : await open(path);
  let broken = false;
  const raw = file === null ? stdin[Symbol.asyncIterator]() : readAhead(file);
  const [first, rest] = await takeHead(raw, 4);
  let bytes: AsyncIterator<Uint8Array> = join(first, rest);
  let isPlain = file !== null;
  if (first[0] === 0x1f && first[1] === 0x8b) {
    isPlain = false;
    bytes = unzip(bytes, () => {
      broken = true;
    });
  }
  const [mark, afterMark] = await takeHead(bytes, 4);
  bytes = join(mark, afterMark);
  const wide =
    mark[0] === 0xff && mark[1] === 0xfe
      ? "utf-16le"
      : mark[0] === 0xfe && mark[1] === 0xff
        ? "utf-16be"
        : null;
  if (wide !== null) {
    isPlain = false;
    bytes = fromUtf16(bytes, wide);
  }
  const [head, tail] = await takeHead(bytes, HEAD);
  const start = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
  const clean = head.subarray(start);
  return {
    head: clean,
    plainOffset: isPlain ? start : null,
    chunks: () => join(clean, tail),
    truncated: () => broken,
    close: async () => {
      await file?.close();
    },
  };
}

/** Two buffers, so that the next chunk is read while the last one is worked on. */
async function* readAhead(file: Awaited<ReturnType<typeof open>>): AsyncGenerator<Uint8Array> {
  const buffers = [Buffer.allocUnsafe(CHUNK), Buffer.allocUnsafe(CHUNK)] as const;
  let turn = 0;
  let pending = file.read(buffers[0], 0, CHUNK);
  for (;;) {
    const { bytesRead } = await pending;
    if (bytesRead === 0) return;
    const filled = buffers[turn === 0 ? 0 : 1];
    turn = 1 - turn;
    pending = file.read(buffers[turn === 0 ? 0 : 1], 0, CHUNK);
    // A reader that stops early must not leave a rejection unhandled.
    pending.catch(() => {});
    yield filled.subarray(0, bytesRead);
  }
}

async function takeHead(
  source: AsyncIterator<Uint8Array>,
  wanted: number,
): Promise<[Uint8Array, AsyncIterator<Uint8Array>]> {
  const parts: Uint8Array[] = [];
  let length = 0;
  while (length < wanted) {
    const next = await source.next();
    if (next.done === true) break;
    parts.push(new Uint8Array(next.value));
    length += next.value.length;
  }
  return [parts.length === 1 ? parts[0]! : Buffer.concat(parts), source];
}

async function* join(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head;
  for (;;) {
    const next = await rest.next();
    if (next.done === true) return;
    yield next.value;
  }
}

async function* unzip(source: AsyncIterator<Uint8Array>, onBroken: () => void): AsyncGenerator<Uint8Array> {
  async function* copies(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const next = await source.next();
      if (next.done === true) return;
      yield new Uint8Array(next.value);
    }
  }
  const gunzip = createGunzip();
  const input = Readable.from(copies());
  input.on("error", (error) => gunzip.destroy(error));
  try {
    yield* input.pipe(gunzip) as AsyncIterable<Uint8Array>;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code !== "Z_BUF_ERROR" && code !== "Z_DATA_ERROR") throw error;
    onBroken();
  }
}

async function* fromUtf16(source: AsyncIterator<Uint8Array>, encoding: string): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding);
  const encoder = new TextEncoder();
  for (;;) {
    const next = await source.next();
    if (next.done === true) break;
    yield encoder.encode(decoder.decode(next.value, { stream: true }));
  }
  yield encoder.encode(decoder.decode());
}
