import { foldColumn } from "./fields.ts";

/** The tables besides requests that audits read. */
export type DetailTable = "dependencies" | "traces" | "metrics";

/** The fields of their rows, as positions in a row of cells. */
export const DetailField = {
  start: 0,
  duration: 1,
  operationId: 2,
  parentId: 3,
  name: 4,
  target: 5,
  type: 6,
  itemCount: 7,
  dimensions: 8,
  measurements: 9,
  role: 10,
  instance: 11,
  message: 12,
  count: 13,
  sum: 14,
  /** The workspace's name of the table; in classic dependencies the column `type` is the dependency's. */
  table: 15,
} as const;

export const DETAIL_FIELD_COUNT = 16;

const COLUMNS: Readonly<Record<string, number>> = {
  timestamp: DetailField.start,
  timegenerated: DetailField.start,
  time: DetailField.start,
  duration: DetailField.duration,
  durationms: DetailField.duration,
  operation_id: DetailField.operationId,
  operationid: DetailField.operationId,
  operation_parentid: DetailField.parentId,
  parentid: DetailField.parentId,
  operationparentid: DetailField.parentId,
  name: DetailField.name,
  target: DetailField.target,
  dependencytype: DetailField.type,
  type: DetailField.table,
  itemcount: DetailField.itemCount,
  customdimensions: DetailField.dimensions,
  properties: DetailField.dimensions,
  custommeasurements: DetailField.measurements,
  measurements: DetailField.measurements,
  cloud_rolename: DetailField.role,
  approlename: DetailField.role,
  cloud_roleinstance: DetailField.instance,
  approleinstance: DetailField.instance,
  message: DetailField.message,
  valuecount: DetailField.count,
  valuesum: DetailField.sum,
  sum: DetailField.sum,
  value: DetailField.sum,
};

/** The field that a column of one of these tables holds; undefined for other columns. */
export function detailField(column: string): number | undefined {
  const folded = foldColumn(column);
  return Object.hasOwn(COLUMNS, folded) ? COLUMNS[folded] : undefined;
}

/** The table that a value of `itemType`, `Type` or `category` names; null for any other. */
export function detailTable(type: unknown): DetailTable | null {
  if (typeof type !== "string") return null;
  const folded = type.trim().toLowerCase();
  if (/^(?:app)?dependenc(?:y|ies)$/.test(folded)) return "dependencies";
  if (/^(?:app)?traces?$/.test(folded)) return "traces";
  return /^(?:appmetrics?|custommetrics?)$/.test(folded) ? "metrics" : null;
}
