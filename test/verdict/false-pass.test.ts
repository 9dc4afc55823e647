import { describe, expect, it } from "vitest";
import { createRandom } from "../../src/stats/random.ts";
import { judgeQuantile } from "../../src/verdict/judge-quantile.ts";
import { judgeShare } from "../../src/verdict/judge-share.ts";
import type { Bound, Rule } from "../../src/verdict/judgement.ts";

const ONCE: Rule = { confidence: 0.95, looks: "once", seed: 1 };
const ANYTIME: Rule = { ...ONCE, looks: "anytime" };
const BELOW: Bound = { side: "below", value: 2000 };
const SERVICES = 4_000;
/** First look at 100 instances, then every ten up to 300: 21 looks. */
const LOOKS = Array.from({ length: 21 }, (_, i) => 100 + 10 * i);

/** Durations of a service of which the given share truly lies under the bar. */
function service(share: number, n: number, seed: number): Float64Array {
  const random = createRandom(seed);
  return Float64Array.from({ length: n }, () =>
    random.float() < share ? 500 + 1499 * random.float() : 2000 + 3000 * random.float(),
  );
}

function shareOfPasses(share: number, looks: readonly number[], rule: Rule): number {
  let passes = 0;
  for (let i = 0; i < SERVICES; i++) {
    const all = service(share, looks[looks.length - 1]!, 1000 + i);
    const isPassed = looks.some(
      (n) => judgeQuantile(all.slice(0, n).sort(), 0.5, BELOW, rule).verdict === "pass",
    );
    if (isPassed) passes++;
  }
  return passes / SERVICES;
}

describe("the false-pass rate of a service exactly on the bar", () => {
  it("is at most 5 % for one look", () => {
    expect(shareOfPasses(0.5, [100], ONCE)).toBeLessThanOrEqual(0.05);
  });

  it("is at most 5 % for 21 anytime looks", () => {
    expect(shareOfPasses(0.5, LOOKS, ANYTIME)).toBeLessThanOrEqual(0.05);
  });

  it("is far higher for 21 looks at the bound of one, which is why anytime looks exist", () => {
    expect(shareOfPasses(0.5, LOOKS, ONCE)).toBeGreaterThan(0.08);
  });

  it("is at most 5 % for a share on its bar", () => {
    let passes = 0;
    for (let i = 0; i < SERVICES; i++) {
      const random = createRandom(50_000 + i);
      const count = Array.from({ length: 100 }, () => random.float() < 0.4).filter(Boolean).length;
      if (judgeShare(count, 100, { side: "below", value: 0.4 }, ONCE).verdict === "pass") passes++;
    }
    expect(passes / SERVICES).toBeLessThanOrEqual(0.05);
  });
});

describe("the power", () => {
  it("is what bar new prints: 65 % truly under the bar pass 91 % of the time with 100 instances", () => {
    expect(shareOfPasses(0.65, [100], ONCE)).toBeCloseTo(0.91, 1);
    expect(shareOfPasses(0.65, LOOKS, ANYTIME)).toBeGreaterThan(0.95);
  });
});
