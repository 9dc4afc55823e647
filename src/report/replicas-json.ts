import type { ReplicasDocument } from "./replicas-document.ts";

/**
 * The document of `coldstart replicas` as JSON, indented by two, with a final newline.
 * @throws Error when a number is NaN or infinite, which JSON would silently turn into null.
 */
export function renderReplicasJson(document: ReplicasDocument): string {
  const finite = (key: string, value: unknown): unknown => {
    if (typeof value === "number" && !Number.isFinite(value)) {
      throw new Error(`the replicas document holds ${value} at ${key}`);
    }
    return value;
  };
  return `${JSON.stringify(document, finite, 2)}\n`;
}
