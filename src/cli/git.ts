import { execFile } from "node:child_process";

export interface Answer {
  /** Exit code; -1 where git was killed or said too much. */
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Runs git in a folder and waits for its end; a failure is an answer too. */
export type Git = (folder: string, ...args: string[]) => Promise<Answer>;

/**
 * Variables that would make git answer for another repository, index or reading of paths than those of the
 * file itself; hooks set some of them. Configuration given by variables (`GIT_CONFIG_…`) stays.
 */
const FOREIGN = [
  ...["DIR", "WORK_TREE", "IMPLICIT_WORK_TREE", "COMMON_DIR", "INDEX_FILE", "PREFIX", "NAMESPACE"],
  ...["OBJECT_DIRECTORY", "ALTERNATE_OBJECT_DIRECTORIES", "SHALLOW_FILE", "GRAFT_FILE", "REPLACE_REF_BASE"],
  ...["GLOB_PATHSPECS", "NOGLOB_PATHSPECS", "ICASE_PATHSPECS"],
].map((name) => `GIT_${name}`);

/** There is no git to run. */
export class NoGit extends Error {}

/**
 * Git as this program asks it: arguments as they are, no pager, no prompt, no lock, English messages.
 * What is returned rejects with `NoGit` where git cannot be started.
 */
export function gitOf(env: Readonly<Record<string, string | undefined>>): Git {
  const own = Object.entries(env).filter(([name]) => !FOREIGN.includes(name));
  const childEnv = {
    ...Object.fromEntries(own),
    LC_ALL: "C",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    // A replaced commit may tell another date than the one that was pushed.
    GIT_NO_REPLACE_OBJECTS: "1",
  };
  const first = ["--no-pager", "--literal-pathspecs", "-c", "core.quotepath=off"];
  return (folder, ...args) =>
    new Promise((resolve, reject) => {
      const options = {
        cwd: folder,
        env: childEnv,
        encoding: "buffer",
        maxBuffer: 2 ** 26,
        windowsHide: true,
      } as const;
      const child = execFile("git", [...first, ...args], options, (error, stdout, stderr) => {
        const code = error === null ? 0 : error.code;
        if (code === "ENOENT" || code === "EACCES") return reject(new NoGit());
        resolve({ code: typeof code === "number" ? code : -1, stdout, stderr: stderr.toString() });
      });
      child.stdin?.end();
    });
}

/** The id of an object; null where there is none of that name. */
export async function objectOf(git: Git, root: string, name: string): Promise<string | null> {
  const answer = await git(root, "rev-parse", "--verify", "--quiet", name);
  return answer.code === 0 ? textOf(answer) : null;
}

/** A file as a commit holds it; null where the commit does not, or it cannot be read. */
export async function blobOf(git: Git, root: string, commit: string, path: string): Promise<Buffer | null> {
  const answer = await git(root, "cat-file", "blob", `${commit}:${path}`);
  return answer.code === 0 ? answer.stdout : null;
}

/** What git printed, without the end of its last line. */
export function textOf({ stdout }: Answer): string {
  return stdout.toString().replace(/\r?\n$/, "");
}
