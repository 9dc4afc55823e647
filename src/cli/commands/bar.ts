import type { Command } from "commander";
import type { FreezeFlags } from "../bar-freeze.ts";
import type { NewFlags } from "../bar-new.ts";
import { ExitCode } from "../exit-codes.ts";
import type { World } from "../world.ts";

const FILE = "[file]";
const FILE_HELP = "the bar (coldstart.bar.yaml)";
const DEFAULT_FILE = "coldstart.bar.yaml";

const EXAMPLES = `
Examples:
  coldstart bar new --name "Warm-up" --hypothesis "The warm-up pays the first request's costs" \\
    --condition "firstRequest.p50 below 2s" --minimum 100 --role quotes-api
  coldstart bar check
  coldstart bar freeze --data requests.json
  coldstart bar amend --reason "one week more, because of the holiday"`;

/** `coldstart bar`: write, prove and register a bar. */
export function addBar(program: Command, world: World, done: (code: number) => void): void {
  const bar = program
    .command("bar")
    .description("write, prove and register what a deployment must meet, before it")
    .addHelpText("after", EXAMPLES);
  addNew(bar, world, done);
  addCheck(bar, world, done);
  addFreeze(bar, world, done);
  addAmend(bar, world, done);
  bar.addHelpText("after", () => optionsOfAll(bar));
}

function addNew(bar: Command, world: World, done: (code: number) => void): void {
  bar
    .command("new")
    .description("write a bar from options, and from answers on a terminal")
    .option("--name <text>", "name of the bar")
    .option("--hypothesis <text>", "what the deployment is expected to do, and why")
    .option("--condition <text>", 'what must hold: "METRIC below|above BOUND" (repeatable)', collect)
    .option("--metric <name>", "metric of a condition, with --below or --above")
    .option("--below <bound>", "the metric must be smaller than this: 2s, 0.4")
    .option("--above <bound>", "the metric must be greater than this")
    .option("--minimum <n>", "new instances needed after the deployment")
    .option("--first <n>", "judge the first N instances by birth and no later ones, or all (the minimum)")
    .option("--confidence <level>", "one-sided confidence, or none (0.95)")
    .option("--role <name>", "only instances of this role")
    .option("--timezone <iana>", "time zone of days (UTC)")
    .option("--days <days>", "all or weekdays (all)")
    .option("--looks <rule>", "once or anytime (once)")
    .option("--out <file>", "where to write it (coldstart.bar.yaml)")
    .option("--force", "overwrite the file")
    .action(async (flags: NewFlags) => {
      const { newBar } = await import("../bar-new.ts");
      done(await newBar(flags, world));
    });
}

function addCheck(bar: Command, world: World, done: (code: number) => void): void {
  bar
    .command("check")
    .description("prove a bar, and say what it means and how likely it is to pass")
    .argument(FILE, FILE_HELP, DEFAULT_FILE)
    .action(async (file: string) => {
      const { provenBar } = await import("../bar-files.ts");
      const proven = await provenBar(file, world);
      if (proven === null) return done(ExitCode.usage);
      const { explainBar } = await import("../bar-explain.ts");
      await world.stdout.write(explainBar(file, proven.bar, proven.digest));
      done(ExitCode.done);
    });
}

function addFreeze(bar: Command, world: World, done: (code: number) => void): void {
  bar
    .command("freeze")
    .description("register a bar: write its lock, to be committed beside it")
    .argument(FILE, FILE_HELP, DEFAULT_FILE)
    .option(
      "--data <path>",
      "data that can be seen already: its newest instant is recorded (repeatable)",
      collect,
    )
    .action(async (file: string, flags: FreezeFlags) => {
      const { freezeBar } = await import("../bar-freeze.ts");
      done(await freezeBar(file, flags, world));
    });
}

function addAmend(bar: Command, world: World, done: (code: number) => void): void {
  bar
    .command("amend")
    .description("register a changed bar in place of the frozen one, with the reason")
    .argument(FILE, FILE_HELP, DEFAULT_FILE)
    .option("--reason <text>", "why the bar changed")
    .option(
      "--data <path>",
      "data that can be seen already: its newest instant is recorded (repeatable)",
      collect,
    )
    .action(async (file: string, flags: FreezeFlags & { readonly reason?: string }) => {
      const { amendBar } = await import("../bar-freeze.ts");
      done(await amendBar(file, flags, world));
    });
}

function collect(value: string, previous: string[] | undefined): string[] {
  return [...(previous ?? []), value];
}

/** The options of every command below `bar`, so that one help shows all. */
function optionsOfAll(bar: Command): string {
  const help = bar.createHelp();
  return bar.commands
    .filter(({ options }) => options.length > 0)
    .map((command) => {
      const options = command.options.map(
        (option) => `  ${help.optionTerm(option).padEnd(22)}  ${help.optionDescription(option)}`,
      );
      return `\nOptions of ${command.name()}:\n${options.join("\n")}`;
    })
    .join("\n");
}
