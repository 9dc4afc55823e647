import type { DateReader } from "./dates.ts";
import { findRate, numberOf, openBag } from "./dimensions.ts";
import { DataFault } from "./fault.ts";
import { type Cells, Field } from "./fields.ts";
import { hashText } from "./hash.ts";
import { kindOf } from "./kind.ts";
import { foldPath, requestPath } from "./path.ts";
import { type RequestTable, RowClass, SUCCESS_FALSE, SUCCESS_TRUE, SUCCESS_UNKNOWN } from "./table.ts";
import { ticksOfEpochMs } from "./time.ts";
import { parseDecimal, parseTimespan } from "./timespan.ts";
import { validRate, type WeightMode, weigh } from "./weight.ts";

/** How a form writes durations: a column of milliseconds (or time spans), envelope time spans, or 100-ns ticks. */
export type DurationStyle = "column" | "timespan" | "ticks";

export interface BuildOptions {
  readonly weight: WeightMode;
  readonly probePaths: readonly string[];
  /** False where no revision is asked for: the application version then does not tell identities apart. */
  readonly keepVersion?: boolean;
  /** Rows of this path are marked, so that figures can find the warm-up's request. */
  readonly markedPath?: string;
}

/** What the rows of one file share. */
export interface FileState {
  readonly path: string;
  readonly dates: DateReader;
  readonly durationStyle: DurationStyle;
  /** Numbers may be written with a decimal comma. */
  readonly decimalComma: boolean;
  /** The text `None` means no value. */
  readonly noneIsNull: boolean;
  /** 1-based number of the row being added. */
  row: number;
  numericDurations: number;
  timespanDurations: number;
  commaNumbers: number;
  pointNumbers: number;
}

/** The state of a file before its first row. */
export function startFile(
  path: string,
  dates: DateReader,
  durationStyle: DurationStyle,
  flags: { readonly decimalComma?: boolean; readonly noneIsNull?: boolean } = {},
): FileState {
  return {
    path,
    dates,
    durationStyle,
    decimalComma: flags.decimalComma ?? false,
    noneIsNull: flags.noneIsNull ?? false,
    row: 0,
    numericDurations: 0,
    timespanDurations: 0,
    commaNumbers: 0,
    pointNumbers: 0,
  };
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

  constructor(
    readonly table: RequestTable,
    readonly options: BuildOptions,
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

function isBlank(value: unknown, file: FileState): boolean {
  return value === undefined || value === null || value === "" || (file.noneIsNull && value === "None");
}

/** @throws DataFault where a column mixes plain numbers and time spans: the unit cannot be known. */
function durationOf(value: unknown, file: FileState): number | null {
  if (file.durationStyle === "ticks") {
    const ticks = numberOf(value);
    return ticks !== null && ticks >= 0 ? ticks / 1e4 : null;
  }
  if (file.durationStyle === "timespan") return typeof value === "string" ? parseTimespan(value) : null;
  const number = decimalOf(value, file);
  if (number !== null) {
    file.numericDurations++;
    checkUnits(file);
    return number >= 0 ? number : null;
  }
  if (typeof value === "string" && /^\s*\d+,\d+\s*$/.test(value)) {
    throw new DataFault(
      `a duration with a comma ("${value.trim()}") can mean a decimal or thousands`,
      "export the file again with plain numbers",
      { path: file.path, row: file.row, column: "duration" },
    );
  }
  const span = typeof value === "string" ? parseTimespan(value) : null;
  if (span !== null) {
    file.timespanDurations++;
    checkUnits(file);
  }
  return span;
}

/** Refuses a file whose durations are numbers in some rows and time spans in others. */
export function checkUnits(file: FileState): void {
  if (file.numericDurations === 0 || file.timespanDurations === 0) return;
  throw new DataFault(
    "durations are plain numbers in some rows and time spans in others, so their unit cannot be known",
    "export one unit (duration in milliseconds as the table holds it)",
    { path: file.path, row: file.row, column: "duration" },
  );
}

/** @throws DataFault where a file mixes decimal commas and decimal points: `1.234` may mean either. */
function decimalOf(value: unknown, file: FileState): number | null {
  if (!file.decimalComma || typeof value !== "string") return numberOf(value);
  const comma = /^\s*-?\d+,\d+\s*$/.test(value);
  const number = parseDecimal(comma ? value.replace(",", ".") : value);
  if (number === null) return null;
  if (comma) file.commaNumbers++;
  else if (value.includes(".")) file.pointNumbers++;
  if (file.commaNumbers > 0 && file.pointNumbers > 0) {
    throw new DataFault(
      "some numbers have a decimal comma and some a decimal point",
      "export the file again with one number format",
      { path: file.path, row: file.row },
    );
  }
  return number;
}

function textOf(value: unknown, noneIsNull: boolean): string {
  if (typeof value === "string") return noneIsNull && value === "None" ? "" : value.trim();
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

function successOf(value: unknown): number {
  if (typeof value === "boolean") return value ? SUCCESS_TRUE : SUCCESS_FALSE;
  if (typeof value !== "string") return SUCCESS_UNKNOWN;
  const folded = value.trim().toLowerCase();
  if (folded === "true") return SUCCESS_TRUE;
  return folded === "false" ? SUCCESS_FALSE : SUCCESS_UNKNOWN;
}

function show(value: unknown): string {
  if (value === undefined || value === null || value === "") return "empty";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `"${text.length > 40 ? `${text.slice(0, 40)}…` : text}"`;
}
