import { formatTicks } from "../../telemetry/time.ts";

/** One value with a type of its own. */
export type ScalarValue =
  | { readonly type: "string"; readonly value: string }
  | { readonly type: "datetime"; readonly ticks: number }
  /** A length of time in ticks. */
  | { readonly type: "timespan"; readonly ticks: number }
  /** A whole number that a double holds exactly. */
  | { readonly type: "long"; readonly value: number }
  | { readonly type: "real"; readonly value: number }
  | { readonly type: "bool"; readonly value: boolean };

/** A value that a query asks for. */
export type BoundValue =
  | ScalarValue
  | { readonly type: "dynamic"; readonly values: readonly string[] }
  /** A table; each row holds a value of each column's type. */
  | {
      readonly type: "datatable";
      readonly columns: Readonly<Record<string, ScalarValue["type"]>>;
      readonly rows: readonly (readonly ScalarValue[])[];
    };

/**
 * The only place that makes KQL text of a value. The query services take no parameters, so what a value
 * holds must not be able to end its literal.
 *
 * @throws RangeError for a number that the type cannot hold, and for a row that does not fit its table
 */
export function literalOf(bound: BoundValue): string {
  switch (bound.type) {
    case "string":
      return quoted(bound.value);
    case "datetime":
      return `datetime(${formatTicks(whole(bound.ticks))})`;
    case "timespan":
      return `timespan(${spanText(whole(bound.ticks))})`;
    case "long":
      return `long(${whole(bound.value)})`;
    case "real":
      return `real(${finite(bound.value)})`;
    case "bool":
      return String(bound.value);
    case "dynamic":
      // Inside `dynamic(…)` a literal is JSON, which has the same escapes for what is escaped here.
      return `dynamic([${bound.values.map(quoted).join(", ")}])`;
    case "datatable":
      return datatable(bound.columns, bound.rows);
  }
}

function datatable(
  columns: Readonly<Record<string, ScalarValue["type"]>>,
  rows: readonly (readonly ScalarValue[])[],
): string {
  const declared = Object.entries(columns);
  for (const [name] of declared) {
    if (!/^[A-Za-z_]\w*$/.test(name)) throw new RangeError(`${JSON.stringify(name)} is no name of a column`);
  }
  const cells = rows.map((row) => {
    if (row.length !== declared.length || row.some(({ type }, i) => type !== declared[i]![1])) {
      throw new RangeError("a row does not fit the columns of its table");
    }
    return `\n    ${row.map(literalOf).join(", ")}`;
  });
  return `datatable(${declared.map(([name, type]) => `${name}: ${type}`).join(", ")})[${cells.join(",")}]`;
}

function whole(value: number): number {
  if (Number.isSafeInteger(value)) return value;
  throw new RangeError(`${value} is no whole number that can be written exactly`);
}

function finite(value: number): number {
  if (Number.isFinite(value)) return value;
  throw new RangeError(`${value} is no finite number`);
}

/** `[-]d.hh:mm:ss.fffffff` */
function spanText(ticks: number): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  const size = Math.abs(ticks);
  const seconds = Math.floor(size / 1e7);
  const days = Math.floor(seconds / 86_400);
  const clock = [Math.floor(seconds / 3_600) % 24, Math.floor(seconds / 60) % 60, seconds % 60].map(two);
  return `${ticks < 0 ? "-" : ""}${days}.${clock.join(":")}.${String(size % 1e7).padStart(7, "0")}`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  '"': '\\"',
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

/** Where a line may end besides at a line feed, characters that no reader shows, and halves of characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for.
const RARE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029]|\p{Surrogate}/gu;

function quoted(text: string): string {
  const escaped = text
    .replace(/[\\"\n\r\t]/g, (character) => ESCAPES[character]!)
    .replace(RARE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return `"${escaped}"`;
}
