import { DateReader } from "../../telemetry/dates.ts";
import { addDetail } from "../../telemetry/detail-builder.ts";
import {
  DETAIL_FIELD_COUNT,
  type DetailTable,
  detailField,
  detailTable,
} from "../../telemetry/detail-fields.ts";
import { DataFault } from "../../telemetry/fault.ts";
import { type Cells, eventField, FIELD_COUNT, Field, requestField } from "../../telemetry/fields.ts";
import { type FileState, startFile } from "../../telemetry/file-state.ts";
import {
  continuousExportCells,
  envelopeCells,
  envelopeDetail,
  isBag,
  isContinuousExport,
  isEnvelope,
} from "./envelopes.ts";
import { addEvent } from "./event-rows.ts";
import type { Input } from "./input.ts";
import { isOtherTable, type TableKind, tableOf } from "./tables.ts";

const EXPORT_ROWS = "export rows of requests or system events as JSON objects or tables";

interface Plan {
  readonly kind: TableKind;
  /** Field of each key, by position. */
  readonly fields: readonly (number | undefined)[];
}

/** Takes parsed JSON records of any supported shape and adds the requests and events in them. */
export class RecordReader {
  readonly #plans = new Map<string, Plan>();
  readonly #dates = new DateReader(false);
  readonly #column: FileState;
  readonly #noneColumn: FileState;
  readonly #timespan: FileState;
  readonly #ticks: FileState;
  /** 1-based number of the last record. */
  row = 0;
  #established = false;
  #firstFault: DataFault | null = null;

  constructor(readonly input: Input) {
    this.#column = startFile(input.path, this.#dates, "column");
    this.#noneColumn = startFile(input.path, this.#dates, "column", { noneIsNull: true });
    this.#timespan = startFile(input.path, this.#dates, "timespan");
    this.#ticks = startFile(input.path, this.#dates, "ticks");
  }

  /** Adds one record. */
  add(record: unknown): void {
    this.row++;
    this.addAll(record);
  }

  /** Adds the record whose number is already set, or all records of a wrapper. */
  addAll(record: unknown): void {
    if (!isBag(record)) {
      const text = JSON.stringify(record)?.slice(0, 40);
      this.#firstFault ??= new DataFault(`a plain value where a record is expected (${text})`, EXPORT_ROWS, {
        row: this.row,
      });
      return this.#reject(`not a record (${text})`);
    }
    if (isEnvelope(record)) {
      this.#form("envelopes");
      const other = envelopeDetail(record);
      if (other === null) this.#request(envelopeCells(record), this.#timespan);
      else this.#detail(other.table, other.fields, other.values, this.#timespan);
    } else if (isContinuousExport(record)) {
      this.#form("continuous-export");
      const requests = continuousExportCells(record);
      if (requests.length === 0) this.input.otherRows++;
      for (const cells of requests) this.#request(cells, this.#ticks);
    } else if (Array.isArray(record.records)) {
      for (const entry of record.records) this.add(entry);
    } else this.#flat(record);
  }

  /** Says that the file is known to hold request rows, so that a record without their keys is a bad row. */
  establish(): void {
    this.#established = true;
  }

  /** Counts a row that is no valid JSON. */
  reject(reason: string): void {
    this.#reject(reason);
  }

  /** Called after the last record. */
  finish(): void {
    if (this.#firstFault !== null && !this.#established) throw this.#firstFault;
    this.#dates.finish();
    if (this.#dates.zoneless > 0) noteZoneless(this.input, this.#dates.zoneless);
  }

  /** The plan of a table or record shape, told once for each list of columns. */
  plan(columns: readonly string[]): Plan {
    const key = columns.join("\u0000");
    let plan = this.#plans.get(key);
    if (plan === undefined) {
      const kind = tableOf(columns);
      plan = { kind, fields: columns.map(fieldMap(kind)) };
      this.#plans.set(key, plan);
      noteColumns(this.input, plan);
    }
    return plan;
  }

  /** Adds a row given by its cells in the order of a plan's columns. */
  addCells(plan: Plan, values: readonly unknown[], noneIsNull: boolean): void {
    this.row++;
    this.#cells(plan, values, noneIsNull);
  }

  #flat(outer: Readonly<Record<string, unknown>>): void {
    const record = unwrap(outer);
    const type = record.itemType ?? record.Type ?? record.category;
    if (isOtherTable(type)) {
      const table = detailTable(type);
      if (table === null) this.input.otherRows++;
      else {
        const state = "TableName" in record ? this.#noneColumn : this.#column;
        this.#detail(table, Object.keys(record).map(detailField), Object.values(record), state);
      }
      return;
    }
    if (this.input.form === "unknown") this.#form(flatForm(record));
    const plan = this.#planOfRecord(Object.keys(record));
    if (plan === null) return;
    this.#cells(plan, Object.values(record), "TableName" in record);
  }

  /**
   * Records may leave out what is empty, so one that lacks a needed key is a bad row where others have
   * it, and the wrong kind of file where none has.
   */
  #planOfRecord(keys: readonly string[]): Plan | null {
    try {
      const plan = this.plan(keys);
      if (plan.kind !== "other") this.#established = true;
      return plan;
    } catch (error) {
      if (!(error instanceof DataFault)) throw error;
      this.#firstFault ??= error.at({ row: this.row });
      this.#reject(error.what);
      return null;
    }
  }

  #cells(plan: Plan, values: readonly unknown[], noneIsNull: boolean): void {
    if (plan.kind === "other") {
      this.input.otherRows++;
      return;
    }
    if (plan.kind !== "requests" && plan.kind !== "events") {
      this.#detail(plan.kind, plan.fields, values, noneIsNull ? this.#noneColumn : this.#column);
      return;
    }
    const cells: Cells = new Array(FIELD_COUNT);
    plan.fields.forEach((field, i) => {
      const value = values[i];
      if (field !== undefined && value !== null && value !== "" && value !== undefined) cells[field] = value;
    });
    if (plan.kind === "events") {
      this.input.holdsEvents = true;
      addEvent(cells, this.input, this.#dates);
    } else if (isOtherTable(cells[Field.itemType])) this.input.otherRows++;
    else this.#request(cells, noneIsNull ? this.#noneColumn : this.#column);
  }

  /** Rows of the tables that only audits read. */
  #detail(
    table: DetailTable,
    fields: readonly (number | undefined)[],
    values: readonly unknown[],
    state: FileState,
  ): void {
    this.input.otherRows++;
    const { builder } = this.input.sink;
    if (builder.detail === null) return;
    builder.detail.tables.add(table);
    const cells: Cells = new Array(DETAIL_FIELD_COUNT);
    fields.forEach((field, i) => {
      const value = values[i];
      if (field !== undefined && value !== null && value !== "" && value !== undefined) cells[field] = value;
    });
    state.row = this.row;
    addDetail(table, cells, state, builder.detail, builder);
  }

  #request(cells: Cells | null, state: FileState): void {
    if (cells === null) {
      this.input.otherRows++;
      return;
    }
    this.input.requestRows++;
    state.row = this.row;
    this.input.sink.builder.add(cells, state);
  }

  #reject(reason: string): void {
    // In a system log a bad record is a bad event.
    if (this.input.holdsEvents && this.input.requestRows === 0) {
      this.input.eventRows++;
      this.input.malformedEvents++;
      return;
    }
    this.input.requestRows++;
    this.#column.row = this.row;
    this.input.sink.builder.reject(this.#column, reason);
  }

  #form(form: string): void {
    if (this.input.form === "unknown") this.input.form = form;
    if (form === "envelopes" || form === "continuous-export") this.input.fields.add(Field.instance);
  }
}

function fieldMap(kind: TableKind): (column: string) => number | undefined {
  if (kind === "events") return eventField;
  return kind === "requests" || kind === "other" ? requestField : detailField;
}

/** Remembers which columns an input has, and says what misses. */
export function noteColumns(input: Input, plan: Plan): void {
  for (const field of plan.fields)
    if (field !== undefined && plan.kind === "requests") input.fields.add(field);
  if (plan.kind === "events") {
    input.holdsEvents = true;
    if (!plan.fields.includes(eventField("ReplicaName"))) {
      input.note(
        "no-replica-name",
        "the system log has no column ReplicaName_s, so its container starts cannot be joined to instances; keep the column in the query",
        1,
      );
    }
  }
}

/** Says that instants without a zone were read as UTC. */
export function noteZoneless(input: Input, count: number): void {
  input.note(
    "no-time-zone",
    "timestamps without a zone were read as UTC; export them with Z or an offset if they are local time",
    count,
  );
}

/** Diagnostic records of the platform's own categories carry their columns in `properties`. */
function unwrap(record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { properties } = record;
  if (!isBag(properties) || !("Reason" in properties || "Log" in properties)) return record;
  return { ...properties, time: record.time };
}

function flatForm(record: Readonly<Record<string, unknown>>): string {
  if ("TableName" in record) return "log-analytics-cli";
  if ("Msg" in record && "Reason" in record) return "logs-show";
  if ("time" in record && ("resourceId" in record || "category" in record || "Type" in record)) {
    return "diagnostic-records";
  }
  return "records";
}
