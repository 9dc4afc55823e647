import type { SurplusFigures } from "../figures/leak-metrics.ts";
import type { RequestFigures } from "../figures/leak-requests.ts";
import { countedShare } from "../figures/leak-share.ts";
import type { LeakReason, LeakVerdict } from "../figures/leak-verdict.ts";
import type { LeakFigures } from "../figures/leaks.ts";
import type { ReportDocument } from "./document.ts";
import type { LeaksDocument, LeaksRequests, LeaksSurplus } from "./leaks-document.ts";
import { reasonText, unknownOf } from "./leaks-words.ts";

export interface LeaksContext {
  readonly question: LeaksDocument["question"];
  readonly examples: LeaksDocument["examples"];
  /** The report on the same data. */
  readonly report: ReportDocument;
}

const bounded = (value: number | null): number | null =>
  value === null ? null : Math.min(1, Math.max(0, value));

function requests(figures: RequestFigures): LeaksRequests {
  return {
    starts: figures.starts,
    withPath: countedShare(figures.withPath, figures.starts),
    firstIsPath: countedShare(figures.firstIsPath, figures.starts),
    rows: { observed: figures.rows, estimated: figures.estimated },
    inside: {
      rows: figures.insideRows,
      starts: figures.insideStarts,
      byLine: figures.insideByLine,
      byRefusal: figures.insideByRefusal,
    },
    outsideStarts: figures.outsideStarts,
    undecidedStarts: figures.undecidedStarts,
  };
}

function surplus({ withSurplus, ...figures }: SurplusFigures): LeaksSurplus {
  return { ...figures, withSurplus: countedShare(withSurplus, figures.starts) };
}

/** Puts figures, verdict and account into the document. */
export function buildLeaks(
  figures: LeakFigures,
  { verdict, reasons }: { readonly verdict: LeakVerdict; readonly reasons: readonly LeakReason[] },
  { question, examples, report }: LeaksContext,
): LeaksDocument {
  const { warmUp, zero } = figures;
  const { since, before, ...rest } = figures.requests;
  return {
    schema: "coldstart.leaks/1",
    verdict,
    reasons: reasons.map((reason) => ({ code: reason.kind, text: reasonText(reason) })),
    question,
    warmUp: {
      ...warmUp,
      logged: countedShare(warmUp.logged, warmUp.starts),
      outcomes: [...warmUp.outcomes],
      paths: [...warmUp.paths],
    },
    requests: { since: requests(since), before: before === null ? null : requests(before), ...rest },
    operations: figures.operations,
    metrics: figures.metrics.map((metric) => ({
      ...metric,
      since: surplus(metric.since),
      before: metric.before === null ? null : surplus(metric.before),
    })),
    zero: {
      ...zero,
      rate: bounded(zero.rate),
      everyStartUnseen: bounded(zero.everyStartUnseen),
      oneInTenUnseen: bounded(zero.oneInTenUnseen),
    },
    starts: figures.starts,
    held: figures.held,
    examples,
    unknown: unknownOf(figures),
    settings: report.settings,
    inputs: report.inputs,
    warnings: report.warnings,
  };
}
