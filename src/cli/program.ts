import { Command, CommanderError } from "commander";
import { SourceFault } from "../sources/azure/source-fault.ts";
import { CaptureRefused } from "../sources/capture/lock.ts";
import { DataFault } from "../telemetry/fault.ts";
import { addAnatomy } from "./commands/anatomy.ts";
import { addBar } from "./commands/bar.ts";
import { addDemo } from "./commands/demo.ts";
import { addDoctor } from "./commands/doctor.ts";
import { addGate } from "./commands/gate.ts";
import { addInit } from "./commands/init.ts";
import { addLeaks } from "./commands/leaks.ts";
import { addProbes } from "./commands/probes.ts";
import { addPull } from "./commands/pull.ts";
import { addReconcile } from "./commands/reconcile.ts";
import { addReplicas } from "./commands/replicas.ts";
import { addReport } from "./commands/report.ts";
import { ExitCode, UsageError } from "./exit-codes.ts";
import { say } from "./say.ts";
import { VERSION } from "./version.ts";
import type { World } from "./world.ts";

/** In the order in which `--help` lists them. */
const COMMANDS = [
  addReport,
  addGate,
  addBar,
  addLeaks,
  addProbes,
  addReplicas,
  addAnatomy,
  addReconcile,
  addPull,
  addDoctor,
  addInit,
  addDemo,
];

/** Runs the command line and returns its exit code; only this function turns errors into codes. */
export async function run(args: readonly string[], world: World): Promise<number> {
  let code: number = ExitCode.done;
  const written: Promise<void>[] = [];
  const program = new Command("coldstart")
    .description(
      "Measures cold starts on Azure Container Apps from Application Insights requests and system logs.",
    )
    .version(VERSION)
    .exitOverride()
    .configureHelp({ helpWidth: world.stdout.isTerminal ? Math.max(60, world.stdout.columns) : 100 })
    .configureOutput({
      writeOut: (text) => written.push(world.stdout.write(text)),
      writeErr: (text) => written.push(world.stderr.write(text)),
    });
  sayErrorsInOneLine(program, "coldstart");
  const done = (value: number): void => {
    code = value;
  };
  for (const add of COMMANDS) add(program, world, done);
  for (const command of program.commands) {
    sayErrorsInOneLine(command, `coldstart ${command.name()}`);
    for (const sub of command.commands) sayErrorsInOneLine(sub, `coldstart ${command.name()} ${sub.name()}`);
  }
  program.hook("preAction", async (_, command) => {
    const { applyConfig } = await import("./config-flags.ts");
    await applyConfig(command, world);
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    return await explain(error, world);
  } finally {
    await Promise.all(written);
  }
}

function sayErrorsInOneLine(command: Command, name: string): void {
  command.configureOutput({
    outputError: (text, write) => {
      const line = text
        .replace(/^error: /, "")
        .trim()
        .replace(/\s*\n\s*/g, " ")
        .replace(/\.$/, "");
      write(`coldstart: ${line}; ${name} --help lists what there is\n`);
    },
  });
}

async function explain(error: unknown, world: World): Promise<number> {
  if (error instanceof CommanderError) {
    const isHelp = error.exitCode === 0;
    return isHelp ? ExitCode.done : ExitCode.usage;
  }
  if (error instanceof UsageError) {
    await say(world, `coldstart: ${error.message}`);
    return ExitCode.usage;
  }
  if (error instanceof DataFault) {
    await say(world, `coldstart: ${error.message}`);
    return error instanceof CaptureRefused ? ExitCode.usage : ExitCode.data;
  }
  if (error instanceof SourceFault) {
    await say(world, `coldstart: ${error.message}`);
    return ExitCode.source;
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  await world.stderr.write(
    `coldstart: a fault of the program itself; please report it with these lines\n${stack}\n`,
  );
  return ExitCode.fault;
}
