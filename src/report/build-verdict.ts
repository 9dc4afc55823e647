import type { Registration } from "../verdict/registration.ts";
import type { Verdict } from "../verdict/verdict.ts";
import type { ReportDocument, Warning } from "./document.ts";
import { type VerdictDocument, verdictSchema } from "./verdict-document.ts";

/** What a verdict document says besides the verdict. */
export interface VerdictContext {
  readonly name: string;
  readonly hypothesis: string;
  readonly report: ReportDocument;
  readonly values: { readonly path: string; readonly sha256: string; readonly rows: number } | null;
  readonly warnings: readonly Warning[];
}

/** The verdict document; checked against its schema, so that a fault of ours is not printed as a verdict. */
export function buildVerdict(verdict: Verdict, context: VerdictContext): VerdictDocument {
  return verdictSchema.parse({
    schema: "coldstart.verdict/1",
    name: context.name,
    verdict: verdict.verdict,
    retrospective: verdict.retrospective,
    reasons: verdict.reasons,
    hypothesis: context.hypothesis,
    bars: verdict.conditions,
    registration: verdict.registration,
    guards: verdict.guards,
    values: context.values,
    warnings: context.warnings,
    report: context.report,
  });
}

/** The document where no judgement was possible: the data cannot be trusted. */
export function buildError(
  bar: { readonly name: string; readonly hypothesis: string },
  reasons: readonly string[],
  registration: Registration,
  allowRetrospective: boolean,
  report: ReportDocument | null,
): VerdictDocument {
  return verdictSchema.parse({
    schema: "coldstart.verdict/1",
    name: bar.name,
    verdict: "error",
    retrospective: allowRetrospective && registration.status !== "registered",
    reasons,
    hypothesis: bar.hypothesis,
    bars: [],
    registration,
    guards: [],
    values: null,
    warnings: [],
    report,
  });
}
