/**
 * Proves the DuckDB side: generates a small file and compares both of its forms with a naive computation.
 *
 *     node bench/check.mjs [--rows 20000] [--seed 1]
 */
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { differences } from "./compare.mjs";
import { generate } from "./generate.mjs";
import { naiveFigures } from "./naive.mjs";

const { values } = parseArgs({
  options: { rows: { type: "string", default: "20000" }, seed: { type: "string", default: "1" } },
});
const script = fileURLToPath(new URL("duckdb.mjs", import.meta.url));
const folder = await mkdtemp(join(tmpdir(), "coldstart-bench-"));
try {
  const [csv, ndjson] = await generate({ rows: Number(values.rows), seed: Number(values.seed), out: folder });
  const expected = await naiveFigures(ndjson.path);
  for (const { path } of [csv, ndjson]) {
    const found = differences(
      expected,
      JSON.parse(execFileSync(process.execPath, [script, path], { encoding: "utf8" })),
    );
    console.log(`${path.split(".").at(-1)}: ${found.length === 0 ? "the same figures" : found.join("\n  ")}`);
    if (found.length > 0) process.exitCode = 1;
  }
} finally {
  await rm(folder, { recursive: true });
}
