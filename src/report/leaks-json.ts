import type { LeaksDocument } from "./leaks-document.ts";

/**
 * The audit as JSON, indented by two, with a final newline.
 * @throws Error when a number is NaN or infinite, which JSON would silently turn into null.
 */
export function renderLeaksJson(document: LeaksDocument): string {
  const text = JSON.stringify(
    document,
    (key, value: unknown) => {
      if (typeof value === "number" && !Number.isFinite(value)) {
        throw new Error(`the leaks document holds ${value} at ${key}`);
      }
      return value;
    },
    2,
  );
  return `${text}\n`;
}
