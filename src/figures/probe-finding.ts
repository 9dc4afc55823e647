/**
 * `problem`: the platform refuses it, or it fails. `caution`: it works, but not as most expect.
 * `note`: good to know.
 */
export type FindingLevel = "problem" | "caution" | "note";

/** A consequence of the probes that is easily missed. */
export interface Finding {
  readonly code: string;
  readonly level: FindingLevel;
  /** The app; empty where its name is not known. */
  readonly app: string;
  /** Where it stands in the spec, or what part of the data shows it. */
  readonly place: string;
  readonly message: string;
  readonly remedy: string;
}

const ORDER: Readonly<Record<FindingLevel, number>> = { problem: 0, caution: 1, note: 2 };

/** The findings with the gravest first; what is equally grave stays in its order. */
export function graveFirst(findings: readonly Finding[]): Finding[] {
  return [...findings].sort((a, b) => ORDER[a.level] - ORDER[b.level]);
}

/** A finding without the app that it belongs to. */
export type Found = Omit<Finding, "app">;

export function found(
  code: string,
  level: FindingLevel,
  place: string,
  message: string,
  remedy: string,
): Found {
  return { code, level, place, message, remedy };
}
