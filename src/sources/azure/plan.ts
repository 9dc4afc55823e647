import { TICKS_PER_MINUTE } from "../../telemetry/time.ts";

/** A part of the window, [from, to) in ticks. */
export interface Slice {
  readonly from: number;
  readonly to: number;
}

const HOUR = 60 * TICKS_PER_MINUTE;
const LONGEST = 7 * 24 * HOUR;

/**
 * Cuts a window into slices of at most `most` rows by the count of each hour: hours are joined while they
 * fit, at most a week together, and denser ones cut into equal parts. The slices cover the window without gap
 * or overlap.
 *
 * @param counts rows by the ticks of the hour's begin; an hour without an entry has none
 */
export function planSlices(window: Slice, counts: ReadonlyMap<number, number>, most: number): Slice[] {
  const slices: Slice[] = [];
  let open: { from: number; rows: number } | null = null;
  const close = (to: number): void => {
    if (open !== null && open.from < to) slices.push({ from: open.from, to });
    open = null;
  };
  for (let hour = Math.floor(window.from / HOUR) * HOUR; hour < window.to; hour += HOUR) {
    const from = Math.max(hour, window.from);
    const to = Math.min(hour + HOUR, window.to);
    const rows = counts.get(hour) ?? 0;
    const current: { from: number; rows: number } | null = open;
    if (current !== null && (current.rows + rows > most || to - current.from > LONGEST)) close(from);
    if (rows > most) {
      const parts = Math.min(Math.ceil(rows / most), to - from);
      for (let part = 0; part < parts; part++) {
        const at = (n: number): number => from + Math.floor(((to - from) * n) / parts);
        slices.push({ from: at(part), to: at(part + 1) });
      }
      continue;
    }
    open ??= { from, rows: 0 };
    open.rows += rows;
  }
  close(window.to);
  return slices;
}

/** What of a window none of the parts covers. Parts may touch and overlap. */
export function gapsIn(window: Slice, parts: readonly Slice[]): Slice[] {
  const gaps: Slice[] = [];
  let from = window.from;
  for (const part of [...parts].sort((a, b) => a.from - b.from)) {
    if (part.from > from) gaps.push({ from, to: Math.min(part.from, window.to) });
    from = Math.max(from, part.to);
    if (from >= window.to) break;
  }
  if (from < window.to) gaps.push({ from, to: window.to });
  return gaps.filter((gap) => gap.from < gap.to);
}
