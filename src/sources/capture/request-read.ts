import type { Table } from "apache-arrow";
import type { RequestBuilder } from "../../telemetry/builder.ts";
import { BLOCK, RowClass, SUCCESS_FALSE, SUCCESS_TRUE, SUCCESS_UNKNOWN } from "../../telemetry/table.ts";
import {
  bitAt,
  type ColumnKind,
  damaged,
  hasValue,
  type RawColumn,
  rawBatches,
  ticksAt,
} from "./arrow-read.ts";
import { RequestWeights } from "./request-weights.ts";

/** The columns of the requests of a capture. */
export const REQUEST_COLUMNS = {
  timestamp: "instant",
  duration_ms: "number",
  item_count: "number",
  sample_rate: "number",
  kind: "text",
  synthetic: "bool",
  success: "bool",
  path: "text",
  role: "text",
  instance: "text",
  version: "text",
} as const satisfies Readonly<Record<string, ColumnKind>>;

type Columns = Readonly<Record<keyof typeof REQUEST_COLUMNS, RawColumn>>;

const CLASSES: ReadonlyMap<string, number> = new Map([
  ["http", RowClass.user],
  ["consumer", RowClass.consumer],
  ["other", RowClass.other],
]);

/**
 * Adds the rows of a file to the builder's table, without their ids: a capture stands in order of arrival.
 * Column by column, since there may be tens of millions of rows.
 */
export function addRequests(file: Table, builder: RequestBuilder): void {
  const { table } = builder;
  const weights = new RequestWeights(builder);
  for (const { rows, columns } of rawBatches(file, REQUEST_COLUMNS)) {
    const setIdentities = identitySetter(builder, columns);
    const setFlags = flagSetter(builder, columns);
    for (let from = 0; from < rows; ) {
      const block = table.open();
      const at = block.used;
      const to = Math.min(BLOCK, at + rows - from);
      setInstants(columns.timestamp, from, block.start.subarray(at, to));
      block.duration.set(columns.duration_ms.values.subarray(from, from + to - at), at);
      weights.fill(columns.item_count, columns.sample_rate, from, block.weight.subarray(at, to));
      setIdentities(from, block.identity.subarray(at, to));
      setFlags(from, block.flags.subarray(at, to));
      table.length += to - at;
      block.used = to;
      from += to - at;
    }
  }
  weights.finish();
}

function setInstants({ values }: RawColumn, from: number, out: Float64Array): void {
  const { length } = out;
  for (let i = 0; i < length; i++) out[i] = ticksAt(values, from + i);
}

/** Most combinations of texts for which an array is made, rather than a map of those that occur. */
const MOST_KEYS = 1 << 20;

/** Identities by the numbers of role, instance and version: looked up once for each that occurs. */
function identitySetter(
  builder: RequestBuilder,
  { role, instance, version }: Columns,
): (from: number, out: Uint32Array) => void {
  const keys = role.texts.length * instance.texts.length * version.texts.length;
  const known = keys <= MOST_KEYS ? new Int32Array(keys).fill(-1) : new Map<number, number>();
  const add = (i: number): number =>
    builder.identityOf(
      role.texts[role.values[i]!]!,
      instance.texts[instance.values[i]!]!,
      version.texts[version.values[i]!]!,
    );
  const roles = role.values;
  const instances = instance.values;
  const versions = version.values;
  const [width, depth] = [instance.texts.length, version.texts.length];
  return (from, out) => {
    const { length } = out;
    for (let i = 0; i < length; i++) {
      const row = from + i;
      const key = (roles[row]! * width + instances[row]!) * depth + versions[row]!;
      let identity = known instanceof Map ? (known.get(key) ?? -1) : known[key]!;
      if (identity === -1) {
        identity = add(row);
        if (known instanceof Map) known.set(key, identity);
        else known[key] = identity;
      }
      out[i] = identity;
    }
  };
}

/** Class, success and mark of rows. */
function flagSetter(
  builder: RequestBuilder,
  { kind, path, synthetic, success }: Columns,
): (from: number, out: Uint8Array) => void {
  const paths = path.texts.length;
  // By kind and path, once as they are and once for rows with a synthetic source.
  const flags = new Uint8Array(kind.texts.length * paths);
  const ofSynthetic = new Uint8Array(flags.length);
  kind.texts.forEach((text, k) => {
    const rowClass = CLASSES.get(text);
    if (rowClass === undefined) throw damaged(`holds an unknown kind (${text})`, "kind");
    path.texts.forEach((place, p) => {
      const isHttp = rowClass === RowClass.user;
      const mark = isHttp && place === builder.markedPath ? 32 : 0;
      const isProbe = isHttp && builder.probePaths.has(place);
      flags[k * paths + p] = (isProbe ? RowClass.probe : rowClass) | mark;
      ofSynthetic[k * paths + p] = (isHttp ? RowClass.synthetic : rowClass) | mark;
    });
  });
  const hasSynthetic = (synthetic.values as Uint8Array).some((bits) => bits !== 0);
  const kinds = kind.values;
  const places = path.values;
  return (from, out) => {
    const { length } = out;
    for (let i = 0; i < length; i++) out[i] = flags[kinds[from + i]! * paths + places[from + i]!]!;
    if (hasSynthetic) {
      for (let i = 0; i < length; i++) {
        if (bitAt(synthetic.values, from + i)) {
          out[i] = ofSynthetic[kinds[from + i]! * paths + places[from + i]!]!;
        }
      }
    }
    for (let i = 0; i < length; i++) out[i]! |= successAt(success, from + i) << 3;
  };
}

/** Success of row `i` as the request table keeps it. */
export function successAt(column: RawColumn, i: number): number {
  if (!hasValue(column, i)) return SUCCESS_UNKNOWN;
  return bitAt(column.values, i) ? SUCCESS_TRUE : SUCCESS_FALSE;
}
