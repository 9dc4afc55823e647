import type { RequestBuilder } from "./builder.ts";
import { isSame, viewOf } from "./byte-find.ts";
import { NonHttpKinds } from "./byte-kind.ts";
import { findSample, rateAt } from "./byte-rate.ts";
import { type ByteRow, decimalAt, digitsAt, startsWithFolded, Tag } from "./byte-row.ts";
import { checkUnits } from "./cell-values.ts";
import { FieldIndex } from "./field-index.ts";
import { Field } from "./fields.ts";
import type { FileState } from "./file-state.ts";
import { hashBytes } from "./hash.ts";
import { RowClass, SUCCESS_FALSE, SUCCESS_TRUE, SUCCESS_UNKNOWN } from "./table.ts";
import { EPOCH_MS, TICKS_PER_MS } from "./time.ts";

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);
const HTTP = ascii("http");
const TRUE = ascii("true");
const FALSE = ascii("false");
const FUNCTIONS = ascii("azurefunctions:");
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"].map((method) =>
  ascii(`${method} `),
);

/** What tells a row's class: blanks around such a text would have to be taken off. */
const CLASS_FIELDS = [Field.url, Field.name, Field.source, Field.resultCode, Field.sdkVersion];

/** Turns a row's fields into text or parsed JSON, as its source escapes them. */
export type Decode = (row: ByteRow, field: number) => unknown;

/**
 * Adds rows from their bytes. Rows in the usual shape (ISO time in UTC, plain decimals, an HTTP request
 * by URL or name) are read without making strings; every other row is decoded and goes through
 * {@link RequestBuilder.add}, which is what the bytes must agree with.
 */
export class ByteBuilder {
  readonly #probes: readonly Uint8Array[];
  readonly #longestProbe: number;
  /** A probe path with other letters than ASCII, which are not folded here. */
  readonly #hasOddProbes: boolean;
  readonly #marked: Uint8Array | null;
  readonly #identities: FieldIndex<number>;
  readonly #nonHttp = new NonHttpKinds(isFunctions);
  /** Scheme and host of the URL before: most of a file's URLs begin alike. */
  #origin: DataView = viewOf(new Uint8Array(0));
  #date = -1;
  #dateTicks = 0;

  constructor(
    readonly builder: RequestBuilder,
    readonly file: FileState,
    readonly decode: Decode,
    readonly cells: (row: ByteRow) => unknown[],
  ) {
    this.#probes = [...builder.probePaths].map(ascii);
    this.#marked = builder.markedPath === null ? null : ascii(builder.markedPath);
    this.#longestProbe = Math.max(0, ...this.#probes.map((probe) => probe.length));
    this.#hasOddProbes = this.#probes.some((probe) => probe.some((byte) => byte >= 128));
    const fields = [Field.role, Field.instance, ...(builder.keepVersion ? [Field.version] : [])];
    this.#identities = new FieldIndex(fields, (row) =>
      builder.identityOf(
        this.#text(row, Field.role),
        this.#text(row, Field.instance),
        this.#text(row, Field.version),
      ),
    );
  }

  add(row: ByteRow): void {
    if (!this.#addUsual(row)) this.builder.add(this.cells(row), this.file);
  }

  /** False, with nothing changed, where the row needs the slow way. */
  #addUsual(row: ByteRow): boolean {
    const { bytes, from, to, tag } = row;
    const durationTag = tag[Field.duration]!;
    if (durationTag !== Tag.bare && durationTag !== Tag.plain) return false;
    const duration = decimalAt(bytes, from[Field.duration]!, to[Field.duration]!);
    if (duration < 0 || this.file.decimalComma) return false;
    const start = this.#instant(row);
    if (start === null || !isClean(row, Field.id) || !isClean(row, Field.operationId)) return false;
    if (
      tag[Field.sampleRate] !== Tag.absent ||
      tag[Field.role] === Tag.escaped ||
      tag[Field.instance] === Tag.escaped
    ) {
      return false;
    }
    const rowClass = this.#class(row);
    if (rowClass === -1) return false;
    const itemCount = this.#itemCount(row);
    if (itemCount === -1) return false;
    const rate = this.#rate(row);
    if (rate === -1) return false;
    const success = successAt(row);
    if (success === -1) return false;

    const { builder } = this;
    this.file.numericDurations++;
    checkUnits(this.file);
    builder.noteHost(isFunctions(row));
    const idTag = tag[Field.id]!;
    const idFrom = idTag === Tag.absent ? 0 : from[Field.id]!;
    const idTo = idTag === Tag.absent ? 0 : to[Field.id]!;
    if (idFrom === idTo) builder.tallies.noId++;
    const noOperation =
      tag[Field.operationId] === Tag.absent || from[Field.operationId] === to[Field.operationId];
    builder.table.push(
      start,
      duration,
      builder.weigh(itemCount === 0 ? null : itemCount, rate === 0 ? null : rate),
      this.#identities.find(row),
      rowClass,
      success,
      noOperation ? 0 : hashBytes(bytes, from[Field.operationId]!, to[Field.operationId]!),
      bytes,
      idFrom,
      idTo,
    );
    return true;
  }

  /** Ticks of `YYYY-MM-DDTHH:MM:SS[.fffffff]Z`, or null. */
  #instant(row: ByteRow): number | null {
    const tag = row.tag[Field.start]!;
    if (tag !== Tag.bare && tag !== Tag.plain) return null;
    const { bytes } = row;
    const at = row.from[Field.start]!;
    const length = row.to[Field.start]! - at;
    if (length < 20 || length > 28 || bytes[at + 10] !== 84 || bytes[at + length - 1] !== 90) return null;
    if (bytes[at + 4] !== 45 || bytes[at + 7] !== 45 || bytes[at + 13] !== 58 || bytes[at + 16] !== 58)
      return null;
    const year = digitsAt(bytes, at, 4);
    const month = digitsAt(bytes, at + 5, 2);
    const day = digitsAt(bytes, at + 8, 2);
    const hour = digitsAt(bytes, at + 11, 2);
    const minute = digitsAt(bytes, at + 14, 2);
    const second = digitsAt(bytes, at + 17, 2);
    if (year < 1992 || year > 2047 || month < 1 || day < 1 || hour < 0 || minute < 0 || second < 0)
      return null;
    if (month > 12 || day > 28 + 3 || hour > 23 || minute > 59 || second > 59) return null;
    const date = (year * 100 + month) * 100 + day;
    if (date !== this.#date) {
      const ms = Date.UTC(year, month - 1, day);
      if (new Date(ms).getUTCDate() !== day) return null;
      this.#date = date;
      this.#dateTicks = (ms - EPOCH_MS) * TICKS_PER_MS;
    }
    const digits = length - 21;
    let fraction = 0;
    if (digits === -1) {
      if (length !== 20) return null;
    } else {
      if (digits === 0 || bytes[at + 19] !== 46) return null;
      fraction = digitsAt(bytes, at + 20, digits);
      if (fraction < 0) return null;
      for (let i = digits; i < 7; i++) fraction *= 10;
    }
    return this.#dateTicks + ((hour * 60 + minute) * 60 + second) * 10_000_000 + fraction;
  }

  #class(row: ByteRow): number {
    for (let i = 0; i < CLASS_FIELDS.length; i++) if (!isClean(row, CLASS_FIELDS[i]!)) return -1;
    const http = this.#httpClass(row);
    if (http !== -1) return http;
    const kind = this.#nonHttp.kind(row);
    return kind === null ? -1 : RowClass[kind];
  }

  /** The class of a row that is plainly HTTP, or -1. */
  #httpClass(row: ByteRow): number {
    const { bytes, from, to, tag } = row;
    if (tag[Field.url] === Tag.escaped || tag[Field.name] === Tag.escaped) return -1;
    const url = from[Field.url]!;
    const hasUrl = tag[Field.url] !== Tag.absent && to[Field.url]! > url;
    let path: number;
    let end: number;
    if (hasUrl) {
      end = to[Field.url]!;
      path = this.#pathOf(row, url, end);
      if (path === -1) return -1;
    } else {
      end = to[Field.name]!;
      path = tag[Field.name] === Tag.absent ? -1 : pathInName(bytes, from[Field.name]!, end);
      if (path === -1) return -1;
    }
    // The few rows of the marked path are left to the slow way, which marks them.
    if (this.#marked !== null && matchesPath(bytes, path, end, this.#marked)) return -1;
    const code = from[Field.resultCode]!;
    if (tag[Field.resultCode] !== Tag.absent && to[Field.resultCode]! - code === 3) {
      if (bytes[code] === 49 && bytes[code + 1] === 48 && bytes[code + 2] === 49) return RowClass.other;
    }
    if (tag[Field.synthetic] !== Tag.absent && to[Field.synthetic]! > from[Field.synthetic]!) {
      return isClean(row, Field.synthetic) ? RowClass.synthetic : -1;
    }
    if (this.#hasOddProbes) return -1;
    return this.#isProbe(bytes, path, end) ? RowClass.probe : RowClass.user;
  }

  /** Where the path of an HTTP URL begins, or -1 where it has none or is no HTTP URL. */
  #pathOf(row: ByteRow, url: number, end: number): number {
    const { bytes, view } = row;
    const known = this.#origin.byteLength;
    if (known > 0 && url + known < end && bytes[url + known] === 47) {
      if (isSame(view, url, this.#origin, 0, known)) return url + known;
    }
    if (!startsWithFolded(bytes, url, end, HTTP)) return -1;
    const colon = bytes[url + 4] === 115 || bytes[url + 4] === 83 ? url + 5 : url + 4;
    if (bytes[colon] !== 58 || bytes[colon + 1] !== 47 || bytes[colon + 2] !== 47) return -1;
    let path = colon + 3;
    while (path < end && bytes[path] !== 47 && bytes[path] !== 63 && bytes[path] !== 35) path++;
    if (path >= end || bytes[path] !== 47) return -1;
    this.#origin = viewOf(bytes.slice(url, path));
    return path;
  }

  #isProbe(bytes: Uint8Array, from: number, urlEnd: number): boolean {
    // Past the longest probe path and a slash nothing can match: do not read on.
    const end = Math.min(urlEnd, from + this.#longestProbe + 2);
    let to = from;
    while (to < end && bytes[to] !== 63 && bytes[to] !== 35) to++;
    if (to > from + 1 && bytes[to - 1] === 47) to--;
    for (let i = 0; i < this.#probes.length; i++) {
      const probe = this.#probes[i]!;
      if (probe.length === to - from && startsWithFolded(bytes, from, to, probe)) return true;
    }
    return false;
  }

  /** The item count, 0 where absent, -1 where it needs the slow way. */
  #itemCount(row: ByteRow): number {
    const tag = row.tag[Field.itemCount]!;
    if (tag === Tag.absent) return 0;
    const from = row.from[Field.itemCount]!;
    const length = row.to[Field.itemCount]! - from;
    if (length === 0 && tag !== Tag.nested) return 0;
    if (tag > Tag.plain || length > 9) return -1;
    const count = digitsAt(row.bytes, from, length);
    return count < 1 ? -1 : count;
  }

  /** The sample rate, 0 where absent, -1 where it needs the slow way. */
  #rate(row: ByteRow): number {
    const { bytes, from, to, tag } = row;
    if (tag[Field.measurements] !== Tag.absent) {
      if (findSample(bytes, from[Field.measurements]!, to[Field.measurements]!) !== -1) return -1;
    }
    if (tag[Field.dimensions] === Tag.absent) return 0;
    const start = from[Field.dimensions]!;
    const end = to[Field.dimensions]!;
    const at = findSample(bytes, start, end);
    if (at === -1) return 0;
    return findSample(bytes, at + 6, end) === -1 ? rateAt(row, start, end, at) : -1;
  }

  #text(row: ByteRow, field: number): string {
    if (row.tag[field] === Tag.absent) return "";
    const value = this.decode(row, field);
    return typeof value === "string" ? value.trim() : typeof value === "number" ? String(value) : "";
  }
}

/** Whether a field is absent, or text without escapes or outer blanks. */
function isClean(row: ByteRow, field: number): boolean {
  const tag = row.tag[field]!;
  if (tag === Tag.absent) return true;
  if (tag === Tag.escaped || tag === Tag.nested) return false;
  const from = row.from[field]!;
  const to = row.to[field]!;
  return from === to || (isGraphic(row.bytes[from]!) && isGraphic(row.bytes[to - 1]!));
}

/** Whether a path, without query and trailing slash, is the given one in any case. */
function matchesPath(bytes: Uint8Array, from: number, end: number, wanted: Uint8Array): boolean {
  if (!startsWithFolded(bytes, from, end, wanted)) return false;
  let at = from + wanted.length;
  if (at < end && bytes[at] === 47) at++;
  return at === end || bytes[at] === 63 || bytes[at] === 35;
}

/** A visible ASCII character: neither a blank nor a part of one. */
function isGraphic(byte: number): boolean {
  return byte > 32 && byte < 128;
}

function isAt(bytes: Uint8Array, from: number, to: number, text: Uint8Array): boolean {
  if (to - from < text.length) return false;
  for (let i = 0; i < text.length; i++) if (bytes[from + i] !== text[i]) return false;
  return true;
}

/** Where the path begins in a name such as `GET /orders`, or -1. */
function pathInName(bytes: Uint8Array, from: number, end: number): number {
  const method = METHODS.find((candidate) => isAt(bytes, from, end, candidate));
  if (method === undefined) return -1;
  const path = from + method.length;
  for (let i = path; i < end; i++) if (!isGraphic(bytes[i]!)) return -1;
  return path;
}

function isFunctions(row: ByteRow): boolean {
  if (row.tag[Field.sdkVersion] === Tag.absent) return false;
  return startsWithFolded(row.bytes, row.from[Field.sdkVersion]!, row.to[Field.sdkVersion]!, FUNCTIONS);
}

function successAt(row: ByteRow): number {
  const tag = row.tag[Field.success]!;
  if (tag === Tag.absent) return SUCCESS_UNKNOWN;
  const from = row.from[Field.success]!;
  const to = row.to[Field.success]!;
  if (from === to) return SUCCESS_UNKNOWN;
  if (to - from === 4 && startsWithFolded(row.bytes, from, to, TRUE)) return SUCCESS_TRUE;
  if (to - from === 5 && startsWithFolded(row.bytes, from, to, FALSE)) return SUCCESS_FALSE;
  return -1;
}
