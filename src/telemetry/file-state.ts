import type { DateReader } from "./dates.ts";

/** How a form writes durations: a column of milliseconds (or time spans), envelope time spans, or 100-ns ticks. */
export type DurationStyle = "column" | "timespan" | "ticks";

/** What the rows of one file share. */
export interface FileState {
  readonly path: string;
  readonly dates: DateReader;
  readonly durationStyle: DurationStyle;
  /** Numbers may be written with a decimal comma. */
  readonly decimalComma: boolean;
  /** The text `None` means no value. */
  readonly noneIsNull: boolean;
  /** 1-based number of the row being added. */
  row: number;
  numericDurations: number;
  timespanDurations: number;
  commaNumbers: number;
  pointNumbers: number;
}

/** The state of a file before its first row. */
export function startFile(
  path: string,
  dates: DateReader,
  durationStyle: DurationStyle,
  flags: { readonly decimalComma?: boolean; readonly noneIsNull?: boolean } = {},
): FileState {
  return {
    path,
    dates,
    durationStyle,
    decimalComma: flags.decimalComma ?? false,
    noneIsNull: flags.noneIsNull ?? false,
    row: 0,
    numericDurations: 0,
    timespanDurations: 0,
    commaNumbers: 0,
    pointNumbers: 0,
  };
}
