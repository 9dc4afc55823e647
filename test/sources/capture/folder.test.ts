import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CaptureBusy, CaptureRefused } from "../../../src/sources/capture/lock.ts";
import { readManifest } from "../../../src/sources/capture/manifest.ts";
import { addHour, newFolders, openFolder, read, request } from "./sample.ts";

const newFolder = newFolders();
/** A number that no process has. */
const GONE = 4_194_305;

function lockOf(pid: number, host = hostname()): string {
  return JSON.stringify({ pid, host, since: "2026-09-01T00:00:00.000Z" });
}

describe("a folder for a capture", () => {
  it.each([
    ["does not exist", []],
    ["is empty", []],
    ["holds the lock of a process that is gone", ["lock"]],
    ["holds what a stopped pull had not written", ["manifest.json.part"]],
    ["holds both", ["lock", "lock.abc.part", "manifest.json.part"]],
  ] as const)("may be one that %s", async (name, files) => {
    const path = newFolder();
    if (name !== "does not exist") mkdirSync(path);
    for (const file of files) writeFileSync(join(path, file), file === "lock" ? lockOf(GONE) : "{");
    const folder = await openFolder(path);
    await addHour(folder, 0, [request(0, 1)]);
    await folder.complete(null);
    await folder.close();
    expect((await read(path)).builder.table.length).toBe(1);
    const left = readdirSync(path).filter((file) => file !== "lock.abc.part");
    expect(left.sort()).toEqual(["manifest.json", "request-details", "requests"]);
  });

  it.each(["notes.txt", "requests", "manifest.json"])(
    "is refused where it holds %s and no capture",
    async (name) => {
      const path = newFolder();
      mkdirSync(path);
      writeFileSync(join(path, name), "{}");
      await expect(openFolder(path)).rejects.toThrow("the folder is not empty and holds no capture");
      // Nothing is left there by looking.
      expect(readdirSync(path)).toEqual([name]);
    },
  );

  it("is refused, with its path, where it is a file", async () => {
    const path = newFolder();
    writeFileSync(path, "");
    await expect(openFolder(path)).rejects.toThrow(`${path}: cannot be written (EEXIST)`);
  });

  it("keeps what others have put beside it with a name like that of a part", async () => {
    const path = newFolder();
    const folder = await openFolder(path);
    await addHour(folder, 0, [request(0, 1)]);
    await folder.close();
    mkdirSync(join(path, "mine"));
    const names = ["mine/film.part", "requests/000009.arrow.part", "manifest.json.part", "lock.x.part"];
    for (const name of names) writeFileSync(join(path, name), "");
    await (await openFolder(path)).close();
    const left = readdirSync(path, { recursive: true }).map(String);
    expect(names.filter((name) => left.includes(name))).toEqual(["mine/film.part", "lock.x.part"]);
  });

  it("is one pull's alone, also before anything stands in it", async () => {
    const path = newFolder();
    const opened = await Promise.allSettled(Array.from({ length: 8 }, () => openFolder(path)));
    const winners = opened.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    expect(winners.length).toBe(1);
    for (const one of opened) {
      if (one.status === "rejected") expect(one.reason).toBeInstanceOf(CaptureBusy);
    }
    await expect(openFolder(path)).rejects.toThrow(
      `${path}: process ${process.pid} on ${hostname()} is writing this capture since 2026-09-03T00:00:00.000Z`,
    );
    await winners[0]!.close();
    await (await openFolder(path)).close();
  });

  it("stays another host's as long as its lock is there", async () => {
    const path = newFolder();
    mkdirSync(path);
    writeFileSync(join(path, "lock"), lockOf(GONE, "elsewhere"));
    const refused = await openFolder(path).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(CaptureBusy);
    expect(String(refused)).toContain(`if no such process exists, remove ${join(path, "lock")}`);
    expect(readdirSync(path)).toEqual(["lock"]);
  });

  it("is taken over from processes that are gone, one after another, and says so", async () => {
    const path = newFolder();
    const folder = await openFolder(path);
    await addHour(folder, 0, [request(0, 1)]);
    await folder.close();
    writeFileSync(join(path, "lock"), lockOf(GONE));
    const second = await openFolder(path);
    // The lock that was left behind is still there, and who holds its successor is known all the same.
    await expect(openFolder(path)).rejects.toThrow(`process ${process.pid} on`);
    await second.close();
    expect(readdirSync(path).some((name) => name.startsWith("lock"))).toBe(false);
    const { warnings } = await readManifest(path);
    expect(warnings).toEqual([
      {
        code: "lock-taken-over",
        message: `the pull of process ${GONE} since 2026-09-01T00:00:00.000Z ended without giving the capture back; another one went on with it`,
        count: 1,
      },
    ]);
    const third = await openFolder(path);
    await third.complete(null);
    await third.close();
    expect((await readManifest(path)).warnings).toEqual(warnings);
  });

  it("goes on only with the question it was begun for", async () => {
    const path = newFolder();
    await (await openFolder(path)).close();
    const other = await openFolder(path, { roles: ["app"] }).catch((error: unknown) => error);
    expect(other).toBeInstanceOf(CaptureRefused);
    expect(String(other)).toContain('a capture of something else (roles [], now ["app"])');
    await (await openFolder(path)).close();
  });

  it("overwrites the files of a slice whose line was never written", async () => {
    const path = newFolder();
    const folder = await openFolder(path);
    await addHour(folder, 0, [request(0, 1)]);
    await folder.close();
    writeFileSync(join(path, "requests", "000002.arrow"), "left behind");
    const again = await openFolder(path);
    await addHour(again, 1, [request(1, 1)]);
    await again.close();
    expect((await read(path)).builder.table.length).toBe(2);
    expect(readdirSync(join(path, "requests"))).toEqual(["000001.arrow", "000002.arrow"]);
  });

  it("writes the slices of several workers as whole lines, with their remarks", async () => {
    const path = newFolder();
    const folder = await openFolder(path);
    await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        folder.warn("worker", `number ${n}`);
        await addHour(folder, n, [request(n, 1)]);
        folder.warn("worker", `number ${n}`, n);
        folder.warn("worker", `number ${n}`, n);
      }),
    );
    await folder.close();
    const { slices, warnings } = await readManifest(path);
    expect(slices.length).toBe(12);
    expect(new Set(slices.flatMap(({ files }) => files.map(({ path: name }) => name))).size).toBe(24);
    expect(warnings.map(({ count }) => count).sort((a, b) => a - b)).toEqual([...Array(12).keys()]);
    // A remark that says nothing new is not written again.
    expect(readFileSync(join(path, "slices.ndjson"), "utf8").split("\n").length - 1).toBe(12 + 12 + 11);
  });

  it("takes nothing more when it is complete", async () => {
    const path = newFolder();
    const folder = await openFolder(path);
    await folder.complete(null);
    await folder.close();
    const again = await openFolder(path);
    await expect(addHour(again, 0, [request(0, 1)])).rejects.toThrow("complete");
    await again.close();
  });
});
