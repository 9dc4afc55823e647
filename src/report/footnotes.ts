import type { ReportDocument, Warning } from "./document.ts";
import { formatCount, type Symbols } from "./numbers.ts";

/** The parts of a report that a warning can concern. */
export type SectionKey = "summary" | "first" | "curve" | "second" | "arrivals" | "instances" | "rows";

export interface Footnote {
  /** From 1, the document's own warnings first. */
  readonly number: number;
  /** The input that the warning belongs to; null for the document's own. */
  readonly path: string | null;
  readonly warning: Warning;
}

/** Where a known warning is marked; any other is only listed. */
const SECTION_OF_CODE: Readonly<Record<string, SectionKey>> = {
  "synthetic-data": "summary",
  "partial-input": "summary",
  "row-cap": "summary",
  "truncation-invisible": "summary",
  "ignored-files": "summary",
  "role-not-found": "summary",
  "revision-not-found": "summary",
  "several-roles": "summary",
  "functions-host-and-worker": "first",
  "over-ingress-timeout": "curve",
  "ambiguous-weight": "curve",
  "item-count-ignores-sampling": "curve",
  "invalid-sample-rate": "curve",
  "invalid-item-count": "curve",
  "fractional-item-count": "curve",
  "large-item-count": "curve",
  "no-item-count": "curve",
  "no-instance": "instances",
  "instances-not-replicas": "instances",
  "coverage-gap": "instances",
  "container-not-found": "instances",
  "no-replica-name": "instances",
  "malformed-event": "rows",
  "malformed-rows": "rows",
  "no-id": "rows",
  "no-time-zone": "rows",
};

/** Every warning of the document in the order of its number. */
export function footnotesOf(document: ReportDocument): Footnote[] {
  const own = document.warnings.map((warning) => ({ path: null, warning }));
  const ofInputs = document.inputs.flatMap((input) =>
    input.warnings.map((warning) => ({ path: input.path, warning })),
  );
  return [...own, ...ofInputs].map((note, index) => ({ number: index + 1, ...note }));
}

/** `[1] [4]` for the footnotes that concern a section, or the empty string. */
export function markersFor(section: SectionKey, notes: readonly Footnote[]): string {
  return notes
    .filter(({ warning }) => Object.hasOwn(SECTION_OF_CODE, warning.code))
    .filter(({ warning }) => SECTION_OF_CODE[warning.code] === section)
    .map(({ number }) => `[${number}]`)
    .join(" ");
}

/** `ambiguous-weight: 12`. */
export function codeAndCount({ code, count }: Warning, symbols: Symbols): string {
  return `${code}: ${formatCount(count, symbols)}`;
}
