import type { RequestBuilder } from "../../telemetry/builder.ts";
import type { SystemEvent } from "../../telemetry/events.ts";
import { DataFault } from "../../telemetry/fault.ts";
import type { MetricPoint } from "../../telemetry/metric-point.ts";
import type { InputNote, InputSummary } from "./types.ts";

/** Where all files put what they hold. */
export interface Sink {
  readonly builder: RequestBuilder;
  readonly events: SystemEvent[];
  readonly metrics: MetricPoint[];
}

/** Row counts at which exports are known to stop. */
const CAPS = [10_000, 30_000, 500_000];

/** One input while it is read: its form, its counts, and what is to be said about it. */
export class Input {
  form = "unknown";
  requestRows = 0;
  eventRows = 0;
  otherRows = 0;
  malformedEvents = 0;
  holdsEvents = false;
  /** Request columns seen in this input, by field. */
  readonly fields = new Set<number>();
  /** Why the input cannot be complete, where that is known. */
  fault: DataFault | null = null;
  readonly notes: InputNote[] = [];

  constructor(
    readonly path: string,
    readonly sink: Sink,
  ) {}

  note(code: string, message: string, count: number): void {
    this.notes.push({ code, message, count });
  }

  /** Marks the input as incomplete; the first reason stays. */
  markPartial(what: string, remedy: string, row?: number): void {
    this.fault ??= new DataFault(
      what,
      remedy,
      row === undefined ? { path: this.path } : { path: this.path, row },
    );
  }

  /** The input as the document shows it. */
  summary(): InputSummary {
    const rows = this.requestRows + this.eventRows;
    const notes = [...this.notes];
    if (this.fault !== null) {
      const { what, remedy, place } = this.fault;
      const where = place.row === undefined ? "" : `row ${place.row}: `;
      notes.push({ code: "partial-input", message: `${where}${what}; ${remedy}`, count: 1 });
    }
    const all = rows + this.otherRows;
    if ([this.requestRows, this.eventRows, all].some((count) => CAPS.includes(count))) {
      notes.push({
        code: "row-cap",
        message: `exactly ${CAPS.includes(all) ? all : rows} rows: exports stop at this number, so rows are probably missing; narrow the window or export in slices`,
        count: CAPS.includes(all) ? all : rows,
      });
    }
    if (all === 0 && this.fault === null && this.form !== "metrics") {
      notes.push({
        code: "empty-input",
        message: "the input holds no rows; if rows are expected, check the query and its time range",
        count: 1,
      });
    }
    if (this.malformedEvents > 0) {
      notes.push({
        code: "malformed-event",
        message: "system events without a readable time were left out",
        count: this.malformedEvents,
      });
    }
    return {
      path: this.path,
      form: this.form,
      rows,
      otherRows: this.otherRows,
      partial: this.fault !== null,
      warnings: notes,
    };
  }
}
