import type { LeaksDocument } from "./leaks-document.ts";
import { metricsSection, operationsSection, requestsSection } from "./leaks-evidence.ts";
import { counted, type LeaksSection, left, right } from "./leaks-parts.ts";
import { some } from "./leaks-words.ts";
import {
  formatCount,
  formatInstant,
  formatMs,
  formatMsInterval,
  formatShare,
  formatShareInterval,
  type Symbols,
} from "./numbers.ts";
import { type Cell, cell } from "./table.ts";

const HEADLINES: Readonly<Record<LeaksDocument["verdict"], string>> = {
  leak: "LEAK: the warm-up request left telemetry",
  clean: "CLEAN: no telemetry of the warm-up request",
  "cannot-tell": "CANNOT TELL whether the warm-up request left telemetry",
};

/** The verdict in one line. */
export function leaksHeadline({ verdict, question }: LeaksDocument): string {
  const method = question.method === null ? "" : `${question.method} `;
  return `${HEADLINES[verdict]} (${method}${question.paths.join(", ")}).`;
}

/** Which starts were looked at. */
export function leaksScope({ question, warmUp, inputs }: LeaksDocument, symbols: Symbols): string {
  const since =
    question.since === null ? "the data's start" : `${formatInstant(question.since, symbols)} UTC`;
  const to = question.to === null ? "" : ` to ${formatInstant(question.to, symbols)} UTC`;
  return `${some(warmUp.starts, "start")} since ${since}${to}, from ${some(inputs.length, "input")}.`;
}

function warmUpSection({ warmUp, question }: LeaksDocument, symbols: Symbols): LeaksSection {
  const rows: Cell[][] = [
    [
      cell("starts that logged it"),
      cell(counted(warmUp.logged, symbols)),
      cell(formatShareInterval(warmUp.logged.ci95, symbols)),
      cell(formatCount(warmUp.starts, symbols)),
    ],
    [
      cell("  a request was sent"),
      cell(formatCount(warmUp.ran, symbols)),
      cell(""),
      cell(formatCount(warmUp.logged.count, symbols)),
    ],
    [
      cell("  the path was warmed"),
      cell(formatCount(warmUp.succeeded, symbols)),
      cell(""),
      cell(formatCount(warmUp.starts, symbols)),
    ],
    ...warmUp.outcomes.map(({ outcome, starts }) => [
      cell(`  outcome ${outcome === "" ? "not said" : outcome}`),
      cell(formatCount(starts, symbols)),
      cell(""),
      cell(formatCount(warmUp.logged.count, symbols)),
    ]),
    [
      cell("duration p50"),
      cell(formatMs(warmUp.p50Ms, symbols)),
      cell(formatMsInterval(warmUp.p50Ms, warmUp.p50Ci95Ms, symbols)),
      cell(formatCount(warmUp.timed, symbols)),
    ],
  ];
  const paths =
    warmUp.paths.length === 0 ? "The lines name no path." : `The lines name ${warmUp.paths.join(", ")}.`;
  return {
    title: "Did the warm-up run?",
    table: { columns: [left("since the deployment"), right(""), right("95 % interval"), right("n")], rows },
    sentences: [
      `Told by traces whose message is "${question.warmedMessage}".`,
      ...(warmUp.logged.count > 0 ? [paths] : []),
    ],
  };
}

function zeroSection({ zero }: LeaksDocument, symbols: Symbols): LeaksSection {
  const rate = zero.rateFrom === "assumed" ? "assumed" : `from ${some(zero.rateN, "earliest row")}`;
  return {
    title: "How sure a zero is",
    table: {
      columns: [left("a zero"), right("")],
      rows: [
        [cell("starts that logged success, in the rows' time (n)"), cell(formatCount(zero.n, symbols))],
        [cell(`rows kept, ${rate}`), cell(formatShare(zero.rate, symbols))],
        [cell("leak on every start, unseen"), cell(formatShare(zero.everyStartUnseen, symbols))],
        [cell("leak on one start in ten, unseen"), cell(formatShare(zero.oneInTenUnseen, symbols))],
      ],
    },
    sentences: [],
  };
}

/** Cuts an instant's ticks: a reader looks for the row, the JSON has the rest. */
function toMs(instant: string): string {
  return instant.replace(/(\.\d{3})\d+Z$/, "$1Z");
}

function examplesSection({ examples }: LeaksDocument, symbols: Symbols): LeaksSection[] {
  if (examples.length === 0) return [];
  const why = { line: "before the line", refusal: "before a refused probe" };
  return [
    {
      title: "Rows to look at",
      table: {
        columns: [left("start (UTC)"), left("name"), left("instance"), left("why")],
        rows: examples.map(({ at, name, path, instance, by }) => [
          cell(formatInstant(toMs(at), symbols)),
          cell(name === "" ? path : name),
          cell(instance),
          cell(by === null ? "first, not decided" : why[by]),
        ]),
      },
      sentences: [],
    },
  ];
}

/** The parts of the document in order. */
export function leaksSections(document: LeaksDocument, symbols: Symbols): LeaksSection[] {
  return [
    warmUpSection(document, symbols),
    requestsSection(document, symbols),
    operationsSection(document, symbols),
    metricsSection(document, symbols),
    zeroSection(document, symbols),
    ...examplesSection(document, symbols),
  ];
}
