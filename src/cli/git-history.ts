import { lockPathOf } from "../verdict/lock.ts";
import type { BarCommit } from "../verdict/registration.ts";
import { blobOf, type Git, textOf } from "./git.ts";

/**
 * Commits that changed the bar, newest first, along the first parents: what a merge brings in was not on
 * this branch before, whatever its date, or else an old bar could be chosen by merging a stale branch. A
 * rename is looked for where the file begins. A commit that deleted the bar has a null digest.
 *
 * @param root the top of the working tree
 * @param barPath the bar's path from the root, with slashes
 * @param lockPath the same of its lock; of a bar that had another name, the lock is looked for beside it
 * @param head the commit to begin with
 */
export async function historyOf(
  git: Git,
  root: string,
  barPath: string,
  lockPath: string,
  head: string,
  digestOfText: (text: string) => string | null,
): Promise<BarCommit[]> {
  const history: BarCommit[] = [];
  let name: { readonly from: string; readonly path: string } | null = { from: head, path: barPath };
  while (name !== null) {
    const path: string = name.path;
    const lock = path === barPath ? lockPath : lockPathOf(path);
    const commits = await commitsOf(git, root, name.from, path);
    name = null;
    let text = commits.length === 0 ? null : await blobOf(git, root, commits[0]!.commit, path);
    for (const [i, { parent, ...dated }] of commits.entries()) {
      const lockText = await blobOf(git, root, dated.commit, lock);
      const digest = text === null ? null : digestOfText(plain(text));
      history.push({ ...dated, digest, lockDigest: lockText === null ? null : lockDigestOf(lockText) });
      const older = commits[i + 1];
      const olderText = older === undefined ? null : await blobOf(git, root, older.commit, path);
      if (text !== null && olderText === null && parent !== null) {
        const old = await nameBefore(git, root, dated.commit, parent, path);
        if (old !== null) {
          name = { from: parent, path: old };
          break;
        }
      }
      text = olderText;
    }
  }
  return history;
}

type Dated = Omit<BarCommit, "digest" | "lockDigest"> & { readonly parent: string | null };

/** Commits that changed a path, newest first, children before parents. */
async function commitsOf(git: Git, root: string, from: string, path: string): Promise<Dated[]> {
  const format = "--format=%H %ct %at %P";
  const answer = await git(root, "rev-list", "--first-parent", "--topo-order", format, from, "--", path);
  // rev-list puts a line "commit …" before each.
  const lines = textOf(answer).split("\n");
  return lines
    .filter((line) => /^[0-9a-f]{40}/.test(line))
    .map((line) => {
      const [commit = "", committed = "", authored = "", parent = ""] = line.split(" ");
      return {
        commit,
        committedAt: isoOf(committed),
        authoredAt: isoOf(authored),
        parent: parent === "" ? null : parent,
      };
    });
}

/** The name that a file had before a commit renamed it; null where the commit did not. */
async function nameBefore(
  git: Git,
  root: string,
  commit: string,
  parent: string,
  path: string,
): Promise<string | null> {
  const filters = ["-r", "-M", "-z", "--name-status", "--diff-filter=R"];
  const answer = await git(root, "diff-tree", ...filters, parent, commit);
  const fields = answer.stdout.toString().split("\0");
  for (let i = 0; i + 2 < fields.length; i += 3) if (fields[i + 2] === path) return fields[i + 1]!;
  return null;
}

function lockDigestOf(lock: Buffer): string | null {
  try {
    const digest: unknown = JSON.parse(plain(lock))?.digest;
    return typeof digest === "string" ? digest : null;
  } catch {
    return null;
  }
}

/** ISO 8601 in UTC; empty where git could not read the date. */
function isoOf(seconds: string): string {
  const date = new Date(/^-?\d+$/.test(seconds) ? Number(seconds) * 1000 : Number.NaN);
  return Number.isNaN(date.getTime()) ? "" : date.toISOString().replace(".000Z", "Z");
}

function plain(bytes: Buffer): string {
  return bytes.toString().replace(/^\uFEFF/, "");
}
