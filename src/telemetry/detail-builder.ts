import type { RequestBuilder } from "./builder.ts";
import { decimalOf, durationOf, isBlank, textOf } from "./cell-values.ts";
import type { Detail } from "./detail.ts";
import { DetailField, type DetailTable } from "./detail-fields.ts";
import { findRate, numberOf, openBag } from "./dimensions.ts";
import type { Cells } from "./fields.ts";
import type { FileState } from "./file-state.ts";

/** Adds a row of dependencies, traces or metrics from its cells; one without a valid time is only counted. */
export function addDetail(
  table: DetailTable,
  cells: Cells,
  file: FileState,
  detail: Detail,
  builder: RequestBuilder,
): void {
  const text = (field: number): string => textOf(cells[field], file.noneIsNull);
  const ticks = instantOf(cells[DetailField.start], file);
  const durationMs = table === "dependencies" ? durationOf(cells[DetailField.duration], file) : 0;
  if (ticks === null || durationMs === null) {
    detail.malformed++;
    return;
  }
  const dimensions = openBag(cells[DetailField.dimensions]);
  const who = { role: text(DetailField.role), instance: text(DetailField.instance) };
  const weight = (): number => {
    const count = cells[DetailField.itemCount];
    const { rate } = findRate(dimensions, openBag(cells[DetailField.measurements]));
    const itemCount = isBlank(count, file) ? null : decimalOf(count, file);
    return builder.weightOf(itemCount !== null && itemCount >= 1 ? itemCount : null, rate);
  };
  switch (table) {
    case "dependencies":
      detail.dependencies.push({
        ticks,
        durationMs,
        operationId: text(DetailField.operationId),
        parentId: text(DetailField.parentId),
        name: text(DetailField.name),
        target: text(DetailField.target),
        type: text(DetailField.type) || text(DetailField.table),
        weight: weight(),
        ...who,
      });
      return;
    case "traces":
      detail.traces.push({
        ticks,
        message: text(DetailField.message),
        operationId: text(DetailField.operationId),
        weight: weight(),
        dimensions,
        ...who,
      });
      return;
    case "metrics":
      detail.metrics.push({
        ticks,
        name: text(DetailField.name),
        // AppMetrics keeps the number of measurements in ItemCount, where sampling has no say.
        count: numberOf(cells[DetailField.count]) ?? numberOf(cells[DetailField.itemCount]),
        sum: numberOf(cells[DetailField.sum]),
        dimensions,
        ...who,
      });
  }
}

function instantOf(value: unknown, file: FileState): number | null {
  // Portal dates that another row of the file would correct are too rare here to be worth a second look.
  return typeof value === "string" ? file.dates.read(value, () => {}) : null;
}
