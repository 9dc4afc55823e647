import type { Detail } from "./detail.ts";
import type { Cells } from "./fields.ts";
import type { FileState } from "./file-state.ts";
import { hashText } from "./hash.ts";
import { type ParsedRequest, parseRequest, type ReadTallies } from "./parsed-request.ts";
import { foldPath } from "./path.ts";
import { type RequestTable, RowClass } from "./table.ts";
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
export interface Tallies extends ReadTallies {
  ambiguousWeight: number;
  rateAlone: number;
  largeItemCount: number;
  largestItemCount: number;
}

/** Where a capture collects what the rows say, by row number of the table. */
export interface RequestCollector {
  push(number: number, row: ParsedRequest): void;
  /** The start of a row that was pushed, put right. */
  correct(number: number, ticks: number): void;
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

  /**
   * @param detail where the audits' details of each row go; null where no audit asks
   * @param columns where a capture collects the rows, in place of their details; null where none is made
   */
  constructor(
    readonly table: RequestTable,
    readonly options: BuildOptions,
    readonly detail: Detail | null = null,
    readonly columns: RequestCollector | null = null,
  ) {
    this.probePaths = new Set(options.probePaths.map(foldPath));
    this.keepVersion = options.keepVersion ?? true;
    this.markedPath = options.markedPath === undefined ? null : foldPath(options.markedPath);
  }

  /** Adds a row; one without a valid timestamp or duration is counted as malformed instead. */
  add(cells: Cells, file: FileState): void {
    const number = this.table.next;
    const row = parseRequest(cells, file, this.tallies, (ticks) => {
      this.table.setStart(number, ticks);
      this.columns?.correct(number, ticks);
    });
    if (typeof row === "string") this.reject(file, row);
    else this.addParsed(row);
  }

  /** Adds a row that was parsed; its oddities as read are counted already. */
  addParsed(row: ParsedRequest): void {
    const { kind, path } = row;
    let rowClass: number = RowClass[kind === "http" ? "user" : kind];
    if (kind === "http") {
      if (row.isSynthetic) rowClass = RowClass.synthetic;
      else if (this.probePaths.has(path)) rowClass = RowClass.probe;
    }
    const number = this.table.next;
    if (this.columns !== null) this.columns.push(number, row);
    else {
      this.detail?.requests.set(number, {
        name: row.name,
        path,
        method: /^[A-Z]+(?= )/.exec(row.name)?.[0] ?? "",
        id: row.id,
        operationId: row.operationId,
        resultCode: row.resultCode,
      });
    }
    const bytes = row.id === "" ? NO_ID : encoder.encode(row.id);
    this.table.push(
      row.start,
      row.durationMs,
      this.weighRow(row.itemCount, row.rate),
      this.identityOf(row.role, row.instance, row.version),
      rowClass,
      row.success,
      row.operationId === "" ? 0 : hashText(row.operationId),
      bytes,
      0,
      bytes.length,
    );
    if (this.markedPath !== null && kind === "http" && path === this.markedPath) this.table.markLast();
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
    if (isAbsent && rate === null) this.tallies.noItemCount++;
    return this.weighRow(itemCount, rate);
  }

  /** The weight of a row whose missing item count is counted already, or of several that say the same. */
  weighRow(itemCount: number | null, rate: number | null, rows = 1): number {
    const result = weigh(itemCount, validRate(rate), this.options.weight);
    if (result.ambiguous) this.tallies.ambiguousWeight += rows;
    if (result.rateAlone) this.tallies.rateAlone += rows;
    if (itemCount !== null && itemCount > LARGE_ITEM_COUNT) {
      this.tallies.largeItemCount += rows;
      this.tallies.largestItemCount = Math.max(this.tallies.largestItemCount, itemCount);
    }
    return result.weight;
  }
}
