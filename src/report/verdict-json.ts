import { type VerdictDocument, verdictSchema } from "./verdict-document.ts";

/**
 * The verdict document as JSON, indented by two, with a final newline.
 * @throws Error when it is not what the published schema says, in particular when a number is NaN or
 * infinite, which JSON would silently turn into null.
 */
export function renderVerdictJson(document: VerdictDocument): string {
  const checked = verdictSchema.safeParse(document);
  if (!checked.success) {
    const faults = checked.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
    throw new Error(`the verdict document is not valid: ${faults.join("; ")}`);
  }
  return `${JSON.stringify(document, null, 2)}\n`;
}
