import type { LeaksDocument, LeaksRequests } from "./leaks-document.ts";
import { counted, type LeaksSection, left, right } from "./leaks-parts.ts";
import { some } from "./leaks-words.ts";
import {
  formatCount,
  formatDecimal,
  formatEstimate,
  formatShare,
  formatShareInterval,
  type Symbols,
} from "./numbers.ts";
import { type Cell, cell } from "./table.ts";

/** Rows of the path by period, and what callers from outside explain. */
export function requestsSection({ requests }: LeaksDocument, symbols: Symbols): LeaksSection {
  const { since, before, baseline } = requests;
  const periods = before === null ? [since] : [before, since];
  const line = (label: string, value: (period: LeaksRequests) => string): Cell[] => [
    cell(label),
    ...periods.map((period) => cell(value(period))),
  ];
  const n = (value: number): string => formatCount(value, symbols);
  const rows = [
    line("starts with rows (n)", ({ starts }) => n(starts)),
    line("the path comes first of all", ({ firstIsPath }) => counted(firstIsPath, symbols)),
    line("  95 % interval", ({ firstIsPath }) => formatShareInterval(firstIsPath.ci95, symbols)),
    line("before other user requests", ({ withPath }) => counted(withPath, symbols)),
    line("  95 % interval", ({ withPath }) => formatShareInterval(withPath.ci95, symbols)),
    line("rows of these", ({ rows: { observed } }) => n(observed)),
    line("  requests they stand for", ({ rows: { estimated } }) => formatEstimate(estimated, symbols)),
    line("rows begun before the port opened", ({ inside }) => n(inside.rows)),
    line("  before the warm-up's line", ({ inside }) => n(inside.byLine)),
    line("  before the last refused probe", ({ inside }) => n(inside.byRefusal)),
    line("starts with such rows", ({ inside }) => n(inside.starts)),
    line("starts called after the line only", ({ outsideStarts }) => n(outsideStarts)),
    line("starts not decided by time", ({ undecidedStarts }) => n(undecidedStarts)),
  ];
  const sentences: string[] = [];
  if (baseline === null)
    sentences.push("No baseline: nothing tells how often callers from outside call the path.");
  else {
    const unit =
      baseline.from === "before" ? "starts before the deployment" : "later user requests of these starts";
    sentences.push(
      `Baseline: ${n(baseline.withPath)} of ${n(baseline.n)} ${unit} (${formatShare(baseline.share, symbols)}), so callers from outside explain ${formatEstimate(baseline.expectedStarts, symbols)} starts; the excess is ${formatDecimal(baseline.excessStarts, symbols)}.`,
      `Chance of as many starts as are not proven to be callers from outside: ${formatDecimal(baseline.p, symbols)}${baseline.jumpP === null ? "" : `; by the first row alone ${formatDecimal(baseline.jumpP, symbols)}`}.`,
      ...(baseline.firstRiseP === null
        ? []
        : [
            `Chance of as many starts whose first row has the path, those called after the line included: ${formatDecimal(baseline.firstRiseP, symbols)}.`,
          ]),
    );
  }
  return {
    title: "Request rows",
    table: {
      columns: [
        left("requests"),
        ...(before === null ? [right("since")] : [right("before"), right("since")]),
      ],
      rows,
    },
    sentences,
  };
}

/** What the rows called, and what began while the warm-up ran. */
export function operationsSection({ operations }: LeaksDocument, symbols: Symbols): LeaksSection {
  const title = "Outbound calls and traces";
  if (operations === null) {
    return { title, table: null, sentences: ["The data holds neither dependencies nor traces."] };
  }
  const { sameOperation, during } = operations;
  const line = (label: string, rows: number, starts: number | null): Cell[] => [
    cell(label),
    cell(formatCount(rows, symbols)),
    cell(starts === null ? "" : formatCount(starts, symbols)),
  ];
  return {
    title,
    table: {
      columns: [left("since the deployment"), right("rows"), right("starts")],
      rows: [
        line("calls under requests not proven outside", sameOperation.dependencies, null),
        line("traces under them", sameOperation.traces, null),
        line(
          "  calls and traces together",
          sameOperation.dependencies + sameOperation.traces,
          sameOperation.starts,
        ),
        line("calls during the warm-up, as the path's", during.asRoute, during.asRouteStarts),
        line("calls during the warm-up, others", during.other, during.otherStarts),
        line("traces of an operation during it", during.traces, null),
        line("calls before it, or at a time not known", operations.earlier, null),
        line("  of these, as the path's", operations.earlierAsRoute, null),
        line("other calls and traces, time not known", operations.undated, null),
        line("possible calls of it, no known instance", operations.stray, null),
      ],
    },
    sentences: [
      `The warm-up's time is known of ${some(during.starts, "start")}; the path is known to make ${some(operations.knownCalls, "kind")} of outbound call.`,
    ],
  };
}

/** What metrics count beyond the rows. */
export function metricsSection({ metrics, held }: LeaksDocument, symbols: Symbols): LeaksSection {
  const title = "Metrics that count requests";
  if (metrics.length === 0) {
    const why = held.metrics ? "No metric of the data counts requests." : "The data holds no metrics.";
    return { title, table: null, sentences: [why] };
  }
  const rows = metrics.flatMap(({ name, scope, since, before }) =>
    (before === null
      ? [["since", since] as const]
      : [["before", before] as const, ["since", since] as const]
    ).map(([period, figures], index) => [
      cell(index === 0 ? `${name}${scope === "route" ? " (path)" : ""}` : ""),
      cell(period),
      cell(formatCount(figures.starts, symbols)),
      cell(formatEstimate(figures.counted, symbols)),
      cell(formatEstimate(figures.explained, symbols)),
      cell(formatDecimal(figures.surplusPerStart, symbols)),
      cell(formatCount(figures.withSurplus.count, symbols)),
    ]),
  );
  return {
    title,
    table: {
      columns: [
        left("metric"),
        left(""),
        right("n"),
        right("counted"),
        right("rows"),
        right("a start"),
        right("more"),
      ],
      rows,
    },
    sentences: [
      "rows: requests that the rows stand for. a start: surplus per start. more: starts with a surplus beyond sampling error.",
      ...metrics.flatMap(({ name, p }) =>
        p === null
          ? []
          : [
              `${name}: chance of as many starts with a surplus if nothing had changed: ${formatDecimal(p, symbols)}.`,
            ],
      ),
      ...metrics.flatMap(({ name, strayCount }) =>
        strayCount === 0
          ? []
          : [`${name}: ${formatEstimate(strayCount, symbols)} counted without a known instance.`],
      ),
    ],
  };
}
