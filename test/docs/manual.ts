import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The pages whose examples run and whose links must resolve, relative to the project's folder. */
export function pages(): string[] {
  const docs = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`);
  return ["README.md", ...docs.sort()];
}

export function readPage(page: string): string {
  return readFileSync(join(ROOT, page), "utf8");
}

export interface Block {
  readonly language: string;
  readonly line: number;
  readonly text: string;
  /** The HTML comment on the last line of text before the block; empty without one. */
  readonly comment: string;
}

/** The fenced blocks of a page, with the comment before each. */
export function blocksOf(markdown: string): Block[] {
  const lines = markdown.split("\n");
  const blocks: Block[] = [];
  for (let i = 0; i < lines.length; i++) {
    const language = /^```(\S*)\s*$/.exec(lines[i]!)?.[1];
    if (language === undefined) continue;
    const end = lines.indexOf("```", i + 1);
    if (end === -1) throw new Error(`line ${i + 1}: a fence that is not closed`);
    const before = lines.slice(0, i).findLast((line) => line.trim() !== "") ?? "";
    const comment = /^<!--\s*(.*?)\s*-->$/.exec(before.trim())?.[1] ?? "";
    blocks.push({ language, line: i + 1, text: lines.slice(i + 1, end).join("\n"), comment });
    i = end;
  }
  return blocks;
}

/** Lines of a shell block with those joined that end in a backslash. */
export function commandLines(text: string): string[] {
  return text.replace(/\\\n\s*/g, "").split("\n");
}

export interface Example {
  readonly args: readonly string[];
  /** File for standard input; null without one. */
  readonly stdin: string | null;
}

const COMMAND = /^(?:\$ )?(?:npm ci && node dist\/main\.js|coldstart)(?= |$)(.*)$/;

/** The example that a shell line holds; null for other commands. */
export function exampleOf(line: string): Example | null {
  const match = COMMAND.exec(line);
  if (match === null) return null;
  const args: string[] = [];
  let stdin: string | null = null;
  const words = match[1]!.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!.replace(/^(["'])(.*)\1$/, "$2");
    if (/^(?:[|>&;]|\d>)/.test(word)) throw new Error(`an example cannot be run with "${word}": ${line}`);
    if (word === "<") stdin = words[++i] ?? "";
    else args.push(word);
  }
  return { args, stdin };
}

/** Whether a text is what the manual shows; a line `…` stands for any lines. */
export function matches(shown: string, actual: string): boolean {
  const source = shown
    .split("\n")
    .map((line) => (line === "…" ? "(?:.*\\n)*?" : `${line.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}\\n`))
    .join("");
  return new RegExp(`^${source}$`).test(actual);
}

/** Every `coldstart COMMAND …` of a page, in shell blocks and inline code, also behind a pipe. */
export function mentions(markdown: string): { command: string; options: string[] }[] {
  const blocks = blocksOf(markdown).filter(({ language }) => language === "sh" || language === "console");
  const inline = markdown.replace(/^```[\s\S]*?^```/gm, "").match(/`[^`\n]+`/g) ?? [];
  const lines = [
    ...blocks.flatMap(({ text }) => commandLines(text)),
    ...inline.map((code) => code.slice(1, -1)),
  ];
  return lines.flatMap((line) => {
    const match = /(?:^|[|&$]\s*)coldstart (\S+)(.*)$/.exec(line);
    if (match === null) return [];
    return [{ command: match[1]!, options: match[2]!.match(/(?<=\s)--?[a-z][a-z-]*/g) ?? [] }];
  });
}

/** Relative link targets of a page. */
export function linksOf(markdown: string): string[] {
  const text = markdown.replace(/^```[\s\S]*?^```/gm, "").replace(/`[^`\n]*`/g, "");
  return Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, target]) => target!).filter(
    (target) => !/^[a-z]+:/i.test(target),
  );
}

/** The anchors that GitHub gives to the headings of a page. */
export function anchorsOf(markdown: string): Set<string> {
  const headings = markdown.replace(/^```[\s\S]*?^```/gm, "").match(/^#+ .*$/gm) ?? [];
  return new Set(
    headings.map((heading) =>
      heading
        .replace(/^#+ /, "")
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}
