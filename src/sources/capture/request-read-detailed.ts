import type { Table } from "apache-arrow";
import type { RequestBuilder } from "../../telemetry/builder.ts";
import {
  bitAt,
  type ColumnKind,
  checkColumns,
  hasValue,
  type RawColumn,
  rawBatches,
  ticksAt,
} from "./arrow-read.ts";
import { kindsOf, REQUEST_COLUMNS, successAt, textAt } from "./request-read.ts";

/** The columns of the details of requests, row by row beside the requests themselves. */
const DETAIL_COLUMNS = {
  id: "plain",
  operation_id: "plain",
  name: "text",
  url: "text",
  result_code: "text",
} as const satisfies Readonly<Record<string, ColumnKind>>;

/** @throws DataFault where the table does not hold the details of requests */
export function checkDetails(details: Table): void {
  checkColumns(details, DETAIL_COLUMNS);
}

/** Adds the rows with their ids and details, as rows of an export are added. */
export function addDetailedRequests(file: Table, details: Table, builder: RequestBuilder): void {
  const texts = (name: keyof typeof DETAIL_COLUMNS): ((row: number) => string) => {
    const column = details.getChild(name)!;
    return (row) => String(column.get(row));
  };
  const id = texts("id");
  const operationId = texts("operation_id");
  const name = texts("name");
  const url = texts("url");
  const resultCode = texts("result_code");
  let row = 0;
  for (const { rows, columns } of rawBatches(file, REQUEST_COLUMNS)) {
    const kinds = kindsOf(columns.kind);
    for (let i = 0; i < rows; i++, row++) {
      builder.addParsed({
        start: ticksAt(columns.timestamp.values, i),
        durationMs: columns.duration_ms.values[i]!,
        itemCount: numberAt(columns.item_count, i),
        rate: numberAt(columns.sample_rate, i),
        kind: kinds[columns.kind.values[i]!]!,
        isSynthetic: bitAt(columns.synthetic.values, i),
        success: successAt(columns.success, i),
        path: textAt(columns.path, i),
        role: textAt(columns.role, i),
        instance: textAt(columns.instance, i),
        version: textAt(columns.version, i),
        id: id(row),
        operationId: operationId(row),
        name: name(row),
        url: url(row),
        resultCode: resultCode(row),
      });
    }
  }
}

function numberAt(column: RawColumn, i: number): number | null {
  return hasValue(column, i) ? column.values[i]! : null;
}
