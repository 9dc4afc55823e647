/**
 * A logarithmic axis of character columns. One column belongs to the threshold's line alone: what is
 * at most the threshold lies left of it, what is over lies right of it, never on it. All other
 * columns cover the same ratio.
 */
export interface LogAxis {
  /** Columns in all, the threshold's line included. */
  readonly columns: number;
  /** The column of the threshold's line. */
  readonly thresholdColumn: number;
  /** The column of a duration in ms; what lies off the axis goes to its first or last column. */
  columnOf(ms: number): number;
  /** The durations in ms at the axis's two ends. */
  readonly from: number;
  readonly to: number;
}

/** The shortest duration that the axis tells from zero. */
const FLOOR_MS = 0.1;
/** Room left on either side of the threshold, as a ratio. */
const MARGIN = 1.5;

/** An axis of `columns` characters (at least 8) that holds the threshold and all of `values`. */
export function logAxis(values: readonly number[], thresholdMs: number, columns: number): LogAxis {
  const threshold = Math.max(FLOOR_MS, thresholdMs);
  let low = threshold / MARGIN;
  let high = threshold * MARGIN;
  for (const value of values) {
    low = Math.min(low, Math.max(FLOOR_MS / MARGIN, value));
    high = Math.max(high, value);
  }
  const cells = columns - 1;
  // One cell fewer than there are: the threshold falls on an edge, and both ends still fit.
  const step = Math.log(high / low) / (cells - 1);
  const left = Math.min(cells - 1, Math.max(1, Math.ceil(Math.log(threshold / low) / step - 1e-9)));
  return {
    columns,
    thresholdColumn: left,
    from: threshold * Math.exp(-left * step),
    to: threshold * Math.exp((cells - left) * step),
    columnOf(ms) {
      if (ms > thresholdMs) {
        return left + 1 + Math.min(cells - left - 1, Math.floor(Math.log(ms / threshold) / step));
      }
      if (ms <= 0) return 0;
      return Math.max(0, left - 1 - Math.floor(Math.log(threshold / ms) / step));
    },
  };
}

/** Round durations on the axis, the powers of ten first, as many as have room for a label. */
export function ticksOf(
  axis: LogAxis,
  thresholdMs: number,
  labelOf: (ms: number) => string,
): Map<number, string> {
  const placed = new Map<number, string>();
  const taken = new Array<boolean>(axis.columns).fill(false);
  for (const factor of [1, 2, 5]) {
    for (let power = -1; power <= 16; power++) {
      const ms = factor * 10 ** power;
      if (ms < axis.from || ms > axis.to) continue;
      const column = ms === thresholdMs ? axis.thresholdColumn : axis.columnOf(ms);
      const label = labelOf(ms);
      const start = labelStart(column, label, axis.columns);
      // Two columns of air on either side keep neighbouring labels apart.
      const from = Math.max(0, start - 2);
      const to = Math.min(axis.columns, start + label.length + 2);
      if (placed.has(column) || taken.slice(from, to).some(Boolean)) continue;
      taken.fill(true, start, start + label.length);
      placed.set(column, label);
    }
  }
  return placed;
}

/** Where a label begins so that it stands under its column and within the axis. */
export function labelStart(column: number, label: string, columns: number): number {
  return Math.max(0, Math.min(columns - label.length, column - Math.floor(label.length / 2)));
}
