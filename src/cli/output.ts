import { access, constants, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
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

/**
 * Checks that a result can be written, before any data is read.
 *
 * @param inputs files that the result must not replace
 * @throws UsageError
 */
export async function checkOut(
  out: string | undefined,
  world: World,
  inputs: readonly (string | undefined)[] = [],
): Promise<void> {
  if (out === undefined || out === "-") return;
  const path = resolve(world.cwd, out);
  if (inputs.some((input) => input !== undefined && resolve(world.cwd, input) === path)) {
    throw new UsageError(`--out: ${out} is an input or another output of this command; give another file`);
  }
  const isFolder = await stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  if (isFolder) throw new UsageError(`--out: ${out} is a folder; give a file`);
  await access(dirname(path), constants.W_OK).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`--out: cannot write ${out} (${error.code}); give a writable path`);
  });
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
