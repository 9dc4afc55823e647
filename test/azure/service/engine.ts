import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe } from "vitest";
import { ROOT } from "../../cli/world.ts";

export type KqlType = "string" | "int" | "long" | "real" | "bool" | "datetime" | "timespan" | "dynamic";
export type Schema = readonly (readonly [name: string, type: KqlType])[];

/** A row by column. Instants are ISO text, dynamic values are values; what is missing is null. */
export type TableRow = Readonly<Record<string, unknown>>;

export interface EngineAnswer {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** As the service writes them: instants with seven digits and Z, dynamic as JSON text, NaN as "NaN". */
  readonly rows: readonly (readonly unknown[])[];
}

/** The engine does not take a query or a table. */
export class EngineError extends Error {
  constructor(
    readonly code: "SyntaxError" | "SemanticError" | "EngineError",
    message: string,
  ) {
    super(message);
  }
}

type Answer = { readonly error?: { readonly code: EngineError["code"]; readonly message: string } };

/** A KQL engine in a process of its own, with tables in memory. The process starts with the first command. */
export class Engine {
  readonly #python: string;
  #process: ChildProcess | null = null;
  #folder: string | null = null;
  readonly #waiting: { resolve(line: string): void; reject(error: Error): void }[] = [];
  #files = 0;

  constructor(python: string) {
    this.#python = python;
  }

  /**
   * Makes a table of these rows, or of a file of NDJSON or Parquet; one of that name is replaced.
   *
   * @returns the count of rows
   * @throws RangeError for a row with a column that the schema lacks; EngineError for a value of another type,
   *   or an instant finer than the engine's microsecond
   */
  async load(
    table: string,
    schema: Schema,
    rows: readonly TableRow[] | { readonly ndjson: string } | { readonly parquet: string },
  ): Promise<number> {
    const file = "ndjson" in rows || "parquet" in rows ? rows : this.#write(table, schema, rows);
    const { rows: count } = (await this.#command({ load: { table, schema, ...file } })) as { rows: number };
    return count;
  }

  /** @throws EngineError */
  async query(text: string): Promise<EngineAnswer> {
    return (await this.#command({ query: text })) as EngineAnswer;
  }

  close(): void {
    this.#process?.kill();
    this.#process = null;
    if (this.#folder !== null) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = null;
  }

  #write(table: string, schema: Schema, rows: readonly TableRow[]): { ndjson: string } {
    const known = new Set(schema.map(([name]) => name));
    for (const row of rows) {
      const stray = Object.keys(row).find((name) => !known.has(name));
      if (stray !== undefined) throw new RangeError(`${table} has no column ${stray}`);
    }
    this.#folder ??= mkdtempSync(join(tmpdir(), "coldstart-tables-"));
    const ndjson = join(this.#folder, `${this.#files++}.ndjson`);
    writeFileSync(ndjson, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    return { ndjson };
  }

  async #command(command: unknown): Promise<unknown> {
    const process = this.#start();
    const line = new Promise<string>((resolve, reject) => this.#waiting.push({ resolve, reject }));
    process.stdin!.write(`${JSON.stringify(command)}\n`);
    const answer = JSON.parse(await line) as Answer;
    if (answer.error !== undefined) throw new EngineError(answer.error.code, answer.error.message);
    return answer;
  }

  #start(): ChildProcess {
    if (this.#process !== null) return this.#process;
    const started = spawn(this.#python, [join(import.meta.dirname, "engine.py")], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#process = started;
    // Answers are one line of up to a hundred megabytes, so pieces are joined only when it is whole.
    let pieces: Buffer[] = [];
    started.stdout.on("data", (chunk: Buffer) => {
      for (let rest = chunk; ; ) {
        const end = rest.indexOf(10);
        pieces.push(end === -1 ? rest : rest.subarray(0, end));
        if (end === -1) return;
        this.#waiting.shift()?.resolve(Buffer.concat(pieces).toString());
        pieces = [];
        rest = rest.subarray(end + 1);
      }
    });
    const end = (): void => {
      if (this.#process === started) this.#process = null;
      for (const { reject } of this.#waiting.splice(0)) reject(new Error("the KQL engine has ended"));
    };
    started.on("error", end).on("close", end);
    started.stdin.on("error", end);
    return started;
  }
}

function findPython(): string | null {
  const python = process.env.COLDSTART_KQL_PYTHON ?? join(ROOT, ".kql-venv", "bin", "python");
  if (!existsSync(python)) return null;
  return spawnSync(python, ["-c", "import duckdb, duckdb_kql, pyarrow"]).status === 0 ? python : null;
}

let python: string | null | undefined;
let shared: Engine | null = null;

/** The engine of this test file, closed after its tests; null where it is not installed. */
export function kqlEngine(): Engine | null {
  if (python === undefined) python = findPython();
  if (python === null) return null;
  if (shared === null) {
    const engine = new Engine(python);
    shared = engine;
    afterAll(() => {
      engine.close();
      shared = null;
    });
  }
  return shared;
}

/** Tests that need the engine; where it is not installed they are skipped, and the console says so. */
export function describeKql(name: string, tests: (engine: Engine) => void): void {
  const engine = kqlEngine();
  if (engine === null) {
    console.warn("SKIPPED: no KQL engine; .ci/run installs it");
    describe.skip(name, () => tests(new Engine("")));
  } else {
    describe(name, () => tests(engine));
  }
}
