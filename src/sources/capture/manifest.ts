import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { DataFault } from "../../telemetry/fault.ts";

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
const instant = z.string().nullable();

const fileSchema = z.object({
  /** Relative to the capture's folder, with slashes. */
  path: z.string(),
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
  finished: instant,
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

const AGAIN = "pull it again into another folder";

/**
 * A capture's manifest, with what the journal of an unfinished pull adds to it.
 *
 * @throws DataFault where the folder holds no readable manifest
 */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, MANIFEST);
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new DataFault(`cannot be read (${error.code})`, "give the folder of a capture", { path });
  });
  const manifest = parse(manifestSchema, text, path);
  const journalPath = join(folder, JOURNAL);
  const journal = await readFile(journalPath, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw new DataFault(`cannot be read (${error.code})`, "check its owner and mode", { path: journalPath });
  });
  // What follows the last newline was being written when the pull was stopped: that slice is not done.
  const lines = journal.split("\n").slice(0, -1);
  for (const line of lines) manifest.slices.push(parse(sliceSchema, line, journalPath));
  return manifest;
}

/** Whether a folder holds a capture: a manifest that names our schema, whatever its version. */
export async function isCapture(folder: string): Promise<boolean> {
  const text = await readFile(join(folder, MANIFEST), "utf8").catch(() => "");
  return /"schema":\s*"coldstart\.capture\//.test(text);
}

function parse<T>(schema: z.ZodType<T>, text: string, path: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new DataFault("is no valid JSON", AGAIN, { path });
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new DataFault(`${issue!.path.join(".")}: ${issue!.message}`, AGAIN, { path });
}
