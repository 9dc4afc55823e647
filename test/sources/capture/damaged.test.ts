import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tableFromArrays, tableFromIPC, tableToIPC } from "apache-arrow";
import { beforeAll, describe, expect, it } from "vitest";
import { eventCodec } from "../../../src/sources/capture/codecs.ts";
import { encodeRows } from "../../../src/sources/capture/row-codec.ts";
import { DataFault } from "../../../src/telemetry/fault.ts";
import { addHour, edit, newFolders, openFolder, read, request } from "./sample.ts";

const newFolder = newFolders();
let path = "";
const at = (name: string): string => join(path, name);

beforeAll(() => {
  path = newFolder();
});

/** A complete capture of five rows. */
async function whole(): Promise<void> {
  rmSync(path, { recursive: true, force: true });
  const folder = await openFolder(path);
  await addHour(
    folder,
    0,
    [0, 1, 2, 3, 4].map((second) => request(0, second)),
  );
  await folder.complete(null);
  await folder.close();
}

/** Puts other bytes into a file, and what is true of them into the manifest. */
function forge(name: string, bytes: Uint8Array, rows: number): void {
  writeFileSync(at(name), bytes);
  edit(at("manifest.json"), (text) => {
    const manifest = JSON.parse(text) as {
      slices: { files: { path: string; rows: number; bytes: number; sha256: string }[] }[];
    };
    const file = manifest.slices[0]!.files.find((one) => one.path === name)!;
    file.rows = rows;
    file.bytes = bytes.length;
    file.sha256 = createHash("sha256").update(bytes).digest("hex");
    return JSON.stringify(manifest);
  });
}

/** The message of the fault that reading ends with. */
async function fault(options: Parameters<typeof read>[1] = {}): Promise<string> {
  const error = await read(path, options).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(DataFault);
  expect((error as DataFault).message).toContain("; ");
  return (error as DataFault).message;
}

const REQUESTS = "requests/000001.arrow";
const DETAILS = "request-details/000001.arrow";
/** A report reads no details; audits, and reports of several inputs, read them. */
const WAYS = [{}, { withIds: true }, { isDetailed: true }] as const;

describe("a file of a capture", () => {
  it("is whole to begin with", async () => {
    await whole();
    for (const way of WAYS) expect((await read(path, way)).builder.table.length).toBe(5);
  });

  it.each([
    ["is missing", (file: string) => rmSync(file), "a file of the capture cannot be read (ENOENT)"],
    [
      "is a folder",
      (file: string) => {
        rmSync(file);
        mkdirSync(file);
      },
      ": ",
    ],
    [
      "is cut",
      (file: string) => writeFileSync(file, readFileSync(file).subarray(0, -1)),
      "bytes that were written",
    ],
    [
      "is longer",
      (file: string) => writeFileSync(file, Buffer.concat([readFileSync(file), Buffer.alloc(1)])),
      "that were written",
    ],
    [
      "has another bit",
      (file: string) => {
        const bytes = readFileSync(file);
        bytes[bytes.length >> 1]! ^= 1;
        writeFileSync(file, bytes);
      },
      "is not what was written: its digest differs",
    ],
  ])("that %s is a fault with its path", async (_, change, message) => {
    for (const name of [REQUESTS, DETAILS]) {
      await whole();
      change(at(name));
      const text = await fault({ withIds: true });
      expect(text.startsWith(`${at(name)}: `)).toBe(true);
      if (message !== "bytes that were written") expect(text).toContain(message);
      else expect(text).toContain(`holds ${statSync(at(name)).size} bytes, not the`);
    }
  });

  it.each([
    ["no bytes", new Uint8Array(0), 0],
    ["zeros", new Uint8Array(8), 0],
    ["many zeros", new Uint8Array(4096), 5],
    ["text", Buffer.from("[]"), 0],
    ["only the marks of a form", Buffer.from("ARROW1\u0000\u0000ARROW1"), 0],
    ["a stream in place of a file", tableToIPC(tableFromArrays({ a: [1] }), "stream"), 1],
  ])("of %s is no Arrow file, in whichever way it is read", async (_, bytes, rows) => {
    for (const way of WAYS) {
      await whole();
      forge(REQUESTS, bytes, rows);
      forge(DETAILS, bytes, rows);
      expect(await fault(way)).toContain(`${at(REQUESTS)}: is no Arrow file`);
    }
    await whole();
    forge(DETAILS, bytes, 5);
    expect(await fault({ withIds: true })).toContain(`${at(DETAILS)}: is no Arrow file`);
  });

  it("of other columns is none of a capture", async () => {
    const other = tableToIPC(tableFromArrays({ a: [1, 2, 3, 4, 5] }), "file");
    await whole();
    forge(REQUESTS, other, 5);
    expect(await fault()).toContain(`${at(REQUESTS)}, column timestamp: lacks a column of a capture`);
    expect(await fault({ isDetailed: true })).toContain(`${at(REQUESTS)}, column timestamp: lacks`);
    await whole();
    forge(DETAILS, other, 5);
    expect((await read(path)).builder.table.length).toBe(5);
    expect(await fault({ isDetailed: true })).toContain(`${at(DETAILS)}, column id: lacks a column`);
  });

  it.each(["timestamp", "duration_ms", "synthetic", "kind", "version"])(
    "with another type in the column %s is none of a capture",
    async (column) => {
      await whole();
      const table = tableFromIPC(readFileSync(at(REQUESTS)));
      const numbers = tableFromArrays({ [column]: Int32Array.of(1, 2, 3, 4, 5) });
      const names = table.schema.fields.map(({ name }) => name).filter((name) => name !== column);
      const mixed = table.select(names).assign(numbers);
      forge(REQUESTS, tableToIPC(mixed, "file"), 5);
      expect(await fault()).toContain(
        `${at(REQUESTS)}, column ${column}: holds Int32 where a capture has another type`,
      );
    },
  );

  it("with a kind that nobody knows is none of a capture", async () => {
    await whole();
    const other = Buffer.from(
      readFileSync(at(REQUESTS)).toString("latin1").replace("http", "HTTP"),
      "latin1",
    );
    forge(REQUESTS, other, 5);
    expect(await fault()).toContain(`${at(REQUESTS)}, column kind: holds an unknown kind (HTTP)`);
    expect(await fault({ isDetailed: true })).toContain("holds an unknown kind (HTTP)");
  });

  it.each([
    ["missing", null],
    ["no JSON", "{"],
    ["null", "null"],
    ["of another form", '{"tallies":{}}'],
  ])("whose notes are %s is none of a capture", async (_, notes) => {
    await whole();
    const table = tableFromIPC(readFileSync(at(REQUESTS)));
    if (notes === null) table.schema.metadata.delete("coldstart");
    else table.schema.metadata.set("coldstart", notes);
    forge(REQUESTS, tableToIPC(table, "file"), 5);
    for (const way of WAYS) {
      expect(await fault(way)).toContain(
        `${at(REQUESTS)}: lacks what was noted when it was written (coldstart)`,
      );
    }
  });

  it("must have the details that belong to it", async () => {
    await whole();
    edit(at("manifest.json"), (text) => {
      const manifest = JSON.parse(text) as { slices: { files: { path: string }[] }[] };
      manifest.slices[0]!.files.splice(1, 1);
      return JSON.stringify(manifest);
    });
    for (const way of WAYS) {
      expect(await fault(way)).toContain(`${at(DETAILS)}: is named nowhere, though requests need it`);
    }
    await whole();
    const four = tableFromIPC(readFileSync(at(DETAILS))).slice(0, 4);
    forge(DETAILS, tableToIPC(four, "file"), 4);
    for (const way of WAYS) {
      expect(await fault(way)).toContain(`${at(DETAILS)}: holds the details of 4 rows, where there are 5`);
    }
    forge(DETAILS, tableToIPC(four, "file"), 5);
    expect(await fault({ withIds: true })).toContain(
      `${at(DETAILS)}: holds 4 rows, not the 5 that were written`,
    );
  });

  it("of another table has its own columns", async () => {
    rmSync(path, { recursive: true, force: true });
    const folder = await openFolder(path);
    const file = await encodeRows("system-events", [], eventCodec);
    const counts = { rows: 0, duplicates: 0, malformed: 0 };
    await folder.addSlice("system-events", { from: null, to: null }, [file], counts);
    await folder.complete(null);
    await folder.close();
    expect((await read(path)).events).toEqual([]);
    forge("system-events/000001.arrow", tableToIPC(tableFromArrays({ a: [1] }), "file"), 1);
    expect(await fault()).toContain(
      `${at("system-events/000001.arrow")}, column timestamp: lacks a column of a capture`,
    );
  });
});
