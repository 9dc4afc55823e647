/**
 * `coldstart report` beside DuckDB over the same files, in turn, each run a process of its own:
 *
 *     node bench/run.mjs [--rows 1000000] [--repeats 5] [--only duckdb|coldstart]
 *
 * Fails when the two do not print the same figures. Writes bench/results.json unless `--only` is given.
 */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { differences, figuresOfReport } from "./compare.mjs";
import { generate } from "./generate.mjs";
import { measure } from "./measure.mjs";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const FORMS = ["csv", "ndjson", "capture"];
const MEASURES = ["wallSeconds", "cpuSeconds", "peakMiB"];
const TOOLS = {
  coldstart: {
    args: (form) => [here("../dist/main.js"), "report", "--data", fileOf(form), "--format", "json"],
    figures: (stdout) => figuresOfReport(JSON.parse(stdout)),
  },
  // Beside a capture stands what a user would keep in its place: Parquet with only the columns needed, typed.
  duckdb: {
    args: (form) => [here("duckdb.mjs"), fileOf(form === "capture" ? "parquet" : form)],
    figures: (stdout) => JSON.parse(stdout),
  },
};

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "1000000" },
    repeats: { type: "string", default: "5" },
    only: { type: "string" },
  },
});
const rows = Number(values.rows);
const repeats = Number(values.repeats);
if (!Number.isInteger(rows) || rows < 1 || !Number.isInteger(repeats) || repeats < 1) {
  throw new Error("--rows and --repeats are whole numbers from 1");
}
const names = values.only === undefined ? Object.keys(TOOLS) : [values.only];
for (const name of names) if (!Object.hasOwn(TOOLS, name)) throw new Error(`--only ${name}: no such side`);
if (names.includes("coldstart") && !existsSync(here("../dist/main.js"))) {
  throw new Error("dist/main.js is missing: run npm run build first");
}

const fileOf = (form) => here(`data/requests-${rows}.${form}`);
if (!["csv", "ndjson"].every((form) => existsSync(fileOf(form)))) {
  await generate({ rows, seed: 1, out: here("data") });
}
if (!existsSync(`${fileOf("capture")}/manifest.json`)) {
  const made = ["--from-files", fileOf("csv"), "--out", fileOf("capture")];
  await measure([here("../dist/main.js"), "pull", ...made]);
}
if (!existsSync(fileOf("parquet"))) {
  await measure([here("duckdb.mjs"), fileOf("csv"), fileOf("parquet")]);
}

const forms = [];
for (const form of FORMS) forms.push(await runForm(form));
console.table(forms.flatMap(tableRows));
if (values.only === undefined) {
  const results = { measuredAt: new Date().toISOString(), machine: machine(), rows, repeats, forms };
  writeFileSync(here("results.json"), `${JSON.stringify(results, null, 2)}\n`);
}

async function runForm(form) {
  // The first run of each is not counted: it brings the file into the page cache and gives the figures.
  const figures = {};
  for (const name of names) {
    const { stdout } = await measure(TOOLS[name].args(form));
    figures[name] = TOOLS[name].figures(stdout);
  }
  if (names.length === 2) {
    const found = differences(figures.duckdb, figures.coldstart);
    if (found.length > 0) throw new Error(`${form}: the figures differ\n  ${found.join("\n  ")}`);
  }

  const runs = [];
  for (let i = 0; i < repeats; i++) {
    // A-B-B-A, so that a machine that warms up or slows down does so for both.
    for (const name of i % 2 === 0 ? names : names.toReversed()) {
      const { stdout, ...measured } = await measure(TOOLS[name].args(form));
      const found = differences(figures[name], TOOLS[name].figures(stdout));
      if (found.length > 0) throw new Error(`${form}: ${name} prints other figures than before`);
      runs.push({ name, ...measured });
      console.error(`${form} ${name}: ${measured.wallSeconds.toFixed(2)} s`);
    }
  }
  const medians = Object.fromEntries(names.map((name) => [name, mediansOf(runs, name)]));
  const ratios = {};
  if (names.length === 2) {
    for (const key of MEASURES) ratios[key] = medians.coldstart[key] / medians.duckdb[key];
  }
  return { form, bytes: bytesOf(fileOf(form)), medians, ratios, runs };
}

/** Bytes of a file, or of all files below a folder. */
function bytesOf(path) {
  if (!statSync(path).isDirectory()) return statSync(path).size;
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(`${entry.parentPath}/${entry.name}`).size, 0);
}

function mediansOf(runs, name) {
  const own = runs.filter((run) => run.name === name);
  return Object.fromEntries(MEASURES.map((key) => [key, median(own.map((run) => run[key]))]));
}

function median(list) {
  const sorted = [...list].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function tableRows({ form, medians, ratios }) {
  const line = (name, { wallSeconds, cpuSeconds, peakMiB }) => ({
    form,
    tool: name,
    "wall s": Number(wallSeconds.toFixed(2)),
    "CPU s": Number(cpuSeconds.toFixed(2)),
    "peak MiB": Math.round(peakMiB * 100) / 100,
  });
  const lines = names.map((name) => line(name, medians[name]));
  if (names.length === 2) lines.push(line("coldstart / DuckDB", ratios));
  return lines;
}

function machine() {
  const lock = JSON.parse(readFileSync(here("package.json"), "utf8"));
  return {
    cpu: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    duckdb: lock.dependencies["@duckdb/node-api"],
  };
}
