import { readFile, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { pathText } from "../verdict/bar-issues.ts";
import { type BarText, type Path, readBarText } from "../verdict/bar-yaml.ts";
import { nearest } from "../verdict/nearest.ts";
import type { BarProblem } from "../verdict/types.ts";
import { type Config, fileSchema, KEYS } from "./config-schema.ts";
import { UsageError } from "./exit-codes.ts";

/** The nearest file of a name upwards, not beyond a repository; null without one. */
export async function findUpwards(from: string, name: string): Promise<string | null> {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const path = join(folder, name);
    if (await exists(path)) return path;
    // A repository is a world of its own: what lies around it is somebody else's.
    if ((await exists(join(folder, ".git"))) || dirname(folder) === folder) return null;
  }
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/**
 * Reads a configuration. A relative `capture` is beside the file, wherever the program runs, and comes back
 * relative to the working folder.
 *
 * @param name of the file, as the user would write it
 * @throws UsageError with file, line and column
 */
export async function readConfig(path: string, name: string, cwd: string): Promise<Config> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(
      `--config: cannot read ${name} (${error.code}); write one with coldstart init, or give its path`,
    );
  });
  const config = parseConfig(text, name);
  if (config.capture === undefined || isAbsolute(config.capture)) return config;
  return { ...config, capture: relative(cwd, resolve(dirname(path), config.capture)) || "." };
}

/** Proves the text of a configuration. @throws UsageError with file, line and column */
export function parseConfig(text: string, name: string): Config {
  // Nothing but comments is what coldstart init writes where nothing is known yet.
  if (text.split("\n").every((line) => /^\s*(?:#|$)/.test(line))) return {};
  const read = readBarText(text, "configuration");
  const [problem] = read.problems;
  if (problem !== undefined || !("value" in read)) throw faultAt(name, problem);
  const secret = secretIn(read.value);
  if (secret !== null) {
    const what = `${pathText(secret)}: a secret does not belong into this file`;
    const remedy =
      "remove it, and sign in with az login or set AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET";
    throw faultAt(name, read.atKey(secret, `${what}; ${remedy}`));
  }
  const result = fileSchema.safeParse(read.value);
  if (result.success) return result.data;
  throw faultAt(name, problemOf(result.error.issues[0]!, read));
}

function faultAt(name: string, problem: BarProblem | undefined): UsageError {
  const { line, column, message } = problem ?? { line: 1, column: 1, message: "cannot be read" };
  return new UsageError(`${name}:${line ?? 1}:${column ?? 1}: ${message}`);
}

interface Issue {
  readonly code?: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
}

function problemOf({ path, keys, message }: Issue, text: BarText): BarProblem {
  const key = keys?.[0];
  return key === undefined
    ? text.at(path, `${pathText(path)}: ${message}`)
    : text.atKey([...path, key], `${pathText([...path, key])}: unknown key; ${remedyFor(path, key)}`);
}

/** The known key that was meant: one of this name elsewhere, or one like it here. */
function remedyFor(path: Path, key: string): string {
  const place = path.filter((step) => typeof step === "string").join(".");
  const here = KEYS[place] ?? [];
  const everywhere = Object.entries(KEYS).flatMap(([above, names]) =>
    names.map((one) => (above === "" ? one : `${above}.${one}`)),
  );
  const same = everywhere.find((one) => one === key || one.endsWith(`.${key}`));
  if (same !== undefined) return `did you mean ${same}?`;
  const near = nearest(key, here);
  return near === null ? `known here: ${here.join(", ")}` : `did you mean ${pathText([...path, near])}?`;
}

/** Words that no key of a configuration has, and keys of secrets do. */
const SECRET = /secret|passw|pwd|connection_?-?string|token|key$|^sas$|certificate/i;

/** The path of the first key that looks like a secret's; null without one. */
function secretIn(value: unknown, path: Path = []): Path | null {
  if (typeof value !== "object" || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    const at = [...path, Array.isArray(value) ? Number(key) : key];
    if (!Array.isArray(value) && SECRET.test(key)) return at;
    const deeper = secretIn(inner, at);
    if (deeper !== null) return deeper;
  }
  return null;
}
