import type { Table } from "apache-arrow";
import type { RequestBuilder } from "../../telemetry/builder.ts";
import type { Kind } from "../../telemetry/kind.ts";
import type { ParsedRequest } from "../../telemetry/parsed-request.ts";
import { BLOCK, RowClass, SUCCESS_FALSE, SUCCESS_TRUE, SUCCESS_UNKNOWN } from "../../telemetry/table.ts";
import { type RawColumn, rawBatches, ticksAt } from "./arrow.ts";

const COLUMNS = [
  "timestamp",
  "duration_ms",
  "item_count",
  "sample_rate",
  "kind",
  "synthetic",
  "success",
  "path",
  "role",
  "instance",
  "version",
] as const;
const DETAILS = ["id", "operation_id", "name", "url", "result_code"] as const;

/** Adds the rows of a file to the builder's table, without their ids: a capture stands in order of arrival. */
export function addRequests(file: Table, builder: RequestBuilder): void {
  const { table } = builder;
  for (const { rows, columns } of rawBatches(file, COLUMNS)) {
    const [time, duration, itemCount, rate, kind, synthetic, success, path, role, instance, version] =
      columns as [
        RawColumn,
        RawColumn,
        RawColumn,
        RawColumn,
        RawColumn,
        RawColumn,
        RawColumn,
        RawColumn,
        RawColumn,
        RawColumn,
        RawColumn,
      ];
    const identityAt = identityReader(builder, role, instance, version);
    const classAt = classReader(builder, kind, synthetic, path);
    const marked = builder.markedPath === null ? -1 : path.texts.indexOf(builder.markedPath);
    const http = kind.texts.indexOf("http");
    let lastCount: number | null = null;
    let lastRate: number | null = null;
    let weight = builder.weighRow(null, null);
    for (let i = 0; i < rows; ) {
      const block = table.open();
      const from = block.used;
      const to = Math.min(BLOCK, from + rows - i);
      for (let at = from; at < to; at++, i++) {
        const count = isValid(itemCount, i) ? itemCount.values[i]! : null;
        const kept = isValid(rate, i) ? rate.values[i]! : null;
        // Only what has neither oddity nor weight of its own may be passed over: oddities are counted.
        if (count !== lastCount || kept !== lastRate || kept !== null || (count !== null && count > 100)) {
          weight = builder.weighRow(count, kept);
          lastCount = count;
          lastRate = kept;
        }
        block.start[at] = ticksAt(time.values, i);
        block.duration[at] = duration.values[i]!;
        block.weight[at] = weight;
        block.identity[at] = identityAt(i);
        const mark = marked !== -1 && path.values[i] === marked && kind.values[i] === http ? 32 : 0;
        block.flags[at] = classAt(i) | (successAt(success, i) << 3) | mark;
      }
      table.length += to - from;
      block.used = to;
    }
  }
}

/** Adds the rows with their ids and details, as rows of an export are added. */
export function addDetailedRequests(file: Table, details: Table, builder: RequestBuilder): void {
  const texts = DETAILS.map((name) => details.getChild(name)!);
  let row = 0;
  for (const { rows, columns } of rawBatches(file, COLUMNS)) {
    const number = (column: number, i: number): number | null =>
      isValid(columns[column]!, i) ? columns[column]!.values[i]! : null;
    const text = (column: number, i: number): string => columns[column]!.texts[columns[column]!.values[i]!]!;
    for (let i = 0; i < rows; i++, row++) {
      const [id, operationId, name, url, resultCode] = texts.map((column) => String(column.get(row)));
      const parsed: ParsedRequest = {
        start: ticksAt(columns[0]!.values, i),
        durationMs: columns[1]!.values[i]!,
        itemCount: number(2, i),
        rate: number(3, i),
        kind: text(4, i) as Kind,
        isSynthetic: bit(columns[5]!.values, i),
        success: successAt(columns[6]!, i),
        path: text(7, i),
        role: text(8, i),
        instance: text(9, i),
        version: text(10, i),
        id: id!,
        operationId: operationId!,
        name: name!,
        url: url!,
        resultCode: resultCode!,
      };
      builder.addParsed(parsed);
    }
  }
}

function bit(bits: ArrayLike<number>, i: number): boolean {
  return ((bits[i >> 3]! >> (i & 7)) & 1) === 1;
}

function isValid({ valid }: RawColumn, i: number): boolean {
  return valid === null || bit(valid, i);
}

function successAt(column: RawColumn, i: number): number {
  if (!isValid(column, i)) return SUCCESS_UNKNOWN;
  return bit(column.values, i) ? SUCCESS_TRUE : SUCCESS_FALSE;
}

/** Identities by the numbers of role, instance and version: looked up once for each that occurs. */
function identityReader(
  builder: RequestBuilder,
  role: RawColumn,
  instance: RawColumn,
  version: RawColumn,
): (i: number) => number {
  const known = new Int32Array(role.texts.length * instance.texts.length).fill(-1);
  const isSimple = version.texts.length <= 1;
  const others = new Map<number, number>();
  return (i) => {
    const [a, b, c] = [role.values[i]!, instance.values[i]!, version.values[i]!];
    const pair = a * instance.texts.length + b;
    if (isSimple && known[pair] !== -1) return known[pair]!;
    const key = pair * version.texts.length + c;
    const found = isSimple ? undefined : others.get(key);
    if (found !== undefined) return found;
    const identity = builder.identityOf(role.texts[a]!, instance.texts[b]!, version.texts[c]!);
    known[pair] = identity;
    others.set(key, identity);
    return identity;
  };
}

function classReader(
  builder: RequestBuilder,
  kind: RawColumn,
  synthetic: RawColumn,
  path: RawColumn,
): (i: number) => number {
  const kinds = kind.texts.map((text) => RowClass[text === "http" ? "user" : (text as "consumer" | "other")]);
  const probes = Uint8Array.from(path.texts, (text) => (builder.probePaths.has(text) ? 1 : 0));
  return (i) => {
    const rowClass = kinds[kind.values[i]!]!;
    if (rowClass !== RowClass.user) return rowClass;
    if (bit(synthetic.values, i)) return RowClass.synthetic;
    return probes[path.values[i]!] === 1 ? RowClass.probe : RowClass.user;
  };
}
