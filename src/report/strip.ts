import { type LogAxis, labelStart, logAxis, ticksOf } from "./axis.ts";
import { formatCount, formatMs, formatThreshold, type Symbols } from "./numbers.ts";
import type { Paint, Tone } from "./paint.ts";

export interface StripRow {
  readonly name: string;
  readonly n: number;
  readonly p50Ms: number | null;
  /** First-request durations in ms. */
  readonly values: readonly number[];
}

export interface StripOptions {
  readonly width: number;
  readonly unicode: boolean;
  readonly symbols: Symbols;
  readonly thresholdMs: number;
  readonly paint: Paint;
}

const BLOCKS = "▁▂▃▄▅▆▇█";
const ASCII = ".:-=+*#";
/** Beyond this a strip says no more, it is only longer. */
const MAX_WIDTH = 100;

/**
 * The distributions of first requests on one logarithmic axis, a row each, the p50 marked under the
 * row and the threshold as a line through all of them. Each row is scaled to its own peak. A column
 * that holds any value shows it, however few.
 */
export function renderStrip(rows: readonly StripRow[], options: StripOptions): string[] {
  const values = rows.flatMap((row) => row.values);
  if (values.length === 0) return ["no first request to draw"];
  const { symbols, unicode, thresholdMs, paint } = options;
  const gutters = rows.map((row) => ({
    name: `${row.name}, n ${formatCount(row.n, symbols)}`,
    p50: row.p50Ms === null ? "" : `  p50 ${formatMs(row.p50Ms, symbols, thresholdMs)}`,
  }));
  const indent = Math.max(...gutters.flatMap(({ name, p50 }) => [name.length, p50.length])) + 2;
  const width = Math.min(options.width, MAX_WIDTH);
  const medians = rows.flatMap((row) => (row.p50Ms === null ? [] : [row.p50Ms]));
  const axis = logAxis([...values, ...medians], thresholdMs, Math.max(8, width - indent));
  const at = axis.thresholdColumn;
  const bar = unicode ? "│" : "|";

  /** One line: the gutter, then the plot in the tones of the two sides of the threshold. */
  const line = (gutter: string, cells: readonly string[], left: Tone, right: Tone): string => {
    const over = cells
      .slice(at + 1)
      .join("")
      .trimEnd();
    return `${gutter.padEnd(indent)}${paint(cells.slice(0, at).join(""), left)}${paint(bar, "caution")}${paint(over, right)}`;
  };
  const blank = (): string[] => new Array<string>(axis.columns).fill(" ");

  const label = `threshold ${formatThreshold(thresholdMs, symbols)}`;
  const fitsRight = at + 2 + label.length <= axis.columns;
  const head = write(blank(), fitsRight ? at + 2 : Math.max(0, at - 1 - label.length), label);
  const lines = [line("", head, "plain", "plain")];
  for (const [index, row] of rows.entries()) {
    const { name, p50 } = gutters[index]!;
    const cells = row.values.length === 0 ? blank() : density(row.values, axis, unicode);
    lines.push(line(name, cells, "better", "worse"));
    if (row.p50Ms === null) continue;
    const mark = write(blank(), axis.columnOf(row.p50Ms), unicode ? "▲" : "^");
    lines.push(line(p50, mark, "strong", "strong"));
  }
  return [...lines, ...scale(axis, indent, options)];
}

/** Writes `text` into the cells from `start` on, as far as they go. */
function write(cells: string[], start: number, text: string): string[] {
  for (const [offset, char] of Array.from(text).entries()) {
    if (start + offset < cells.length) cells[start + offset] = char;
  }
  return cells;
}

/** Counts per column, smoothed over its neighbours on the same side of the threshold. */
function density(values: readonly number[], axis: LogAxis, unicode: boolean): string[] {
  const counts = new Array<number>(axis.columns).fill(0);
  for (const value of values) {
    const column = axis.columnOf(value);
    counts[column] = counts[column]! + 1;
  }
  const reach = Math.max(1, Math.round(axis.columns / 40));
  const heights = counts.map((_, column) => {
    let sum = 0;
    for (let offset = -reach; offset <= reach; offset++) {
      const other = column + offset;
      const sameSide = column < axis.thresholdColumn === other < axis.thresholdColumn;
      if (sameSide) sum += (counts[other] ?? 0) * (reach + 1 - Math.abs(offset));
    }
    return sum;
  });
  const peak = Math.max(...heights);
  const glyphs = Array.from(unicode ? BLOCKS : ASCII);
  return heights.map((height, column) => {
    const level = column === axis.thresholdColumn ? 0 : Math.round((height / peak) * glyphs.length);
    if (level === 0) return counts[column]! > 0 ? glyphs[0]! : " ";
    return glyphs[level - 1]!;
  });
}

/** The axis and its labels: `1 s`, `500 ms`. */
function scale(axis: LogAxis, indent: number, options: StripOptions): string[] {
  const { unicode, symbols, paint } = options;
  const ticks = ticksOf(axis, options.thresholdMs, (ms) => tickLabel(ms, symbols));
  const rule = new Array<string>(axis.columns).fill(unicode ? "─" : "-");
  const labels = new Array<string>(axis.columns).fill(" ");
  rule[axis.thresholdColumn] = unicode ? "┴" : "+";
  for (const [column, label] of ticks) {
    if (column !== axis.thresholdColumn) rule[column] = unicode ? "┬" : "'";
    write(labels, labelStart(column, label, axis.columns), label);
  }
  const pad = " ".repeat(indent);
  return [pad + paint(rule.join(""), "dim"), pad + paint(labels.join("").replace(/ +$/, ""), "dim")];
}

function tickLabel(ms: number, symbols: Symbols): string {
  return ms >= 1000 ? `${formatCount(ms / 1000, symbols)} s` : `${formatCount(ms, symbols)} ms`;
}
