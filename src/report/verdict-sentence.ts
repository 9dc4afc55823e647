import { formatCount, type Symbols } from "./numbers.ts";
import type { JudgedCondition, VerdictDocument } from "./verdict-document.ts";
import { countWords, eValueWords } from "./verdict-sections.ts";
import { formatBar, formatInterval, formatValue } from "./verdict-values.ts";
import { barOf, barWords, methodWords, metricWords, resultWord } from "./verdict-words.ts";

/** One condition in one line, for places that show no table: its result, figures, method and reasons. */
export function conditionSentence(
  document: VerdictDocument,
  condition: JudgedCondition,
  symbols: Symbols,
): string {
  const { unit, confidence, n, minimum } = condition;
  const bar = barOf(condition);
  const value = (figure: number | null): string => formatValue(figure, unit, bar, symbols);
  const sided = confidence === null ? "" : `${formatBar(confidence, "share", symbols)} `;
  const parts = [
    `estimate ${value(condition.estimate)}`,
    `95 % interval ${formatInterval(condition.ci95, unit, bar, symbols)}`,
    `one-sided ${sided}bounds ${value(condition.lowerBound)} and ${value(condition.upperBound)}`,
    methodWords(condition, document, symbols),
    `n ${formatCount(n, symbols)}, at least ${formatCount(minimum, symbols)} needed`,
    countWords(condition, symbols),
    eValueWords(condition, symbols),
    ...condition.reasons,
  ].filter((part) => part !== null);
  return `${metricWords(condition.metric)} ${barWords(condition, symbols)}: ${resultWord(condition.verdict)}; ${parts.join("; ")}`;
}
