import { ofTotal } from "./comparison.ts";
import type { CohortDocument, ReportDocument } from "./document.ts";
import {
  formatCount,
  formatDecimal,
  formatEstimate,
  formatMs,
  formatShare,
  type Symbols,
} from "./numbers.ts";
import { type Cell, type Column, cell, type TableModel } from "./table.ts";

/** The tables below the comparison, each from the document alone. */

const right = (head: string, group?: string): Column =>
  group === undefined ? { head, align: "right" } : { head, group, align: "right" };

/** One row a label, one column a cohort. */
function byCohort(
  cohorts: readonly CohortDocument[],
  rows: readonly (readonly [string, (cohort: CohortDocument) => string])[],
): TableModel {
  return {
    columns: [{ head: "", align: "left" }, ...cohorts.map((cohort) => right(cohort.name))],
    rows: rows.map(([label, value]) => [cell(label), ...cohorts.map((cohort) => cell(value(cohort)))]),
  };
}

/** The curve by arrival order; give two cohorts to see them side by side. */
export function curveTable(
  cohorts: readonly CohortDocument[],
  thresholdMs: number,
  symbols: Symbols,
): TableModel {
  const labels = [...new Set(cohorts.flatMap((cohort) => cohort.byOrder.map((bucket) => bucket.label)))];
  const columns: Column[] = [{ head: "order", align: "left" }];
  for (const { name } of cohorts) {
    columns.push(right("n", cohorts.length > 1 ? name : undefined));
    columns.push(right("estimated"), right("p50"), right("p90"), right("over"));
  }
  const rows = labels.map((label) => [
    cell(label),
    ...cohorts.flatMap((cohort) => {
      const bucket = cohort.byOrder.find((candidate) => candidate.label === label);
      if (bucket === undefined) return Array.from({ length: 5 }, () => cell(symbols.none));
      return [
        cell(formatCount(bucket.observed, symbols)),
        cell(formatEstimate(bucket.estimated, symbols)),
        cell(formatMs(bucket.p50Ms, symbols, thresholdMs)),
        cell(formatMs(bucket.p90Ms, symbols, thresholdMs)),
        cell(formatShare(bucket.overThresholdShare, symbols)),
      ];
    }),
  ]);
  return { columns, rows };
}

/** Second requests by whether they overlapped the first; all that overlapped it, and the early ones after it. */
export function secondTable(
  cohorts: readonly CohortDocument[],
  thresholdMs: number,
  symbols: Symbols,
): TableModel {
  const several = cohorts.length > 1;
  const ms = (value: number | null): Cell => cell(formatMs(value, symbols, thresholdMs));
  const n = (value: number): Cell => cell(formatCount(value, symbols));
  const empty = cell("");
  const kinds: readonly (readonly [string, (cohort: CohortDocument) => Cell[]])[] = [
    ...(["sequential", "overlapping"] as const).map(
      (kind) =>
        [
          `second ${kind}`,
          ({ second }: CohortDocument): Cell[] => [
            n(second[kind].n),
            ms(second[kind].p50Ms),
            ms(second[kind].p90Ms),
            cell(formatShare(second[kind].overThresholdShare, symbols)),
          ],
        ] as const,
    ),
    ["overlap", ({ overlap }) => [n(overlap.n), ms(overlap.p50Ms), empty, empty]],
    ["after first", ({ afterFirst }) => [n(afterFirst.n), ms(afterFirst.p50Ms), empty, empty]],
  ];
  return {
    columns: [
      { head: "requests", align: "left" },
      ...(several ? [{ head: "", align: "left" as const }] : []),
      right("n"),
      right("p50"),
      right("p90"),
      right("over"),
    ],
    rows: kinds.flatMap(([label, cells]) =>
      cohorts.map((cohort, index) => [
        cell(index === 0 ? label : ""),
        ...(several ? [cell(cohort.name)] : []),
        ...cells(cohort),
      ]),
    ),
  };
}

/** How fast requests arrive at a new instance, and how long it lives. */
export function arrivalsTable(cohorts: readonly CohortDocument[], symbols: Symbols): TableModel {
  const unit = (value: number | null, name: string): string =>
    value === null ? symbols.none : `${formatDecimal(value, symbols)} ${name}`;
  return byCohort(cohorts, [
    ["arrivals, first 10 s", ({ arrivals }) => unit(arrivals.firstTenSecondsPerSecond, "/s")],
    ["arrivals, later", ({ arrivals }) => unit(arrivals.laterPerSecond, "/s")],
    ["  instances (n)", ({ instances }) => formatCount(instances.total, symbols)],
    ["lifetime p50", ({ lifetime }) => unit(lifetime.p50Minutes, "min")],
    ["at most 10 min", ({ lifetime }) => formatShare(lifetime.within10MinutesShare, symbols)],
    ["  lives (n)", ({ lifetime }) => formatCount(lifetime.n, symbols)],
    ["  still running", ({ lifetime }) => formatCount(lifetime.censored, symbols)],
    ["  source", ({ lifetime }) => lifetime.source.replace("-", " ")],
  ]);
}

/** How many instances there are, which were left out and what had warmed them. */
export function instancesTable(cohorts: readonly CohortDocument[], symbols: Symbols): TableModel {
  const count = (value: number | null): string => formatCount(value, symbols);
  const warmed = (key: keyof CohortDocument["instances"]["warmedBy"]) => (cohort: CohortDocument) =>
    count(cohort.instances.warmedBy[key]);
  return byCohort(cohorts, [
    ["new instances", ({ instances }) => count(instances.total)],
    ["  on weekdays", ({ instances }) => count(instances.weekday)],
    ["  on weekends", ({ instances }) => count(instances.weekend)],
    ["certain order", ({ firstRequest }) => ofTotal(firstRequest.certainOrder, firstRequest.n, symbols)],
    ["warmed by nothing", warmed("nothing")],
    ["  by a probe", warmed("probe")],
    ["  by synthetic traffic", warmed("synthetic")],
    ["  by a consumer", warmed("consumer")],
    ["  by other work", warmed("other")],
    ["left out: already running", ({ instances }) => count(instances.excluded.alreadyRunning)],
    ["left out: birth unknown", ({ instances }) => count(instances.excluded.birthUnknown)],
    ["idle, no user request", ({ instances }) => count(instances.idle)],
  ]);
}

/** Where every row read ended; the classes add up to the rows read. */
export function rowsTable(document: ReportDocument, symbols: Symbols): TableModel {
  const { rows } = document;
  const line = (label: string, value: number, strong = false): Cell[] => [
    cell(label, strong ? "strong" : "plain"),
    cell(formatCount(value, symbols), strong ? "strong" : "plain"),
  ];
  return {
    columns: [{ head: "rows", align: "left" }, right("n")],
    rows: [
      line("user requests", rows.user),
      line("probes", rows.probe),
      line("synthetic", rows.synthetic),
      line("message consumers", rows.consumer),
      line("other kinds", rows.other),
      line("outside the window", rows.outsideWindow),
      line("other roles", rows.otherRole),
      line("duplicates", rows.duplicate),
      line("malformed", rows.malformed),
      line("read", rows.read, true),
    ],
  };
}
