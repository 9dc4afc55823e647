import { UNICODE_SYMBOLS } from "./numbers.ts";
import type { GuardDocument, JudgedCondition, VerdictDocument } from "./verdict-document.ts";
import { conditionSentence } from "./verdict-sentence.ts";
import {
  barWords,
  headline,
  marked,
  meaning,
  methodWords,
  registrationWords,
  resultWord,
  verdictWord,
} from "./verdict-words.ts";
import { element, type XmlElement, xmlLines } from "./xml.ts";

const COMMENT =
  "<!-- Inconclusive is written as a failure of that type: whoever reads this file must not see green where nothing was shown. -->";
const symbols = UNICODE_SYMBOLS;

type Outcome = "skipped" | "failure" | "error" | null;

/** Properties in the order given; what is not known is left out. */
function properties(entries: Readonly<Record<string, string | number | null>>): XmlElement[] {
  const known = Object.entries(entries).filter(([, value]) => value !== null && value !== "");
  if (known.length === 0) return [];
  return [
    element(
      "properties",
      {},
      known.map(([name, value]) => element("property", { name, value: value! })),
    ),
  ];
}

interface Case {
  readonly name: string;
  readonly properties: readonly XmlElement[];
  readonly outcome: Outcome;
  /** The type of a failure or an error. */
  readonly type: string;
  readonly message: string;
}

function conditionCase(document: VerdictDocument, condition: JudgedCondition, name: string): Case {
  const { verdict } = condition;
  return {
    name,
    properties: properties({
      result: resultWord(verdict),
      metric: condition.metric,
      unit: condition.unit,
      below: condition.below,
      above: condition.above,
      estimate: condition.estimate,
      ci95Low: condition.ci95[0],
      ci95High: condition.ci95[1],
      confidence: condition.confidence,
      lowerBound: condition.lowerBound,
      upperBound: condition.upperBound,
      method: methodWords(condition, document, symbols),
      n: condition.n,
      minimum: condition.minimum,
      needed: condition.needed,
      seen: condition.seen,
      eValue: condition.eValue,
      eNeeded: condition.eNeeded,
      ...Object.fromEntries(
        Object.entries(condition.excluded).map(([reason, count]) => [`excluded.${reason}`, count]),
      ),
    }),
    outcome: verdict === "pass" ? null : verdict === "error" ? "error" : "failure",
    type: verdict === "fail" ? "not met" : verdict,
    message: conditionSentence(document, condition, symbols),
  };
}

function registrationCase(document: VerdictDocument): Case {
  const { registration, retrospective } = document;
  const { status, reasons } = registration;
  return {
    name: "registration",
    properties: properties({
      status,
      digest: registration.digest,
      analysisVersion: registration.analysisVersion,
      frozenAt: registration.frozenAt,
      newestDataAtFreeze: registration.newestDataAtFreeze,
      commit: registration.commit,
      committedAt: registration.committedAt,
      deployedAt: registration.deployedAt,
      ...Object.fromEntries(
        registration.supersedes.map(({ digest, frozenAt, reason }, index) => [
          `supersedes.${index + 1}`,
          `${digest}, frozen at ${frozenAt}: ${reason}`,
        ]),
      ),
    }),
    // Whoever allowed a retrospective judgement wants its outcome, but still not a green registration.
    outcome: status === "registered" ? null : retrospective ? "skipped" : "failure",
    type: "inconclusive",
    message: [registrationWords(registration), ...reasons].join("; "),
  };
}

function guardCase({ verdict }: VerdictDocument, { name, status, detail }: GuardDocument): Case {
  const outcome: Record<GuardDocument["status"], Outcome> = {
    ok: null,
    violated: "failure",
    // Where the bar was judged all the same, nobody had asked for this guard to hold.
    unknown: verdict === "pass" ? "skipped" : "failure",
    off: "skipped",
  };
  return {
    name: `guard ${name}`,
    properties: properties({ status, detail }),
    outcome: outcome[status],
    type: "inconclusive",
    message: `${status}: ${detail}`,
  };
}

function caseElement(document: VerdictDocument, suite: string, one: Case): XmlElement {
  const { outcome, message, type } = one;
  const name = marked(one.name, document);
  const told = document.retrospective ? `RETROSPECTIVE: ${message}` : message;
  const child =
    outcome === null
      ? []
      : outcome === "skipped"
        ? [element("skipped", { message: told })]
        : [element(outcome, { message: told, type }, told)];
  return element("testcase", { classname: suite, name, time: 0 }, [...one.properties, ...child]);
}

/** Nothing is timed, but some readers cannot do without a time. */
function counts(cases: readonly Case[]): Record<string, number> {
  const of = (outcome: Outcome): number => cases.filter((one) => one.outcome === outcome).length;
  return {
    tests: cases.length,
    failures: of("failure"),
    errors: of("error"),
    skipped: of("skipped"),
    time: 0,
  };
}

/**
 * The judgement as JUnit XML: one suite, with a test case for each condition, for the registration
 * and for each guard. The file is red exactly when the verdict is not a pass.
 */
export function renderJunit(document: VerdictDocument): string {
  const cases = document.bars.map((condition, index, all) => {
    const title = `${condition.metric} ${barWords(condition, symbols)}`;
    const same = all
      .slice(0, index)
      .filter((other) => `${other.metric} ${barWords(other, symbols)}` === title);
    return conditionCase(document, condition, same.length === 0 ? title : `${title} #${same.length + 1}`);
  });
  cases.push(registrationCase(document), ...document.guards.map((guard) => guardCase(document, guard)));
  const isRed = cases.some(({ outcome }) => outcome === "failure" || outcome === "error");
  if (document.verdict !== "pass" && !isRed) {
    cases.push({
      name: "verdict",
      properties: [],
      outcome: document.verdict === "error" ? "error" : "failure",
      type: document.verdict === "fail" ? "not met" : document.verdict,
      message: [headline(document), meaning(document), ...document.reasons].join("; "),
    });
  }
  const name = marked(document.name, document);
  const root = element("testsuites", { name: "coldstart gate", ...counts(cases) }, [
    element("testsuite", { name, ...counts(cases) }, [
      ...properties({
        verdict: verdictWord(document),
        hypothesis: document.hypothesis,
        reasons: document.reasons.join("; "),
        valuesPath: document.values?.path ?? null,
        valuesSha256: document.values?.sha256 ?? null,
      }),
      ...cases.map((one) => caseElement(document, name, one)),
    ]),
  ]);
  return ['<?xml version="1.0" encoding="UTF-8"?>', COMMENT, ...xmlLines(root), ""].join("\n");
}
