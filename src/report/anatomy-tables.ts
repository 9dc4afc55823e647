import type { AnatomyCohort, AnatomyDocument, AnatomyFirst } from "./anatomy-document.ts";
import {
  formatCount,
  formatMs,
  formatMsDelta,
  formatMsInterval,
  formatShare,
  formatShareInterval,
  type Symbols,
} from "./numbers.ts";
import { type Cell, type Column, cell, type TableModel } from "./table.ts";

const PARTS = [
  ["duration", "whole request"],
  ["firstCall", "until the first call"],
  ["outbound", "outbound, union"],
  ["outboundSum", "outbound, sum"],
  ["rest", "in-process rest"],
] as const;

const right = (head: string, group?: string): Column =>
  group === undefined ? { head, align: "right" } : { head, group, align: "right" };

/** First requests beside later ones, part by part; one group of columns a cohort. */
export function partsTable(cohorts: readonly AnatomyCohort[], symbols: Symbols): TableModel {
  const columns: Column[] = [{ head: "", align: "left" }];
  for (const { name } of cohorts) {
    columns.push(
      right("first p50", cohorts.length > 1 ? name : undefined),
      right("95 % interval"),
      right("first p90"),
      right("later p50"),
      right("later p90"),
    );
  }
  const n: Cell[] = [
    cell("n, with calls"),
    ...cohorts.flatMap(({ first, later }) => [
      cell(formatCount(first.withCalls.count, symbols)),
      cell(""),
      cell(""),
      cell(formatCount(later.withCalls, symbols)),
      cell(""),
    ]),
  ];
  const rows = PARTS.map(([key, label]) => [
    cell(label, key === "rest" ? "strong" : "plain"),
    ...cohorts.flatMap(({ first, later }) => {
      const part = first.parts[key];
      return [
        cell(formatMs(part.p50Ms, symbols), key === "rest" ? "strong" : "plain"),
        cell(formatMsInterval(part.p50Ms, part.p50Ci95Ms, symbols), "dim"),
        cell(formatMs(part.p90Ms, symbols)),
        cell(formatMs(later.parts[key].p50Ms, symbols)),
        cell(formatMs(later.parts[key].p90Ms, symbols)),
      ];
    }),
  ]);
  return { columns, rows: [n, ...rows] };
}

const WITHOUT: readonly (readonly [keyof AnatomyFirst["without"], string])[] = [
  ["routeCalls", "no dependency row, route has calls"],
  ["routeSilent", "no dependency row, nor has its route"],
  ["outsideDependencies", "outside the time of the dependencies"],
  ["noCallInside", "rows of the operation, no call inside"],
  ["inProcessOnly", "only spans within the process"],
  ["noOperation", "no operation id"],
];

/** How many first requests could be looked into, and why not the others. */
export function coverageTable(cohorts: readonly AnatomyCohort[], symbols: Symbols): TableModel {
  const row = (label: string, value: (cohort: AnatomyCohort) => string): Cell[] => [
    cell(label),
    ...cohorts.map((cohort) => cell(value(cohort))),
  ];
  return {
    columns: [{ head: "first requests", align: "left" }, ...cohorts.map(({ name }) => right(name))],
    rows: [
      row("all (n)", ({ first }) => formatCount(first.n, symbols)),
      row("with outbound calls", ({ first: { withCalls, n } }) =>
        n === 0
          ? symbols.none
          : `${formatCount(withCalls.count, symbols)}, ${formatShare(withCalls.share, symbols)} ${formatShareInterval(withCalls.ci95, symbols)}`,
      ),
      row("calls of each, p50", ({ first }) => formatCount(first.p50Calls, symbols)),
      ...WITHOUT.map(([key, label]) =>
        row(`  ${label}`, ({ first }) => formatCount(first.without[key], symbols)),
      ),
    ],
  };
}

/** Routes of one cohort, `most` of them: the first requests, and below them the later ones. */
export function routesTable({ routes }: AnatomyCohort, most: number, symbols: Symbols): TableModel {
  type Parts = Readonly<Record<(typeof PARTS)[number][0], { readonly p50Ms: number | null }>>;
  const cells = (parts: Parts): Cell[] =>
    (["duration", "firstCall", "outbound", "rest"] as const).map((key) =>
      cell(formatMs(parts[key].p50Ms, symbols)),
    );
  const of = (part: number, all: number): string =>
    `${formatCount(part, symbols)} of ${formatCount(all, symbols)}`;
  return {
    columns: [
      { head: "route", align: "left" },
      { head: "", align: "left" },
      right("with calls (n)"),
      right("whole p50"),
      right("call at"),
      right("outbound"),
      right("rest"),
    ],
    rows: routes.slice(0, most).flatMap(({ route, basis, first, later }) => [
      [
        cell(route === "" ? "(no name)" : route),
        cell("first"),
        cell(of(first.withCalls.count, first.n)),
        ...cells(first.parts),
      ],
      [
        cell(""),
        cell(basis === "order>10" ? "later" : "later*"),
        cell(of(later.withCalls, later.n)),
        ...cells(later.parts),
      ],
    ]),
  };
}

/** First requests within two minutes of the container's start against later ones. */
export function contentionTable(cohorts: AnatomyDocument["cohorts"], symbols: Symbols): TableModel {
  const columns: Column[] = [{ head: "", align: "left" }];
  for (const { name } of cohorts) {
    columns.push(
      right("within 2 min", cohorts.length > 1 ? name : undefined),
      right("later"),
      right("difference"),
    );
  }
  type Contention = NonNullable<AnatomyCohort["contention"]>;
  const row = (
    label: string,
    values: (contention: Contention) => readonly [string, string, string],
  ): Cell[] => [
    cell(label),
    ...cohorts.flatMap(({ contention }) =>
      (contention === null ? [symbols.none, symbols.none, ""] : values(contention)).map((text) => cell(text)),
    ),
  ];
  const delta = (value: number | null, ci95: readonly [number | null, number | null]): string =>
    value === null
      ? symbols.none
      : `${formatMsDelta(value, symbols)} ${formatMsInterval(value, ci95, symbols)}`;
  return {
    columns,
    rows: [
      row("first requests (n)", ({ near, far }) => [
        formatCount(near.n, symbols),
        formatCount(far.n, symbols),
        "",
      ]),
      row("came after start, p50", ({ near, far }) => [
        formatMs(near.p50WaitMs, symbols),
        formatMs(far.p50WaitMs, symbols),
        "",
      ]),
      row("whole request p50", ({ near, far, ...rest }) => [
        formatMs(near.duration.p50Ms, symbols),
        formatMs(far.duration.p50Ms, symbols),
        delta(rest.durationP50DeltaMs, rest.durationP50DeltaCi95Ms),
      ]),
      row("  95 % interval", ({ near, far }) => [
        formatMsInterval(near.duration.p50Ms, near.duration.p50Ci95Ms, symbols),
        formatMsInterval(far.duration.p50Ms, far.duration.p50Ci95Ms, symbols),
        "",
      ]),
      row("whole request p90", ({ near, far }) => [
        formatMs(near.duration.p90Ms, symbols),
        formatMs(far.duration.p90Ms, symbols),
        "",
      ]),
      row("with calls (n)", ({ near, far }) => [
        formatCount(near.withCalls, symbols),
        formatCount(far.withCalls, symbols),
        "",
      ]),
      row("outbound, union p50", ({ near, far }) => [
        formatMs(near.parts.outbound.p50Ms, symbols),
        formatMs(far.parts.outbound.p50Ms, symbols),
        "",
      ]),
      row("in-process rest p50", ({ near, far, ...rest }) => [
        formatMs(near.parts.rest.p50Ms, symbols),
        formatMs(far.parts.rest.p50Ms, symbols),
        delta(rest.restP50DeltaMs, rest.restP50DeltaCi95Ms),
      ]),
    ],
  };
}
