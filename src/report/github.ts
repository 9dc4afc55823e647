import { UNICODE_SYMBOLS } from "./numbers.ts";
import { plain } from "./plain.ts";
import type { GuardDocument, VerdictDocument, VerdictName } from "./verdict-document.ts";
import { conditionSentence } from "./verdict-sentence.ts";
import {
  barWords,
  headline,
  meaning,
  RETROSPECTIVE,
  registrationWords,
  resultWord,
} from "./verdict-words.ts";

type Level = "error" | "warning" | "notice";

const symbols = UNICODE_SYMBOLS;

/** The message of a workflow command: everything that would end its line, and the escape itself, escaped. */
export function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

/** A property of a workflow command: as a message, and what would end the property. */
export function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

const LEVELS: Readonly<Record<VerdictName, Level>> = {
  pass: "notice",
  inconclusive: "warning",
  fail: "error",
  error: "error",
};

const GUARD_LEVELS: Readonly<Record<GuardDocument["status"], Level>> = {
  ok: "notice",
  off: "notice",
  unknown: "warning",
  violated: "warning",
};

/**
 * Workflow commands that show the judgement on a run of GitHub Actions, one a line: the verdict first
 * (GitHub shows ten of a level for a step), then every condition, the registration's reasons, every guard.
 * A retrospective judgement is never less than a warning.
 */
export function githubAnnotations(document: VerdictDocument): string[] {
  const { registration, retrospective } = document;
  const command = (level: Level, title: string, message: string): string => {
    const raised = retrospective && level === "notice" ? "warning" : level;
    const mark = retrospective ? `${RETROSPECTIVE} ` : "";
    const safe = { title: plain(`${mark}${title}`, true), message: plain(message, true) };
    return `::${raised} title=${escapeProperty(safe.title)}::${escapeData(safe.message)}`;
  };
  const isRegistered = registration.status === "registered";
  const registrationTexts =
    registration.reasons.length === 0 && !isRegistered
      ? [registrationWords(registration)]
      : registration.reasons;
  return [
    command(
      LEVELS[document.verdict],
      "coldstart gate",
      [`${headline(document)}. ${meaning(document)}`, ...document.reasons].join(" "),
    ),
    ...document.bars.map((condition) =>
      command(
        LEVELS[condition.verdict],
        `${condition.metric} ${barWords(condition, symbols)}: ${resultWord(condition.verdict)}`,
        conditionSentence(document, condition, symbols),
      ),
    ),
    ...registrationTexts.map((reason) =>
      command(isRegistered ? "notice" : "warning", `registration: ${registration.status}`, reason),
    ),
    ...document.guards.map(({ name, status, detail }) =>
      command(GUARD_LEVELS[status], `guard ${name}: ${status}`, detail),
    ),
  ];
}
