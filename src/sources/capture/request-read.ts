import type { Table } from "apache-arrow";
import type { RequestBuilder } from "../../telemetry/builder.ts";
import type { Kind } from "../../telemetry/kind.ts";
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

const KINDS: ReadonlySet<string> = new Set<Kind>(["http", "consumer", "other"]);

/**
 * Adds the rows of a file to the builder's table, without their ids: a capture stands in order of arrival.
 * Column by column, since there may be tens of millions of rows.
 */
export function addRequests(file: Table, builder: RequestBuilder): void {
  const { table } = builder;
  const weights = new RequestWeights(builder);
  for (const { rows, columns } of rawBatches(file, REQUEST_COLUMNS)) {
    const known = knownIdentities(columns);
    const flags = flagsOf(builder, columns);
    for (let from = 0; from < rows; ) {
      const block = table.open();
      const at = block.used;
      const to = Math.min(BLOCK, at + rows - from);
      setInstants(columns.timestamp, from, block.start.subarray(at, to));
      block.duration.set(columns.duration_ms.values.subarray(from, from + to - at), at);
      weights.fill(columns.item_count, columns.sample_rate, from, block.weight.subarray(at, to));
      setIdentities(builder, columns, known, from, block.identity.subarray(at, to));
      setFlags(flags, columns, from, block.flags.subarray(at, to));
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

/** Most combinations of role, instance and version for which a list is made. */
const MOST_KEYS = 1 << 20;

/** Sets the identities of rows: each looked up once, by the numbers of its texts. */
function setIdentities(
  builder: RequestBuilder,
  { role, instance, version }: Columns,
  known: Int32Array,
  from: number,
  out: Uint32Array,
): void {
  const { length } = out;
  const [roles, instances, versions] = [role.values, instance.values, version.values];
  const [width, depth] = [instance.texts.length, version.texts.length];
  for (let i = 0; i < length; i++) {
    const row = from + i;
    const key = (roles[row]! * width + instances[row]!) * depth + versions[row]!;
    let identity = key < known.length ? known[key]! : -1;
    if (identity === -1) {
      identity = builder.identityOf(textAt(role, row), textAt(instance, row), textAt(version, row));
      if (key < known.length) known[key] = identity;
    }
    out[i] = identity;
  }
}

function knownIdentities({ role, instance, version }: Columns): Int32Array {
  const keys = role.texts.length * instance.texts.length * version.texts.length;
  return new Int32Array(Math.min(keys, MOST_KEYS)).fill(-1);
}

/** Class and mark of rows, by the numbers of kind and path. */
interface Flags {
  readonly plain: Uint8Array;
  /** For rows with a synthetic source. */
  readonly synthetic: Uint8Array;
  readonly hasSynthetic: boolean;
}

function flagsOf(builder: RequestBuilder, { kind, path, synthetic }: Columns): Flags {
  const paths = path.texts.length;
  const flags: Flags = {
    plain: new Uint8Array(kind.texts.length * paths),
    synthetic: new Uint8Array(kind.texts.length * paths),
    hasSynthetic: (synthetic.values as Uint8Array).some((bits) => bits !== 0),
  };
  kindsOf(kind).forEach((text, k) => {
    const isHttp = text === "http";
    const rowClass = RowClass[text === "http" ? "user" : text];
    path.texts.forEach((place, p) => {
      const mark = isHttp && place === builder.markedPath ? 32 : 0;
      const isProbe = isHttp && builder.probePaths.has(place);
      flags.plain[k * paths + p] = (isProbe ? RowClass.probe : rowClass) | mark;
      flags.synthetic[k * paths + p] = (isHttp ? RowClass.synthetic : rowClass) | mark;
    });
  });
  return flags;
}

/** Sets class, success and mark of rows. */
function setFlags(flags: Flags, { kind, path, ...columns }: Columns, from: number, out: Uint8Array): void {
  const { length } = out;
  const { plain, synthetic, hasSynthetic } = flags;
  const [kinds, places, width] = [kind.values, path.values, path.texts.length];
  const { success } = columns;
  const bits = columns.synthetic.values;
  for (let i = 0; i < length; i++) {
    const row = from + i;
    const key = kinds[row]! * width + places[row]!;
    const ofClass = hasSynthetic && bitAt(bits, row) ? synthetic[key]! : plain[key]!;
    out[i] = ofClass | (successAt(success, row) << 3);
  }
}

/** The kinds of the rows, by number. @throws DataFault where one is unknown */
export function kindsOf({ texts }: RawColumn): readonly Kind[] {
  for (const text of texts) {
    if (!KINDS.has(text)) throw damaged(`holds an unknown kind (${text})`, "kind");
  }
  return texts as readonly Kind[];
}

/** Success of row `i` as the request table keeps it. */
export function successAt(column: RawColumn, i: number): number {
  if (!hasValue(column, i)) return SUCCESS_UNKNOWN;
  return bitAt(column.values, i) ? SUCCESS_TRUE : SUCCESS_FALSE;
}

/** The text of row `i`. */
export function textAt({ texts, values }: RawColumn, i: number): string {
  return texts[values[i]!]!;
}
