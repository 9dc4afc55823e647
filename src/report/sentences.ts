import type { ReportDocument } from "./document.ts";
import { formatCount, formatShare, formatThreshold, type Symbols } from "./numbers.ts";
import type { Tone } from "./paint.ts";

export interface Sentence {
  readonly text: string;
  readonly tone: Tone;
}

/** What the shortest labels of the table mean. */
export function comparisonLegend({ settings }: ReportDocument, symbols: Symbols): string {
  const threshold = formatThreshold(settings.thresholdMs, symbols);
  return `Slow early: user requests over ${threshold} among an instance's first ten. Overlap: user requests that started before the instance's first one had ended. A second request that did not is sequential.`;
}

/** What the comparison says in words, and whether it may be said at all. */
export function comparisonSentences(document: ReportDocument, symbols: Symbols): Sentence[] {
  const { comparison, settings } = document;
  const [before, after] = document.cohorts;
  if (comparison === null || before === undefined || after === undefined) return [];
  const sentences: Sentence[] = [];
  const { probabilityFaster, p50DeltaMs, p50DeltaCi95Ms } = comparison.firstRequest;
  if (probabilityFaster !== null) {
    const n = `n ${formatCount(before.firstRequest.n, symbols)} before, ${formatCount(after.firstRequest.n, symbols)} after`;
    sentences.push({
      text: `The first request of a random after-instance is faster than that of a random before-instance with probability ${formatShare(probabilityFaster, symbols)} (${n}).`,
      tone: "plain",
    });
  }
  if (p50DeltaMs !== null) {
    const [low, high] = p50DeltaCi95Ms;
    const includesZero = low !== null && high !== null && low <= 0 && high >= 0;
    const verdict = includesZero ? " It includes 0: these data do not tell the two medians apart." : "";
    sentences.push({
      text: `The interval of the change resamples instances: ${formatCount(settings.resamples, symbols)} bootstrap resamples, seed ${settings.seed}.${verdict}`,
      tone: includesZero ? "caution" : "dim",
    });
  }
  if (comparison.comparable) {
    sentences.push({ text: "The two cohorts are comparable.", tone: "plain" });
  } else {
    const reasons = comparison.reasons.map((reason) => reason.replace(/[.\s]+$/, "")).join("; ");
    sentences.unshift({
      text: `The two cohorts are not comparable, so the change must not be read as an effect${reasons === "" ? "." : `: ${reasons}.`}`,
      tone: "caution",
    });
  }
  return sentences;
}
