#!/usr/bin/env node
import { fileURLToPath } from "node:url";
import { run } from "./cli/program.ts";
import type { Output, World } from "./cli/world.ts";

function output(stream: NodeJS.WriteStream): Output {
  return {
    write: (text) =>
      new Promise((resolve, reject) => {
        stream.write(text, (error) => (error ? reject(error) : resolve()));
      }),
    isTerminal: stream.isTTY === true,
    columns: stream.columns ?? 80,
  };
}

/** Asks on the terminal, beside the result and not in it; null at the end of the input. */
async function ask(question: string): Promise<string | null> {
  const { createInterface } = await import("node:readline/promises");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // The line editor swallows Ctrl-C; it means the same here as everywhere.
  terminal.once("SIGINT", () => process.kill(process.pid, "SIGINT"));
  const ended = new Promise<null>((resolve) => terminal.once("close", () => resolve(null)));
  try {
    return await Promise.race([terminal.question(question), ended]);
  } finally {
    terminal.close();
  }
}

const canAsk = process.stdin.isTTY === true && process.stderr.isTTY === true;

const world: World = {
  env: process.env,
  stdin: process.stdin,
  stdout: output(process.stdout),
  stderr: output(process.stderr),
  cwd: process.cwd(),
  bundled: fileURLToPath(new URL("..", import.meta.url)),
  now: () => new Date(),
  ...(canAsk ? { prompt: ask } : {}),
};

// A reader that closes the pipe early (`| head`) ends the program quietly.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});
for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const) {
  process.once(signal, () => process.exit(code));
}

process.exitCode = await run(process.argv.slice(2), world);
