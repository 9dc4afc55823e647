/** The fields of a request row that the figures need, as positions in a row of cells. */
export const Field = {
  start: 0,
  duration: 1,
  id: 2,
  operationId: 3,
  name: 4,
  url: 5,
  success: 6,
  resultCode: 7,
  itemCount: 8,
  dimensions: 9,
  measurements: 10,
  role: 11,
  instance: 12,
  source: 13,
  synthetic: 14,
  sdkVersion: 15,
  version: 16,
  itemType: 17,
  sampleRate: 18,
} as const;

export const FIELD_COUNT = 19;

/** A row of cells, one a field; undefined where the export has no such column. */
export type Cells = unknown[];

const REQUEST_COLUMNS: Readonly<Record<string, number>> = {
  timestamp: Field.start,
  timegenerated: Field.start,
  time: Field.start,
  duration: Field.duration,
  durationms: Field.duration,
  id: Field.id,
  operation_id: Field.operationId,
  operationid: Field.operationId,
  name: Field.name,
  url: Field.url,
  success: Field.success,
  resultcode: Field.resultCode,
  itemcount: Field.itemCount,
  customdimensions: Field.dimensions,
  properties: Field.dimensions,
  custommeasurements: Field.measurements,
  measurements: Field.measurements,
  cloud_rolename: Field.role,
  approlename: Field.role,
  cloud_roleinstance: Field.instance,
  approleinstance: Field.instance,
  source: Field.source,
  operation_syntheticsource: Field.synthetic,
  operationsyntheticsource: Field.synthetic,
  syntheticsource: Field.synthetic,
  sdkversion: Field.sdkVersion,
  application_version: Field.version,
  appversion: Field.version,
  itemtype: Field.itemType,
  type: Field.itemType,
  "microsoft.sample_rate": Field.sampleRate,
  samplerate: Field.sampleRate,
  sample_rate: Field.sampleRate,
};

/** A column name without surrounding blanks, byte-order mark, ` [UTC]` suffix and case. */
export function foldColumn(name: string): string {
  return name
    .replace(/^\uFEFF/, "")
    .trim()
    .replace(/\s*\[utc\]$/i, "")
    .toLowerCase();
}

/** The field that a request column holds, whatever the schema it comes from; undefined for other columns. */
export function requestField(column: string): number | undefined {
  const folded = foldColumn(column);
  return Object.hasOwn(REQUEST_COLUMNS, folded) ? REQUEST_COLUMNS[folded] : undefined;
}

/** The fields of a system event, as positions in a row of cells. The first four are the event's own clock. */
export const EventField = {
  timeStamp: 0,
  timeStampText: 1,
  timeT: 2,
  timeText: 3,
  batchTime: 4,
  reason: 5,
  text: 6,
  app: 7,
  revision: 8,
  replica: 9,
  source: 10,
  severity: 11,
  count: 12,
  job: 13,
} as const;

const EVENT_COLUMNS: Readonly<Record<string, number>> = {
  timestamp: EventField.timeStamp,
  timestamp_s: EventField.timeStampText,
  time_t: EventField.timeT,
  time_s: EventField.timeText,
  timegenerated: EventField.batchTime,
  time: EventField.batchTime,
  reason: EventField.reason,
  reason_s: EventField.reason,
  log: EventField.text,
  log_s: EventField.text,
  msg: EventField.text,
  containerappname: EventField.app,
  containerappname_s: EventField.app,
  revisionname: EventField.revision,
  revisionname_s: EventField.revision,
  replicaname: EventField.replica,
  replicaname_s: EventField.replica,
  eventsource: EventField.source,
  eventsource_s: EventField.source,
  type_s: EventField.severity,
  type: EventField.severity,
  count: EventField.count,
  count_d: EventField.count,
  jobname: EventField.job,
  jobname_s: EventField.job,
};

/** The field that a system-log column holds; undefined for other columns. */
export function eventField(column: string): number | undefined {
  const folded = foldColumn(column);
  return Object.hasOwn(EVENT_COLUMNS, folded) ? EVENT_COLUMNS[folded] : undefined;
}
