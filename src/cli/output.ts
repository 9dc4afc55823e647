import { rename, rm, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { UsageError } from "./exit-codes.ts";
import type { World } from "./world.ts";

/** Writes a result to standard output, or whole to a file: aside first, then renamed into place. */
export async function deliver(text: string, out: string | undefined, world: World): Promise<void> {
  if (out === undefined || out === "-") return world.stdout.write(text);
  const path = resolve(world.cwd, out);
  const aside = `${path}.${process.pid}.part`;
  try {
    await writeFile(aside, text);
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { force: true });
    if (error instanceof Error && "code" in error) {
      throw new UsageError(`--out: cannot write ${out} (${String(error.code)}); give a writable path`);
    }
    throw error;
  }
}

/** How text is drawn on a terminal, a pipe or a file. */
export function textOptions(
  world: World,
  out: string | undefined,
): { width: number; color: boolean; unicode: boolean } {
  const toTerminal = (out === undefined || out === "-") && world.stdout.isTerminal;
  const { NO_COLOR, TERM, LC_ALL, LC_CTYPE, LANG } = world.env;
  const locale = LC_ALL || LC_CTYPE || LANG;
  return {
    width: toTerminal ? world.stdout.columns : 80,
    color: toTerminal && (NO_COLOR === undefined || NO_COLOR === "") && TERM !== "dumb",
    unicode: !(locale === "C" || locale === "POSIX" || TERM === "dumb" || TERM === "linux"),
  };
}
