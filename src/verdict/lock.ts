import { z } from "zod";
import { ANALYSIS_VERSION } from "./bar.ts";
import type { BarLock } from "./types.ts";

/** The lock file is none: one line that says why. */
export class LockError extends Error {}

const digest = z.string().regex(/^[0-9a-f]{64}$/, "no SHA-256 in hex");
const instant = z.iso.datetime();

const lockSchema = z.strictObject({
  schema: z.literal("coldstart.lock/1"),
  digest,
  analysisVersion: z.int().positive(),
  frozenAt: instant,
  newestData: instant.nullable(),
  supersedes: z.array(z.strictObject({ digest, frozenAt: instant, reason: z.string().min(1) })),
});

/** Where a bar's lock lies: `coldstart.bar.yaml` → `coldstart.bar.lock.json`, `x.json` → `x.lock.json`. */
export function lockPathOf(barPath: string): string {
  return `${barPath.replace(/\.(?:ya?ml|json)$/i, "")}.lock.json`;
}

/** Reads a lock. @throws LockError for what is none */
export function parseLock(text: string): BarLock {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new LockError("not JSON; restore the lock from the repository's history");
  }
  const result = lockSchema.safeParse(value);
  if (result.success) return result.data;
  const { path, message } = result.error.issues[0]!;
  throw new LockError(
    `not a lock of this program (${path.length === 0 ? "" : `${path.join(".")}: `}${message}); restore it from the repository's history`,
  );
}

/** The lock's file, one member a line, so that a change of it can be read in a diff. */
export function formatLock(lock: BarLock): string {
  const { schema, analysisVersion, frozenAt, newestData } = lock;
  const supersedes = lock.supersedes.map((old) => ({
    digest: old.digest,
    frozenAt: old.frozenAt,
    reason: old.reason,
  }));
  const ordered = { schema, digest: lock.digest, analysisVersion, frozenAt, newestData, supersedes };
  return `${JSON.stringify(ordered, null, 2)}\n`;
}

/** Whether a lock was made of the bar with this digest. */
export function isSameBar(lock: BarLock, digest: string): boolean {
  return lock.digest === digest;
}

/** Whether a lock was made for the analysis that this program does. */
export function isSameAnalysis(lock: BarLock): boolean {
  return lock.analysisVersion === ANALYSIS_VERSION;
}

/**
 * The lock of a bar that is frozen for the first time.
 *
 * @param frozenAt ISO 8601 in UTC
 * @param newestData newest instant of the data that was given, ISO 8601 in UTC; null without data
 */
export function newLock(digest: string, frozenAt: string, newestData: string | null): BarLock {
  return {
    schema: "coldstart.lock/1",
    digest,
    analysisVersion: ANALYSIS_VERSION,
    frozenAt,
    newestData,
    supersedes: [],
  };
}

/** The lock of a changed bar: the old one is kept in it, with the reason of the change. */
export function amendedLock(old: BarLock, next: BarLock, reason: string): BarLock {
  const superseded = { digest: old.digest, frozenAt: old.frozenAt, reason };
  return {
    ...next,
    // Data that was seen at the first freeze has still been seen.
    newestData: later(old.newestData, next.newestData),
    supersedes: [...old.supersedes, superseded],
  };
}

function later(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return Date.parse(a) > Date.parse(b) ? a : b;
}
