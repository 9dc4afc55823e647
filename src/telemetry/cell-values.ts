import { numberOf } from "./dimensions.ts";
import { DataFault } from "./fault.ts";
import type { FileState } from "./file-state.ts";
import { SUCCESS_FALSE, SUCCESS_TRUE, SUCCESS_UNKNOWN } from "./table.ts";
import { parseDecimal, parseTimespan } from "./timespan.ts";

/** Whether a cell holds nothing. */
export function isBlank(value: unknown, file: FileState): boolean {
  return value === undefined || value === null || value === "" || (file.noneIsNull && value === "None");
}

/**
 * Milliseconds of a duration cell, null where it is none.
 *
 * @throws DataFault where a column mixes plain numbers and time spans: the unit cannot be known
 */
export function durationOf(value: unknown, file: FileState): number | null {
  if (file.durationStyle === "ticks") {
    const ticks = numberOf(value);
    return ticks !== null && ticks >= 0 ? ticks / 1e4 : null;
  }
  if (file.durationStyle === "timespan") return typeof value === "string" ? parseTimespan(value) : null;
  const number = decimalOf(value, file);
  if (number !== null) {
    file.numericDurations++;
    checkUnits(file);
    return number >= 0 ? number : null;
  }
  if (typeof value === "string" && /^\s*\d+,\d+\s*$/.test(value)) {
    throw new DataFault(
      `a duration with a comma ("${value.trim()}") can mean a decimal or thousands`,
      "export the file again with plain numbers",
      { path: file.path, row: file.row, column: "duration" },
    );
  }
  const span = typeof value === "string" ? parseTimespan(value) : null;
  if (span !== null) {
    file.timespanDurations++;
    checkUnits(file);
  }
  return span;
}

/** Refuses a file whose durations are numbers in some rows and time spans in others. */
export function checkUnits(file: FileState): void {
  if (file.numericDurations === 0 || file.timespanDurations === 0) return;
  throw new DataFault(
    "durations are plain numbers in some rows and time spans in others, so their unit cannot be known",
    "export one unit (duration in milliseconds as the table holds it)",
    { path: file.path, row: file.row, column: "duration" },
  );
}

/**
 * A number cell, null where it is none.
 *
 * @throws DataFault where a file mixes decimal commas and decimal points: `1.234` may mean either
 */
export function decimalOf(value: unknown, file: FileState): number | null {
  if (!file.decimalComma || typeof value !== "string") return numberOf(value);
  const comma = /^\s*-?\d+,\d+\s*$/.test(value);
  const number = parseDecimal(comma ? value.replace(",", ".") : value);
  if (number === null) return null;
  if (comma) file.commaNumbers++;
  else if (value.includes(".")) file.pointNumbers++;
  if (file.commaNumbers > 0 && file.pointNumbers > 0) {
    throw new DataFault(
      "some numbers have a decimal comma and some a decimal point",
      "export the file again with one number format",
      { path: file.path, row: file.row },
    );
  }
  return number;
}

/** A cell as text without outer blanks; empty for what is no text, number or truth value. */
export function textOf(value: unknown, noneIsNull: boolean): string {
  if (typeof value === "string") return noneIsNull && value === "None" ? "" : value.trim();
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

/** A success cell, in either schema's spelling. */
export function successOf(value: unknown): number {
  if (typeof value === "boolean") return value ? SUCCESS_TRUE : SUCCESS_FALSE;
  if (typeof value !== "string") return SUCCESS_UNKNOWN;
  const folded = value.trim().toLowerCase();
  if (folded === "true") return SUCCESS_TRUE;
  return folded === "false" ? SUCCESS_FALSE : SUCCESS_UNKNOWN;
}

/** A cell as it is quoted in a message. */
export function show(value: unknown): string {
  if (value === undefined || value === null || value === "") return "empty";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `"${text.length > 40 ? `${text.slice(0, 40)}…` : text}"`;
}
