import { formatTicks } from "../../telemetry/time.ts";
import type { RecordReader } from "../files/record-reader.ts";
import type { QueryAnswer } from "./query-service.ts";

/** Names under which the readers of exports know the columns of our queries. */
const NAMES: Readonly<Record<string, string>> = {
  dimensions: "customDimensions",
  measurements: "customMeasurements",
  synthetic: "operation_SyntheticSource",
  Time: "time_s",
  count: "valueCount",
  sum: "valueSum",
};

/** Columns of ticks and the instant each stands for. */
const INSTANTS: Readonly<Record<string, string>> = { ticks: "timestamp", own_ticks: "time_t" };

/**
 * Gives the rows of an answer to a reader of exports, so that pulled rows and exported ones are read by the
 * same code.
 *
 * @param isEvents the rows are system events, whose `ticks` are the time of the batch
 */
export function addAnswer(answer: QueryAnswer, reader: RecordReader, isEvents: boolean): void {
  const columns = answer.columns.map((name) => {
    if (name === "ticks" && isEvents) return "TimeGenerated";
    // In dependencies the readers know the workspace's name, since `type` may be a table's.
    return INSTANTS[name] ?? NAMES[name] ?? (name === "type" ? "DependencyType" : name);
  });
  const instants = answer.columns.flatMap((name, i) => (name in INSTANTS ? [i] : []));
  const plan = reader.plan(columns);
  for (const row of answer.rows) {
    const cells = [...row];
    for (const i of instants) {
      const ticks = cells[i];
      if (typeof ticks === "number") cells[i] = formatTicks(ticks);
    }
    reader.addCells(plan, cells, false);
  }
}
