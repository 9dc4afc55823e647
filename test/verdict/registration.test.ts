import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type BarCommit,
  type GitFacts,
  type Registration,
  type RegistrationInput,
  register,
} from "../../src/verdict/registration.ts";
import type { BarLock } from "../../src/verdict/types.ts";

const BAR = "a".repeat(64);
const OTHER = "b".repeat(64);
const THIRD = "c".repeat(64);
const DEPLOYED = "2026-09-21T06:00:00Z";

function commit(committedAt: string, digest: string | null = BAR, more: Partial<BarCommit> = {}): BarCommit {
  const name = Buffer.from(committedAt).toString("hex").padEnd(40, "0").slice(-40);
  return {
    commit: name,
    committedAt,
    authoredAt: committedAt,
    digest,
    lockDigest: digest === BAR ? BAR : null,
    ...more,
  };
}

function lock(more: Partial<BarLock> = {}): BarLock {
  return {
    schema: "coldstart.lock/1",
    digest: BAR,
    analysisVersion: 1,
    frozenAt: "2026-09-18T10:00:00Z",
    newestData: "2026-09-18T09:00:00Z",
    supersedes: [],
    ...more,
  };
}

function git(more: Partial<GitFacts> = {}): GitFacts {
  const history = [commit("2026-09-18T11:00:00Z")];
  return { state: "tracked", isShallow: false, history, lockState: "tracked", head: "f".repeat(40), ...more };
}

function input(more: Partial<RegistrationInput> = {}): RegistrationInput {
  return {
    digest: BAR,
    analysisVersion: 1,
    lock: lock(),
    git: git(),
    deployedAt: DEPLOYED,
    windowFrom: DEPLOYED,
    ...more,
  };
}

/** What the outcome is with some facts changed. */
const outcome = (more: Partial<RegistrationInput>): Pick<Registration, "status" | "reasons"> => {
  const { status, reasons } = register(input(more));
  return { status, reasons };
};
const history = (...commits: BarCommit[]): Partial<RegistrationInput> => ({ git: git({ history: commits }) });

describe("a bar that is registered", () => {
  it("has every fact and no reasons", () => {
    expect(register(input())).toEqual({
      status: "registered",
      digest: BAR,
      analysisVersion: 1,
      frozenAt: "2026-09-18T10:00:00Z",
      newestDataAtFreeze: "2026-09-18T09:00:00Z",
      commit: commit("2026-09-18T11:00:00Z").commit,
      committedAt: "2026-09-18T11:00:00Z",
      deployedAt: DEPLOYED,
      supersedes: [],
      reasons: [],
    });
  });

  it("names the first commit of the latest run with this bar", () => {
    const registration = register(
      input(
        history(
          commit("2026-09-20T00:00:00Z"),
          commit("2026-09-19T00:00:00Z"),
          commit("2026-09-18T00:00:00Z", OTHER),
          commit("2026-09-17T00:00:00Z"),
        ),
      ),
    );
    expect(registration.status).toBe("registered");
    expect(registration.committedAt).toBe("2026-09-19T00:00:00Z");
  });

  it("says so where an earlier frozen bar is not among those that it supersedes", () => {
    const earlier = commit("2026-09-17T00:00:00Z", OTHER, { lockDigest: OTHER });
    const commits = history(commit("2026-09-19T00:00:00Z"), earlier);
    expect(register(input(commits))).toMatchObject({
      status: "unproved",
      reasons: [expect.stringMatching(/holds the lock of another bar/)],
    });
    const supersedes = [{ digest: OTHER, frozenAt: "2026-09-17T00:00:00Z", reason: "stricter" }];
    expect(register({ ...input(commits), lock: lock({ supersedes }) }).status).toBe("registered");
  });

  it("may be rewritten without a change of its digest after the deployment", () => {
    const commits = history(commit("2026-09-25T00:00:00Z"), commit("2026-09-19T00:00:00Z"));
    expect(outcome(commits)).toEqual({ status: "registered", reasons: [] });
  });

  it("may supersede another, which is listed", () => {
    const supersedes = [{ digest: OTHER, frozenAt: "2026-09-01T00:00:00Z", reason: "a stricter bar" }];
    const registration = register(input({ lock: lock({ supersedes }) }));
    expect(registration).toMatchObject({ status: "registered", supersedes, reasons: [] });
  });

  it("may have been frozen without data, or with data as new as the deployment", () => {
    expect(outcome({ lock: lock({ newestData: null }) }).status).toBe("registered");
    expect(outcome({ lock: lock({ newestData: DEPLOYED }) }).status).toBe("registered");
  });

  it("compares instants, not their texts", () => {
    const late = { ...history(commit("2026-09-21T07:30:00+02:00")), windowFrom: "2026-09-21T08:00:00+02:00" };
    expect(outcome(late).status).toBe("registered");
    expect(outcome(history(commit("2026-09-21T04:30:00-02:00"))).status).toBe("retrospective");
  });
});

describe("a shallow clone", () => {
  const shallow = (...commits: BarCommit[]): Partial<RegistrationInput> => ({
    git: git({ isShallow: true, history: commits }),
  });

  it("proves what its oldest commit holds", () => {
    expect(outcome(shallow(commit("2026-09-20T00:00:00Z")))).toEqual({ status: "registered", reasons: [] });
  });

  it("does not prove a bar whose visible history begins after the deployment", () => {
    const { status, reasons } = outcome(shallow(commit("2026-09-22T00:00:00Z")));
    expect(status).toBe("unproved");
    expect(reasons).toEqual([expect.stringContaining("shallow clone: fetch with fetch-depth: 0")]);
  });

  it("shows that a bar came after, where the change is visible", () => {
    const { status } = outcome(
      shallow(commit("2026-09-22T00:00:00Z"), commit("2026-09-21T12:00:00Z", OTHER)),
    );
    expect(status).toBe("retrospective");
  });
});

describe("a bar that came after", () => {
  it.each<[string, Partial<RegistrationInput>, RegExp]>([
    [
      "changed after the freeze",
      { lock: lock({ digest: OTHER }) },
      /changed after it was frozen; use coldstart bar amend$/,
    ],
    ["of another analysis", { analysisVersion: 2 }, /frozen for version 1 .* this program has version 2/],
    [
      "committed with the deployment",
      history(commit(DEPLOYED)),
      /^commit [0-9a-f]{12} was the first to hold this bar, at .*06:00:00Z, not before/,
    ],
    [
      "committed after the deployment",
      history(commit("2026-09-21T06:00:01Z")),
      /commit the bar before the next deployment$/,
    ],
    [
      "changed after the deployment",
      history(commit("2026-09-22T00:00:00Z"), commit("2026-09-18T00:00:00Z", OTHER)),
      /was the first to hold this bar/,
    ],
    [
      "changed away and back",
      history(
        commit("2026-09-23T00:00:00Z"),
        commit("2026-09-22T00:00:00Z", OTHER),
        commit("2026-09-18T00:00:00Z"),
      ),
      /changed it back at 2026-09-23T00:00:00Z/,
    ],
    [
      "deleted and restored",
      history(
        commit("2026-09-23T00:00:00Z"),
        commit("2026-09-22T00:00:00Z", null),
        commit("2026-09-18T00:00:00Z"),
      ),
      /changed it back/,
    ],
    [
      "rebased after the deployment",
      history(commit("2026-09-22T00:00:00Z", BAR, { authoredAt: "2026-09-18T00:00:00Z" })),
      /authored at 2026-09-18T00:00:00Z .* run the gate in a checkout of the original commit$/,
    ],
    [
      "committed late by an author of unknown date",
      history(commit("2026-09-22T00:00:00Z", BAR, { authoredAt: "" })),
      /was the first to hold this bar/,
    ],
    [
      "frozen with the deployment",
      { lock: lock({ frozenAt: DEPLOYED }) },
      /was frozen at .* not before the deployment/,
    ],
    ["frozen a tick after", { lock: lock({ frozenAt: "2026-09-21T06:00:00.0000001Z" }) }, /was frozen at/],
    [
      "frozen in its window",
      { windowFrom: "2026-09-18T10:00:00Z" },
      /window begins at .*, not after the freeze/,
    ],
    [
      "amended after the deployment",
      {
        lock: lock({
          frozenAt: "2026-09-22T00:00:00Z",
          supersedes: [{ digest: OTHER, frozenAt: "2026-09-01T00:00:00Z", reason: "too strict" }],
        }),
      },
      /was amended at 2026-09-22/,
    ],
    [
      "frozen with its data",
      { lock: lock({ newestData: "2026-09-21T06:00:00.001Z" }) },
      /had been seen when/,
    ],
  ])("%s", (_name, facts, reason) => {
    const { status, reasons } = outcome(facts);
    expect(status).toBe("retrospective");
    expect(reasons).toEqual([expect.stringMatching(reason)]);
  });
});

describe("a bar of which something is not known", () => {
  it.each<[string, Partial<RegistrationInput>, RegExp]>([
    ["no lock", { lock: null, git: git({ lockState: "missing" }) }, /run coldstart bar freeze/],
    ["no git", { git: git({ state: "no-git", history: [], lockState: "untracked" }) }, /install git/],
    [
      "no repository",
      { git: git({ state: "not-a-repository", history: [], lockState: "untracked" }) },
      /lies in no git repository/,
    ],
    [
      "a repository that git refuses",
      { git: git({ state: "not-a-repository", history: [], refused: "trust it with safe.directory" }) },
      /^trust it with safe\.directory$/,
    ],
    ["untracked", { git: git({ state: "untracked", history: [] }) }, /the bar is not committed; commit/],
    ["modified", { git: git({ state: "modified" }) }, /the bar differs from the one that is committed/],
    ["lock untracked", { git: git({ lockState: "untracked" }) }, /the lock is not committed; commit/],
    ["lock modified", { git: git({ lockState: "modified" }) }, /the lock differs from/],
    ["lock gone", { git: git({ lockState: "missing" }) }, /the lock is gone/],
    [
      "nothing readable in git",
      history(commit("2026-09-18T00:00:00Z", null)),
      /no readable commit holds this bar/,
    ],
    ["a commit without a date", history(commit("")), /has no readable date/],
    ["no deployment", { deployedAt: null, windowFrom: null }, /give it with --deployed-at/],
    [
      "a deployment that is no instant",
      { deployedAt: "2026-09-21" },
      /^the moment of the deployment "2026-09-21" is no/,
    ],
    [
      "a window that is no instant",
      { windowFrom: "monday" },
      /^the begin of the judged window "monday" is no/,
    ],
    [
      "a freeze that is no instant",
      { lock: lock({ frozenAt: "2026-09-18T10:00" }) },
      /frozenAt "2026-09-18T10:00"/,
    ],
    ["newest data that is no instant", { lock: lock({ newestData: "" }) }, /newestData "" is no instant/],
  ])("%s", (_name, facts, reason) => {
    const { status, reasons } = outcome(facts);
    expect(status).toBe("unproved");
    expect(reasons).toEqual([expect.stringMatching(reason)]);
  });
});

it("lists every reason, and one that shows the bar came after outweighs those that show nothing", () => {
  const { status, reasons } = outcome({
    lock: lock({ digest: OTHER, frozenAt: "2026-09-22T00:00:00Z", newestData: "2026-09-22T00:00:00Z" }),
    git: git({ state: "modified", lockState: "untracked", history: [commit("2026-09-22T00:00:00Z")] }),
    windowFrom: "2026-09-21T00:00:00Z",
  });
  expect(status).toBe("retrospective");
  expect(reasons.map((reason) => reason.split(/[;,]/)[0])).toEqual([
    "the bar changed after it was frozen",
    "the bar differs from the one that is committed",
    "the lock is not committed",
    expect.stringContaining("was the first to hold this bar"),
    expect.stringContaining("the bar was frozen at"),
    expect.stringContaining("the judged window begins at"),
    expect.stringContaining("had been seen when the bar was frozen"),
  ]);
});

it("takes from the lock what there is, and nothing without one", () => {
  expect(register(input({ lock: null }))).toMatchObject({
    status: "unproved",
    frozenAt: null,
    newestDataAtFreeze: null,
    supersedes: [],
  });
});

describe("for any times", () => {
  const second = (n: number): string => new Date(Date.UTC(2026, 8, 1) + n * 1000).toISOString();
  const until = (end: number): fc.Arbitrary<number> => fc.integer({ min: 0, max: end });
  const LAST = 2_000_000;

  /** Facts of a registered bar: everything before a deployment, in any order and with any older history. */
  const registered = fc.integer({ min: 1, max: LAST }).chain((deployed) =>
    fc
      .record({
        runs: fc.array(until(deployed - 1), { minLength: 1, maxLength: 4 }),
        older: fc.array(fc.tuple(until(LAST), fc.constantFrom(BAR, OTHER, THIRD, null)), { maxLength: 4 }),
        rewritten: fc.array(until(LAST), { maxLength: 2 }),
        frozen: until(deployed - 1),
        newest: fc.option(until(deployed)),
        window: fc.option(fc.integer({ min: deployed, max: LAST + 1 })),
        isShallow: fc.boolean(),
      })
      .map(({ runs, older, rewritten, frozen, newest, window, isShallow }): RegistrationInput => {
        const run = [...rewritten, ...runs].map((n) => commit(second(n)));
        const before = older.map(([n, digest]) => commit(second(n), digest));
        // Whatever comes before the run ended another bar.
        if (before.length > 0) before[0] = { ...before[0]!, digest: OTHER };
        return input({
          deployedAt: second(deployed),
          windowFrom: window === null ? null : second(window),
          lock: lock({ frozenAt: second(frozen), newestData: newest === null ? null : second(newest) }),
          git: git({ isShallow, history: [...run, ...before] }),
        });
      }),
  );

  /** Each makes one fact false that registration needs. */
  const spoil: Readonly<Record<string, (facts: RegistrationInput, by: number) => RegistrationInput>> = {
    "no lock": (facts) => ({ ...facts, lock: null }),
    "another bar in the lock": (facts) => ({ ...facts, lock: { ...facts.lock!, digest: OTHER } }),
    "another bar in the tree": (facts) => ({ ...facts, digest: THIRD }),
    "another analysis": (facts, by) => ({ ...facts, analysisVersion: 2 + by }),
    "frozen late": (facts, by) => withLock(facts, { frozenAt: later(facts.deployedAt!, by) }),
    "seen data": (facts, by) => withLock(facts, { newestData: later(facts.deployedAt!, 1 + by) }),
    "early window": (facts, by) => ({ ...facts, windowFrom: later(facts.lock!.frozenAt, -by) }),
    "no deployment": (facts) => ({ ...facts, deployedAt: null }),
    "no history": (facts) => withGit(facts, { history: [] }),
    "another bar at the head": (facts, by) =>
      withGit(facts, { history: [commit(second(by), OTHER), ...facts.git.history] }),
    "committed late": (facts, by) =>
      withGit(facts, {
        history: facts.git.history.map((one) => ({ ...one, committedAt: later(facts.deployedAt!, by) })),
      }),
    "deployed earlier": (facts, by) => {
      const end = facts.git.history.findIndex(({ digest }) => digest !== BAR);
      const first = facts.git.history.at(end === -1 ? -1 : end - 1)!;
      return { ...facts, deployedAt: later(first.committedAt, -by) };
    },
    ...Object.fromEntries(
      (["no-git", "not-a-repository", "untracked", "modified"] as const).map((state) => [
        state,
        (facts: RegistrationInput) => withGit(facts, { state }),
      ]),
    ),
    ...Object.fromEntries(
      (["missing", "untracked", "modified"] as const).map((lockState) => [
        `lock ${lockState}`,
        (facts: RegistrationInput) => withGit(facts, { lockState }),
      ]),
    ),
  };
  const withLock = (facts: RegistrationInput, more: Partial<BarLock>): RegistrationInput => ({
    ...facts,
    lock: { ...facts.lock!, ...more },
  });
  const withGit = (facts: RegistrationInput, more: Partial<GitFacts>): RegistrationInput => ({
    ...facts,
    git: { ...facts.git, ...more },
  });
  const later = (instant: string, seconds: number): string =>
    new Date(Date.parse(instant) + seconds * 1000).toISOString();

  it("is registered with all facts", () => {
    fc.assert(
      fc.property(registered, (facts) => {
        expect(outcome(facts)).toEqual({ status: "registered", reasons: [] });
      }),
    );
  });

  it.each(Object.keys(spoil))("is never registered with one fact false: %s", (name) => {
    fc.assert(
      fc.property(registered, until(1000), (facts, by) => {
        const { status, reasons } = outcome(spoil[name]!(facts, by));
        expect(status).not.toBe("registered");
        expect(reasons).not.toEqual([]);
      }),
    );
  });
});
