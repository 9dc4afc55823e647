import { metricByName } from "../figures/metric-names.ts";
import type { Warning } from "./document.ts";
import { footnotesOf } from "./footnotes.ts";
import { formatCount, type Symbols } from "./numbers.ts";
import type { Tone } from "./paint.ts";
import type {
  GuardDocument,
  JudgedCondition,
  RegistrationDocument,
  VerdictDocument,
  VerdictName,
} from "./verdict-document.ts";
import { formatBar } from "./verdict-values.ts";

/**
 * The words of a judgement, the same in every format. Conditions are `met` or `not met`: the words of the
 * whole verdict appear nowhere but in its headline, so that a search for them cannot be misled.
 */

export const RETROSPECTIVE = "RETROSPECTIVE";

const RESULTS: Readonly<Record<VerdictName, string>> = {
  pass: "met",
  fail: "not met",
  inconclusive: "inconclusive",
  error: "error",
};

const TONES: Readonly<Record<VerdictName, Tone>> = {
  pass: "better",
  fail: "worse",
  inconclusive: "caution",
  error: "worse",
};

/** `met`, `not met`, `inconclusive` or `error`. */
export function resultWord(verdict: VerdictName): string {
  return RESULTS[verdict];
}

export function toneOf(verdict: VerdictName): Tone {
  return TONES[verdict];
}

/** The text, with RETROSPECTIVE behind it where the whole judgement is. */
export function marked(text: string, { retrospective }: VerdictDocument): string {
  return retrospective ? `${text} (${RETROSPECTIVE})` : text;
}

/** `PASS` or `RETROSPECTIVE PASS`. */
export function verdictWord({ verdict, retrospective }: VerdictDocument): string {
  return `${retrospective ? `${RETROSPECTIVE} ` : ""}${verdict.toUpperCase()}`;
}

/** The first line: the verdict and the bar. */
export function headline(document: VerdictDocument): string {
  return `${verdictWord(document)}: ${document.name}`;
}

/** What the verdict means, in a sentence or two. */
export function meaning(document: VerdictDocument): string {
  const { bars, verdict, retrospective } = document;
  const not = bars.filter((condition) => condition.verdict === "fail").length;
  const sentence = {
    pass:
      bars.length === 1
        ? "The condition is met."
        : `${bars.length === 2 ? "Both" : `All ${bars.length}`} conditions are met.`,
    fail:
      bars.length === 1
        ? "The condition is not met."
        : `${not} of ${bars.length} conditions ${not === 1 ? "is" : "are"} not met.`,
    inconclusive: "It was not shown that the bar is met, nor that it is not met.",
    error: "The data cannot be trusted, so the bar was not judged.",
  }[verdict];
  return retrospective
    ? `${sentence} ${RETROSPECTIVE}: nothing proves that the bar is older than the data, so it may have been chosen to fit them.`
    : sentence;
}

/** `median of the first requests, one value an instance`; the name where there are no words for it. */
export function metricTitle(metric: string): string {
  return metricByName(metric)?.description ?? metric;
}

/** `median of the first requests, one value an instance (firstRequest.p50)`. */
export function metricWords(metric: string): string {
  const title = metricTitle(metric);
  return title === metric ? metric : `${title} (${metric})`;
}

/** The number that the figure is held to; null where the condition names none. */
export function barOf({ below, above }: JudgedCondition): number | null {
  return below ?? above;
}

/** `below 2,000 ms`. */
export function barWords({ below, above, unit }: JudgedCondition, symbols: Symbols): string {
  const sides = [
    ...(below === null ? [] : [`below ${formatBar(below, unit, symbols)}`]),
    ...(above === null ? [] : [`above ${formatBar(above, unit, symbols)}`]),
  ];
  return sides.length === 0 ? symbols.none : sides.join(" and ");
}

/** How the condition was judged. */
export function methodWords(
  { method }: JudgedCondition,
  { report }: VerdictDocument,
  symbols: Symbols,
): string {
  switch (method) {
    case "order-statistics":
      return "exact order statistics";
    case "exact-binomial":
      return "exact binomial (Clopper–Pearson)";
    case "bootstrap":
      return report === null
        ? "instance bootstrap"
        : `instance bootstrap, ${formatCount(report.settings.resamples, symbols)} resamples, seed ${report.settings.seed}`;
    case "e-value":
      return "anytime-valid e-value";
    case "point-estimate":
      return "point estimate, no confidence";
  }
}

const EXCLUSIONS: Readonly<Record<string, string>> = {
  weekend: "weekend or holiday",
  uncertainOrder: "order not certain",
  warmedByProbe: "warmed by a probe",
  beyondFirst: "beyond the first that the bar judges",
};

/** Why an instance does not count: `alreadyRunning` and `already-running` are `already running`. */
export function exclusionWords(key: string): string {
  if (Object.hasOwn(EXCLUSIONS, key)) return EXCLUSIONS[key]!;
  return key
    .replace(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`)
    .replace(/(?<=\w)[-_](?=\w)/g, " ");
}

/** `already running 4, birth unknown 0`. */
export function excludedWords({ excluded }: JudgedCondition, symbols: Symbols): string {
  const parts = Object.entries(excluded).map(
    ([key, count]) => `${exclusionWords(key)} ${formatCount(count, symbols)}`,
  );
  return parts.length === 0 ? "none" : parts.join(", ");
}

/** What is known about the time at which the bar was declared. */
export function registrationWords({ status }: RegistrationDocument): string {
  return {
    registered: "registered: declared before the deployment and its data",
    retrospective: "retrospective: declared after the deployment or its data",
    unproved: "unproved: nothing shows when the bar was declared",
  }[status];
}

export function guardTone({ status }: GuardDocument): Tone {
  return ({ ok: "better", violated: "worse", unknown: "caution", off: "dim" } as const)[status];
}

/** `3f2a9c1b7d20`: enough of a digest to tell two bars apart by eye. */
export function shortDigest(digest: string): string {
  return digest.slice(0, 12);
}

/** The document's own warnings, then those of the report that it does not repeat, each with its input. */
export function warningsOf(document: VerdictDocument): { path: string | null; warning: Warning }[] {
  const own = document.warnings.map((warning) => ({ path: null, warning }));
  const said = new Set(document.warnings.map(({ code, message }) => `${code}\n${message}`));
  const others = document.report === null ? [] : footnotesOf(document.report);
  return [...own, ...others.filter(({ warning }) => !said.has(`${warning.code}\n${warning.message}`))];
}
