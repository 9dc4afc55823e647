import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gitFacts } from "../../src/cli/git-facts.ts";
import { type GitFacts, register } from "../../src/verdict/registration.ts";

const BAR = "coldstart.bar.yaml";
const LOCK = "coldstart.bar.lock.json";

let home = "";
let env: Record<string, string> = {};
let count = 0;

beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "coldstart-git-")));
  writeFileSync(
    join(home, "gitconfig"),
    '[user]\n\tname = Ada\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n[protocol "file"]\n\tallow = always\n',
  );
  env = {
    PATH: process.env.PATH ?? "",
    HOME: home,
    GIT_CONFIG_GLOBAL: join(home, "gitconfig"),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CEILING_DIRECTORIES: home,
  };
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

/** A working tree in a folder of its own. */
class Tree {
  readonly root: string;

  constructor(root = join(home, `tree-${count++}`)) {
    this.root = root;
    mkdirSync(root, { recursive: true });
  }

  git(...args: string[]): string {
    return this.at("2026-09-30T00:00:00Z", ...args);
  }

  /** Runs git at a time. */
  at(time: string, ...args: string[]): string {
    const dates = { GIT_AUTHOR_DATE: time, GIT_COMMITTER_DATE: time };
    const options = { cwd: this.root, env: { ...env, ...dates }, stdio: "pipe" } as const;
    return execFileSync("git", args, options).toString().trim();
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }

  /** Commits everything that is there; returns the commit. */
  commit(time: string): string {
    this.git("add", "--all");
    this.at(time, "commit", "--quiet", "--allow-empty", "--message", "change");
    return this.git("rev-parse", "HEAD");
  }

  facts(path = BAR, more: Record<string, string | undefined> = {}): Promise<GitFacts> {
    const lock = path.replace(/\.yaml$/, ".lock.json");
    return gitFacts(join(this.root, path), join(this.root, lock), digestOfText, { ...env, ...more });
  }
}

function repository(): Tree {
  const tree = new Tree();
  tree.git("init", "--quiet");
  return tree;
}

/** A repository with a bar and its lock, committed once. */
function withBar(path = BAR): Tree {
  const tree = repository();
  tree.write(path, bar("one"));
  tree.write(path.replace(/\.yaml$/, ".lock.json"), lock("one"));
  tree.commit("2026-09-01T10:00:00Z");
  return tree;
}

/** Long enough for a rename with a change in it to be found. */
function bar(name: string, comment = ""): string {
  return `# ${comment}\nname: ${name}\n${"# the rest of the bar stays the same\n".repeat(20)}`;
}

function lock(digest: string): string {
  return `${JSON.stringify({ schema: "coldstart.lock/1", digest })}\n`;
}

/** A stand-in for the bar's digest: its name, whatever the comments are. */
function digestOfText(text: string): string | null {
  return /^name: (\S+)$/m.exec(text.replaceAll("\r\n", "\n"))?.[1] ?? null;
}

const digests = ({ history }: GitFacts): (string | null)[] => history.map(({ digest }) => digest);
const dates = ({ history }: GitFacts): string[] => history.map(({ committedAt }) => committedAt);

describe("a bar that is committed", () => {
  it("has its commits, newest first, with both dates and both digests", async () => {
    const tree = repository();
    tree.write(BAR, bar("one"));
    const first = tree.commit("2026-09-01T10:00:00+02:00");
    tree.write("other.txt", "not the bar");
    tree.commit("2026-09-02T00:00:00Z");
    tree.write(BAR, bar("two"));
    tree.write(LOCK, lock("two"));
    tree.git("add", "--all");
    tree.at("2026-09-03T00:00:00Z", "commit", "-qm", "change", "--date", "2026-08-31T00:00:00Z");
    const second = tree.git("rev-parse", "HEAD");
    tree.write("other.txt", "still not");
    const head = tree.commit("2026-09-04T00:00:00Z");

    expect(await tree.facts()).toEqual({
      state: "tracked",
      isShallow: false,
      lockState: "tracked",
      head,
      history: [
        {
          commit: second,
          committedAt: "2026-09-03T00:00:00Z",
          authoredAt: "2026-08-31T00:00:00Z",
          digest: "two",
          lockDigest: "two",
        },
        {
          commit: first,
          committedAt: "2026-09-01T08:00:00Z",
          authoredAt: "2026-09-01T08:00:00Z",
          digest: "one",
          lockDigest: null,
        },
      ],
    });
  });

  it("has no digest where it was no bar, or was deleted, and none of a lock that is none", async () => {
    const tree = withBar();
    tree.write(BAR, "<<<<<<< a conflict");
    tree.write(LOCK, "{");
    tree.commit("2026-09-02T00:00:00Z");
    unlinkSync(join(tree.root, BAR));
    tree.write(LOCK, "null");
    tree.commit("2026-09-03T00:00:00Z");
    tree.write(BAR, bar("one"));
    tree.commit("2026-09-04T00:00:00Z");
    const facts = await tree.facts();
    expect(digests(facts)).toEqual(["one", null, null, "one"]);
    expect(facts.history.map(({ lockDigest }) => lockDigest)).toEqual([null, null, null, "one"]);
  });

  it.each([
    "with space.yaml",
    "-leading.yaml",
    "--help.yaml",
    "ünïcode 冷.yaml",
    "[ab]*?.yaml",
    ":(top)magic.yaml",
    "quo\"te'$(x).yaml",
    "deep/-folder/ä b/c.yaml",
  ])("may be called %s", async (name) => {
    const tree = withBar(name);
    tree.write("a.yaml", bar("another"));
    tree.commit("2026-09-05T00:00:00Z");
    const facts = await tree.facts(name);
    expect(facts).toMatchObject({ state: "tracked", lockState: "tracked" });
    expect(facts.history).toMatchObject([{ digest: "one", lockDigest: "one" }]);
  });

  it("may be reached through links", async () => {
    const tree = withBar("deep/folder/coldstart.bar.yaml");
    const elsewhere = new Tree();
    symlinkSync(join(tree.root, "deep"), join(elsewhere.root, "linked"));
    const facts = await elsewhere.facts("linked/folder/coldstart.bar.yaml");
    expect(facts).toMatchObject({ state: "tracked", lockState: "tracked", history: [{ digest: "one" }] });
  });

  it("may be a link to another file, which then counts", async () => {
    const tree = withBar("bars/shared.yaml");
    symlinkSync(join("bars", "shared.yaml"), join(tree.root, BAR));
    tree.write(LOCK, lock("one"));
    tree.commit("2026-09-02T00:00:00Z");
    expect(await tree.facts()).toMatchObject({ state: "tracked", lockState: "tracked" });
    tree.write("bars/shared.yaml", bar("two"));
    const facts = await tree.facts();
    expect(facts.state).toBe("modified");
    expect(dates(facts)).toEqual(["2026-09-01T10:00:00Z"]);
  });

  it("may lie in a linked working tree, at a detached head", async () => {
    const tree = withBar();
    const linked = new Tree();
    tree.git("worktree", "add", "--quiet", "--detach", join(linked.root, "w"));
    expect(await linked.facts(`w/${BAR}`)).toMatchObject({ state: "tracked", history: [{ digest: "one" }] });
  });

  it("may lie in a submodule, whose own history counts", async () => {
    const inner = withBar();
    const outer = repository();
    outer.git("submodule", "--quiet", "add", inner.root, "sub");
    outer.commit("2026-09-09T00:00:00Z");
    const facts = await outer.facts(`sub/${BAR}`);
    expect(facts).toMatchObject({ state: "tracked", lockState: "tracked" });
    expect(facts.head).toBe(inner.git("rev-parse", "HEAD"));
    expect(dates(facts)).toEqual(["2026-09-01T10:00:00Z"]);
  });

  it("may have other line ends in the working tree", async () => {
    const origin = withBar();
    const tree = new Tree();
    tree.git("clone", "--quiet", "--config", "core.autocrlf=true", origin.root, ".");
    expect(readFileSync(join(tree.root, BAR), "utf8")).toContain("name: one\r\n");
    expect(await tree.facts()).toMatchObject({
      state: "tracked",
      lockState: "tracked",
      history: [{ digest: "one" }],
    });
  });
});

describe("a bar that is not committed as it is", () => {
  it("in a repository without commits", async () => {
    const tree = repository();
    tree.write(BAR, bar("one"));
    const expected = { state: "untracked", history: [], lockState: "missing", head: null };
    expect(await tree.facts()).toMatchObject(expected);
    tree.git("add", BAR);
    expect(await tree.facts()).toMatchObject(expected);
  });

  it("staged, ignored, or beside a committed one", async () => {
    const tree = withBar();
    tree.write(".gitignore", "ignored/\n");
    tree.write("ignored/bar.yaml", bar("one"));
    tree.write("ignored/bar.lock.json", lock("one"));
    tree.write("staged.yaml", bar("one"));
    tree.git("add", "staged.yaml");
    const untracked = { state: "untracked", history: [] };
    expect(await tree.facts("ignored/bar.yaml")).toMatchObject({ ...untracked, lockState: "untracked" });
    expect(await tree.facts("staged.yaml")).toMatchObject({ ...untracked, lockState: "missing" });
  });

  it("changed, also where the index is told to overlook it, and gone", async () => {
    const tree = withBar();
    tree.write(BAR, bar("one", "a word more"));
    expect(await tree.facts()).toMatchObject({ state: "modified", lockState: "tracked" });
    tree.git("add", BAR);
    expect(await tree.facts()).toMatchObject({ state: "modified" });
    tree.git("reset", "--quiet");
    tree.git("update-index", "--assume-unchanged", BAR);
    expect(tree.git("status", "--porcelain")).toBe("");
    expect(await tree.facts()).toMatchObject({ state: "modified" });
    unlinkSync(join(tree.root, BAR));
    expect(await tree.facts()).toMatchObject({ state: "modified", history: [{ digest: "one" }] });
  });

  it("with a lock that is not", async () => {
    const tree = withBar();
    tree.write(LOCK, lock("two"));
    expect(await tree.facts()).toMatchObject({ state: "tracked", lockState: "modified" });
    unlinkSync(join(tree.root, LOCK));
    expect(await tree.facts()).toMatchObject({ state: "tracked", lockState: "missing" });
    tree.commit("2026-09-02T00:00:00Z");
    tree.write(LOCK, lock("one"));
    expect(await tree.facts()).toMatchObject({ state: "tracked", lockState: "untracked" });
  });

  it("with a lock in another repository", async () => {
    const tree = withBar();
    const other = withBar();
    const facts = await gitFacts(join(tree.root, BAR), join(other.root, LOCK), digestOfText, env);
    expect(facts).toMatchObject({ state: "tracked", lockState: "untracked" });
  });
});

describe("a bar that was renamed", () => {
  it("keeps its history, and that of its lock", async () => {
    const tree = withBar("bars/old.yaml");
    tree.git("mv", "bars", "renamed");
    tree.commit("2026-09-02T00:00:00Z");
    tree.git("mv", "renamed/old.yaml", BAR);
    tree.git("mv", "renamed/old.lock.json", LOCK);
    tree.write(BAR, bar("one", "with another comment"));
    tree.commit("2026-09-03T00:00:00Z");
    // Its old name is taken by another.
    tree.write("bars/old.yaml", bar("unrelated"));
    tree.commit("2026-09-04T00:00:00Z");
    const facts = await tree.facts();
    expect(dates(facts)).toEqual(["2026-09-03T00:00:00Z", "2026-09-02T00:00:00Z", "2026-09-01T10:00:00Z"]);
    expect(facts.history.map(({ digest, lockDigest }) => [digest, lockDigest])).toEqual(
      Array(3).fill(["one", "one"]),
    );
  });

  it("keeps its history where the name had belonged to another file", async () => {
    const tree = repository();
    tree.write(BAR, bar("older"));
    tree.commit("2026-08-01T00:00:00Z");
    unlinkSync(join(tree.root, BAR));
    tree.commit("2026-08-02T00:00:00Z");
    tree.write("draft.yaml", bar("one"));
    tree.commit("2026-09-01T00:00:00Z");
    tree.git("mv", "draft.yaml", BAR);
    tree.commit("2026-09-02T00:00:00Z");
    const facts = await tree.facts();
    expect(dates(facts)).toEqual(["2026-09-02T00:00:00Z", "2026-09-01T00:00:00Z"]);
  });

  it("is not a copy of another", async () => {
    const tree = withBar("original.yaml");
    tree.write(BAR, bar("one"));
    tree.commit("2026-09-02T00:00:00Z");
    expect(dates(await tree.facts())).toEqual(["2026-09-02T00:00:00Z"]);
  });
});

describe("a history with merges", () => {
  it("leaves out what a branch did that the merge gave up", async () => {
    const tree = withBar();
    tree.git("checkout", "--quiet", "-b", "side");
    tree.write(BAR, bar("two"));
    tree.commit("2026-09-02T00:00:00Z");
    tree.git("checkout", "--quiet", "main");
    tree.write("other.txt", "more");
    tree.commit("2026-09-03T00:00:00Z");
    tree.at("2026-09-04T00:00:00Z", "merge", "--quiet", "--strategy", "ours", "--no-edit", "side");
    expect(digests(await tree.facts())).toEqual(["one"]);
  });

  it("dates what a merge brought in by the merge: the branch did not have it before", async () => {
    const tree = repository();
    tree.commit("2026-08-01T00:00:00Z");
    tree.git("checkout", "--quiet", "-b", "feature");
    tree.write("feature.txt", "x");
    tree.commit("2026-08-02T00:00:00Z");
    tree.git("checkout", "--quiet", "main");
    tree.write(BAR, bar("one"));
    tree.commit("2026-09-01T00:00:00Z");
    tree.git("checkout", "--quiet", "feature");
    tree.at("2026-09-30T00:00:00Z", "merge", "--quiet", "--no-edit", "main");
    expect(dates(await tree.facts())).toEqual(["2026-09-30T00:00:00Z"]);
  });

  it("is not fooled by a stale branch that brings an older bar back", async () => {
    const tree = withBar();
    tree.git("checkout", "--quiet", "-b", "stale");
    tree.write("other.txt", "more");
    tree.commit("2026-09-02T00:00:00Z");
    tree.git("checkout", "--quiet", "main");
    tree.write(BAR, bar("two"));
    tree.commit("2026-09-03T00:00:00Z");
    tree.git("merge", "--quiet", "--no-commit", "--strategy", "ours", "stale");
    tree.write(BAR, bar("one"));
    tree.commit("2026-09-30T00:00:00Z");
    const facts = await tree.facts();
    expect(digests(facts)).toEqual(["one", "two", "one"]);
    expect(dates(facts)[0]).toBe("2026-09-30T00:00:00Z");
  });

  it("names the merge where it made the bar what it is", async () => {
    const tree = withBar();
    tree.git("checkout", "--quiet", "-b", "side");
    tree.write(BAR, bar("two"));
    tree.commit("2026-09-02T00:00:00Z");
    tree.git("checkout", "--quiet", "main");
    tree.write(BAR, bar("three"));
    tree.commit("2026-09-03T00:00:00Z");
    tree.git("merge", "--quiet", "--no-commit", "--strategy", "ours", "side");
    tree.write(BAR, bar("four"));
    const merge = tree.commit("2026-09-04T00:00:00Z");
    const facts = await tree.facts();
    expect(facts.history[0]).toMatchObject({ commit: merge, digest: "four" });
    expect(digests(facts)).toEqual(["four", "three", "one"]);
  });

  it("keeps to the first parents, whatever the dates of a side branch", async () => {
    const tree = withBar();
    tree.git("checkout", "--quiet", "-b", "side");
    tree.write(BAR, bar("two"));
    tree.commit("2020-01-01T00:00:00Z");
    tree.git("checkout", "--quiet", "main");
    tree.write(BAR, bar("three"));
    tree.commit("2026-09-03T00:00:00Z");
    tree.git("merge", "--quiet", "--no-commit", "--strategy", "ours", "side");
    tree.write(BAR, bar("four"));
    tree.commit("2026-09-04T00:00:00Z");
    const facts = await tree.facts();
    expect(digests(facts)).toEqual(["four", "three", "one"]);
  });
});

describe("a shallow clone", () => {
  it("shows what it has", async () => {
    const origin = withBar();
    origin.write("other.txt", "later");
    const head = origin.commit("2026-09-25T00:00:00Z");
    const tree = new Tree();
    tree.git("clone", "--quiet", "--depth", "1", `file://${origin.root}`, ".");
    expect(await tree.facts()).toMatchObject({
      state: "tracked",
      isShallow: true,
      head,
      history: [{ commit: head, committedAt: "2026-09-25T00:00:00Z", digest: "one" }],
    });
    tree.git("fetch", "--quiet", "--unshallow");
    const facts = await tree.facts();
    expect(facts.isShallow).toBe(false);
    expect(dates(facts)).toEqual(["2026-09-01T10:00:00Z"]);
  });
});

describe("without a repository to read", () => {
  it("where git is not installed, or may not be run", async () => {
    const tree = withBar();
    const empty = new Tree();
    const expected = { state: "no-git", history: [], lockState: "untracked", head: null };
    expect(await tree.facts(BAR, { PATH: empty.root })).toMatchObject(expected);
    empty.write("git", "#!/bin/sh\n");
    chmodSync(join(empty.root, "git"), 0o644);
    expect(await tree.facts(BAR, { PATH: empty.root })).toMatchObject(expected);
  });

  it("where the bar lies in none", async () => {
    const tree = new Tree();
    const expected = { state: "not-a-repository", isShallow: false, history: [], head: null };
    expect(await tree.facts("no/such/folder/bar.yaml")).toEqual({ ...expected, lockState: "missing" });
    tree.write(BAR, bar("one"));
    tree.write(LOCK, lock("one"));
    expect(await tree.facts()).toEqual({ ...expected, lockState: "untracked" });
    const inside = withBar();
    inside.write(`.git/${BAR}`, bar("one"));
    expect(await inside.facts(`.git/${BAR}`)).toEqual({ ...expected, lockState: "missing" });
  });

  it("where it belongs to another user: says how to trust it", async () => {
    const tree = withBar();
    const facts = await tree.facts(BAR, { GIT_TEST_ASSUME_DIFFERENT_OWNER: "1", LANG: "de_DE.UTF-8" });
    expect(facts.state).toBe("not-a-repository");
    expect(facts.refused).toContain(`git config --global --add safe.directory '${tree.root}'`);
    tree.git("config", "--file", join(home, "trusting"), "safe.directory", tree.root);
    const trusting = { GIT_TEST_ASSUME_DIFFERENT_OWNER: "1", GIT_CONFIG_GLOBAL: join(home, "trusting") };
    expect(await tree.facts(BAR, trusting)).toMatchObject({ state: "tracked" });
  });

  it("where its configuration is broken: says so", async () => {
    const tree = withBar();
    writeFileSync(join(tree.root, ".git", "config"), "[core\n");
    const facts = await tree.facts();
    expect(facts.state).toBe("not-a-repository");
    expect(facts.refused).toMatch(/^git cannot read the repository \(bad config line .*make git status work/);
  });
});

describe("what surrounds git", () => {
  it("does not lead to another repository, index or reading of paths", async () => {
    const tree = withBar("folder/coldstart.bar.yaml");
    const other = repository();
    other.commit("2026-09-05T00:00:00Z");
    const surprise = {
      GIT_DIR: join(other.root, ".git"),
      GIT_WORK_TREE: other.root,
      GIT_INDEX_FILE: join(other.root, "index"),
      GIT_PREFIX: "elsewhere/",
      GIT_ICASE_PATHSPECS: "1",
    };
    const facts = await tree.facts("folder/coldstart.bar.yaml", surprise);
    expect(facts).toMatchObject({ state: "tracked", lockState: "tracked", history: [{ digest: "one" }] });
  });

  it("does not change what is read: colours, pagers, signatures, renames, ends of lines", async () => {
    const tree = withBar("old.yaml");
    tree.git("mv", "old.yaml", BAR);
    tree.commit("2026-09-02T00:00:00Z");
    const plain = await tree.facts();
    for (const [key, value] of [
      ["color.ui", "always"],
      ["core.pager", "false"],
      ["log.showSignature", "true"],
      ["log.date", "relative"],
      ["diff.renames", "false"],
      ["diff.external", "false"],
      ["core.quotepath", "true"],
    ] as const) {
      tree.git("config", key, value);
    }
    expect(plain.history).toHaveLength(2);
    expect(await tree.facts(BAR, { GIT_PAGER: "false", GIT_TRACE: "1" })).toEqual(plain);
  });

  it("does not make a replaced commit look older", async () => {
    const tree = withBar();
    const late = tree.git("rev-parse", "HEAD");
    const text = tree.git("cat-file", "commit", late).replace(/(?<=^committer .*> )\d+/m, "1");
    writeFileSync(join(home, "commit"), `${text}\n`);
    const early = tree.git("hash-object", "-t", "commit", "-w", join(home, "commit"));
    tree.git("replace", late, early);
    expect(tree.git("log", "-1", "--format=%ct")).toBe("1");
    expect(dates(await tree.facts())).toEqual(["2026-09-01T10:00:00Z"]);
  });

  it("is left as it was", async () => {
    const tree = withBar();
    // Where a file's time differs from the index, git status writes the index anew.
    utimesSync(join(tree.root, BAR), 1e9, 1e9);
    const index = join(tree.root, ".git", "index");
    const before = readFileSync(index);
    await tree.facts();
    expect(readFileSync(index).equals(before)).toBe(true);
  });
});

describe("from git to the decision", () => {
  const decide = (git: GitFacts, digest = "one"): ReturnType<typeof register> =>
    register({
      digest,
      analysisVersion: 1,
      lock: {
        schema: "coldstart.lock/1",
        digest,
        analysisVersion: 1,
        frozenAt: "2026-09-01T09:00:00Z",
        newestData: null,
        supersedes: [],
      },
      git,
      deployedAt: "2026-09-21T06:00:00Z",
      windowFrom: "2026-09-21T06:00:00Z",
    });

  it("a bar committed before the deployment is registered, also after later merges and renames", async () => {
    const tree = withBar();
    tree.git("checkout", "--quiet", "-b", "side");
    tree.write(BAR, bar("two"));
    tree.commit("2026-09-22T00:00:00Z");
    tree.git("checkout", "--quiet", "main");
    tree.at("2026-09-23T00:00:00Z", "merge", "--quiet", "--strategy", "ours", "--no-edit", "side");
    tree.git("mv", BAR, "renamed.yaml");
    tree.git("mv", LOCK, "renamed.lock.json");
    tree.commit("2026-09-24T00:00:00Z");
    expect(decide(await tree.facts("renamed.yaml"))).toMatchObject({
      status: "registered",
      committedAt: "2026-09-01T10:00:00Z",
      reasons: [],
    });
  });

  it("a bar changed away and back after the deployment is not", async () => {
    const tree = withBar();
    tree.write(BAR, bar("two"));
    tree.commit("2026-09-22T00:00:00Z");
    tree.write(BAR, bar("one"));
    tree.commit("2026-09-23T00:00:00Z");
    const { status, reasons } = decide(await tree.facts());
    expect(status).toBe("retrospective");
    expect(reasons).toEqual([expect.stringContaining("changed it back at 2026-09-23T00:00:00Z")]);
  });

  it("a rebase after the deployment loses the date; the original commit still has it", async () => {
    const tree = withBar();
    const original = tree.git("rev-parse", "HEAD");
    tree.at(
      "2026-09-25T00:00:00Z",
      "commit",
      "--quiet",
      "--amend",
      "--message",
      "rewritten",
      "--date",
      "2026-09-01T10:00:00Z",
    );
    const { status, reasons } = decide(await tree.facts());
    expect(status).toBe("retrospective");
    expect(reasons).toEqual([expect.stringContaining("run the gate in a checkout of the original commit")]);
    tree.git("checkout", "--quiet", "--detach", original);
    expect(decide(await tree.facts()).status).toBe("registered");
  });

  it("a shallow clone proves a bar only if its commit is old enough", async () => {
    const origin = withBar();
    const clone = async (): Promise<GitFacts> => {
      const tree = new Tree();
      tree.git("clone", "--quiet", "--depth", "1", `file://${origin.root}`, ".");
      return tree.facts();
    };
    expect(decide(await clone()).status).toBe("registered");
    origin.write("other.txt", "later");
    origin.commit("2026-09-25T00:00:00Z");
    const { status, reasons } = decide(await clone());
    expect(status).toBe("unproved");
    expect(reasons).toEqual([expect.stringContaining("fetch-depth: 0")]);
  });
});
