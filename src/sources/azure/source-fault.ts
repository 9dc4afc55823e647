export type SourceFaultKind =
  | "sign-in"
  | "permission"
  | "not-found"
  | "query"
  | "network"
  | "throttled"
  | "timeout"
  | "service";

/**
 * The source of the data failed. One line: what happened and what to do. It never holds a token, a secret
 * or the body of an answer, beyond the code and message of the service's own error.
 */
export class SourceFault extends Error {
  constructor(
    readonly kind: SourceFaultKind,
    readonly what: string,
    readonly remedy: string,
    /** How long the service asks to wait, milliseconds; null where it says nothing. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(`${what}; ${remedy}`);
    this.name = "SourceFault";
  }

  /** Whether the same question may be answered a little later. */
  get isPassing(): boolean {
    return ["network", "throttled", "timeout", "service"].includes(this.kind);
  }
}

/** A service's own words in one short line, without anything that looks like a secret. */
export function ownWords(text: string): string {
  return text
    .replace(/\b(?:Bearer\s+)?eyJ[\w-]+\.[\w.-]+/g, "(token)")
    .replace(/((?:secret|password|sig|key|token)["']?\s*[=:]\s*["']?)[^\s,;&"']+/gi, "$1(hidden)")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 300);
}
