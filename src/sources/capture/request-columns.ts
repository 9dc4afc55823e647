import type { MalformedExample, RequestCollector } from "../../telemetry/builder.ts";
import type { ParsedRequest, ReadTallies } from "../../telemetry/parsed-request.ts";
import { ColumnMaker, loadArrow } from "./arrow.ts";
import { NumberColumn, TextColumn } from "./buffers.ts";
import type { SliceFile } from "./folder.ts";

/** Rows of one file of a capture. */
export const ROWS_PER_FILE = 262_144;

/** What stands beside the rows of a file: what was seen while they were read. */
export interface RequestNotes {
  readonly tallies: ReadTallies;
  readonly malformed: number;
  readonly examples: readonly MalformedExample[];
  readonly duplicates: number;
  /** Request columns that the source had, by field. */
  readonly fields: readonly number[];
}

/** Rows that say the same of their weight. */
export interface WeighedRows {
  readonly itemCount: number | null;
  readonly rate: number | null;
  readonly rows: number;
}

/** Rows of a slice by column, while they come in. */
export class RequestColumns implements RequestCollector {
  readonly #position = new Map<number, number>();
  readonly start = new NumberColumn();
  readonly duration = new NumberColumn();
  readonly itemCount = new NumberColumn();
  readonly rate = new NumberColumn();
  readonly synthetic = new NumberColumn();
  readonly success = new NumberColumn();
  readonly kind = new TextColumn();
  readonly path = new TextColumn();
  readonly role = new TextColumn();
  readonly instance = new TextColumn();
  readonly version = new TextColumn();
  readonly name = new TextColumn();
  readonly url = new TextColumn();
  readonly resultCode = new TextColumn();
  readonly id: string[] = [];
  readonly operationId: string[] = [];

  push(number: number, row: ParsedRequest): void {
    // Numbers of a table that is filled row by row run on; others are rare.
    if (number !== this.start.length) this.#position.set(number, this.start.length);
    this.start.push(row.start);
    this.duration.push(row.durationMs);
    this.itemCount.push(row.itemCount ?? Number.NaN);
    this.rate.push(row.rate ?? Number.NaN);
    this.synthetic.push(row.isSynthetic ? 1 : 0);
    this.success.push(row.success === 0 ? Number.NaN : row.success === 1 ? 1 : 0);
    this.kind.push(row.kind);
    this.path.push(row.path);
    this.role.push(row.role);
    this.instance.push(row.instance);
    this.version.push(row.version);
    this.name.push(row.name);
    this.url.push(row.url);
    this.resultCode.push(row.resultCode);
    this.id.push(row.id);
    this.operationId.push(row.operationId);
  }

  correct(number: number, ticks: number): void {
    const at = this.#at(number);
    // A date is corrected before its row was pushed where the row turned out to be malformed.
    if (at < this.start.length) this.start.values[at] = ticks;
  }

  /**
   * The files of a slice.
   *
   * @param order row numbers of the table without duplicates, in the order of time
   */
  async files(order: Uint32Array, notes: RequestNotes): Promise<SliceFile[]> {
    const arrow = await loadArrow();
    const rows = order.map((number) => this.#at(number));
    const copies = this.#weighed(rows);
    const files: SliceFile[] = [];
    for (let from = 0; from === 0 || from < rows.length; from += ROWS_PER_FILE) {
      const make = new ColumnMaker(arrow, rows.subarray(from, from + ROWS_PER_FILE));
      const columns = {
        timestamp: make.instants(this.start),
        duration_ms: make.numbers(this.duration),
        item_count: make.numbers(this.itemCount),
        sample_rate: make.numbers(this.rate),
        kind: make.codes(this.kind),
        synthetic: make.bools(this.synthetic),
        success: make.bools(this.success),
        path: make.codes(this.path),
        role: make.codes(this.role),
        instance: make.codes(this.instance),
        version: make.codes(this.version),
      };
      const details = {
        id: make.texts(this.id),
        operation_id: make.texts(this.operationId),
        name: make.codes(this.name),
        url: make.codes(this.url),
        result_code: make.codes(this.resultCode),
      };
      const own = from === 0 ? { ...notes, copies } : null;
      files.push(
        { folder: "requests", rows: make.length, bytes: make.file(columns, own) },
        { folder: "request-details", rows: make.length, bytes: make.file(details, null) },
      );
    }
    return files;
  }

  /** What the rows that are left out say of their weight: its oddities are counted with those of the rest. */
  #weighed(kept: Uint32Array): WeighedRows[] {
    const isKept = new Uint8Array(this.start.length);
    for (const row of kept) isKept[row] = 1;
    const found = new Map<string, number>();
    for (let row = 0; row < isKept.length; row++) {
      if (isKept[row] === 1) continue;
      // NaN stands for null, and becomes it.
      const key = JSON.stringify([this.itemCount.values[row], this.rate.values[row]]);
      found.set(key, (found.get(key) ?? 0) + 1);
    }
    return [...found].map(([key, rows]) => {
      const [itemCount, rate] = JSON.parse(key) as [number | null, number | null];
      return { itemCount, rate, rows };
    });
  }

  #at(number: number): number {
    return this.#position.get(number) ?? number;
  }
}
