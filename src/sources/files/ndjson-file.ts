import { ByteBuilder } from "../../telemetry/byte-builder.ts";
import { ByteRow, Tag } from "../../telemetry/byte-row.ts";
import { DateReader } from "../../telemetry/dates.ts";
import { type Cells, FIELD_COUNT, Field } from "../../telemetry/fields.ts";
import { type FileState, startFile } from "../../telemetry/file-state.ts";
import type { Input } from "./input.ts";
import { textOf } from "./json-splitter.ts";
import { LineScanner } from "./line-scanner.ts";
import { type PartAccount, type PartReader, partAccount } from "./part.ts";
import { noteZoneless, type RecordReader } from "./record-reader.ts";
import { RowWindow } from "./row-window.ts";
import { isOtherType } from "./tables.ts";

/** Reads one file that holds a JSON record a line. */
export class NdjsonFile implements PartReader {
  readonly window = new RowWindow();
  readonly #row = new ByteRow();
  readonly #lines: LineScanner;
  readonly #dates = new DateReader(false);
  readonly #file: FileState;
  readonly #bytes: ByteBuilder;
  #rows = 0;
  /** Lines may hold text before the record, as debuggers print it. */
  readonly #prefixed: boolean;
  readonly #flat: boolean;

  /**
   * @param flat whether the first line is a flat request record, so that lines are read by their bytes
   */
  constructor(
    readonly input: Input,
    readonly records: RecordReader,
    options: { readonly flat: boolean; readonly prefixed: boolean },
  ) {
    this.#flat = options.flat;
    if (options.flat) records.establish();
    this.#prefixed = options.prefixed;
    this.#lines = new LineScanner(this.#row, input.fields);
    this.#file = startFile(input.path, this.#dates, "column");
    this.#bytes = new ByteBuilder(input.sink.builder, this.#file, jsonValue, cellsOf);
  }

  push(chunk: Uint8Array): void {
    this.window.push(chunk);
    this.scan();
  }

  scan(): void {
    const { window } = this;
    const { bytes, to } = window;
    for (;;) {
      const { from } = window;
      const end = bytes.indexOf(10, from);
      if (end >= to) return;
      window.from = end + 1;
      this.#line(from, end, true);
    }
  }

  end(): void {
    const { from, to } = this.window;
    if (from < to) this.#line(from, to, false);
    this.#dates.finish();
    this.records.finish();
    if (this.#dates.zoneless > 0) noteZoneless(this.input, this.#dates.zoneless);
  }

  account(): PartAccount {
    return partAccount(this.#rows, this.window.pending, this.#dates, this.#file);
  }

  #line(from: number, to: number, terminated: boolean): void {
    const { bytes } = this.window;
    while (to > from && bytes[to - 1]! <= 32) to--;
    while (from < to && bytes[from]! <= 32) from++;
    if (from === to) return;
    this.#rows++;
    this.#file.row = this.#rows;
    this.records.row = this.#rows;
    if (this.#flat && this.#lines.scan(bytes, from, to) && this.#isRequest()) {
      if (isOtherType(this.#row, jsonValue)) {
        this.input.otherRows++;
        return;
      }
      this.input.requestRows++;
      this.#bytes.add(this.#row);
    } else this.#record(bytes, from, to, terminated);
  }

  #isRequest(): boolean {
    const { tag } = this.#row;
    return tag[Field.start] !== Tag.absent && tag[Field.duration] !== Tag.absent;
  }

  #record(bytes: Buffer, from: number, to: number, terminated: boolean): void {
    const start = this.#prefixed ? bytes.indexOf(123, from) : from;
    if (this.#prefixed && (start === -1 || start >= to)) {
      this.input.otherRows++;
      return;
    }
    let record: unknown;
    try {
      record = JSON.parse(textOf(bytes, start, to));
    } catch {
      this.records.reject("not valid JSON");
      if (!terminated) {
        this.input.markPartial(
          "the file stops in the middle of a row",
          "export it again: what follows is missing",
          this.#rows,
        );
      }
      return;
    }
    this.records.addAll(record);
  }
}

/** A field's JSON value; undefined where it is no valid JSON. */
function jsonValue(row: ByteRow, field: number): unknown {
  const tag = row.tag[field]!;
  if (tag === Tag.absent) return undefined;
  const from = row.from[field]!;
  const to = row.to[field]!;
  if (tag === Tag.plain) return textOf(row.bytes, from, to);
  try {
    return JSON.parse(
      tag === Tag.escaped ? textOf(row.bytes, from - 1, to + 1) : textOf(row.bytes, from, to),
    );
  } catch {
    return undefined;
  }
}

function cellsOf(row: ByteRow): Cells {
  const cells: Cells = new Array(FIELD_COUNT);
  for (let field = 0; field < FIELD_COUNT; field++) {
    const value = jsonValue(row, field);
    if (value !== undefined && value !== null && value !== "") cells[field] = value;
  }
  return cells;
}
