import { fileURLToPath } from "node:url";
import { run } from "../../src/cli/program.ts";
import type { World } from "../../src/cli/world.ts";
import { type ReportDocument, reportSchema } from "../../src/report/document.ts";

/** The root of the project; commands in tests name files relative to it. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** What a command left behind. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface WorldOptions {
  /** What standard input holds. */
  readonly stdin?: string | Uint8Array;
  readonly env?: World["env"];
  /** Columns of standard output, which is then a terminal. */
  readonly terminal?: number;
  /** The working folder; the project's root unless set. */
  readonly cwd?: string;
  /** The present moment, ISO 8601. */
  readonly now?: string;
  /** What the user answers on the terminal, line by line; then the input ends. Nobody answers unless set. */
  readonly answers?: readonly string[];
  /** Stands for every way to sign in to Azure. */
  readonly credential?: World["credential"];
}

/** Runs the command line in process, with everything of the outside replaced by strings. */
export async function runWorld(args: readonly string[], options: WorldOptions = {}): Promise<Outcome> {
  let stdout = "";
  let stderr = "";
  const { stdin = "", env = {}, terminal, cwd = ROOT, now = "2026-09-18T12:00:00.000Z" } = options;
  const answers = [...(options.answers ?? [])];
  const world: World = {
    env,
    stdin: chunksOf(typeof stdin === "string" ? new TextEncoder().encode(stdin) : stdin),
    stdout: {
      write: async (text) => {
        stdout += text;
      },
      isTerminal: terminal !== undefined,
      columns: terminal ?? 80,
    },
    stderr: {
      write: async (text) => {
        stderr += text;
      },
      isTerminal: false,
      columns: 80,
    },
    cwd,
    bundled: ROOT,
    now: () => new Date(now),
    ...(options.credential === undefined ? {} : { credential: options.credential }),
    ...(options.answers === undefined
      ? {}
      : {
          prompt: async (question: string) => {
            stderr += question;
            return answers.shift() ?? null;
          },
        }),
  };
  const code = await run(args, world);
  return { code, stdout, stderr };
}

/** A report's outcome with its document, null where none was printed. */
export interface ReportOutcome extends Outcome {
  readonly document: ReportDocument | null;
}

/** Runs `coldstart report --format json` and parses what it printed against the schema. */
export async function runReportJson(
  args: readonly string[],
  options: WorldOptions = {},
): Promise<ReportOutcome> {
  const outcome = await runWorld(["report", "--format", "json", ...args], options);
  const document = outcome.stdout === "" ? null : reportSchema.strict().parse(JSON.parse(outcome.stdout));
  return { ...outcome, document };
}

/** The lines of a text that ends in a newline. */
export function lines(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

async function* chunksOf(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  if (bytes.length > 0) yield bytes;
}
