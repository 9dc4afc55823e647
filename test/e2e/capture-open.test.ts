import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CaptureFile, type CaptureTable, readManifest } from "../../src/sources/capture/manifest.ts";
import { readCapture } from "../../src/sources/capture/read-capture.ts";
import { RequestBuilder } from "../../src/telemetry/builder.ts";
import { Detail } from "../../src/telemetry/detail.ts";
import type { SystemEvent } from "../../src/telemetry/events.ts";
import type { MetricPoint } from "../../src/telemetry/metric-point.ts";
import { RequestTable } from "../../src/telemetry/table.ts";
import { EPOCH_MS } from "../../src/telemetry/time.ts";
import { ROOT, runWorld } from "../cli/world.ts";

/** Rows of a file and its earliest timestamp in nanoseconds since 1970, as each library tells them. */
const READERS: Readonly<Record<string, { readonly needs: string; readonly script: string }>> = {
  pyarrow: {
    needs: "pyarrow",
    script: `
import pyarrow as pa, pyarrow.compute as pc
def look(path):
    table = pa.ipc.open_file(path).read_all()
    table.validate(full=True)
    return table.num_rows, pc.min(table["timestamp"]).cast(pa.int64()).as_py()`,
  },
  pandas: {
    needs: "pandas, pyarrow",
    script: `
import pandas as pd
def look(path):
    frame = pd.read_feather(path)
    assert str(frame["timestamp"].dtype) == "datetime64[ns, UTC]", frame["timestamp"].dtype
    return len(frame), frame["timestamp"].min().value`,
  },
  polars: {
    needs: "polars",
    script: `
import polars as pl
def look(path):
    frame = pl.read_ipc(path)
    assert frame.schema["timestamp"] == pl.Datetime("ns", "UTC"), frame.schema["timestamp"]
    return frame.height, frame["timestamp"].dt.timestamp("ns").min()`,
  },
  DuckDB: {
    needs: "duckdb, pyarrow",
    script: `
import duckdb, pyarrow as pa
def look(path):
    capture = pa.ipc.open_file(path).read_all()
    duckdb.sql("CREATE OR REPLACE TABLE whole AS SELECT * FROM capture")
    [(rows, micros)] = duckdb.sql("SELECT count(*), epoch_us(min(timestamp)::TIMESTAMPTZ) FROM whole").fetchall()
    # As numbers as well: not every version's instants with a time zone have more than microseconds.
    capture = capture.set_column(0, "timestamp", capture["timestamp"].cast(pa.int64()))
    [(nanos,)] = duckdb.sql("SELECT min(timestamp) FROM capture").fetchall()
    assert abs(1000 * micros - nanos) < 1000, (micros, nanos)
    return rows, nanos`,
  },
};

const python = process.env.COLDSTART_KQL_PYTHON ?? join(ROOT, ".kql-venv", "bin", "python");
const hasPython = existsSync(python);
const hasReader = (needs: string): boolean =>
  hasPython && spawnSync(python, ["-c", `import ${needs}`]).status === 0;
const missing = Object.entries(READERS).filter(([, { needs }]) => !hasReader(needs));
if (missing.length > 0) {
  const names = missing.map(([name]) => name).join(", ");
  console.warn(
    `SKIPPED: captures opened with ${names}: ${hasPython ? "not installed" : "no Python"} (${python})`,
  );
}

describe("the files of a capture", () => {
  let folder = "";
  let files: { readonly table: CaptureTable; readonly file: CaptureFile }[] = [];
  /** Rows and earliest instant of each table, in ticks, as the program reads them. */
  const own = new Map<CaptureTable, { readonly rows: number; readonly earliest: number }>();

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "coldstart-open-"));
    const out = join(folder, "capture");
    const examples = [
      "telemetry.ndjson",
      "leak.ndjson",
      "anatomy.ndjson",
      "system-logs.ndjson",
      "metrics.json",
    ];
    const from = examples.flatMap((name) => ["--from-files", join(ROOT, "fixtures", "examples", name)]);
    expect(await runWorld(["pull", ...from, "--out", out, "--quiet"])).toMatchObject({ code: 0, stderr: "" });
    const { slices } = await readManifest(out);
    files = slices.flatMap((slice) => slice.files.map((file) => ({ table: slice.table, file })));

    const detail = new Detail();
    const builder = new RequestBuilder(new RequestTable(), { weight: "auto", probePaths: [] }, detail);
    const sink = { builder, events: [] as SystemEvent[], metrics: [] as MetricPoint[] };
    await readCapture(out, sink, true);
    const starts: number[] = [];
    builder.table.forEach((row) => void starts.push(builder.table.start(row)));
    const keep = (table: CaptureTable, ticks: readonly number[]): void => {
      own.set(table, { rows: ticks.length, earliest: ticks.reduce((least, one) => Math.min(least, one)) });
    };
    keep("requests", starts);
    for (const [table, rows] of [
      ["system-events", sink.events],
      ["dependencies", detail.dependencies],
      ["traces", detail.traces],
      ["metrics", detail.metrics],
      ["ingress", sink.metrics],
    ] as const) {
      if (rows.length > 0)
        keep(
          table,
          rows.map(({ ticks }) => ticks),
        );
    }
    expect([...own.keys()].sort()).toEqual([...new Set(files.map(({ table }) => table))].sort());
    expect(own.size).toBeGreaterThan(4);
  }, 60_000);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const nanoseconds = (ticks: number): bigint => BigInt(EPOCH_MS) * 1_000_000n + BigInt(ticks) * 100n;

  for (const [name, { needs, script }] of Object.entries(READERS)) {
    it.skipIf(!hasReader(needs))(
      `open in ${name}, with the same rows and the same earliest instant`,
      () => {
        const seen = files.filter(({ file }) => !file.path.startsWith("request-details/"));
        const program = `${script}
import sys, os
for path in sys.argv[1:]:
    print(*look(path))`;
        const paths = seen.map(({ file }) => join(folder, "capture", file.path));
        const { stdout, stderr, status } = spawnSync(python, ["-c", program, ...paths], { encoding: "utf8" });
        expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
        const lines = stdout.trimEnd().split("\n");
        expect(lines.length).toBe(seen.length);
        for (const [i, { table, file }] of seen.entries()) {
          const [rows, earliest] = lines[i]!.split(" ");
          expect([table, Number(rows)]).toEqual([table, own.get(table)!.rows]);
          expect(Number(rows)).toBe(file.rows);
          expect([table, BigInt(earliest!)]).toEqual([table, nanoseconds(own.get(table)!.earliest)]);
        }
      },
      60_000,
    );
  }

  it.skipIf(!hasReader("pyarrow"))("have as many details as there are requests, row by row", () => {
    const details = files.filter(({ file }) => file.path.startsWith("request-details/"));
    expect(details.length).toBeGreaterThan(0);
    const program = `
import sys, pyarrow as pa
for path in sys.argv[1:]:
    table = pa.ipc.open_file(path).read_all()
    table.validate(full=True)
    print(table.num_rows, *table.schema.names)`;
    const paths = details.map(({ file }) => join(folder, "capture", file.path));
    const { stdout } = spawnSync(python, ["-c", program, ...paths], { encoding: "utf8" });
    expect(stdout).toBe(
      details.map(({ file }) => `${file.rows} id operation_id name url result_code\n`).join(""),
    );
  });
});
