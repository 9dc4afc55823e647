import type { Decode } from "../../telemetry/byte-builder.ts";
import { type ByteRow, Tag } from "../../telemetry/byte-row.ts";
import type { DetailTable } from "../../telemetry/detail-fields.ts";
import { DataFault } from "../../telemetry/fault.ts";
import { Field, foldColumn } from "../../telemetry/fields.ts";

/** What a table's columns (or a record's keys) show it to be. */
export type TableKind = "requests" | "events" | DetailTable | "other";

const START = ["timestamp", "timegenerated", "time"];
const DURATION = ["duration", "durationms"];
const LOG = ["log", "log_s", "msg"];
const REASON = ["reason", "reason_s"];
const REQUEST_HINTS = [
  "url",
  "resultcode",
  "operation_id",
  "operationid",
  "cloud_roleinstance",
  "approleinstance",
];
const DEPENDENCY_HINTS = ["target", "dependencytype", "data"];
const METRIC_VALUES = ["value", "valuesum", "valuecount", "sum"];
const SUMMARY =
  /^(?:count_|countif_|dcount_|sum_|avg_|min_|max_|stdev_|percentile_|percentiles_|hll_).*|.*count$/;
const NO_SUMMARY = new Set(["itemcount", "count", "count_d"]);

/**
 * Tells a table from its columns, whatever their order and case.
 *
 * @throws DataFault for what looks like the right table and cannot serve: summarised results, console
 * logs, request rows without time, duration, or anything that tells user requests from the rest
 */
export function tableOf(columns: readonly string[]): TableKind {
  const folded = new Set(columns.map(foldColumn));
  const has = (names: readonly string[]): boolean => names.some((name) => folded.has(name));
  const listed = `columns are: ${columns.join(", ")}`;

  if (has(REASON) && has(LOG)) {
    if (has([...START, "timestamp_s", "time_t", "time_s"])) return "events";
    throw new DataFault(`system log without a time column (${listed})`, "keep TimeGenerated in the query");
  }
  if (has(START) && has(DURATION)) {
    if (has(DEPENDENCY_HINTS) && !has(["url", "source"])) return "dependencies";
    if (!has(["name", "url"])) {
      throw new DataFault(
        `request rows without the columns name and url (${listed}), so user requests cannot be told from probes and messages`,
        "add name and url to the query's project",
        { column: "name" },
      );
    }
    return "requests";
  }
  if (has(START) && has(["message"]) && !has(DURATION)) return "traces";
  if (has(START) && has(["name"]) && has(METRIC_VALUES) && !has(DURATION)) return "metrics";
  const summary = columns.find((name) => SUMMARY.test(foldColumn(name)) && !NO_SUMMARY.has(foldColumn(name)));
  if (summary !== undefined && !has(DURATION)) {
    throw new DataFault(
      `summarised results (column ${summary}), not rows`,
      "export the rows themselves: leave summarize out of the query",
    );
  }
  if (has(LOG) && !has(REASON)) {
    throw new DataFault(
      "console logs (no Reason column), not system logs",
      "use `az containerapp logs show --type system` or the table ContainerAppSystemLogs",
    );
  }
  if (has(REASON) && has(["eventsource", "eventsource_s", "replicaname", "replicaname_s"])) {
    throw new DataFault(`system log without its text (${listed})`, "keep Log_s (or Log) in the query", {
      column: "Log_s",
    });
  }
  if (has(REQUEST_HINTS) || (has(START) && has(["name"]) && has(["success"]))) {
    const missing = has(DURATION) ? "timestamp" : "duration";
    throw new DataFault(
      `request rows without the column ${missing} (${listed})`,
      `add ${missing} to the query's project`,
      {
        column: missing,
      },
    );
  }
  return "other";
}

const OTHER_TABLE =
  /^(?:app)?(?:dependenc(?:y|ies)|traces?|exceptions?|(?:custom)?events?|(?:custom)?metrics?|pageviews?|availabilityresults?|browsertimings?|performancecounters?|systemevents)$|^containerappconsolelogs(?:_cl)?$/i;

/** Whether the value of `itemType`, `Type` or `category` names a known table other than requests. */
export function isOtherTable(type: unknown): boolean {
  return typeof type === "string" && OTHER_TABLE.test(type.trim());
}

/** {@link isOtherTable} of a row's type column, by its bytes where they say `request` or `AppRequests`. */
export function isOtherType(row: ByteRow, decode: Decode): boolean {
  if (row.tag[Field.itemType] === Tag.absent) return false;
  const from = row.from[Field.itemType]!;
  const length = row.to[Field.itemType]! - from;
  const first = row.bytes[from];
  // No other table's name begins so and is as long.
  if ((length === 7 && first === 114) || (length === 11 && first === 65 && row.bytes[from + 3] === 82))
    return false;
  return isOtherTable(decode(row, Field.itemType));
}
