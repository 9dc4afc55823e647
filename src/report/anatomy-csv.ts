import type { AnatomyDocument } from "./anatomy-document.ts";
import { type CsvFigure, csvOf } from "./audit-csv.ts";

const PARTS = ["duration", "firstCall", "outbound", "outboundSum", "rest"] as const;
type Cohort = AnatomyDocument["cohorts"][number];
type First = Cohort["first"];
type Later = Cohort["later"];

/** `coldstart anatomy` in tidy long form: figures have the names of the JSON document, routes are labels. */
export function renderAnatomyCsv(document: AnatomyDocument): string {
  return csvOf([...document.cohorts.flatMap(cohortFigures), ...documentFigures(document)]);
}

function cohortFigures({ name: cohort, first, later, routes, contention }: Cohort): CsvFigure[] {
  const figures = [
    ...firstFigures(cohort, "first", first, ""),
    ...laterFigures(cohort, "later", later, ""),
    ...routes.flatMap((route) => [
      ...firstFigures(cohort, "routes.first", route.first, route.route),
      ...laterFigures(cohort, `routes.later(${route.basis})`, route.later, route.route),
    ]),
  ];
  if (contention === null) return figures;
  for (const group of ["near", "far"] as const) {
    const { n, p50WaitMs, duration, withCalls, parts } = contention[group];
    const figure = (name: string): string => `contention.${group}.${name}`;
    figures.push(
      { cohort, figure: figure("p50WaitMs"), value: p50WaitMs, unit: "ms", n },
      {
        cohort,
        figure: figure("duration.p50Ms"),
        value: duration.p50Ms,
        unit: "ms",
        n,
        ci95: duration.p50Ci95Ms,
      },
      {
        cohort,
        figure: figure("duration.p90Ms"),
        value: duration.p90Ms,
        unit: "ms",
        n,
        ci95: duration.p90Ci95Ms,
      },
      ...partFigures(cohort, `contention.${group}`, parts, withCalls, ""),
    );
  }
  const n = contention.near.n + contention.far.n;
  const withCalls = contention.near.withCalls + contention.far.withCalls;
  figures.push(
    {
      cohort,
      figure: "contention.durationP50DeltaMs",
      value: contention.durationP50DeltaMs,
      unit: "ms",
      n,
      ci95: contention.durationP50DeltaCi95Ms,
    },
    {
      cohort,
      figure: "contention.restP50DeltaMs",
      value: contention.restP50DeltaMs,
      unit: "ms",
      n: withCalls,
      ci95: contention.restP50DeltaCi95Ms,
    },
    { cohort, figure: "contention.startUnknown", value: contention.startUnknown, unit: "instances" },
    { cohort, figure: "contention.batchTime", value: contention.batchTime, unit: "instances", n },
  );
  return figures;
}

function firstFigures(cohort: string, prefix: string, first: First, label: string): CsvFigure[] {
  const { n, withCalls, without, parts } = first;
  const common = { cohort, label, n };
  return [
    { ...common, figure: `${prefix}.withCalls.count`, value: withCalls.count, unit: "instances" },
    {
      ...common,
      figure: `${prefix}.withCalls.share`,
      value: withCalls.share,
      unit: "share",
      ci95: withCalls.ci95,
    },
    ...Object.entries(without).map(([reason, value]) => ({
      ...common,
      figure: `${prefix}.without.${reason}`,
      value,
      unit: "instances",
    })),
    { ...common, figure: `${prefix}.shared`, value: first.shared, unit: "instances" },
    { ...common, figure: `${prefix}.unfinishedCalls`, value: first.unfinishedCalls, unit: "calls" },
    { ...common, figure: `${prefix}.p50Calls`, value: first.p50Calls, unit: "calls", n: withCalls.count },
    ...partFigures(cohort, prefix, parts, withCalls.count, label),
  ];
}

function partFigures(
  cohort: string,
  prefix: string,
  parts: First["parts"],
  n: number,
  label: string,
): CsvFigure[] {
  return PARTS.flatMap((part) => {
    const { p50Ms, p50Ci95Ms, p90Ms, p90Ci95Ms } = parts[part];
    const figure = `${prefix}.parts.${part}`;
    return [
      { cohort, figure: `${figure}.p50Ms`, label, value: p50Ms, unit: "ms", n, ci95: p50Ci95Ms },
      { cohort, figure: `${figure}.p90Ms`, label, value: p90Ms, unit: "ms", n, ci95: p90Ci95Ms },
    ];
  });
}

function laterFigures(cohort: string, prefix: string, later: Later, label: string): CsvFigure[] {
  const n = later.withCalls;
  return [
    { cohort, figure: `${prefix}.n`, label, value: later.n, unit: "requests" },
    { cohort, figure: `${prefix}.estimated`, label, value: later.estimated, unit: "requests", n: later.n },
    { cohort, figure: `${prefix}.withCalls`, label, value: n, unit: "requests", n: later.n },
    ...PARTS.flatMap((part) => [
      {
        cohort,
        figure: `${prefix}.parts.${part}.p50Ms`,
        label,
        value: later.parts[part].p50Ms,
        unit: "ms",
        n,
      },
      {
        cohort,
        figure: `${prefix}.parts.${part}.p90Ms`,
        label,
        value: later.parts[part].p90Ms,
        unit: "ms",
        n,
      },
    ]),
  ];
}

function documentFigures({ dependencies, warnings, inputs, unknown }: AnatomyDocument): CsvFigure[] {
  const figures: CsvFigure[] = [];
  if (dependencies !== null) {
    for (const key of ["rows", "inProcess", "noOperation", "repeated"] as const) {
      figures.push({ figure: `dependencies.${key}`, value: dependencies[key], unit: "rows" });
    }
  }
  for (const { code, count } of [...warnings, ...inputs.flatMap((input) => input.warnings)]) {
    figures.push({ figure: "warnings", label: code, value: count, unit: "rows" });
  }
  for (const text of unknown) figures.push({ figure: "unknown", label: text, value: null, unit: "" });
  return figures;
}
