import { type Comparability, reasonsAgainst } from "../figures/compare.ts";
import type { Sample, Samples } from "../figures/sample.ts";
import type { ReportDocument } from "../report/document.ts";
import type { Bar } from "../verdict/bar.ts";
import { metricOf } from "../verdict/bar-units.ts";
import { type Guard, judgeGuards } from "../verdict/guards.ts";
import type { Selection } from "../verdict/select.ts";
import { judgedSample } from "../verdict/verdict.ts";
import { leakEvidence, reconciliationEvidence } from "./gate-evidence.ts";
import type { GateFlags } from "./gate-settings.ts";
import type { ReportRun } from "./report-run.ts";

/** The guards of a bar on a report's data. They look at the judged instances, so that later data cannot change them. */
export function guardsOf(bar: Bar, run: ReportRun, samples: Samples, flags: GateFlags): Guard[] {
  const { document } = run.result;
  const chosen = judgedSample(bar, samples);
  const before = comparabilityOf(samples.before, chosen.before);
  const after = comparabilityOf(samples.after, chosen.after);
  const messages = (codes: readonly string[]): string[] =>
    document.warnings.filter(({ code }) => codes.includes(code)).map(({ message }) => message);
  return judgeGuards(bar, {
    reasonsAgainst: reasonsAgainst(before, after),
    before: before.instances,
    after: after.instances,
    certainAfter: after.certainOrder,
    needsBefore: bar.conditions.some((condition) => metricOf(condition).needsBefore),
    caps: capsOf(document),
    acceptCaps: flags.acceptRowCap === true,
    ignored: messages(["ignored-files"]),
    rows: { read: document.rows.read, malformed: document.rows.malformed },
    unsettled: inputMessages(document, ["unsettled-rows", "rows-missing"]),
    gaps: messages(["coverage-gap"]),
    population: messages([
      "role-not-found",
      "revision-not-found",
      "container-not-found",
      ...(bar.population.role === undefined ? ["several-roles"] : []),
    ]),
    leak: bar.guards.leak === undefined ? null : leakEvidence(run.fleet, bar.guards.leak.path),
    reconciliation: reconciliationEvidence(run.fleet, run.metrics),
  });
}

function comparabilityOf(sample: Sample, { chosen }: Selection): Comparability {
  const instances = chosen.map((i) => sample.instances[i]!);
  return {
    instances: instances.length,
    certainOrder: instances.filter(({ isCertain }) => isCertain).length,
    warmedByProbe: instances.filter(({ warmedBy }) => warmedBy === "probe").length,
  };
}

function inputMessages({ inputs }: ReportDocument, codes: readonly string[]): string[] {
  return inputs.flatMap(({ path, warnings }) =>
    warnings.filter(({ code }) => codes.includes(code)).map(({ message }) => `${path}: ${message}`),
  );
}

function capsOf({ inputs }: ReportDocument): string[] {
  return inputs.flatMap(({ path, warnings }) =>
    warnings
      .filter(({ code }) => code === "row-cap")
      .map(({ count }) => `${path} has exactly ${count} rows, at which exports stop`),
  );
}
