import { formatTicks } from "../../telemetry/time.ts";

/** A value that a query asks for. */
export type BoundValue =
  | { readonly type: "string"; readonly value: string }
  | { readonly type: "datetime"; readonly ticks: number }
  | { readonly type: "bool"; readonly value: boolean }
  | { readonly type: "dynamic"; readonly values: readonly string[] };

/**
 * The only place that makes KQL text of a value. The query services take no parameters, so what a value
 * holds must not be able to end its literal.
 */
export function literalOf(bound: BoundValue): string {
  switch (bound.type) {
    case "string":
      return quoted(bound.value);
    case "datetime":
      return `datetime(${formatTicks(bound.ticks)})`;
    case "bool":
      return String(bound.value);
    case "dynamic":
      return `dynamic([${bound.values.map(jsonText).join(", ")}])`;
  }
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
  return `"${escaped(text)}"`;
}

/** Inside `dynamic(…)` a literal is JSON, which has the same escapes for what is escaped here. */
function jsonText(text: string): string {
  return quoted(text);
}

function escaped(text: string): string {
  return text
    .replace(/[\\"\n\r\t]/g, (character) => ESCAPES[character]!)
    .replace(RARE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
