import type { World } from "./world.ts";

/**
 * One line on standard error. Texts from telemetry stand in such lines, so line breaks and other control
 * characters are shown as blanks: they could hold terminal codes, or commands that a pipeline obeys.
 */
export async function say(world: World, line: string): Promise<void> {
  await world.stderr.write(`${oneLine(line)}\n`);
}

/** A text without line breaks and control characters. */
export function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ").trim();
}
