import { DataFault } from "../../telemetry/fault.ts";
import { isBag } from "./envelopes.ts";
import type { Input } from "./input.ts";
import { JsonSplitter, SplitError, textOf } from "./json-splitter.ts";
import { isStatusTable, noteError, noteStatus } from "./kusto.ts";
import type { RecordReader } from "./record-reader.ts";

/** How the JSON values of a file are laid out. */
export type JsonLayout = "tables" | "records" | "frames" | "array" | "sequence";

const TABLE_KEYS = new Set(["tables", "Tables", "partialTables"]);
const RECORD_KEYS = new Set(["records", "items"]);
const TRUNCATED = "fetch the file again: what follows is missing";

/** Reads one file of JSON values of a known layout, piece by piece. */
export class JsonFile {
  readonly #splitter: JsonSplitter;
  #columns: string[] | null = null;
  #tableKind = "";
  /** Kusto frames: the last one says that nothing is missing. */
  #isComplete = false;
  #rows = 0;
  /** Rows that came before their table's columns. */
  #early: unknown[] = [];

  constructor(
    readonly layout: JsonLayout,
    readonly input: Input,
    readonly records: RecordReader,
  ) {
    this.#splitter = new JsonSplitter((path, isArray) => this.#descend(path, isArray), {
      value: (path, bytes) => this.#value(path, bytes),
      close: (path) => this.#close(path),
    });
  }

  push(chunk: Uint8Array): void {
    try {
      this.#splitter.push(chunk);
    } catch (error) {
      if (!(error instanceof SplitError)) throw error;
      this.#damaged();
    }
  }

  end(): void {
    try {
      if (!this.#splitter.end()) {
        if (this.#rows === 0) throw new DataFault("JSON that stops before the first row", TRUNCATED);
        if (this.#splitter.pending > 0) {
          this.records.row = ++this.#rows;
          this.records.reject("cut off by the end of the file");
          this.input.markPartial("the file stops in the middle of a row", TRUNCATED, this.#rows);
        } else this.input.markPartial("the file stops after this row, before its end", TRUNCATED, this.#rows);
      }
    } catch (error) {
      if (!(error instanceof SplitError)) throw error;
      this.#damaged();
    }
    if (this.layout === "frames" && !this.#isComplete) {
      this.input.markPartial(
        "the answer has no completion frame, so rows may be missing",
        "run the query again",
      );
    }
    this.records.finish();
  }

  #damaged(): never {
    throw new DataFault(
      this.#rows === 0 ? "not valid JSON" : "not valid JSON after this row",
      "the file is damaged or holds other text; export it again",
      this.#rows === 0 ? {} : { row: this.#rows },
    );
  }

  #descend(path: readonly string[], isArray: boolean): boolean {
    const depth = path.length;
    switch (this.layout) {
      case "sequence":
        return false;
      case "array":
        return depth === 0 && isArray;
      case "frames":
        if (depth <= 1) return isArray === (depth === 0);
        return depth === 2 && isArray && path[1] === "Rows";
      case "records":
        return (depth === 0 && !isArray) || (depth === 1 && isArray && RECORD_KEYS.has(path[0]!));
      default:
        if (depth === 0) return !isArray;
        if (!TABLE_KEYS.has(path[0]!)) return false;
        if (depth <= 2) return isArray === (depth === 1);
        return depth === 3 && isArray && (path[2] === "rows" || path[2] === "Rows");
    }
  }

  #value(path: readonly string[], bytes: Uint8Array): void {
    const isRow = path[path.length - 1] === "*" || path.length === 0;
    let value: unknown;
    try {
      value = JSON.parse(textOf(bytes, 0, bytes.length));
    } catch {
      if (!isRow) return this.#damaged();
      this.records.row = ++this.#rows;
      return this.records.reject("not valid JSON");
    }
    if (!isRow) return this.#member(path, value);
    this.#rows++;
    if (path.length >= 3) this.#row(value);
    else this.records.add(value);
  }

  /** A member of a wrapper, table or frame other than its rows. */
  #member(path: readonly string[], value: unknown): void {
    const key = path[path.length - 1]!;
    if (key === "error" || key === "partialError" || key === "OneApiErrors" || key === "Exceptions") {
      if (value !== null && !(Array.isArray(value) && value.length === 0)) noteError(this.input, value);
    } else if (key === "status" && (value === "PartialFailure" || value === "Failure")) {
      this.input.markPartial(`the result's status is ${value}`, "run the query again, over a shorter time");
    } else if (key === "Cancelled") {
      if (value === true) this.input.markPartial("the query was cancelled", "run the query again");
    } else if (key === "FrameType") {
      if (value === "DataSetCompletion") this.#isComplete = true;
    } else if (key === "HasErrors") {
      if (value === true) this.input.markPartial("the query ended with errors", "run the query again");
    } else if (key === "TableKind") this.#tableKind = String(value);
    else if (key === "TableFragmentType" && value === "DataReplace") {
      throw new DataFault(
        "progressive results that replace earlier rows",
        "run the query without progressive mode",
      );
    } else if (
      (key === "columns" || key === "Columns" || key === "columnDescriptors") &&
      Array.isArray(value)
    ) {
      this.#columns = value.map((column) =>
        isBag(column) ? String(column.name ?? column.ColumnName) : String(column),
      );
      for (const row of this.#early.splice(0)) this.#row(row);
    }
  }

  #row(value: unknown): void {
    if (!Array.isArray(value)) return noteError(this.input, value);
    if (this.#columns === null) {
      this.#early.push(value);
      return;
    }
    if (isStatusTable(this.#columns)) return noteStatus(this.input, this.#columns, value);
    if (!this.#isPrimary()) return;
    this.records.addCells(this.records.plan(this.#columns), value, false);
  }

  /** Helper tables of the query service: properties, visualisation, table of contents. */
  #isPrimary(): boolean {
    if (this.layout === "frames") return this.#tableKind === "PrimaryResult";
    const columns = this.#columns ?? [];
    const isContents = columns.includes("Ordinal") && columns.includes("Kind");
    return !isContents && !(columns.length === 1 && columns[0] === "Value");
  }

  #close(path: readonly string[]): void {
    const endOfTable =
      this.layout === "tables" ? path.length === 2 : this.layout === "frames" && path.length === 1;
    if (!endOfTable) return;
    // An empty table still has to be one that could hold rows.
    if (
      this.#columns !== null &&
      this.layout === "tables" &&
      !isStatusTable(this.#columns) &&
      this.#isPrimary()
    ) {
      this.records.plan(this.#columns);
    }
    if (this.layout === "tables") this.#columns = null;
  }
}
