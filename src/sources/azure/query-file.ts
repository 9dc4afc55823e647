import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type BoundValue, literalOf } from "./literal.ts";

const DECLARATION = /^\/\/ values: (.+)$/m;

/** The names and types of the values that a query asks for, as its first line declares them; none without one. */
export function declaredValues(text: string): ReadonlyMap<string, string> {
  const declared = DECLARATION.exec(text)?.[1];
  if (declared === undefined) return new Map();
  return new Map(
    declared
      .split(",")
      .map((entry) => entry.trim().split(" "))
      .map(([name, type]) => [name!, type!]),
  );
}

/**
 * A query with its values in front of it.
 *
 * @throws RangeError where a value is missing, unknown, or of another type than declared
 */
export function bindQuery(text: string, values: Readonly<Record<string, BoundValue>>): string {
  const declared = declaredValues(text);
  for (const name of Object.keys(values)) {
    if (!declared.has(name)) throw new RangeError(`the query does not ask for ${name}`);
  }
  const lines = [...declared].map(([name, type]) => {
    const value = values[name];
    if (value === undefined) throw new RangeError(`the query asks for ${name}`);
    if (value.type !== type) throw new RangeError(`${name} must be ${type}, not ${value.type}`);
    return `let ${name} = ${literalOf(value)};\n`;
  });
  return `${lines.join("")}${text}`;
}

/** The text of one of the program's queries. */
export function readQuery(bundled: string, name: string): Promise<string> {
  return readFile(join(bundled, "queries", `${name}.kql`), "utf8");
}

const TICKS_PER_HOUR = 36_000_000_000;

/** The same rows counted by the hour: `hour_ticks`, `rows`. */
export function countByHour(query: string): string {
  return `${query.trimEnd()}\n| summarize rows = count() by hour_ticks = bin(ticks, ${TICKS_PER_HOUR})\n`;
}
