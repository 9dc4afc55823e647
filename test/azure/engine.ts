import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe } from "vitest";
import { ROOT } from "../cli/world.ts";

export interface EngineAnswer {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly unknown[])[];
}

/** The Python interpreter that has the engine; null where it is not installed. */
export function enginePython(): string | null {
  const python = process.env.COLDSTART_KQL_PYTHON ?? join(ROOT, ".kql-venv", "bin", "python");
  if (!existsSync(python)) return null;
  return spawnSync(python, ["-c", "import duckdb_kql, pyarrow"]).status === 0 ? python : null;
}

const python = enginePython();

/** Tests that need the KQL engine; without it they say loudly that they were skipped. */
export const describeWithEngine = python === null ? describe.skip : describe;
if (python === null) {
  console.warn("SKIPPED: no KQL engine (python with duckdb-kql, pyarrow); .ci/run installs one");
}

/** A KQL engine in a process of its own, with tables in memory. */
export class KqlEngine {
  readonly #process: ChildProcess;
  readonly #waiting: ((line: string) => void)[] = [];
  readonly #folder = mkdtempSync(join(tmpdir(), "coldstart-kql-"));

  constructor() {
    this.#process = spawn(python!, [join(import.meta.dirname, "engine.py")], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    createInterface({ input: this.#process.stdout! }).on("line", (line) => this.#waiting.shift()!(line));
  }

  /** Loads a table as the REST service writes it. */
  async load(table: string, content: string | Uint8Array): Promise<void> {
    const path = join(this.#folder, `${table}.json`);
    writeFileSync(path, content);
    await this.#command({ load: { table, path } });
  }

  async sql(text: string): Promise<void> {
    await this.#command({ sql: text });
  }

  query(text: string): Promise<EngineAnswer> {
    return this.#command({ query: text }) as Promise<EngineAnswer>;
  }

  close(): void {
    this.#process.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #command(command: unknown): Promise<unknown> {
    const answer = new Promise<string>((resolve) => this.#waiting.push(resolve));
    this.#process.stdin!.write(`${JSON.stringify(command)}\n`);
    const value = JSON.parse(await answer) as { error?: string };
    if (value.error !== undefined) throw new Error(value.error);
    return value;
  }
}
