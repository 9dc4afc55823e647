import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type AnalysisFlags, analysisSettings } from "../../src/cli/analysis-options.ts";
import { type ReportRun, runReport } from "../../src/cli/report-run.ts";
import type { ReportDocument } from "../../src/report/document.ts";

/** A folder of its own for a test's inputs, removed after use. */
export class InputFolder {
  readonly path = mkdtempSync(join(tmpdir(), "coldstart-test-"));

  /** Writes an input (folders in its name are made) and gives its path. */
  write(name: string, bytes: Uint8Array): string {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    return path;
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** The real pipeline on files, as the command runs it. `stdin` is what `-` reads. */
export async function report(
  paths: readonly string[],
  flags: AnalysisFlags = {},
  stdin: readonly Uint8Array[] = [],
): Promise<ReportRun> {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield* stdin;
  }
  return runReport(paths, await analysisSettings(flags), chunks());
}

/** A document without what says where the rows lay. */
export function withoutInputs(document: ReportDocument): Omit<ReportDocument, "inputs"> {
  const { inputs: _inputs, ...rest } = document;
  return rest;
}
