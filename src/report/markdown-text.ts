import { plain } from "./plain.ts";

/** Prose with everything escaped that Markdown or GitHub would read as markup, a mention or a link. */
export function prose(text: string): string {
  return plain(text, true)
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/[\\`*_[\]|~#]/g, "\\$&")
    .replace(/@(?=\w)/g, "@<!-- -->");
}

/** A code span that holds the text as it is: no markup, mention or link works inside it. */
export function code(text: string): string {
  const line = plain(text, true);
  const longest = Math.max(0, ...Array.from(line.matchAll(/`+/g), ([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = longest > 0 || line === "" ? " " : "";
  return `${fence}${pad}${line}${pad}${fence}`;
}
