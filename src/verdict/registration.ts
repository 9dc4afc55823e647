import { ofCommit, ofGit, ofLock, ofOtherLocks, ofTimes } from "./registration-findings.ts";
import type { BarLock } from "./types.ts";

/** A commit that changed the bar file. */
export interface BarCommit {
  readonly commit: string;
  /** ISO 8601; empty where the commit's date cannot be read. */
  readonly committedAt: string;
  readonly authoredAt: string;
  /** Digest of the bar at that commit; null where it is unreadable, not a valid bar, or deleted. */
  readonly digest: string | null;
  /** Digest that the lock beside the bar carried at that commit; null without a readable lock. */
  readonly lockDigest: string | null;
}

/** What git knows about a bar and its lock. */
export interface GitFacts {
  /**
   * The working file against the commit that is checked out: `untracked` where that commit does not hold
   * it, whether staged or not; `modified` where it holds another text (line ends aside).
   */
  readonly state: "no-git" | "not-a-repository" | "untracked" | "modified" | "tracked";
  readonly isShallow: boolean;
  /** Commits that changed the bar file, newest first, children before parents, following renames. */
  readonly history: readonly BarCommit[];
  readonly lockState: "missing" | "untracked" | "modified" | "tracked";
  readonly head: string | null;
  /** Why git would not read a repository that is there, as a sentence that says what to do. */
  readonly refused?: string;
}

export interface RegistrationInput {
  /** Digest of the bar as it stands in the working tree. */
  readonly digest: string;
  /** The version of the analysis that judges. */
  readonly analysisVersion: number;
  readonly lock: BarLock | null;
  readonly git: GitFacts;
  /** ISO 8601. */
  readonly deployedAt: string | null;
  /** Begin of the judged window, ISO 8601; null where it has none of its own beside the deployment. */
  readonly windowFrom: string | null;
}

export interface Registration {
  readonly status: "registered" | "retrospective" | "unproved";
  readonly digest: string;
  readonly analysisVersion: number;
  readonly frozenAt: string | null;
  readonly newestDataAtFreeze: string | null;
  /** The commit since which the bar has been what it is; null where none is visible. */
  readonly commit: string | null;
  readonly committedAt: string | null;
  readonly deployedAt: string | null;
  readonly supersedes: BarLock["supersedes"];
  /** Why the status is not `registered`; one sentence each that says what to do. */
  readonly reasons: string[];
}

/**
 * Decides whether a bar was registered before the deployment. `retrospective` when a fact shows that it
 * came after, `unproved` when a fact is missing, `registered` when nothing is left to say.
 *
 * Times compare exactly. The bar's commit, the freeze and the deployment must be in strict order; the
 * newest data at the freeze may be as new as the deployment. In a shallow clone a commit that is visible
 * proves as much as anywhere: the bar existed when it was made. Only where the visible history ends before
 * a commit older than the deployment, nothing is known.
 */
export function register(input: RegistrationInput): Registration {
  const { digest, analysisVersion, lock, git, deployedAt } = input;
  const held = runOf(git.history, digest);
  const findings = [
    ...ofLock(input),
    ...ofGit(git, lock),
    ...ofCommit(input, held),
    ...ofTimes(input),
    ...ofOtherLocks(input),
  ];
  const has = (status: Registration["status"]): boolean =>
    findings.some((finding) => finding.status === status);
  const first = held.at(-1);
  return {
    status: has("retrospective") ? "retrospective" : has("unproved") ? "unproved" : "registered",
    digest,
    analysisVersion,
    frozenAt: lock?.frozenAt ?? null,
    newestDataAtFreeze: lock?.newestData ?? null,
    commit: first?.commit ?? null,
    committedAt: first?.committedAt ?? null,
    deployedAt,
    supersedes: lock?.supersedes ?? [],
    reasons: findings.map(({ reason }) => reason),
  };
}

/**
 * The latest unbroken run of commits with this digest, newest first. The order is topological, so every
 * descendant of a commit of the run is in the run: on no way from it to the head was the bar another.
 */
function runOf(history: readonly BarCommit[], digest: string): readonly BarCommit[] {
  const end = history.findIndex((commit) => commit.digest !== digest);
  return end === -1 ? history : history.slice(0, end);
}
