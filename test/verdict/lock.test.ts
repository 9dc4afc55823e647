import { describe, expect, it } from "vitest";
import { ANALYSIS_VERSION } from "../../src/verdict/bar.ts";
import {
  amendedLock,
  formatLock,
  isSameAnalysis,
  isSameBar,
  LockError,
  lockPathOf,
  newLock,
  parseLock,
} from "../../src/verdict/lock.ts";

const A = "a".repeat(64);
const B = "b".repeat(64);
const first = newLock(A, "2026-09-18T09:00:00.000Z", "2026-09-17T10:28:01.3505436Z");

describe("where a lock lies", () => {
  it.each([
    ["coldstart.bar.yaml", "coldstart.bar.lock.json"],
    ["bars/x.yaml", "bars/x.lock.json"],
    ["x.yml", "x.lock.json"],
    ["x.json", "x.lock.json"],
    ["X.YAML", "X.lock.json"],
    ["a.b/bar", "a.b/bar.lock.json"],
    ["/tmp/x.yaml.d/y", "/tmp/x.yaml.d/y.lock.json"],
  ])("%s → %s", (bar, lock) => {
    expect(lockPathOf(bar)).toBe(lock);
  });
});

describe("a lock", () => {
  it("reads back as it was written, one member a line", () => {
    const lock = amendedLock(first, newLock(B, "2026-09-19T09:00:00.000Z", null), "one week more");
    expect(parseLock(formatLock(lock))).toEqual(lock);
    expect(formatLock(lock)).toBe(`{
  "schema": "coldstart.lock/1",
  "digest": "${B}",
  "analysisVersion": ${ANALYSIS_VERSION},
  "frozenAt": "2026-09-19T09:00:00.000Z",
  "newestData": "2026-09-17T10:28:01.3505436Z",
  "supersedes": [
    {
      "digest": "${A}",
      "frozenAt": "2026-09-18T09:00:00.000Z",
      "reason": "one week more"
    }
  ]
}
`);
  });

  it("keeps every bar that it superseded, oldest first, and the newest data that was ever seen", () => {
    const second = amendedLock(first, newLock(B, "2026-09-19T09:00:00.000Z", "2026-09-16T00:00:00Z"), "one");
    const third = amendedLock(second, newLock(A, "2026-09-20T09:00:00.000Z", "2026-09-19T00:00:00Z"), "two");
    expect(second.newestData).toBe("2026-09-17T10:28:01.3505436Z");
    expect(third.newestData).toBe("2026-09-19T00:00:00Z");
    expect(third.supersedes.map(({ digest, reason }) => [digest, reason])).toEqual([
      [A, "one"],
      [B, "two"],
    ]);
    expect(
      amendedLock(newLock(A, first.frozenAt, null), newLock(B, first.frozenAt, null), "x").newestData,
    ).toBeNull();
  });

  it("belongs to one bar and one version of the analysis", () => {
    expect(isSameBar(first, A)).toBe(true);
    expect(isSameBar(first, B)).toBe(false);
    expect(isSameAnalysis(first)).toBe(true);
    expect(isSameAnalysis({ ...first, analysisVersion: ANALYSIS_VERSION + 1 })).toBe(false);
  });

  it.each([
    ["", /not JSON/],
    ["<<<<<<< HEAD\n{}", /not JSON/],
    ["[]", /not a lock/],
    [formatLock(first).replace("lock/1", "lock/2"), /schema/],
    [formatLock(first).replace(A, "abc"), /digest/],
    [formatLock(first).replace("2026-09-18T09:00:00.000Z", "yesterday"), /frozenAt/],
    [formatLock(first).replace("2026-09-18T09:00:00.000Z", "2026-09-18T09:00:00.000+02:00"), /frozenAt/],
    [formatLock(first).replace('"supersedes": []', '"supersedes": [], "extra": 1'), /extra/],
    [formatLock(first).replace(/,\s+"supersedes": \[\]/, ""), /supersedes/],
  ])("is refused when it is none: %#", (text, reason) => {
    expect(() => parseLock(text)).toThrow(LockError);
    expect(() => parseLock(text)).toThrow(reason);
  });
});
