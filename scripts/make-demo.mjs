/**
 * Writes the synthetic demo fixture, or with --check compares it with what would be written: exit code 0 when
 * the committed files are the generator's own and their rows give the expected figures, otherwise 1.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { check } from "./demo/check.mjs";
import { expectedFigures } from "./demo/expected.mjs";
import { makeFleet } from "./demo/fleet.mjs";
import { readme } from "./demo/readme.mjs";

const FOLDER = new URL("../fixtures/demo/", import.meta.url);
const MAX_BYTES = 1_500_000;

function cell(value) {
  const empty = typeof value === "object" && Object.keys(value).length === 0;
  const text = typeof value === "object" ? (empty ? "" : JSON.stringify(value)) : String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function csv(rows) {
  const lines = rows.map((row) => Object.values(row).map(cell).join(","));
  return `${[Object.keys(rows[0]).join(","), ...lines].join("\n")}\n`;
}

/** The fixture's files by name, uncompressed. */
function files() {
  const fleet = makeFleet();
  const expected = expectedFigures(fleet);
  return {
    "requests.csv.gz": csv(fleet.rows),
    "system-logs.ndjson.gz": `${fleet.log.lines.map((line) => JSON.stringify(line)).join("\n")}\n`,
    "../demo.expected.json": `${JSON.stringify(expected, null, 2)}\n`,
    "README.md": readme(expected),
  };
}

/** Node writes no name and no time; the tenth byte would name the operating system, 255 is "unknown". */
function pack(name, text) {
  if (!name.endsWith(".gz")) return Buffer.from(text);
  const packed = gzipSync(text, { level: 9 });
  packed[9] = 255;
  return packed;
}

function committed(name) {
  try {
    const bytes = readFileSync(new URL(name, FOLDER));
    return (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  } catch (error) {
    return `unreadable: ${error instanceof Error ? error.message : error}`;
  }
}

function write(made) {
  mkdirSync(FOLDER, { recursive: true });
  let total = 0;
  for (const [name, text] of Object.entries(made)) {
    const bytes = pack(name, text);
    total += bytes.length;
    writeFileSync(new URL(name, FOLDER), bytes);
    console.log(`fixtures/demo/${name}: ${bytes.length} bytes`);
  }
  return total > MAX_BYTES ? [`${total} bytes are more than ${MAX_BYTES}`] : [];
}

const made = files();
const problems = check(
  made["requests.csv.gz"],
  made["system-logs.ndjson.gz"],
  JSON.parse(made["../demo.expected.json"]),
);
if (process.argv.includes("--check")) {
  const differing = Object.keys(made).filter((name) => committed(name) !== made[name]);
  problems.push(...differing.map((name) => `fixtures/demo/${name} is not what the generator writes`));
} else {
  problems.push(...write(made));
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
