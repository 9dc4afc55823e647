import type { ReportResult } from "./document.ts";

function assertFinite(value: unknown, path: string): void {
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new Error(`the report document holds ${value} at ${path}`);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, child] of Object.entries(value)) {
      assertFinite(child, path === "" ? key : `${path}.${key}`);
    }
  }
}

/**
 * The report document as JSON, indented by two, with a final newline.
 * @throws Error when a number is NaN or infinite, which JSON would silently turn into null.
 */
export function renderJson(result: ReportResult): string {
  assertFinite(result.document, "");
  return `${JSON.stringify(result.document, null, 2)}\n`;
}
