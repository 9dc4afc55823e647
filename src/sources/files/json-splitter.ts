/** Whether the container at a path is to be opened, or handed over whole as one value. */
export type Descend = (path: readonly string[], isArray: boolean) => boolean;

export interface SplitHandler {
  /** A value that was not opened, as its bytes; `path` holds keys, and `*` for elements of arrays. */
  value(path: readonly string[], bytes: Uint8Array): void;
  /** An opened container ended. */
  close?(path: readonly string[]): void;
}

/** The bytes are not JSON at this place. */
export class SplitError extends Error {}

const QUOTE = 34;
const BACKSLASH = 92;

/**
 * Splits a stream of JSON values into pieces of bounded size without parsing it: containers for which
 * `descend` says yes are opened, everything else is handed over as bytes. Values may follow one another
 * with or without newlines between them.
 */
export class JsonSplitter {
  readonly #path: string[] = [];
  readonly #arrays: boolean[] = [];
  #state: "value" | "key" | "colon" | "next" = "value";
  /** Just after `{` or `[`, where the container may end at once. */
  #fresh = false;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(
    readonly descend: Descend,
    readonly handler: SplitHandler,
  ) {}

  push(chunk: Uint8Array): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const used = this.#scan(bytes, false);
    this.#rest = new Uint8Array(bytes.subarray(used));
  }

  /** Bytes of a value that has begun and not ended. */
  get pending(): number {
    return this.#rest.length;
  }

  /** @returns false where the stream broke off inside a value. */
  end(): boolean {
    const used = this.#scan(this.#rest, true);
    return used >= this.#rest.length && this.#arrays.length === 0;
  }

  #scan(bytes: Uint8Array, last: boolean): number {
    let at = 0;
    for (;;) {
      while (at < bytes.length && isBlank(bytes[at]!)) at++;
      if (at >= bytes.length) return at;
      const byte = bytes[at]!;
      if (this.#state === "colon") {
        if (byte !== 58) throw new SplitError("colon expected");
        this.#state = "value";
        at++;
      } else if (this.#state === "next") {
        at = this.#next(byte, at);
      } else if ((byte === 125 || byte === 93) && this.#fresh) {
        this.#pop(byte);
        at++;
      } else if (this.#state === "key") {
        const to = endOfValue(bytes, at, last);
        if (to === -1) return at;
        if (byte !== QUOTE) throw new SplitError("key expected");
        this.#path[this.#path.length - 1] = keyOf(textOf(bytes, at, to));
        this.#fresh = false;
        this.#state = "colon";
        at = to;
      } else {
        const isArray = byte === 91;
        if ((isArray || byte === 123) && this.descend(this.#path, isArray)) {
          this.#arrays.push(isArray);
          this.#path.push("*");
          this.#state = isArray ? "value" : "key";
          this.#fresh = true;
          at++;
          continue;
        }
        const to = endOfValue(bytes, at, last);
        if (to === -1) return at;
        this.#fresh = false;
        this.handler.value(this.#path, bytes.subarray(at, to));
        this.#state = this.#arrays.length === 0 ? "value" : "next";
        at = to;
      }
    }
  }

  #next(byte: number, at: number): number {
    if (byte === 44) this.#state = this.#arrays[this.#arrays.length - 1] === true ? "value" : "key";
    else if (byte === 125 || byte === 93) this.#pop(byte);
    else throw new SplitError("comma or end expected");
    return at + 1;
  }

  #pop(byte: number): void {
    const isArray = this.#arrays.pop();
    if (isArray !== (byte === 93)) throw new SplitError("containers do not match");
    this.#path.pop();
    this.#fresh = false;
    this.handler.close?.(this.#path);
    this.#state = this.#arrays.length === 0 ? "value" : "next";
  }
}

function keyOf(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    throw new SplitError("key expected");
  }
}

/** The place after the JSON value at `at`, or -1 where it is not complete. */
export function endOfValue(bytes: Uint8Array, at: number, last: boolean): number {
  const first = bytes[at]!;
  if (first === QUOTE) return endOfString(bytes, at);
  if (first !== 123 && first !== 91) {
    let i = at;
    while (i < bytes.length && !isBlank(bytes[i]!) && bytes[i] !== 44 && bytes[i] !== 125 && bytes[i] !== 93)
      i++;
    if (i === at) throw new SplitError("value expected");
    return i < bytes.length || last ? i : -1;
  }
  let depth = 0;
  for (let i = at; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte === QUOTE) {
      i = endOfString(bytes, i) - 1;
      if (i < 0) return -1;
    } else if (byte === 123 || byte === 91) depth++;
    else if ((byte === 125 || byte === 93) && --depth === 0) return i + 1;
  }
  return -1;
}

function endOfString(bytes: Uint8Array, at: number): number {
  for (let i = at + 1; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte === QUOTE) return i + 1;
    if (byte === BACKSLASH) i++;
  }
  return -1;
}

export function isBlank(byte: number): boolean {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9;
}

/** A range of UTF-8 bytes as text. */
export function textOf(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString("utf8");
}
