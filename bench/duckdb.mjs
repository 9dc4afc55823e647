/**
 * The same figures by DuckDB: `node bench/duckdb.mjs FILE` prints them as JSON, in the places they have in
 * the report document (those of the cohort at the top level). `node bench/duckdb.mjs FILE.csv FILE.parquet`
 * writes the columns that the figures need as Parquet. DuckDB's own settings stay at their defaults.
 */
import { readFileSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";
import { COLUMNS } from "./rows.mjs";

const TYPES = { timestamp: "TIMESTAMP_NS", duration: "DOUBLE", itemCount: "DOUBLE" };
const NEEDED = [
  "timestamp",
  "id",
  "name",
  "url",
  "resultCode",
  "duration",
  "operation_SyntheticSource",
  "cloud_RoleInstance",
  "itemCount",
];

/**
 * Explicit columns without detection read a CSV a third faster than the defaults; the columns that are not
 * selected are skipped. Of the NDJSON only the named keys are read.
 */
function source(path) {
  const file = `'${path.replaceAll("'", "''")}'`;
  const column = (name) => `'${name}': '${TYPES[name] ?? "VARCHAR"}'`;
  if (path.endsWith(".parquet")) return file;
  if (path.endsWith(".csv")) {
    return `(
      SELECT ${NEEDED.map((name) => `"${name}"`).join(", ")},
        json_extract_string(customDimensions, '$."microsoft.sample_rate"')::DOUBLE AS rate
      FROM read_csv(${file}, auto_detect = false, header = true, delim = ',', quote = '"', escape = '"',
        new_line = '\\n', columns = {${COLUMNS.map(column).join(", ")}})
    )`;
  }
  return `(
    SELECT * EXCLUDE (customDimensions), customDimensions."microsoft.sample_rate" AS rate
    FROM read_json(${file}, format = 'newline_delimited', columns = {
      ${NEEDED.map(column).join(", ")},
      'customDimensions': 'STRUCT("microsoft.sample_rate" DOUBLE)'
    })
  )`;
}

const [path, parquet] = process.argv.slice(2);
if (path === undefined)
  throw new Error("usage: node bench/duckdb.mjs FILE.csv|FILE.ndjson|FILE.parquet [OUT.parquet]");
const sql = readFileSync(new URL("duckdb.sql", import.meta.url), "utf8");
const statements = sql.replaceAll("@source", () => source(path));

const instance = await DuckDBInstance.create(":memory:");
const connection = await instance.connect();
if (parquet === undefined) {
  const reader = await connection.runAndReadAll(statements);
  console.log(JSON.stringify(reader.getRowObjectsJson()[0].figures, null, 2));
} else {
  await connection.run(`COPY (FROM ${source(path)}) TO '${parquet.replaceAll("'", "''")}' (FORMAT parquet)`);
}
connection.closeSync();
instance.closeSync();
