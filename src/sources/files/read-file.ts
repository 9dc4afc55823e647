import { DataFault, OtherContent } from "../../telemetry/fault.ts";
import { type ByteSource, openBytes } from "./bytes.ts";
import { CsvFile } from "./csv-file.ts";
import { type Detected, detect } from "./detect.ts";
import { Input, type Sink } from "./input.ts";
import { JsonFile } from "./json-file.ts";
import { MetricsFile } from "./metrics-file.ts";
import { NdjsonFile } from "./ndjson-file.ts";
import type { Reader } from "./part.ts";
import { RecordReader } from "./record-reader.ts";
import { cutFile, isSplittable, readSplit } from "./split.ts";

/**
 * Reads one export file (or standard input for `-`) of any supported form into a sink.
 *
 * @returns the input's account, or null where the file is of no known form
 * @throws DataFault where the file is plainly no export, or not fit for the figures
 */
export async function readExport(
  path: string,
  sink: Sink,
  stdin: AsyncIterable<Uint8Array>,
): Promise<Input | null> {
  const input = new Input(path, sink);
  let source: ByteSource;
  try {
    source = await openBytes(path, stdin);
  } catch (error) {
    throw unreadable(error, path);
  }
  try {
    if (source.head.length === 0 && source.truncated()) throw brokenOff();
    const detected = detect(source.head);
    if (detected.kind === "unknown") return null;
    if (await readInParts(source, detected, input)) return input;
    const reader = readerFor(detected, input);
    await pump(source, reader, "skip" in detected ? detected.skip : 0);
    if (source.truncated()) input.fault = brokenOff().at({ path, ...input.fault?.place });
    checkContent(input);
    noteForm(input);
    return input;
  } catch (error) {
    throw error instanceof DataFault ? error.at({ path }) : unreadable(error, path);
  } finally {
    await source.close();
  }
}

/** Reads a large plain file with several threads; false where it must be read in sequence. */
async function readInParts(source: ByteSource, detected: Detected, input: Input): Promise<boolean> {
  if (source.plainOffset === null || !isSplittable(detected)) return false;
  if (input.sink.builder.detail !== null) return false;
  const skip = source.plainOffset + ("skip" in detected ? detected.skip : 0);
  const cuts = await cutFile(input.path, skip);
  if (cuts.length === 0) return false;
  input.form = detected.kind;
  return readSplit(input, detected, cuts, input.sink.builder.options);
}

function readerFor(detected: Exclude<Detected, { kind: "unknown" }>, input: Input): Reader {
  if (detected.kind === "csv") {
    input.form = "csv";
    return new CsvFile(input, detected.columns, detected.delimiter);
  }
  if (detected.kind === "metrics") return new MetricsFile(input);
  const records = new RecordReader(input);
  if (detected.form !== null) input.form = detected.form;
  if (detected.kind === "json") return new JsonFile(detected.layout, input, records);
  if (detected.flat) input.form = "ndjson";
  const { detail } = input.sink.builder;
  return new NdjsonFile(input, records, { ...detected, flat: detected.flat && detail === null });
}

async function pump(source: ByteSource, reader: Reader, skip: number): Promise<void> {
  let left = skip;
  for await (const chunk of source.chunks()) {
    if (left >= chunk.length) {
      left -= chunk.length;
      continue;
    }
    reader.push(left === 0 ? chunk : chunk.subarray(left));
    left = 0;
  }
  reader.end();
}

function brokenOff(): DataFault {
  return new DataFault("the compressed file breaks off", "fetch it again: what follows is missing");
}

function checkContent(input: Input): void {
  if (input.requestRows + input.eventRows > 0 || input.holdsEvents || input.fields.size > 0) return;
  if (input.form === "metrics" || input.otherRows === 0 || input.fault !== null) return;
  // Traces, dependencies and metrics are what an audit asks for.
  if ((input.sink.builder.detail?.tables.size ?? 0) > 0) return;
  throw new OtherContent(
    "holds neither request rows nor system events",
    "export the table requests (or AppRequests) or the Container Apps system log",
  );
}

function noteForm(input: Input): void {
  if (input.form === "unknown") input.form = "records";
  if (input.form === "log-analytics-cli") {
    input.note(
      "truncation-invisible",
      "`az monitor log-analytics query` drops the error that tells of cut results, so truncation cannot be seen in this form; compare the row count with a summarize count()",
      1,
    );
  }
}

function unreadable(error: unknown, path: string): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOENT") return new DataFault("no such file", "check the path given with --data", { path });
  if (code === "EACCES" || code === "EPERM")
    return new DataFault("no permission to read it", "check the file's owner and mode", { path });
  if (code === "EISDIR")
    return new DataFault("a folder where a file is expected", "give the folder itself with --data", { path });
  return error;
}
