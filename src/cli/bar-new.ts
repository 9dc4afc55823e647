import { parseBar } from "../verdict/bar-file.ts";
import { explainBar } from "./bar-explain.ts";
import { DEFAULT_BAR, readText, writeWhole } from "./bar-files.ts";
import { parseCondition, writeBar } from "./bar-write.ts";
import { ExitCode, UsageError } from "./exit-codes.ts";
import type { World } from "./world.ts";

export interface NewFlags {
  readonly name?: string;
  readonly hypothesis?: string;
  readonly condition?: readonly string[];
  readonly metric?: string;
  readonly below?: string;
  readonly above?: string;
  readonly minimum?: string;
  readonly first?: string;
  readonly confidence?: string;
  readonly role?: string;
  readonly timezone?: string;
  readonly days?: string;
  readonly looks?: string;
  readonly out?: string;
  readonly force?: boolean;
}

/** What a bar cannot do without. */
interface Essentials {
  readonly name: string;
  readonly hypothesis: string;
  readonly conditions: readonly string[];
  readonly minimum: string;
}

/** Writes a bar from flags, and from answers where there is a terminal. Returns the exit code. */
export async function newBar(flags: NewFlags, world: World): Promise<ExitCode> {
  const file = flags.out ?? DEFAULT_BAR;
  if (flags.force !== true && (await readText(file, world)) !== null) {
    throw new UsageError(`${file} exists; --force overwrites it, --out names another file`);
  }
  const { name, hypothesis, conditions, minimum } = await essentials(flags, world);
  const text = writeBar({ ...flags, name, hypothesis, minimum, conditions: conditions.map(parseCondition) });
  const parsed = parseBar(text);
  if (!("bar" in parsed)) {
    for (const { message } of parsed.problems) await world.stderr.write(`coldstart: ${message}\n`);
    return ExitCode.usage;
  }
  await writeWhole(file, text, world);
  for (const { message } of parsed.warnings) await world.stderr.write(`warning: ${message}\n`);
  await world.stdout.write(explainBar(file, parsed.bar, parsed.digest));
  await world.stdout.write(
    `\nRegister it before the deployment:\n  coldstart bar freeze${file === DEFAULT_BAR ? "" : ` ${file}`}\n`,
  );
  return ExitCode.done;
}

async function essentials(flags: NewFlags, world: World): Promise<Essentials> {
  const given = conditionsOf(flags);
  given.forEach(parseCondition);
  const missing = [
    ...(flags.name === undefined ? ["--name"] : []),
    ...(flags.hypothesis === undefined ? ["--hypothesis"] : []),
    ...(given.length === 0 ? ['--condition "METRIC below|above BOUND"'] : []),
    ...(flags.minimum === undefined ? ["--minimum"] : []),
  ];
  const { prompt } = world;
  if (missing.length > 0 && prompt === undefined) throw new UsageError(`missing: ${missing.join(", ")}`);
  const ask = async (question: string): Promise<string> => {
    const answer = await prompt!(question);
    if (answer === null)
      throw new UsageError(`no answer; give it as an option (missing: ${missing.join(", ")})`);
    return answer.trim();
  };
  return {
    name: flags.name ?? (await insist(ask, "Name of the bar: ", nonEmpty, world)),
    hypothesis:
      flags.hypothesis ??
      (await insist(ask, "What is the deployment expected to do, and why? ", nonEmpty, world)),
    conditions: given.length > 0 ? given : await askConditions(ask, world),
    minimum: flags.minimum ?? (await insist(ask, "New instances needed at least: ", wholeNumber, world)),
  };
}

function conditionsOf({ condition = [], metric, below, above }: NewFlags): string[] {
  if (metric === undefined) {
    if (below !== undefined || above !== undefined) {
      throw new UsageError("--below and --above need --metric; for several conditions repeat --condition");
    }
    return [...condition];
  }
  if ((below === undefined) === (above === undefined)) {
    throw new UsageError("--metric needs one of --below and --above");
  }
  return [`${metric} ${below === undefined ? `above ${above}` : `below ${below}`}`, ...condition];
}

type Ask = (question: string) => Promise<string>;

/** Asks until the answer will do; the check says in a line why one does not. */
async function insist(
  ask: Ask,
  question: string,
  check: (answer: string) => string | null,
  world: World,
): Promise<string> {
  for (;;) {
    const answer = await ask(question);
    const complaint = check(answer);
    if (complaint === null) return answer;
    await world.stderr.write(`${complaint}\n`);
  }
}

async function askConditions(ask: Ask, world: World): Promise<string[]> {
  const first = await insist(
    ask,
    'What must hold, such as "firstRequest.p50 below 2s": ',
    isCondition,
    world,
  );
  const all = [first];
  for (;;) {
    const next = await insist(
      ask,
      "And what else (empty for nothing): ",
      (answer) => (answer === "" ? null : isCondition(answer)),
      world,
    );
    if (next === "") return all;
    all.push(next);
  }
}

function nonEmpty(answer: string): string | null {
  return answer === "" ? "This must not be empty." : null;
}

function wholeNumber(answer: string): string | null {
  return /^[1-9]\d*$/.test(answer) ? null : "Write a whole number of at least 1.";
}

/** Whether a condition is sound, apart from what depends on the rest of the bar. */
function isCondition(answer: string): string | null {
  try {
    const text = writeBar({
      name: "x",
      hypothesis: "x",
      minimum: "1",
      confidence: "none",
      conditions: [parseCondition(answer)],
    });
    const parsed = parseBar(text);
    return "bar" in parsed ? null : parsed.problems.map(({ message }) => message).join("\n");
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}
