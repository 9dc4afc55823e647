// A process that writes a capture, for tests that stop it or let several meet.
// Arguments: the folder of the built program, the capture's folder, what to do, and numbers for that.
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [dist, path, task, ...numbers] = process.argv.slice(2);
const load = (module) => import(pathToFileURL(join(dist, module)).href);
const say = (line) => writeSync(1, `${line}\n`);
const HOUR = 36_000_000_000;
const FIRST = 210_000 * HOUR;
const TALLIES = [
  "invalidRate",
  "invalidItemCount",
  "fractionalItemCount",
  "noItemCount",
  "noId",
  "functionsHost",
  "notFunctionsHost",
];

async function open() {
  const { CaptureFolder } = await load("sources/capture/folder.js");
  const nothing = { from: null, to: null, dataFrom: null, app: null, logs: null, metrics: null };
  const asked = { source: "files", target: "", roles: [], tables: [], include: [], files: [], ...nothing };
  return CaptureFolder.open(path, asked, { program: "0", node: "0", now: () => new Date() });
}

/** Writes the slices that are not there yet, each an hour with as many rows, and says which are. */
async function write(slices, rows) {
  const [{ RequestColumns }, { formatTicks }] = await Promise.all([
    load("sources/capture/request-columns.js"),
    load("telemetry/time.js"),
  ]);
  const capture = await open();
  say(`open with ${capture.done("requests").length}`);
  const done = new Set(capture.done("requests").map(({ from }) => from));
  for (let n = 0; n < slices; n++) {
    const from = FIRST + n * HOUR;
    if (done.has(formatTicks(from))) continue;
    const columns = new RequestColumns();
    for (let i = 0; i < rows; i++) {
      const texts = { name: "GET /", url: "", path: "/", resultCode: "200", role: "app", version: "" };
      const facts = { kind: "http", isSynthetic: false, success: 1, itemCount: 1, rate: null };
      const ids = { id: `${n}-${i}`, operationId: `${i}`, instance: `i${i % 7}` };
      columns.push(i, { start: from + i, durationMs: 1, ...facts, ...texts, ...ids });
    }
    const tallies = Object.fromEntries(TALLIES.map((name) => [name, 0]));
    const notes = { tallies, malformed: 0, examples: [], duplicates: 0, fields: [] };
    const files = await columns.files(
      Uint32Array.from({ length: rows }, (_, i) => i),
      notes,
    );
    const window = { from: formatTicks(from), to: formatTicks(from + HOUR) };
    await capture.addSlice("requests", window, files, { rows, duplicates: 0, malformed: 0 });
    say(`slice ${n}`);
  }
  await capture.complete(null);
  await capture.close();
  say("complete");
}

/** Takes the lock as soon as it is to be had, makes sure that nobody else has it, and ends: mostly by force. */
async function contend(begin, isKilled) {
  const { CaptureBusy, takeLock } = await load("sources/capture/lock.js");
  const now = new Date();
  while (Date.now() < begin);
  for (;;) {
    const lock = await takeLock(path, now).catch((error) => {
      if (error instanceof CaptureBusy) return null;
      throw error;
    });
    if (lock === null) continue;
    const inside = `${path}.inside`;
    try {
      closeSync(openSync(inside, "wx"));
    } catch {
      say("two at once");
      process.exit(1);
    }
    await new Promise((resolve) => setTimeout(resolve, 3));
    rmSync(inside);
    say("taken");
    if (isKilled) process.kill(process.pid, "SIGKILL");
    await lock.release();
    return;
  }
}

try {
  if (task === "write") await write(Number(numbers[0]), Number(numbers[1]));
  else await contend(Number(numbers[0]), numbers[1] === "1");
} catch (error) {
  say(`${error.constructor.name}: ${error.message}`);
  process.exitCode = 1;
}
