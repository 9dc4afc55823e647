/** What a piece of text means; colour only repeats what the words already say. */
export type Tone = "plain" | "strong" | "dim" | "better" | "worse" | "caution";

export type Paint = (text: string, tone: Tone) => string;

const CODES: Readonly<Record<Exclude<Tone, "plain">, readonly [number, number]>> = {
  strong: [1, 22],
  dim: [2, 22],
  better: [32, 39],
  worse: [31, 39],
  caution: [33, 39],
};

/**
 * Puts ANSI codes around text, or nothing without `color`. The codes are written out because
 * `styleText` of `node:util` looks at the process (NO_COLOR, the stream), and a renderer must not.
 */
export function painter(color: boolean): Paint {
  return (text, tone) => {
    if (!color || tone === "plain" || text.trim() === "") return text;
    const [on, off] = CODES[tone];
    return `\u001b[${on}m${text}\u001b[${off}m`;
  };
}
