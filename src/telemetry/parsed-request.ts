import { decimalOf, durationOf, isBlank, show, successOf, textOf } from "./cell-values.ts";
import { findRate, openBag } from "./dimensions.ts";
import { type Cells, Field } from "./fields.ts";
import type { FileState } from "./file-state.ts";
import { type Kind, kindOf } from "./kind.ts";
import { requestPath } from "./path.ts";
import { ticksOfEpochMs } from "./time.ts";

/** What a request row says, before anything that depends on the question: probe paths, weights, roles. */
export interface ParsedRequest {
  /** Ticks. A portal date may be corrected once the file has shown how it writes dates. */
  start: number;
  readonly durationMs: number;
  readonly kind: Kind;
  readonly isSynthetic: boolean;
  /** 0 unknown, 1 true, 2 false. */
  readonly success: number;
  /** Null where absent or not valid. */
  readonly itemCount: number | null;
  /** Percent kept, as the row says it; null where absent or not valid. */
  readonly rate: number | null;
  readonly name: string;
  readonly url: string;
  /** Folded path; empty where neither URL nor name tells. */
  readonly path: string;
  readonly resultCode: string;
  readonly id: string;
  readonly operationId: string;
  readonly role: string;
  readonly instance: string;
  readonly version: string;
}

/** Oddities of the rows as they were read; they do not depend on options. */
export interface ReadTallies {
  invalidRate: number;
  invalidItemCount: number;
  fractionalItemCount: number;
  noItemCount: number;
  noId: number;
  functionsHost: number;
  notFunctionsHost: number;
}

/**
 * Reads a row's cells and counts its oddities.
 *
 * @param correct gets the right start of the row where a later row of the file shows how dates are written
 * @returns the row, or the reason why it is malformed
 */
export function parseRequest(
  cells: Cells,
  file: FileState,
  tallies: ReadTallies,
  correct: (ticks: number) => void,
): ParsedRequest | string {
  // The duration first: a rejected row must leave no date behind that waits for correction.
  const durationMs = durationOf(cells[Field.duration], file);
  if (durationMs === null) return `no valid duration (${show(cells[Field.duration])})`;
  const start = instantOf(cells[Field.start], file, correct);
  if (start === null) return `no valid timestamp (${show(cells[Field.start])})`;

  const text = (field: number): string => textOf(cells[field], file.noneIsNull);
  const dimensions = openBag(cells[Field.dimensions]);
  const measurements = openBag(cells[Field.measurements]);
  const name = text(Field.name);
  const url = text(Field.url);
  const resultCode = text(Field.resultCode);
  const sdkVersion = text(Field.sdkVersion);
  if (/^azurefunctions:/i.test(sdkVersion)) tallies.functionsHost++;
  else tallies.notFunctionsHost++;
  const kind = kindOf({
    name,
    url,
    resultCode,
    source: text(Field.source),
    sdkVersion,
    dimensions,
    measurements,
  });
  const rateCell = cells[Field.sampleRate];
  const found = findRate(
    rateCell === undefined ? dimensions : new Map([["samplerate", rateCell], ...dimensions]),
    measurements,
  );
  if (found.invalid) tallies.invalidRate++;
  const isAbsent = isBlank(cells[Field.itemCount], file);
  if (isAbsent && found.rate === null) tallies.noItemCount++;
  const id = text(Field.id);
  if (id === "") tallies.noId++;
  return {
    start,
    durationMs,
    kind,
    isSynthetic: text(Field.synthetic) !== "",
    success: successOf(cells[Field.success]),
    itemCount: isAbsent ? null : itemCountOf(cells[Field.itemCount], file, tallies),
    rate: found.rate,
    name,
    url,
    path: requestPath(url, name),
    resultCode,
    id,
    operationId: text(Field.operationId),
    role: text(Field.role),
    instance: text(Field.instance),
    version: text(Field.version),
  };
}

function itemCountOf(value: unknown, file: FileState, tallies: ReadTallies): number | null {
  const count = decimalOf(value, file);
  if (count === null || count < 1) {
    tallies.invalidItemCount++;
    return null;
  }
  if (!Number.isInteger(count)) tallies.fractionalItemCount++;
  return count;
}

function instantOf(value: unknown, file: FileState, correct: (ticks: number) => void): number | null {
  if (value instanceof Date) {
    const ms = value.getTime();
    return Number.isNaN(ms) ? null : ticksOfEpochMs(ms);
  }
  return typeof value === "string" ? file.dates.read(value, correct) : null;
}
