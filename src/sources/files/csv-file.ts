import { ByteBuilder } from "../../telemetry/byte-builder.ts";
import { ByteRow } from "../../telemetry/byte-row.ts";
import { DateReader } from "../../telemetry/dates.ts";
import { addDetail } from "../../telemetry/detail-builder.ts";
import { type DetailTable, detailField } from "../../telemetry/detail-fields.ts";
import { DataFault, OtherContent } from "../../telemetry/fault.ts";
import { type Cells, eventField, FIELD_COUNT, foldColumn, requestField } from "../../telemetry/fields.ts";
import { type FileState, startFile } from "../../telemetry/file-state.ts";
import { CsvScanner, csvText } from "./csv-scanner.ts";
import { addEvent } from "./event-rows.ts";
import type { Input } from "./input.ts";
import { type PartAccount, type PartReader, partAccount } from "./part.ts";
import { noteColumns, noteZoneless } from "./record-reader.ts";
import type { RowWindow } from "./row-window.ts";
import { isOtherType, tableOf } from "./tables.ts";

const START_FIELDS = new Set(["timestamp", "timegenerated", "time", "time_t"]);

/** Reads one CSV file of request rows or system events, given its header. */
export class CsvFile implements PartReader {
  readonly #scanner: CsvScanner;
  readonly #dates: DateReader;
  readonly #columns: number;
  readonly #addRow: (row: ByteRow) => void;
  #file: FileState | null = null;
  #rows = 0;
  #short: { readonly row: number; readonly fields: number } | null = null;

  constructor(
    readonly input: Input,
    columns: readonly string[],
    delimiter: string,
  ) {
    refuseLocalTime(columns);
    const kind = tableOf(columns);
    if (kind === "other") {
      throw new OtherContent(
        `neither request rows nor system events (columns are: ${columns.join(", ")})`,
        "export the table requests (or AppRequests) or the Container Apps system log",
      );
    }
    const fields = columns.map(
      kind === "events" ? eventField : kind === "requests" ? requestField : detailField,
    );
    noteColumns(input, { kind, fields });
    this.#columns = columns.length;
    this.#dates = new DateReader(
      columns.some((name) => /\[utc\]\s*$/i.test(name) && START_FIELDS.has(foldColumn(name))),
    );
    const row = new ByteRow();
    this.#scanner = new CsvScanner(
      delimiter.charCodeAt(0),
      Int16Array.from(fields, (field) => field ?? -1),
      row,
      { row: (current, count) => this.#row(current, count) },
    );
    this.#addRow =
      kind === "events"
        ? this.#events()
        : kind === "requests"
          ? this.#requests(delimiter)
          : this.#details(kind, delimiter);
  }

  get window(): RowWindow {
    return this.#scanner.window;
  }

  push(chunk: Uint8Array): void {
    this.#scanner.push(chunk);
  }

  scan(): void {
    this.#scanner.scan();
  }

  end(): void {
    this.#scanner.end();
    const { openQuote, unterminated } = this.#scanner;
    if (openQuote || (unterminated && this.#short?.row === this.#rows)) {
      this.input.markPartial(
        "the file stops in the middle of a row",
        "export it again: what follows is missing",
        this.#rows,
      );
    }
    this.#dates.finish();
    if (this.#dates.zoneless > 0) noteZoneless(this.input, this.#dates.zoneless);
  }

  account(): PartAccount {
    return partAccount(this.#rows, this.window.pending, this.#dates, this.#file);
  }

  #row(row: ByteRow, fields: number): void {
    this.#rows++;
    if (fields !== this.#columns) {
      this.#short = { row: this.#rows, fields };
    }
    this.#addRow(row);
  }

  #events(): (row: ByteRow) => void {
    this.input.holdsEvents = true;
    return (row) => {
      if (this.#short?.row === this.#rows) {
        this.input.eventRows++;
        this.input.malformedEvents++;
      } else addEvent(cellsOf(row), this.input, this.#dates);
    };
  }

  #details(table: DetailTable, delimiter: string): (row: ByteRow) => void {
    const { builder } = this.input.sink;
    builder.detail?.tables.add(table);
    const file = startFile(this.input.path, this.#dates, "column", { decimalComma: delimiter === ";" });
    return (row) => {
      this.input.otherRows++;
      file.row = this.#rows;
      if (builder.detail !== null) addDetail(table, cellsOf(row), file, builder.detail, builder);
    };
  }

  #requests(delimiter: string): (row: ByteRow) => void {
    const { builder } = this.input.sink;
    const file = startFile(this.input.path, this.#dates, "column", { decimalComma: delimiter === ";" });
    this.#file = file;
    const bytes = new ByteBuilder(builder, file, csvText, cellsOf);
    return (row) => {
      file.row = this.#rows;
      if (this.#short?.row === this.#rows) {
        this.input.requestRows++;
        builder.reject(file, `${this.#short.fields} fields where the header has ${this.#columns}`);
      } else if (isOtherType(row, csvText)) this.input.otherRows++;
      else {
        this.input.requestRows++;
        // Audits need names and paths, which only the slow way reads.
        if (builder.detail === null) bytes.add(row);
        else builder.add(cellsOf(row), file);
      }
    };
  }
}

function cellsOf(row: ByteRow): Cells {
  const cells: Cells = new Array(FIELD_COUNT);
  for (let field = 0; field < FIELD_COUNT; field++) {
    const text = csvText(row, field);
    if (text !== undefined && text.trim() !== "") cells[field] = text;
  }
  return cells;
}

/** The portal can show another time zone, and then says so in the header. */
function refuseLocalTime(columns: readonly string[]): void {
  for (const name of columns) {
    const zone = /\[([^\]]+)\]\s*$/.exec(name)?.[1];
    if (zone === undefined || /^utc$/i.test(zone)) continue;
    if (!START_FIELDS.has(foldColumn(name.replace(/\s*\[[^\]]+\]\s*$/, "")))) continue;
    throw new DataFault(
      `times are written in the zone "${zone}"`,
      "set the portal's display time zone to UTC and export again",
      { column: name },
    );
  }
}
