import type { DateReader } from "../../telemetry/dates.ts";
import type { FileState } from "../../telemetry/file-state.ts";
import type { RowWindow } from "./row-window.ts";

/** Takes a file's bytes piece by piece. */
export interface Reader {
  push(chunk: Uint8Array): void;
  end(): void;
}

/** A reader that can also take a part of a file, beginning and ending with whole rows. */
export interface PartReader extends Reader {
  /** Where bytes can be put without a copy; {@link scan} then reads them. */
  readonly window: RowWindow;
  scan(): void;
  account(): PartAccount;
}

/** What the parts of a file must agree on before they may be put together. */
export interface PartAccount {
  readonly rows: number;
  /** Bytes of an unfinished row: the part did not end where a row ends. */
  readonly pending: number;
  readonly zoneless: number;
  readonly localeDates: number;
  readonly numericDurations: number;
  readonly timespanDurations: number;
}

export function partAccount(
  rows: number,
  pending: number,
  dates: DateReader,
  file: FileState | null,
): PartAccount {
  return {
    rows,
    pending,
    zoneless: dates.zoneless,
    localeDates: dates.localeDates,
    numericDurations: file?.numericDurations ?? 0,
    timespanDurations: file?.timespanDurations ?? 0,
  };
}
