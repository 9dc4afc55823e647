import { decimalOf, durationOf, isBlank, show, successOf, textOf } from "./cell-values.ts";
import type { Detail } from "./detail.ts";
import { findRate, openBag } from "./dimensions.ts";
import { type Cells, Field } from "./fields.ts";
import type { FileState } from "./file-state.ts";
import { hashText } from "./hash.ts";
import { kindOf } from "./kind.ts";
import { foldPath, requestPath } from "./path.ts";
import { type RequestTable, RowClass } from "./table.ts";
import { ticksOfEpochMs } from "./time.ts";
import { validRate, type WeightMode, weigh } from "./weight.ts";

export interface BuildOptions {
  readonly weight: WeightMode;
  readonly probePaths: readonly string[];
  /** False where no revision is asked for: the application version then does not tell identities apart. */
  readonly keepVersion?: boolean;
  /** Rows of this path are marked, so that figures can find the warm-up's request. */
  readonly markedPath?: string;
}

export interface MalformedExample {
  readonly path: string;
  readonly row: number;
  readonly reason: string;
}

/** Oddities of the rows, counted for the warnings. */
export interface Tallies {
  ambiguousWeight: number;
  rateAlone: number;
  invalidRate: number;
  invalidItemCount: number;
  fractionalItemCount: number;
  largeItemCount: number;
  largestItemCount: number;
  noItemCount: number;
  noId: number;
  functionsHost: number;
  notFunctionsHost: number;
}

/** From this item count on a single row is worth a remark. */
const LARGE_ITEM_COUNT = 100;
const EXAMPLES = 5;
const NO_ID = new Uint8Array(0);
const encoder = new TextEncoder();

/** Turns cells into rows of a {@link RequestTable}: one class, one weight, one identity a row. */
export class RequestBuilder {
  malformed = 0;
  readonly malformedExamples: MalformedExample[] = [];
  readonly tallies: Tallies = {
    ambiguousWeight: 0,
    rateAlone: 0,
    invalidRate: 0,
    invalidItemCount: 0,
    fractionalItemCount: 0,
    largeItemCount: 0,
    largestItemCount: 0,
    noItemCount: 0,
    noId: 0,
    functionsHost: 0,
    notFunctionsHost: 0,
  };
  readonly probePaths: ReadonlySet<string>;
  readonly keepVersion: boolean;
  readonly markedPath: string | null;

  /** @param detail where the audits' details of each row go; null where no audit asks */
  constructor(
    readonly table: RequestTable,
    readonly options: BuildOptions,
    readonly detail: Detail | null = null,
  ) {
    this.probePaths = new Set(options.probePaths.map(foldPath));
    this.keepVersion = options.keepVersion ?? true;
    this.markedPath = options.markedPath === undefined ? null : foldPath(options.markedPath);
  }

  /** Adds a row; one without a valid timestamp or duration is counted as malformed instead. */
  add(cells: Cells, file: FileState): void {
    // The duration first: a rejected row must leave no date behind that waits for correction.
    const duration = durationOf(cells[Field.duration], file);
    if (duration === null) return this.reject(file, `no valid duration (${show(cells[Field.duration])})`);
    const start = this.#instant(cells[Field.start], file);
    if (start === null) return this.reject(file, `no valid timestamp (${show(cells[Field.start])})`);

    const text = (field: number): string => textOf(cells[field], file.noneIsNull);
    const dimensions = openBag(cells[Field.dimensions]);
    const measurements = openBag(cells[Field.measurements]);
    const name = text(Field.name);
    const url = text(Field.url);
    const sdkVersion = text(Field.sdkVersion);
    this.noteHost(/^azurefunctions:/i.test(sdkVersion));
    const kind = kindOf({
      name,
      url,
      resultCode: text(Field.resultCode),
      source: text(Field.source),
      sdkVersion,
      dimensions,
      measurements,
    });
    let rowClass: number = RowClass[kind === "http" ? "user" : kind];
    if (kind === "http") {
      if (text(Field.synthetic) !== "") rowClass = RowClass.synthetic;
      else if (this.probePaths.has(requestPath(url, name))) rowClass = RowClass.probe;
    }
    const found = findRate(
      cells[Field.sampleRate] === undefined
        ? dimensions
        : new Map([["samplerate", cells[Field.sampleRate]], ...dimensions]),
      measurements,
    );
    if (found.invalid) this.tallies.invalidRate++;
    const isAbsent = isBlank(cells[Field.itemCount], file);
    const weight = this.weigh(
      isAbsent ? null : this.#itemCount(cells[Field.itemCount], file),
      found.rate,
      isAbsent,
    );
    const id = text(Field.id);
    const bytes = id === "" ? NO_ID : encoder.encode(id);
    if (id === "") this.tallies.noId++;
    const operation = text(Field.operationId);
    this.detail?.requests.set(this.table.next, {
      name,
      path: requestPath(url, name),
      method: /^[A-Z]+(?= )/.exec(name)?.[0] ?? "",
      id,
      operationId: operation,
      resultCode: text(Field.resultCode),
    });
    this.table.push(
      start,
      duration,
      weight,
      this.identityOf(text(Field.role), text(Field.instance), text(Field.version)),
      rowClass,
      successOf(cells[Field.success]),
      operation === "" ? 0 : hashText(operation),
      bytes,
      0,
      bytes.length,
    );
    if (this.markedPath !== null && kind === "http" && requestPath(url, name) === this.markedPath) {
      this.table.markLast();
    }
  }

  /** Index of who a row belongs to. */
  identityOf(role: string, instance: string, version: string): number {
    return this.table.identityOf(role, instance, this.keepVersion ? version : "");
  }

  /** Puts rows that another builder with the same options read behind the own ones. */
  merge(
    table: RequestTable,
    malformed: number,
    examples: readonly MalformedExample[],
    tallies: Tallies,
  ): void {
    this.table.append(table);
    this.malformed += malformed;
    this.malformedExamples.push(...examples.slice(0, EXAMPLES - this.malformedExamples.length));
    const { largestItemCount } = this.tallies;
    for (const key of Object.keys(tallies) as (keyof Tallies)[]) this.tallies[key] += tallies[key];
    this.tallies.largestItemCount = Math.max(largestItemCount, tallies.largestItemCount);
  }

  /** Counts a row as malformed and keeps the first few as examples. */
  reject(file: FileState, reason: string): void {
    this.malformed++;
    if (this.malformedExamples.length < EXAMPLES) {
      this.malformedExamples.push({ path: file.path, row: file.row, reason });
    }
  }

  noteHost(functions: boolean): void {
    if (functions) this.tallies.functionsHost++;
    else this.tallies.notFunctionsHost++;
  }

  /** The weight of a row of another table; its oddities are not the requests'. */
  weightOf(itemCount: number | null, rate: number | null): number {
    return weigh(itemCount, validRate(rate), this.options.weight).weight;
  }

  /** The weight of a row, with its oddities counted. */
  weigh(itemCount: number | null, rate: number | null, isAbsent = itemCount === null): number {
    const result = weigh(itemCount, validRate(rate), this.options.weight);
    if (result.ambiguous) this.tallies.ambiguousWeight++;
    if (result.rateAlone) this.tallies.rateAlone++;
    if (isAbsent && rate === null) this.tallies.noItemCount++;
    if (itemCount !== null && itemCount > LARGE_ITEM_COUNT) {
      this.tallies.largeItemCount++;
      this.tallies.largestItemCount = Math.max(this.tallies.largestItemCount, itemCount);
    }
    return result.weight;
  }

  #itemCount(value: unknown, file: FileState): number | null {
    const count = decimalOf(value, file);
    if (count === null || count < 1) {
      this.tallies.invalidItemCount++;
      return null;
    }
    if (!Number.isInteger(count)) this.tallies.fractionalItemCount++;
    return count;
  }

  #instant(value: unknown, file: FileState): number | null {
    if (value instanceof Date) {
      const ms = value.getTime();
      return Number.isNaN(ms) ? null : ticksOfEpochMs(ms);
    }
    if (typeof value !== "string") return null;
    const row = this.table.next;
    return file.dates.read(value, (ticks) => this.table.setStart(row, ticks));
  }
}
