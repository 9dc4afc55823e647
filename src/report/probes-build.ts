import type { ProbesFigures } from "../figures/probes.ts";
import type { ReportDocument } from "./document.ts";
import { type ProbesDocument, probesSchema } from "./probes-document.ts";

/**
 * The document of the probes.
 *
 * @param specs paths of the specs, in their order
 * @param report the report on the same data; null where no telemetry was read
 * @throws ZodError where a number is NaN or infinite
 */
export function buildProbes(
  figures: ProbesFigures,
  specs: readonly string[],
  report: ReportDocument | null,
): ProbesDocument {
  return probesSchema.parse({
    schema: "coldstart.probes/1",
    settings: report?.settings ?? null,
    inputs: report?.inputs ?? [],
    specs,
    apps: figures.apps,
    findings: figures.findings,
    expectations: figures.expectations,
    unknown: figures.unknown,
    warnings: (report?.warnings ?? []).filter(({ code }) => CONCERNS.has(code)),
  });
}

/** Warnings of the report that matter here; the others are about figures of requests. */
const CONCERNS: ReadonlySet<string> = new Set([
  "role-not-found",
  "revision-not-found",
  "several-roles",
  "container-not-found",
  "instances-not-replicas",
  "ambiguous-weight",
  "item-count-ignores-sampling",
  "no-item-count",
  "malformed-rows",
  "ignored-files",
]);
