import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type CountRule, neededCount, passPower } from "../../src/verdict/power.ts";
import { ROOT } from "../cli/world.ts";

const median: CountRule = { kind: "quantile", side: "below", at: 0.5, confidence: 0.95, looks: "once" };
const LOOKS = Array.from({ length: 21 }, (_, i) => 100 + 10 * i);

/** The exact chance that a service with a true share of ½ passes at any of the looks. */
function chanceOfAnyPass(looks: readonly number[], rule: CountRule): number {
  // at[k]: the chance of k values under the bar so far, with no pass yet.
  let at = [1];
  let passed = 0;
  for (let n = 1; n <= looks.at(-1)!; n++) {
    const next = Array.from({ length: n + 1 }, (_, k) => ((at[k - 1] ?? 0) + (at[k] ?? 0)) / 2);
    if (looks.includes(n)) {
      const needed = neededCount(n, rule)!;
      for (let k = needed; k <= n; k++) {
        passed += next[k]!;
        next[k] = 0;
      }
    }
    at = next;
  }
  return passed;
}

describe("looking again and again at a service exactly on the bar", () => {
  it.each([
    ["the point estimate", { ...median, confidence: "none" as const }, 0.786],
    ["a bound meant for one look", median, 0.133],
    ["evidence that holds at any time", { ...median, looks: "anytime" as const }, 0.006],
  ])("passes by %s", (_, rule, chance) => {
    expect(chanceOfAnyPass(LOOKS, rule)).toBeCloseTo(chance, 2);
  });

  it("stays within α at every n, if the looks are declared", () => {
    const every = Array.from({ length: 395 }, (_, i) => 6 + i).filter(
      (n) => neededCount(n, { ...median, looks: "anytime" }) !== null,
    );
    expect(every.length).toBeGreaterThan(380);
    expect(chanceOfAnyPass(every, { ...median, looks: "anytime" })).toBeLessThan(0.05);
    expect(chanceOfAnyPass([100], median)).toBeCloseTo(passPower(100, 0.5, median), 12);
  });

  it("has the numbers of the manual", () => {
    const page = readFileSync(join(ROOT, "docs", "bars-and-registration.md"), "utf8");
    const percent = (chance: number): string => {
      const value = chance * 100;
      return `${value < 1 ? value.toFixed(1) : Math.round(value)} %`;
    };
    expect(page).toContain(
      `is below the bar | ${percent(chanceOfAnyPass(LOOKS, { ...median, confidence: "none" }))} |`,
    );
    expect(page).toContain(`at any look | ${percent(chanceOfAnyPass(LOOKS, median))} |`);
    expect(page).toContain(`at one look | ${percent(passPower(100, 0.5, median))} |`);
    expect(page).toContain(
      `anytime\` | ${percent(chanceOfAnyPass(LOOKS, { ...median, looks: "anytime" }))} |`,
    );
    for (const share of [0.55, 0.6, 0.65]) {
      expect(page).toContain(`| ${Math.round(share * 100)} % | ${percent(passPower(100, share, median))}`);
    }
    for (const n of [30, 100, 200, 300]) {
      const counts = [0.5, 0.9, 0.99].map((at) => neededCount(n, { ...median, at }) ?? "cannot be shown");
      expect(page).toContain(`| ${n} | ${counts.join(" | ")} |`);
    }
  });
});
