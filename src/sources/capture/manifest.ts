import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { DataFault, type Place } from "../../telemetry/fault.ts";
import { parseInstant } from "../../telemetry/time.ts";

export const CAPTURE_SCHEMA = "coldstart.capture/1";
export const MANIFEST = "manifest.json";
export const JOURNAL = "slices.ndjson";

export const CAPTURE_TABLES = [
  "requests",
  "system-events",
  "dependencies",
  "traces",
  "metrics",
  "ingress",
] as const;
export type CaptureTable = (typeof CAPTURE_TABLES)[number];

const count = z.int().nonnegative();
const instant = z
  .string()
  .refine((text) => parseInstant(text) !== null, "is no instant")
  .nullable();

const fileSchema = z.object({
  /** Relative to the capture's folder, with slashes; nothing outside that folder can be named. */
  path: z.string().regex(/^[a-z]+(?:-[a-z]+)?\/\d{6,}(?:-\d+)?\.arrow$/, "is no file of a capture"),
  rows: count,
  bytes: count,
  sha256: z.string(),
});

const sliceSchema = z.object({
  table: z.enum(CAPTURE_TABLES),
  /** The slice is [from, to); null on both sides for rows of export files, which have no asked window. */
  from: instant,
  to: instant,
  rows: count,
  duplicates: count,
  malformed: count,
  files: z.array(fileSchema),
  pulledAt: z.string(),
});

const warningSchema = z.object({ code: z.string(), message: z.string(), count: z.number() });

/** What a line of the journal may hold beside a slice. */
const remarkSchema = z.strictObject({ warning: warningSchema });

const askedSchema = z.object({
  source: z.enum(["workspace", "app", "cluster", "files"]),
  target: z.string(),
  from: instant,
  to: instant,
  /** Where the recorded data begins: the window's start less the look-back. */
  dataFrom: instant,
  roles: z.array(z.string()),
  app: z.string().nullable(),
  tables: z.array(z.enum(CAPTURE_TABLES)),
  /** Workspace that the system log comes from, where it is another source than the requests'. */
  logs: z.string().nullable(),
  /** Container app whose ingress metric is read. */
  metrics: z.string().nullable(),
  include: z.array(z.string()),
  files: z.array(z.object({ path: z.string(), bytes: count, sha256: z.string() })),
});

export const manifestSchema = z.object({
  schema: z.literal(CAPTURE_SCHEMA),
  state: z.enum(["running", "complete"]),
  program: z.string(),
  node: z.string(),
  asked: askedSchema,
  started: z.string(),
  finished: z.string().nullable(),
  /** Rows from here on were still arriving when they were pulled; null where all had settled. */
  unsettledFrom: instant,
  slices: z.array(sliceSchema),
  warnings: z.array(warningSchema),
});

export type CaptureFile = z.infer<typeof fileSchema>;
export type CaptureSlice = z.infer<typeof sliceSchema>;
export type CaptureWarning = z.infer<typeof warningSchema>;
export type Asked = z.infer<typeof askedSchema>;
export type Manifest = z.infer<typeof manifestSchema>;

/** A line of the journal. */
export type JournalLine = CaptureSlice | z.infer<typeof remarkSchema>;

const AGAIN = "pull it again into another folder";

/**
 * A capture's manifest, with what the journal of an unfinished pull adds to it.
 *
 * @throws DataFault where the folder holds no readable manifest
 */
export async function readManifest(folder: string): Promise<Manifest> {
  const manifest = await readWritten(folder);
  // The journal of a complete capture, should it be there still, says nothing that its manifest does not.
  if (manifest.state === "complete") return manifest;
  const path = join(folder, JOURNAL);
  const journal = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw new DataFault(`cannot be read (${error.code})`, "check its owner and mode", { path });
  });
  // The pull may have completed between the two readings.
  if (journal === null) return readWritten(folder);
  // What follows the last newline was being written when the pull was stopped: that slice is not done.
  const lines = journal.split("\n").slice(0, -1);
  for (const [i, line] of lines.entries()) {
    const place = { path, row: i + 1 };
    const value = parseJson(line, place);
    if (typeof value === "object" && value !== null && "warning" in value) {
      keepWarning(manifest.warnings, check(remarkSchema, value, place).warning);
    } else manifest.slices.push(check(sliceSchema, value, place));
  }
  return manifest;
}

/** Keeps a remark once; said again, it replaces what was said before. Whether anything changed. */
export function keepWarning(warnings: CaptureWarning[], warning: CaptureWarning): boolean {
  const { code, message, count } = warning;
  const at = warnings.findIndex((known) => known.code === code && known.message === message);
  if (at === -1) warnings.push(warning);
  else if (warnings[at]!.count === count) return false;
  else warnings[at] = warning;
  return true;
}

/** Whether a folder holds a capture: a manifest that names our schema, whatever its version. */
export async function isCapture(folder: string): Promise<boolean> {
  const text = await readFile(join(folder, MANIFEST), "utf8").catch(() => "");
  return /"schema":\s*"coldstart\.capture\//.test(text);
}

async function readWritten(folder: string): Promise<Manifest> {
  const path = join(folder, MANIFEST);
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new DataFault(`cannot be read (${error.code})`, "give the folder of a capture", { path });
  });
  return check(manifestSchema, parseJson(text, { path }), { path });
}

function parseJson(text: string, place: Place): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DataFault("is no valid JSON", AGAIN, place);
  }
}

function check<T>(schema: z.ZodType<T>, value: unknown, place: Place): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new DataFault(`${issue!.path.join(".")}: ${issue!.message}`, AGAIN, place);
}
