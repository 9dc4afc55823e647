import { Temporal } from "temporal-polyfill";
import type { BarCommit, GitFacts, RegistrationInput } from "./registration.ts";
import type { BarLock } from "./types.ts";

/** One reason why a bar is not registered, as a sentence that says what to do. */
export interface Finding {
  /** `retrospective` where a fact shows that the bar came after, `unproved` where a fact is missing. */
  readonly status: "retrospective" | "unproved";
  readonly reason: string;
}

/** What the lock shows of itself. */
export function ofLock({ lock, digest, analysisVersion }: RegistrationInput): Finding[] {
  if (lock === null) {
    return [
      unproved(
        "no readable lock stands beside the bar; run coldstart bar freeze and commit the bar with its lock before the deployment",
      ),
    ];
  }
  const findings: Finding[] = [];
  if (lock.digest !== digest) {
    findings.push(retrospective("the bar changed after it was frozen; use coldstart bar amend"));
  }
  if (lock.analysisVersion !== analysisVersion) {
    findings.push(
      retrospective(
        `the bar was frozen for version ${lock.analysisVersion} of the analysis and this program has version ${analysisVersion}; judge with the program that froze it, or use coldstart bar amend before the next deployment`,
      ),
    );
  }
  return findings;
}

/** Whether the bar and its lock are committed as they are. */
export function ofGit(git: GitFacts, lock: BarLock | null): Finding[] {
  if (git.state === "no-git") {
    return [unproved("git is not installed, so the history cannot be read; install git where the gate runs")];
  }
  if (git.state === "not-a-repository") {
    return [
      unproved(
        git.refused ??
          "the bar lies in no git repository; commit it with its lock and run the gate in a checkout of that repository",
      ),
    ];
  }
  const findings: Finding[] = [];
  if (git.state !== "tracked") findings.push(unproved(notCommitted("bar", git.state)));
  if (git.lockState === "missing" && lock !== null) {
    findings.push(unproved("the lock is gone from beside the bar; restore it from git"));
  }
  if (git.lockState === "untracked" || git.lockState === "modified") {
    findings.push(unproved(notCommitted("lock", git.lockState)));
  }
  return findings;
}

function notCommitted(file: string, state: "untracked" | "modified"): string {
  return state === "untracked"
    ? `the ${file} is not committed; commit the bar with its lock before the deployment`
    : `the ${file} differs from the one that is committed; commit it before the deployment, or restore the committed one`;
}

/**
 * Whether the bar was committed before the deployment.
 *
 * @param held the latest unbroken run of commits with this bar, newest first
 */
export function ofCommit(
  { git, digest, deployedAt }: RegistrationInput,
  held: readonly BarCommit[],
): Finding[] {
  const first = held.at(-1);
  if (first === undefined) {
    // Other states have said already why no commit holds it.
    return git.state === "tracked"
      ? [unproved("no readable commit holds this bar; check that git show HEAD prints the bar")]
      : [];
  }
  const name = first.commit.slice(0, 12);
  const committed = instantOf(first.committedAt);
  if (committed === null) {
    return [unproved(`commit ${name} has no readable date; commit the bar anew before the next deployment`)];
  }
  const deployed = instantOf(deployedAt);
  if (deployed === null || isBefore(committed, deployed)) return [];
  const older = git.history.slice(held.length);
  if (git.isShallow && older.length === 0) {
    return [
      unproved(
        `shallow clone: fetch with fetch-depth: 0 (or git fetch --unshallow), because no commit before the deployment at ${deployedAt} is visible`,
      ),
    ];
  }
  const late = `at ${first.committedAt}, not before the deployment at ${deployedAt}`;
  if (older.some((commit) => commit.digest === digest)) {
    return [
      retrospective(
        `the bar was changed and commit ${name} changed it back ${late}; leave a registered bar alone until it is judged`,
      ),
    ];
  }
  const authored = instantOf(first.authoredAt);
  return [
    retrospective(
      authored !== null && isBefore(authored, deployed)
        ? `commit ${name} was authored at ${first.authoredAt} but committed ${late}; if a rebase or a squash gave it its new date, run the gate in a checkout of the original commit`
        : `commit ${name} was the first to hold this bar, ${late}; commit the bar before the next deployment`,
    ),
  ];
}

/** Bars that were frozen here before and that this one does not own up to. */
export function ofOtherLocks({ git, digest, lock }: RegistrationInput): Finding[] {
  if (lock === null) return [];
  const known = new Set([digest, ...lock.supersedes.map((entry) => entry.digest)]);
  const hidden = git.history.find(({ lockDigest }) => lockDigest !== null && !known.has(lockDigest));
  if (hidden === undefined) return [];
  return [
    unproved(
      `commit ${hidden.commit.slice(0, 12)} holds the lock of another bar that this one does not say it supersedes; restore that lock and use coldstart bar amend --reason`,
    ),
  ];
}

/** The order of freeze, deployment, window and data. */
export function ofTimes({ lock, deployedAt, windowFrom }: RegistrationInput): Finding[] {
  const findings: Finding[] = [];
  const read = (text: string | null | undefined, what: string): Temporal.Instant | null => {
    const instant = instantOf(text ?? null);
    if (instant === null && typeof text === "string") {
      findings.push(
        unproved(
          `${what} "${text}" is no instant; write ISO 8601 with an offset, such as 2026-09-21T06:00:00Z`,
        ),
      );
    }
    return instant;
  };
  if (deployedAt === null) {
    findings.push(unproved("the moment of the deployment is not known; give it with --deployed-at"));
  }
  const deployed = read(deployedAt, "the moment of the deployment");
  const begin = read(windowFrom, "the begin of the judged window");
  const frozen = read(lock?.frozenAt, "the lock's frozenAt");
  const newest = read(lock?.newestData, "the lock's newestData");

  if (frozen !== null && deployed !== null && !isBefore(frozen, deployed)) {
    const what = lock!.supersedes.length === 0 ? "frozen" : "amended";
    findings.push(
      retrospective(
        `the bar was ${what} at ${lock!.frozenAt}, not before the deployment at ${deployedAt}; freeze a bar before the deployment that it judges`,
      ),
    );
  }
  // A window that begins with the deployment has its reason above.
  const isOwnWindow = begin !== null && (deployed === null || !begin.equals(deployed));
  if (frozen !== null && isOwnWindow && !isBefore(frozen, begin)) {
    findings.push(
      retrospective(
        `the judged window begins at ${windowFrom}, not after the freeze at ${lock!.frozenAt}; judge only what came after the freeze`,
      ),
    );
  }
  if (newest !== null && deployed !== null && isBefore(deployed, newest)) {
    findings.push(
      retrospective(
        `data up to ${lock!.newestData} had been seen when the bar was frozen, after the deployment at ${deployedAt}; freeze the next bar before its deployment`,
      ),
    );
  }
  return findings;
}

/** The instant of a text with an offset; null for anything else. */
function instantOf(text: string | null): Temporal.Instant | null {
  if (text === null) return null;
  try {
    return Temporal.Instant.from(text);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function isBefore(a: Temporal.Instant, b: Temporal.Instant): boolean {
  return Temporal.Instant.compare(a, b) < 0;
}

function retrospective(reason: string): Finding {
  return { status: "retrospective", reason };
}

function unproved(reason: string): Finding {
  return { status: "unproved", reason };
}
