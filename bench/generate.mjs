/**
 * Writes the same seeded request rows as CSV and as NDJSON, in the width of a full `requests` export:
 *
 *     node bench/generate.mjs --rows 1000000 --seed 1 --out bench/data
 */
import { mkdir, open, rename } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { fleetEvents, Heap, TICKS_PER_MS } from "./fleet.mjs";
import { createRandom } from "./random.mjs";
import { COLUMNS, toRow } from "./rows.mjs";

const CHUNK = 4 * 1024 * 1024;
const BATCH_DELAY_TICKS = 5000 * TICKS_PER_MS;

/** Writes `requests-ROWS.csv` and `requests-ROWS.ndjson` into `out`; returns their paths and sizes in bytes. */
export async function generate({ rows, seed, out }) {
  await mkdir(out, { recursive: true });
  const csv = await openOutput(join(out, `requests-${rows}.csv`));
  const ndjson = await openOutput(join(out, `requests-${rows}.ndjson`));
  const text = createRandom(seed + 1);

  await csv.write(`${COLUMNS.join(",")}\n`);
  for (const event of inOrderOfArrival(fleetEvents(rows, seed), createRandom(seed + 2))) {
    const row = toRow(event, text);
    const csvDone = csv.write(csvLine(row));
    const ndjsonDone = ndjson.write(`${JSON.stringify(row, withoutEmpty)}\n`);
    if (csvDone !== undefined) await csvDone;
    if (ndjsonDone !== undefined) await ndjsonDone;
  }
  return [await csv.close(), await ndjson.close()];
}

/** A row is stored after its request has ended and its batch was sent, so an export is only roughly in order. */
function* inOrderOfArrival(events, random) {
  const pending = new Heap((entry) => entry.arrival);
  for (const event of events) {
    while (pending.size > 0 && pending.peek().arrival <= event.tick) yield pending.pop().event;
    pending.push({ event, arrival: event.tick + event.durationTicks + random.unit() * BATCH_DELAY_TICKS });
  }
  while (pending.size > 0) yield pending.pop().event;
}

/** NDJSON exports leave out what a row does not have; a CSV has all of its columns. */
function withoutEmpty(_key, value) {
  return value === "" || value === null ? undefined : value;
}

function csvLine(row) {
  let line = "";
  for (let i = 0; i < COLUMNS.length; i++) {
    const value = row[COLUMNS[i]];
    if (i > 0) line += ",";
    if (value === null) continue;
    line += csvField(typeof value === "object" ? JSON.stringify(value) : String(value));
  }
  return `${line}\n`;
}

function csvField(text) {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Buffers text and gives the file its name only when it is complete. */
async function openOutput(path) {
  const file = await open(`${path}.part`, "w");
  let parts = [];
  let length = 0;
  let bytes = 0;
  async function flush() {
    const chunk = Buffer.from(parts.join(""));
    parts = [];
    length = 0;
    bytes += chunk.length;
    await file.writeFile(chunk);
  }
  return {
    write(text) {
      parts.push(text);
      length += text.length;
      return length >= CHUNK ? flush() : undefined;
    },
    async close() {
      await flush();
      await file.close();
      await rename(`${path}.part`, path);
      return { path, bytes };
    },
  };
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      rows: { type: "string", default: "1000000" },
      seed: { type: "string", default: "1" },
      out: { type: "string", default: fileURLToPath(new URL("data", import.meta.url)) },
    },
  });
  const files = await generate({ rows: Number(values.rows), seed: Number(values.seed), out: values.out });
  for (const file of files) console.log(`${file.path}\t${file.bytes} bytes`);
}
