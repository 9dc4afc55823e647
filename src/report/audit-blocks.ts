import type { Warning } from "./document.ts";
import { prose as markdownProse } from "./markdown-text.ts";
import { ASCII_SYMBOLS, formatCount, type Symbols, UNICODE_SYMBOLS } from "./numbers.ts";
import { painter, type Tone } from "./paint.ts";
import { plain, unbrokenWidth, wrap } from "./plain.ts";
import { drawTable, naturalWidth, type TableModel } from "./table.ts";
import type { TextOptions } from "./text.ts";

/** A piece of a document for readers: what text and Markdown both show. */
export type Block =
  | { readonly kind: "heading"; readonly text: string }
  | { readonly kind: "prose"; readonly text: string; readonly tone?: Tone }
  | { readonly kind: "table"; readonly table: TableModel }
  /** A table of all cohorts where it fits, otherwise one below the other. */
  | {
      readonly kind: "cohorts";
      readonly names: readonly string[];
      readonly build: (indexes: readonly number[]) => TableModel;
    }
  | { readonly kind: "list"; readonly items: readonly string[] };

/** What an audit says beside its figures. */
export interface Remarks {
  readonly warnings: readonly Warning[];
  readonly inputs: readonly { readonly path: string; readonly warnings: readonly Warning[] }[];
  readonly unknown: readonly string[];
}

const MIN_WIDTH = 60;
const MAX_PROSE = 100;
const INDENT = "  ";

/** What could not be known, and the warnings as numbered notes. */
export function remarkBlocks({ warnings, inputs, unknown }: Remarks, symbols: Symbols): Block[] {
  const notes = [
    ...warnings.map((warning) => ({ where: "", ...warning })),
    ...inputs.flatMap(({ path, warnings: own }) =>
      own.map((warning) => ({ where: `${path}: `, ...warning })),
    ),
  ];
  const blocks: Block[] = [];
  if (unknown.length > 0)
    blocks.push({ kind: "heading", text: "What cannot be known" }, { kind: "list", items: unknown });
  if (notes.length > 0) {
    const items = notes.map(
      ({ where, message, code: name, count }, i) =>
        `[${i + 1}] ${where}${message} (${name}: ${formatCount(count, symbols)})`,
    );
    blocks.push({ kind: "heading", text: "Warnings" }, { kind: "list", items });
  }
  return blocks;
}

/** Blocks for a terminal, with a final newline; no line is longer than the width. */
export function textOf(build: (symbols: Symbols) => readonly Block[], options: TextOptions): string {
  const { unicode } = options;
  const width = Math.max(MIN_WIDTH, Math.floor(options.width));
  const paint = painter(options.color);
  const lines: string[] = [];
  const drawn = (table: TableModel): string[] =>
    drawTable(safe(table, unicode), width - INDENT.length, unicode, paint).map((line) => INDENT + line);
  const gap = (): void => {
    if (lines.length > 0 && lines[lines.length - 1] !== "") lines.push("");
  };
  for (const block of build(unicode ? UNICODE_SYMBOLS : ASCII_SYMBOLS)) {
    gap();
    switch (block.kind) {
      case "heading":
        for (const line of wrap(plain(block.text, unicode), width)) lines.push(paint(line, "strong"));
        break;
      case "prose":
        for (const line of wrap(plain(block.text, unicode), Math.min(width, MAX_PROSE) - INDENT.length)) {
          lines.push(INDENT + paint(line, block.tone ?? "plain"));
        }
        break;
      case "list":
        for (const item of block.items) {
          const room = Math.min(width, MAX_PROSE) - INDENT.length;
          for (const line of wrap(`- ${plain(item, unicode)}`, room, 2)) lines.push(INDENT + line);
        }
        break;
      case "table":
        lines.push(...drawn(block.table));
        break;
      case "cohorts":
        lines.push(...cohortLines(block, width - INDENT.length, drawn));
    }
  }
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

function cohortLines(
  { names, build }: Extract<Block, { kind: "cohorts" }>,
  width: number,
  drawn: (table: TableModel) => string[],
): string[] {
  const all = build(names.map((_, i) => i));
  if (names.length < 2 || naturalWidth(all) <= width) return drawn(all);
  return names.flatMap((name, i) => [...(i > 0 ? [""] : []), `${INDENT}${name}`, ...drawn(build([i]))]);
}

/** Cells may quote an export, which can hold anything; the indent of a label stays. */
function safe({ columns, rows }: TableModel, unicode: boolean): TableModel {
  const clean = (text: string): string => (/^ {2}/.test(text) ? "  " : "") + plain(text, unicode);
  const cells = rows.map((row) => row.map((cell) => ({ ...cell, text: clean(cell.text) })));
  // A label that fills its column would be broken to leave room for the indent of a second line.
  const roomy = Math.max(0, ...cells.map((row) => unbrokenWidth(row[0]?.text ?? ""))) + INDENT.length;
  const heads = columns.map((column, i) => ({
    ...column,
    head: i === 0 ? plain(column.head, unicode).padEnd(roomy) : plain(column.head, unicode),
  }));
  return { columns: heads, rows: cells };
}

/** Blocks as GitHub-flavoured Markdown, with a final newline. */
export function markdownOf(build: (symbols: Symbols) => readonly Block[]): string {
  const lines: string[] = [];
  for (const block of build(UNICODE_SYMBOLS)) {
    switch (block.kind) {
      case "heading":
        lines.push(`### ${markdownProse(block.text)}`);
        break;
      case "prose":
        lines.push(block.tone === "strong" ? `**${markdownProse(block.text)}**` : markdownProse(block.text));
        break;
      case "list":
        lines.push(...block.items.map((item) => `- ${markdownProse(item)}`));
        break;
      case "table":
        lines.push(...markdownTable(block.table));
        break;
      case "cohorts":
        lines.push(...markdownTable(block.build(block.names.map((_, i) => i))));
    }
    lines.push("");
  }
  return `${lines.join("\n").trimEnd()}\n`;
}

function markdownTable({ columns, rows }: TableModel): string[] {
  let group = "";
  const heads = columns.map((column, i) => {
    group = column.group ?? group;
    return markdownProse(i === 0 || group === "" ? column.head : `${group} ${column.head}`.trim());
  });
  return [
    `| ${heads.join(" | ")} |`,
    `| ${columns.map(({ align }) => (align === "right" ? "---:" : ":---")).join(" | ")} |`,
    ...rows.map(
      (row) => `| ${columns.map((_, i) => markdownCell(row[i]?.text ?? "", row[i]?.tone)).join(" | ")} |`,
    ),
  ];
}

function markdownCell(text: string, tone: Tone | undefined): string {
  const escaped = markdownProse(text.trim()).replace(/^(?=.)/, text.startsWith("  ") ? "&emsp;" : "");
  return tone === "strong" && escaped !== "" ? `**${escaped}**` : escaped;
}
