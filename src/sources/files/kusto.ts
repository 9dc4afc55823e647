import { isBag } from "./envelopes.ts";
import type { Input } from "./input.ts";

const REMEDY = "narrow the window or export in slices, then report again";

/** Marks the input partial for an error object that stands beside rows (REST, SDK dumps, Kusto rows). */
export function noteError(input: Input, error: unknown): void {
  input.markPartial(`the service reports an error beside the rows: ${describeError(error)}`, REMEDY);
}

/** Code, message and severity of a service error with its innermost cause. */
export function describeError(error: unknown): string {
  if (typeof error === "string") return error;
  if (!isBag(error)) return JSON.stringify(error);
  if (Array.isArray(error.OneApiErrors)) return error.OneApiErrors.map(describeError).join("; ");
  const parts: string[] = [];
  const visit = (value: unknown): void => {
    if (!isBag(value)) return;
    const severity = value.severityName ?? value.severity;
    const code = value.code ?? value["@type"];
    const head = [code, severity].filter((part) => part !== undefined).join(", ");
    const message = value.message ?? value["@message"];
    if (head !== "" || message !== undefined)
      parts.push(`${head}${message === undefined ? "" : `: ${String(message)}`}`);
    for (const detail of Array.isArray(value.details) ? value.details : []) visit(detail);
    visit(value.innererror);
    visit(value.error);
  };
  visit(error);
  return parts.length === 0 ? JSON.stringify(error).slice(0, 200) : parts.join("; ");
}

/** Whether columns are those of a Kusto status table (v1 QueryStatus, v2 QueryCompletionInformation). */
export function isStatusTable(columns: readonly string[]): boolean {
  return (
    columns.includes("StatusCode") && (columns.includes("StatusDescription") || columns.includes("Payload"))
  );
}

/** Reads a row of a status table: severity 2 or less, or a negative status code, means incomplete rows. */
export function noteStatus(input: Input, columns: readonly string[], values: readonly unknown[]): void {
  const at = (name: string): unknown => values[columns.indexOf(name)];
  const severity = Number(at("Severity") ?? at("Level") ?? 4);
  const code = Number(at("StatusCode") ?? 0);
  if (severity > 2 && code >= 0) return;
  const name = at("SeverityName") ?? at("LevelName") ?? `severity ${severity}`;
  const text = at("StatusDescription") ?? at("Payload") ?? at("StatusCodeName") ?? "";
  input.markPartial(`the service cut the result: ${String(name)} ${code}: ${String(text)}`, REMEDY);
}
