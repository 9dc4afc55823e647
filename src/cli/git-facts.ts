import { readFile, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { lockPathOf } from "../verdict/lock.ts";
import type { GitFacts } from "../verdict/registration.ts";
import { type Answer, blobOf, type Git, gitOf, NoGit, objectOf, textOf } from "./git.ts";
import { historyOf } from "./git-history.ts";

/** A file of a repository. */
interface Place {
  /** The top of the working tree. */
  readonly root: string;
  /** From the root, with slashes. */
  readonly path: string;
  /** In the file system, links resolved. */
  readonly file: string;
}

/**
 * What git knows about a bar and its lock: whether the commit that is checked out holds them as they are,
 * and the commits that changed the bar. Only reads; changes no index, asks nothing of a terminal.
 *
 * @param barPath the bar's file; the repository is the one that it lies in, links resolved
 * @param digestOfText the digest of a bar's text, null for what is not a bar
 * @param env the environment of git; variables that name another repository are left out
 */
export async function gitFacts(
  barPath: string,
  lockPath: string,
  digestOfText: (text: string) => string | null,
  env: Readonly<Record<string, string | undefined>>,
): Promise<GitFacts> {
  const git = gitOf(env);
  const uncommitted = (await contentOf(lockPath)) === null ? "missing" : "untracked";
  const nothing = { isShallow: false, history: [], lockState: uncommitted, head: null } as const;
  try {
    const bar = await placeOf(git, barPath);
    if ("stderr" in bar) {
      const refused = refusalOf(bar.stderr);
      return { ...nothing, state: "not-a-repository", ...(refused === null ? {} : { refused }) };
    }
    const { root, path } = bar;
    const head = await objectOf(git, root, "HEAD^{commit}");
    if (head === null) return { ...nothing, state: "untracked" };
    const place = await placeOf(git, lockPath);
    // A lock in another repository is in no commit beside the bar.
    const lock = "stderr" in place || place.root !== root ? null : place;
    const state = await stateOf(git, bar, head);
    const shallow = await git(root, "rev-parse", "--is-shallow-repository");
    return {
      // A bar that is gone from the working tree but not from the commit has changed.
      state: state !== "missing" ? state : (await isIn(git, bar, head)) ? "modified" : "untracked",
      isShallow: textOf(shallow) === "true",
      history: await historyOf(git, root, path, lock?.path ?? lockPathOf(path), head, digestOfText),
      lockState: lock === null ? uncommitted : await stateOf(git, lock, head),
      head,
    };
  } catch (error) {
    if (error instanceof NoGit) return { ...nothing, state: "no-git" };
    throw error;
  }
}

/** Where a file lies in its repository; git's answer where it lies in none. The file need not exist. */
async function placeOf(git: Git, path: string): Promise<Place | Answer> {
  const folder = await realpath(dirname(path)).catch(() => null);
  // Without its folder, git could not even be started there.
  if (folder === null) return { code: -1, stdout: Buffer.alloc(0), stderr: "" };
  const file = await realpath(path).catch(() => join(folder, basename(path)));
  const top = await git(dirname(file), "rev-parse", "--show-toplevel");
  if (top.code !== 0) return top;
  const prefix = await git(dirname(file), "rev-parse", "--show-prefix");
  return { root: textOf(top), path: textOf(prefix) + basename(file), file };
}

/** A sentence for a repository that is there and cannot be read; null where there is none. */
function refusalOf(stderr: string): string | null {
  const foreign = /dubious ownership in repository at '(.*)'|unsafe repository \('(.*?)' is owned/.exec(
    stderr,
  );
  if (foreign !== null) {
    const folder = foreign[1] ?? foreign[2];
    return `git does not read a repository that belongs to another user; trust it with git config --global --add safe.directory '${folder}'`;
  }
  const fatal = /^(?:fatal|error): (.*)$/m.exec(stderr)?.[1];
  if (fatal === undefined || /not a git repository|must be run in a work tree/i.test(fatal)) return null;
  return `git cannot read the repository (${fatal}); make git status work in the bar's folder`;
}

/** A file of the working tree against the commit that is checked out. */
async function stateOf(git: Git, place: Place, head: string): Promise<GitFacts["lockState"]> {
  const content = await contentOf(place.file);
  if (content === null) return "missing";
  if (!(await isIn(git, place, head))) return "untracked";
  const committed = await blobOf(git, place.root, head, place.path);
  // Compared by content: the index may be told to overlook changes, and its line ends may be others.
  return committed !== null && unixLines(committed) === unixLines(content) ? "tracked" : "modified";
}

async function isIn(git: Git, { root, path }: Place, commit: string): Promise<boolean> {
  return (await objectOf(git, root, `${commit}:${path}`)) !== null;
}

function contentOf(file: string): Promise<Buffer | null> {
  return readFile(file).catch(() => null);
}

/** The bytes with line ends as git stores them. */
function unixLines(bytes: Buffer): string {
  return bytes.toString("latin1").replaceAll("\r\n", "\n");
}
