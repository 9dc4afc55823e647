import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isCapture, readManifest } from "../../../src/sources/capture/manifest.ts";
import { addHour, edit, newFolders, openFolder, read, request, window } from "./sample.ts";

const newFolder = newFolders();

/** A capture whose pull was stopped after some hours: the folder with its manifest and journal. */
async function stopped(hours: number): Promise<string> {
  const path = newFolder();
  const folder = await openFolder(path);
  for (let n = 0; n < hours; n++) await addHour(folder, n, [request(n, 1), request(n, 2)]);
  folder.warn("odd", "something Ä 😀 odd");
  await folder.close();
  return path;
}

describe("a manifest", () => {
  it("has the slices and remarks of the journal while the pull runs", async () => {
    const path = await stopped(2);
    const { state, slices, warnings } = await readManifest(path);
    expect(state).toBe("running");
    expect(slices.map(({ from, rows }) => [from, rows])).toEqual([
      [window(0).from, 2],
      [window(1).from, 2],
    ]);
    expect(warnings).toEqual([{ code: "odd", message: "something Ä 😀 odd", count: 1 }]);
  });

  it("wins over a journal that is still there when it is complete", async () => {
    const path = await stopped(2);
    const journal = readFileSync(join(path, "slices.ndjson"));
    const folder = await openFolder(path);
    await folder.complete(null);
    await folder.close();
    expect(existsSync(join(path, "slices.ndjson"))).toBe(false);
    const complete = await readManifest(path);
    // Killed between the two last steps: the manifest is written, the journal not yet removed.
    writeFileSync(join(path, "slices.ndjson"), journal);
    expect(await readManifest(path)).toEqual(complete);
    expect(complete.slices.length).toBe(2);
    expect((await read(path)).builder.table.length).toBe(4);
    // Whoever opens it then clears up.
    const again = await openFolder(path);
    expect(again.isComplete).toBe(true);
    await again.close();
    expect(existsSync(join(path, "slices.ndjson"))).toBe(false);
  });

  it("is read with a journal that is cut at any byte, which then holds the lines before", async () => {
    const path = await stopped(3);
    const file = join(path, "slices.ndjson");
    const journal = readFileSync(file);
    const whole = await readManifest(path);
    for (let bytes = 0; bytes <= journal.length; bytes++) {
      writeFileSync(file, journal.subarray(0, bytes));
      const lines = journal.subarray(0, bytes).filter((byte) => byte === 10).length;
      const { slices, warnings } = await readManifest(path);
      expect(slices).toEqual(whole.slices.slice(0, lines));
      expect(warnings.length).toBe(lines === 4 ? 1 : 0);
    }
  });

  it("is taken up again from a journal that is cut anywhere, and the line that was cut is gone", async () => {
    const path = await stopped(2);
    const file = join(path, "slices.ndjson");
    const journal = readFileSync(file);
    const first = journal.indexOf("\n") + 1;
    for (const bytes of [0, 1, first - 1, first, first + 1, journal.length - 3, journal.length]) {
      writeFileSync(file, journal.subarray(0, bytes));
      const folder = await openFolder(path);
      const before = folder.done("requests").length;
      await addHour(folder, 5, [request(5, 1)]);
      await folder.close();
      const { slices } = await readManifest(path);
      expect(slices.map(({ from }) => from)).toEqual([
        ...[window(0).from, window(1).from].slice(0, before),
        window(5).from,
      ]);
    }
  });

  it("has nothing of a long line that was cut behind a short one that follows", async () => {
    const path = await stopped(2);
    const file = join(path, "slices.ndjson");
    const journal = readFileSync(file);
    const second = journal.indexOf("\n", journal.indexOf("\n") + 1);
    writeFileSync(file, journal.subarray(0, second - 1));
    const folder = await openFolder(path);
    folder.warn("a", "b");
    await folder.close();
    expect(readFileSync(file, "utf8").split("\n").slice(1)).toEqual([
      '{"warning":{"code":"a","message":"b","count":1}}',
      "",
    ]);
    expect((await readManifest(path)).slices.length).toBe(1);
  });

  it.each([
    "../../etc/passwd",
    "/etc/passwd",
    "requests/../../000001.arrow",
    "requests/..",
    "requests\\000001.arrow",
    "./requests/000001.arrow",
    "C:/000001.arrow",
    "requests/000001.arrow\n",
    "",
  ])("does not name %j as one of its files", async (name) => {
    const path = await stopped(1);
    const folder = await openFolder(path);
    await folder.complete(null);
    await folder.close();
    const manifest = join(path, "manifest.json");
    edit(manifest, (text) => text.replace('"requests/000001.arrow"', JSON.stringify(name)));
    await expect(readManifest(path)).rejects.toThrow(
      `${manifest}: slices.0.files.0.path: is no file of a capture`,
    );
  });

  it("tells in which line of the journal something is wrong", async () => {
    const path = await stopped(2);
    const file = join(path, "slices.ndjson");
    edit(file, (text) =>
      text.replace(/"rows":2(?=,"duplicates":0,"malformed":0,"files":\[.*000002)/, '"rows":-2'),
    );
    await expect(readManifest(path)).rejects.toThrow(`${file}, row 2: rows: `);
    edit(file, (text) => text.replace("{", "["));
    await expect(readManifest(path)).rejects.toThrow(`${file}, row 1: is no valid JSON`);
  });

  it.each([
    ["cut", (text: string) => text.slice(0, 200), "is no valid JSON"],
    ["of another version", (text: string) => text.replace("capture/1", "capture/2"), "schema: "],
    [
      "of a time that does not exist",
      (text: string) => text.replace("2026-08-31T", "2026-08-32T"),
      "dataFrom",
    ],
  ])("that is %s is a fault with its path", async (_, change, message) => {
    const path = await stopped(1);
    const file = join(path, "manifest.json");
    edit(file, change);
    expect(await isCapture(path)).toBe(true);
    const error = await readManifest(path).then(
      () => null,
      (reason: Error) => reason.message,
    );
    expect(error).toContain(`${file}: `);
    expect(error).toContain(message);
  });

  it("is not found in other folders", async () => {
    const path = newFolder();
    expect(await isCapture(path)).toBe(false);
    mkdirSync(path);
    expect(await isCapture(path)).toBe(false);
    writeFileSync(join(path, "manifest.json"), '{"schema": "another.capture/1"}');
    expect(await isCapture(path)).toBe(false);
    await expect(readManifest(newFolder())).rejects.toThrow("cannot be read (ENOENT)");
  });
});
