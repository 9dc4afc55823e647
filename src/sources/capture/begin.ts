import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { PART, writeWhole } from "./durable.ts";
import { CaptureRefused, isOfLock } from "./lock.ts";
import {
  type Asked,
  CAPTURE_SCHEMA,
  CAPTURE_TABLES,
  isCapture,
  MANIFEST,
  type Manifest,
  readManifest,
} from "./manifest.ts";

export interface OpenOptions {
  readonly program: string;
  readonly node: string;
  now(): Date;
}

/**
 * The manifest of the capture in a folder, or of one that is begun there now; for the holder of the lock.
 *
 * @throws CaptureRefused where the folder holds something else, or a capture of something else
 */
export async function beginOrResume(path: string, asked: Asked, options: OpenOptions): Promise<Manifest> {
  if (await isCapture(path)) {
    const manifest = await readManifest(path);
    const other = difference(manifest.asked, asked);
    if (other !== null) {
      throw new CaptureRefused(
        `the folder holds a capture of something else (${other})`,
        "give a new folder, or the options of that capture",
        { path },
      );
    }
    await removeParts(path);
    return manifest;
  }
  const names = await readdir(path);
  if (names.some((name) => !isOfLock(name) && !name.endsWith(PART))) {
    throw new CaptureRefused("the folder is not empty and holds no capture", "give a new folder", { path });
  }
  const manifest = emptyManifest(asked, options);
  await writeManifest(path, manifest);
  return manifest;
}

export async function writeManifest(path: string, manifest: Manifest): Promise<void> {
  await writeWhole(join(path, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
}

function emptyManifest(asked: Asked, { program, node, now }: OpenOptions): Manifest {
  const started = now().toISOString();
  return {
    schema: CAPTURE_SCHEMA,
    state: "running",
    program,
    node,
    asked,
    started,
    finished: null,
    unsettledFrom: null,
    slices: [],
    warnings: [],
  };
}

/** The first thing in which two questions differ; null where they are the same. */
function difference(old: Asked, asked: Asked): string | null {
  for (const key of Object.keys(asked) as (keyof Asked)[]) {
    const [before, now] = [JSON.stringify(old[key]), JSON.stringify(asked[key])];
    if (before !== now) return `${key} ${before}, now ${now}`;
  }
  return null;
}

/** Removes what a pull that was stopped had not written to the end. */
async function removeParts(path: string): Promise<void> {
  for (const folder of ["", "request-details", ...CAPTURE_TABLES]) {
    const names = await readdir(join(path, folder)).catch(() => []);
    for (const name of names) {
      if (name.endsWith(PART) && !isOfLock(name)) await rm(join(path, folder, name), { force: true });
    }
  }
}
