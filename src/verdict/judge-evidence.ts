import type { VerdictName } from "./judgement.ts";

/**
 * The verdict of anytime looks: pass when the evidence that the bar is met reaches 1/α, fail when the
 * evidence against it does. Either holds however often one looks.
 */
export function judgeEvidence(
  met: number,
  missed: number,
  confidence: number,
): { eValue: number; eNeeded: number; verdict: VerdictName; reasons: string[] } {
  // 1 / (1 − 0.95) is 19.999999999999982 in doubles.
  const needed = Math.round(1e9 / (1 - confidence)) / 1e9;
  if (met >= needed) return { eValue: met, eNeeded: needed, verdict: "pass", reasons: [] };
  if (missed >= needed) {
    return {
      eValue: met,
      eNeeded: needed,
      verdict: "fail",
      reasons: [`the evidence against the bar is E = ${missed.toPrecision(4)}`],
    };
  }
  return {
    eValue: met,
    eNeeded: needed,
    verdict: "inconclusive",
    reasons: ["the evidence is not enough yet, either way: look again with more instances"],
  };
}
