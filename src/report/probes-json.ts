import type { ProbesDocument } from "./probes-document.ts";

/** The document as JSON, indented by two, with a final newline. */
export function renderProbesJson(document: ProbesDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
