import { stringify } from "csv-stringify/sync";

type Figure = number | null;

/** A figure of an audit, with its unit, the n it rests on and its 95 % interval. */
export interface CsvFigure {
  /** The cohort or window; empty for what concerns no single one. */
  readonly cohort?: string;
  readonly figure: string;
  /** What tells rows of one figure apart: a route, an hour, a reason. */
  readonly label?: string;
  readonly value: Figure;
  readonly unit: string;
  readonly n?: Figure;
  readonly ci95?: readonly [Figure, Figure];
}

const COLUMNS = ["cohort", "figure", "label", "value", "unit", "n", "ci95Low", "ci95High"];

/** Figures in tidy long form; numbers keep their full precision, and what cannot be computed is empty. */
export function csvOf(figures: readonly CsvFigure[]): string {
  const rows = figures.map(
    ({ cohort = "", figure, label = "", value, unit, n = null, ci95 = [null, null] }) => ({
      cohort,
      figure,
      // A label from outside must not be a formula where a spreadsheet opens the file.
      label: /^[=+\-@\t\r]./s.test(label) ? `'${label}` : label,
      value,
      unit,
      n,
      ci95Low: ci95[0],
      ci95High: ci95[1],
    }),
  );
  return stringify(rows, { header: true, columns: COLUMNS });
}
