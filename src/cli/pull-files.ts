import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import {
  dependencyCodec,
  eventCodec,
  ingressCodec,
  metricCodec,
  traceCodec,
} from "../sources/capture/codecs.ts";
import { CaptureFolder, type SliceFile } from "../sources/capture/folder.ts";
import type { Asked, CaptureTable, Manifest } from "../sources/capture/manifest.ts";
import { encodeRows } from "../sources/capture/row-codec.ts";
import { loadFiles } from "../sources/files/load.ts";
import { UsageError } from "./exit-codes.ts";
import { SliceRows } from "./pull-slice.ts";
import { VERSION } from "./version.ts";
import type { World } from "./world.ts";

/**
 * Makes a capture of export files. It holds what the files hold; nothing is asked of Azure.
 *
 * @throws DataFault where an export is incomplete: a capture would hide it
 */
export async function captureFiles(path: string, files: readonly string[], world: World): Promise<Manifest> {
  if (files.includes("-")) {
    throw new UsageError("--from-files -: standard input cannot be read again; give files");
  }
  const rows = new SliceRows("");
  const loaded = await loadFiles(files, rows.builder, world.stdin, { needsInstance: false });
  const [fault] = loaded.faults;
  if (fault !== undefined) throw fault;
  const capture = await CaptureFolder.open(path, await askedOf(files), {
    program: VERSION,
    node: `node ${process.versions.node}`,
    now: world.now,
  });
  try {
    if (capture.isComplete) return capture.manifest;
    const add = async (table: CaptureTable, file: SliceFile, malformed = 0): Promise<void> => {
      if (capture.done(table).length > 0) return;
      const counts = { rows: file.rows, duplicates: 0, malformed };
      await capture.addSlice(table, { from: null, to: null }, [file], counts);
    };
    if (loaded.requestRows > 0 && capture.done("requests").length === 0) {
      const { files: made, counts } = await rows.requestFiles(loaded.fields);
      await capture.addSlice("requests", { from: null, to: null }, made, counts);
    }
    if (loaded.events !== null) {
      const malformed = loaded.malformedEvents;
      await add("system-events", await encodeRows("system-events", loaded.events, eventCodec), malformed);
    }
    const { detail } = rows;
    // Malformed rows of these tables are only counted together.
    const malformed = (table: CaptureTable): number =>
      [...detail.tables][0] === table ? detail.malformed : 0;
    for (const table of detail.tables) {
      const file =
        table === "dependencies"
          ? await encodeRows(table, detail.dependencies, dependencyCodec)
          : table === "traces"
            ? await encodeRows(table, detail.traces, traceCodec)
            : await encodeRows(table, detail.metrics, metricCodec);
      await add(table, file, malformed(table));
    }
    if (loaded.metrics.length > 0) {
      await add("ingress", await encodeRows("ingress", loaded.metrics, ingressCodec));
    }
    for (const { path: file, warnings } of loaded.inputs) {
      for (const { code, message, count } of warnings) {
        if (code !== "malformed-event") capture.warn(code, `${file}: ${message}`, count);
      }
    }
    await capture.complete(null);
    return capture.manifest;
  } finally {
    await capture.close();
  }
}

async function askedOf(files: readonly string[]): Promise<Asked> {
  return {
    source: "files",
    target: files.join(", "),
    from: null,
    to: null,
    dataFrom: null,
    roles: [],
    app: null,
    tables: [],
    logs: null,
    metrics: null,
    include: [],
    files: await Promise.all(files.map(fingerprint)),
  };
}

/** What tells whether a file is still the one that a capture was begun with; of a folder only the name. */
async function fingerprint(path: string): Promise<Asked["files"][number]> {
  const entry = await stat(path);
  if (entry.isDirectory()) return { path, bytes: 0, sha256: "" };
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return { path, bytes: entry.size, sha256: hash.digest("hex") };
}
