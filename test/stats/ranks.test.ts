import fc from "fast-check";
import { wilcoxonRankSum } from "simple-statistics";
import { describe, expect, test } from "vitest";
import { createRandom } from "../../src/stats/random.ts";
import { hodgesLehmann, holm, mannWhitney, probabilityLess } from "../../src/stats/ranks.ts";

const side = fc.array(fc.integer({ min: -5, max: 15 }), { minLength: 1, maxLength: 25 });

/** P(U ≤ u) by counting the ways to draw m of the ranks 1..m+n with each rank sum. */
function slowLowerTail(u: number, m: number, n: number): number {
  const least = (m * (m + 1)) / 2;
  const ways = Array.from({ length: m + 1 }, () => new Float64Array(least + m * n + 1));
  ways[0]![0] = 1;
  for (let rank = 1; rank <= m + n; rank++) {
    for (let drawn = Math.min(m, rank); drawn >= 1; drawn--) {
      const to = ways[drawn]!;
      const from = ways[drawn - 1]!;
      for (let sum = rank; sum < to.length; sum++) to[sum]! += from[sum - rank]!;
    }
  }
  const total = (counts: Float64Array): number => counts.reduce((sum, c) => sum + c, 0);
  return total(ways[m]!.subarray(0, least + u + 1)) / total(ways[m]!);
}

describe("probabilityLess", () => {
  test("counts all pairs, ties half", () => {
    fc.assert(
      fc.property(side, side, (a, b) => {
        let less = 0;
        for (const x of a) for (const y of b) less += x < y ? 1 : x === y ? 0.5 : 0;
        expect(probabilityLess(a, b)).toBe(less / (a.length * b.length));
      }),
    );
  });

  test("is null without values", () => {
    expect(probabilityLess([], [1])).toBeNull();
    expect(probabilityLess([1], [])).toBeNull();
  });
});

describe("mannWhitney", () => {
  test.each([
    [3, 0.1],
    [4, 0.0286],
    [5, 0.0079],
    [6, 0.0022],
  ])("the least p with %d a side is %d", (n, p) => {
    const a = Array.from({ length: n }, (_, i) => i);
    const b = a.map((x) => x + 100);
    expect(mannWhitney(a, b).p).toBeCloseTo(p, 4);
    expect(mannWhitney(a, b).u).toBe(0);
    expect(mannWhitney(b, a).u).toBe(n * n);
  });

  test("is exact without ties", () => {
    const sizes = fc.integer({ min: 1, max: 9 });
    fc.assert(
      fc.property(sizes, sizes, fc.integer(), (m, n, seed) => {
        const random = createRandom(seed);
        const a = Array.from({ length: m }, () => random.float());
        const b = Array.from({ length: n }, () => random.float());
        let u = 0;
        for (const x of a) for (const y of b) if (x > y) u++;
        const { u: actual, p } = mannWhitney(a, b);
        expect(actual).toBe(u);
        expect(p).toBeCloseTo(Math.min(1, 2 * slowLowerTail(Math.min(u, m * n - u), m, n)), 12);
      }),
    );
  });

  test("u is the rank sum of simple-statistics, less its minimum", () => {
    fc.assert(
      fc.property(side, side, (a, b) => {
        expect(mannWhitney(a, b).u).toBe(wilcoxonRankSum(a, b) - (a.length * (a.length + 1)) / 2);
      }),
    );
  });

  test("is exact up to 50 a side, and the normal form is close from there", () => {
    const random = createRandom(3);
    const a = Array.from({ length: 50 }, () => random.normal());
    const b = Array.from({ length: 51 }, () => random.normal() + 0.4);
    const { u, p } = mannWhitney(a, b.slice(0, 50));
    const exact = (seen: number, m: number, n: number): number =>
      2 * slowLowerTail(Math.min(seen, m * n - seen), m, n);
    expect(p / exact(u, 50, 50)).toBeCloseTo(1, 10);
    const larger = mannWhitney(a, b);
    expect(larger.p / exact(larger.u, 50, 51)).toBeCloseTo(1, 1);
    expect(larger.p).not.toBeCloseTo(exact(larger.u, 50, 51), 10);
  });

  test("with ties, by hand", () => {
    // Three 2s and two 4s: Σ t³ − t = 24 + 6.
    const a = [1, 2, 2, 3];
    const b = [2, 4, 4, 5];
    const variance = (16 / 12) * (9 - (24 + 6) / 56);
    const { u, p } = mannWhitney(a, b);
    expect(u).toBe(2);
    const z = (8 - 2 - 0.5) / Math.sqrt(variance);
    expect(z).toBeCloseTo(1.6372, 4);
    expect(p).toBeCloseTo(0.1016, 4);
  });

  test("under equality p ≤ 5 % comes about 5 % of the time", () => {
    const random = createRandom(9);
    let rejected = 0;
    for (let i = 0; i < 2000; i++) {
      const a = Array.from({ length: 60 }, () => random.int(40));
      const b = Array.from({ length: 55 }, () => random.int(40));
      if (mannWhitney(a, b).p <= 0.05) rejected++;
    }
    expect(rejected / 2000).toBeGreaterThan(0.035);
    expect(rejected / 2000).toBeLessThan(0.065);
  });

  test("degenerate inputs say nothing", () => {
    expect(mannWhitney([], [1, 2])).toEqual({ u: 0, p: 1 });
    expect(mannWhitney([2, 2], [2, 2])).toEqual({ u: 2, p: 1 });
    expect(mannWhitney([1], [2])).toEqual({ u: 0, p: 1 });
  });
});

describe("hodgesLehmann", () => {
  test("is the median of all differences", () => {
    const ms = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.oneof(side, ms), fc.oneof(side, ms), (a, b) => {
        const differences = a.flatMap((x) => b.map((y) => y - x)).sort((x, y) => x - y);
        const n = differences.length;
        const low = differences[Math.ceil(n / 2) - 1]!;
        const high = differences[Math.floor(n / 2)]!;
        expect(hodgesLehmann(a, b)).toBeCloseTo(low + (high - low) / 2, 9);
      }),
    );
  });

  test("follows a shift, and takes large inputs", () => {
    const random = createRandom(2);
    const a = Array.from({ length: 20_000 }, () => 5000 + 500 * random.normal());
    const b = a.map((x) => x - 1234);
    expect(hodgesLehmann(a, b)).toBeCloseTo(-1234, 6);
    expect(hodgesLehmann([7, 7, 7], [7, 7])).toBe(0);
    expect(hodgesLehmann([], [1])).toBeNull();
  });
});

describe("holm", () => {
  test("a worked example", () => {
    // Sorted: 0.005·4, 0.01·3, 0.03·2, then 0.04·1 raised to the one before.
    const adjusted = holm([0.01, 0.04, 0.03, 0.005]);
    [0.03, 0.06, 0.06, 0.02].forEach((p, i) => {
      expect(adjusted[i]).toBeCloseTo(p, 14);
    });
  });

  test("rejects what the step-down procedure rejects", () => {
    const ps = fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 12 });
    fc.assert(
      fc.property(ps, (thousandths) => {
        const p = thousandths.map((t) => t / 1000);
        const alpha = 0.0501;
        const rejected = new Set<number>();
        const order = p.map((_, i) => i).sort((i, j) => p[i]! - p[j]!);
        for (const [step, i] of order.entries()) {
          if (p[i]! > alpha / (p.length - step)) break;
          rejected.add(i);
        }
        expect(holm(p).map((adjusted) => adjusted <= alpha)).toEqual(p.map((_, i) => rejected.has(i)));
      }),
    );
  });

  test("never exceeds 1, and takes none", () => {
    expect(holm([0.9, 0.8])).toEqual([1, 1]);
    expect(holm([])).toEqual([]);
  });
});
