import { randomUUID } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { plain } from "../report/plain.ts";
import { type CheckedBar, parseBar } from "../verdict/bar-file.ts";
import { LockError, lockPathOf, parseLock } from "../verdict/lock.ts";
import type { BarLock, BarProblem } from "../verdict/types.ts";
import { UsageError } from "./exit-codes.ts";
import type { World } from "./world.ts";

export const DEFAULT_BAR = "coldstart.bar.yaml";

/**
 * Reads and proves a bar; its problems and warnings are told on standard error, each as
 * `file:line:column: message`. Null for a bar that is not sound.
 *
 * @throws UsageError for a file that cannot be read
 */
export async function provenBar(file: string, world: World): Promise<CheckedBar | null> {
  const text = await readText(file, world);
  if (text === null) {
    throw new UsageError(`there is no ${file}; write one with coldstart bar new, or name another file`);
  }
  const parsed = parseBar(text);
  if ("bar" in parsed) {
    for (const warning of parsed.warnings)
      await world.stderr.write(`${placed(file, warning, "warning: ")}\n`);
    return parsed;
  }
  for (const problem of parsed.problems) await world.stderr.write(`${placed(file, problem, "")}\n`);
  const { length } = parsed.problems;
  await world.stderr.write(
    `coldstart: ${length === 1 ? "1 problem" : `${length} problems`} in ${file}; docs/bar.md says what a bar may hold\n`,
  );
  return null;
}

function placed(file: string, { line, column, message }: BarProblem, kind: string): string {
  const place = line === null ? "" : `:${line}:${column ?? 1}`;
  // A message quotes the file, which can hold anything.
  return plain(`${file}${place}: ${kind}${message}`, true);
}

/** The lock beside a bar; null where there is none. @throws UsageError for one that cannot be read */
export async function readLock(file: string, world: World): Promise<BarLock | null> {
  const path = lockPathOf(file);
  const text = await readText(path, world);
  if (text === null) return null;
  try {
    return parseLock(text);
  } catch (error) {
    if (error instanceof LockError) throw new UsageError(`${path}: ${error.message}`);
    throw error;
  }
}

/** The text of a file; null where there is no such file. @throws UsageError */
export async function readText(file: string, world: World): Promise<string | null> {
  try {
    return await readFile(resolve(world.cwd, file), "utf8");
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
    throw new UsageError(`cannot read ${file} (${String(error.code)})`);
  }
}

/** Writes a file whole: aside first, then renamed into place. @throws UsageError */
export async function writeWhole(file: string, text: string, world: World): Promise<void> {
  const path = resolve(world.cwd, file);
  const aside = `${path}.${randomUUID()}.part`;
  try {
    await writeFile(aside, text, { flag: "wx" });
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { force: true });
    if (!(error instanceof Error && "code" in error)) throw error;
    throw new UsageError(`cannot write ${file} (${String(error.code)}); give a writable path`);
  }
}
