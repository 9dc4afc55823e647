/** Reading of values in a parsed document, where anything may stand in place of anything. */
export type Bag = Readonly<Record<string, unknown>>;

export function isBag(value: unknown): value is Bag {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value of a key, case aside, since ARM does not look at it; undefined where it is missing. */
export function get(bag: unknown, key: string): unknown {
  if (!isBag(bag)) return undefined;
  if (Object.hasOwn(bag, key)) return bag[key];
  const wanted = key.toLowerCase();
  const found = Object.keys(bag).find((name) => name.toLowerCase() === wanted);
  return found === undefined ? undefined : bag[found];
}

/** The value at the end of several keys. */
export function dig(bag: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((value, key) => get(value, key), bag);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

/** A finite number, also one written as text; null for anything else. */
export function numberOf(value: unknown): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value !== "string" || !/^\s*-?\d+(?:\.\d+)?\s*$/.test(value)) return null;
  return Number(value);
}

/** Whether a value is an expression of ARM that only a deployment evaluates. */
export function isExpression(value: unknown): value is `[${string}]` {
  return typeof value === "string" && /^\[(?!\[).*\]$/s.test(value.trim());
}
