import { prose } from "./markdown-text.ts";
import type { TableModel } from "./table.ts";

/** A table as GitHub-flavoured Markdown lines; a column's head carries its group. */
export function table({ columns, rows }: TableModel): string[] {
  let group = "";
  const heads = columns.map((column) => {
    group = column.group ?? group;
    return prose(group === "" ? column.head : `${group} ${column.head}`);
  });
  // The first column names the row: it is in no group.
  heads[0] = prose(columns[0]?.head ?? "");
  return [
    `| ${heads.join(" | ")} |`,
    `| ${columns.map(({ align }) => (align === "right" ? "---:" : ":---")).join(" | ")} |`,
    ...rows.map((row) => {
      const cells = row.map(({ text, tone }) => {
        const escaped = prose(text.trim()).replace(/^(?=.)/, text.startsWith("  ") ? "&emsp;" : "");
        return tone === "strong" && escaped !== "" ? `**${escaped}**` : escaped;
      });
      return `| ${cells.join(" | ")} |`;
    }),
  ];
}

/** Lines folded away behind a summary. */
export function details(summary: string, body: readonly string[]): string[] {
  return ["<details>", `<summary>${summary}</summary>`, "", ...body, "", "</details>", ""];
}
