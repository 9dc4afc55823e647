import { anatomy } from "../figures/anatomy.ts";
import { probesFigures } from "../figures/probes.ts";
import { reconcile } from "../figures/reconcile.ts";
import { buildAnatomy } from "../report/anatomy-build.ts";
import { renderAnatomyMarkdown, renderAnatomySection } from "../report/anatomy-render.ts";
import { renderLeaksMarkdown } from "../report/leaks-markdown.ts";
import { renderLeaksSection } from "../report/leaks-text.ts";
import { buildProbes } from "../report/probes-build.ts";
import { renderProbesMarkdown } from "../report/probes-markdown.ts";
import { renderProbesSection } from "../report/probes-text.ts";
import { buildReconcile } from "../report/reconcile-build.ts";
import { renderReconcileMarkdown, renderReconcileSection } from "../report/reconcile-render.ts";
import { renderReplicasMarkdown } from "../report/replicas-markdown.ts";
import { renderReplicasSection } from "../report/replicas-text.ts";
import type { TextOptions } from "../report/text.ts";
import { formatTicks } from "../telemetry/time.ts";
import type { AuditInput } from "./audit-run.ts";
import { type LeaksFlags, leakQuestion, leaksDocument } from "./leaks-run.ts";
import { replicaSettings, replicasDocument } from "./replicas-run.ts";

/** The audits of a full report: each one's document, and its section in text and Markdown. */
export interface FullAudit {
  readonly name: "leaks" | "probes" | "replicas" | "anatomy" | "reconcile";
  readonly document: object;
  text(options: TextOptions): string;
  markdown(): string;
}

/** What the reconciliation allows in a full report, as its command does by default. */
const TOLERANCE = 0.05;

/** Every audit that the flags let be asked; leaks needs the warm-up's path. */
export async function fullAudits(input: AuditInput, flags: LeaksFlags): Promise<FullAudit[]> {
  const { fleet, detail, metrics, report } = input;
  const audits: FullAudit[] = [];
  if ((flags.path ?? []).length > 0) {
    const document = leaksDocument(input, await leakQuestion(flags));
    audits.push({
      name: "leaks",
      document,
      text: (options) => renderLeaksSection(document, options),
      markdown: () => renderLeaksMarkdown(document),
    });
  }
  const probes = buildProbes(probesFigures([], input, []), [], report);
  const replicas = replicasDocument(input, replicaSettings(flags));
  const parts = buildAnatomy(
    anatomy(fleet, detail, report.settings.seed),
    report,
    detail.malformed,
    formatTicks,
  );
  const files = report.inputs.filter(({ form }) => form === "metrics").length;
  const totals = buildReconcile(
    reconcile(fleet, detail, metrics, { tolerance: TOLERANCE, files }),
    report,
    formatTicks,
  );
  audits.push(
    {
      name: "probes",
      document: probes,
      text: (options) => renderProbesSection(probes, options),
      markdown: () => renderProbesMarkdown(probes),
    },
    {
      name: "replicas",
      document: replicas,
      text: (options) => renderReplicasSection(replicas, options),
      markdown: () => renderReplicasMarkdown(replicas),
    },
    {
      name: "anatomy",
      document: parts,
      text: (options) => renderAnatomySection(parts, options),
      markdown: () => renderAnatomyMarkdown(parts),
    },
    {
      name: "reconcile",
      document: totals,
      text: (options) => renderReconcileSection(totals, options),
      markdown: () => renderReconcileMarkdown(totals),
    },
  );
  return audits;
}
