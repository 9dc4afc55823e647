import { describe, expect, test } from "vitest";
import { createRandom } from "../../src/stats/random.ts";

function draws<T>(n: number, draw: () => T): T[] {
  return Array.from({ length: n }, draw);
}

function mean(xs: readonly number[]): number {
  return xs.reduce((sum, x) => sum + x, 0) / xs.length;
}

/** Pearson's statistic of counts against a uniform distribution. */
function chiSquare(counts: readonly number[]): number {
  const expected = mean(counts);
  return counts.reduce((sum, c) => sum + (c - expected) ** 2 / expected, 0);
}

describe("createRandom", () => {
  test("a seed gives these draws, on every version of Node", () => {
    const random = createRandom(42);
    expect({
      ints: draws(6, () => random.int(100)),
      large: draws(3, () => random.int(1_000_000_007)),
      floats: draws(2, () => random.float()),
      normals: draws(3, () => random.normal()),
      exponentials: draws(2, () => random.exponential(2)),
    }).toMatchInlineSnapshot(`
      {
        "exponentials": [
          0.1608109895742112,
          0.2882217669119187,
        ],
        "floats": [
          0.6036463079681172,
          0.25032915056716276,
        ],
        "ints": [
          15,
          76,
          49,
          99,
          10,
          98,
        ],
        "large": [
          333061445,
          213688870,
          853286366,
        ],
        "normals": [
          -0.5697708893233092,
          -0.21115145654354953,
          0.3934112268664982,
        ],
      }
    `);
  });

  test("the same seed repeats, another one does not", () => {
    const stream = (seed: number): number[] => {
      const random = createRandom(seed);
      return draws(20, () => random.int(1000));
    };
    const seeds = [0, 1, 2, -1, 42, 4294967296, 4294967297, Number.MAX_SAFE_INTEGER];
    expect(stream(7)).toEqual(stream(7));
    expect(new Set(seeds.map((seed) => stream(seed).join())).size).toBe(seeds.length);
  });

  test("the first draws of neighbouring seeds are spread", () => {
    const counts = new Array<number>(20).fill(0);
    for (let seed = 0; seed < 20_000; seed++) counts[createRandom(seed).int(20)]!++;
    // 19 degrees of freedom: above 50 with probability 1e-4.
    expect(chiSquare(counts)).toBeLessThan(50);
  });
});

describe("int", () => {
  test.each([1, 2, 3, 10, 64, 1000])("below %d is uniform", (n) => {
    const random = createRandom(11);
    const counts = new Array<number>(n).fill(0);
    for (let i = 0; i < 200 * n; i++) counts[random.int(n)]!++;
    expect(chiSquare(counts)).toBeLessThan(n + 5 * Math.sqrt(2 * n));
  });

  test.each([2 ** 21, 2 ** 21 + 1, 3 * 2 ** 30, 2 ** 40])("below %d stays in range, halves even", (n) => {
    const random = createRandom(5);
    const xs = draws(20_000, () => random.int(n));
    expect(xs.every((x) => Number.isInteger(x) && x >= 0 && x < n)).toBe(true);
    expect(Math.abs(xs.filter((x) => x < n / 2).length - 10_000)).toBeLessThan(350);
  });

  test("leaves no value more likely by a single word: Lemire's method in whole numbers", () => {
    const n = 1_500_000;
    const words = createRandom(21);
    const random = createRandom(21);
    let rejected = 0;
    for (let i = 0; i < 100_000; i++) {
      // A draw below 2^32 is the generator's signed word, moved up by 2^31.
      let product: bigint;
      for (;;) {
        product = ((BigInt(words.int(2 ** 32)) + 2n ** 31n) % 2n ** 32n) * BigInt(n);
        if (product % 2n ** 32n >= 2n ** 32n % BigInt(n)) break;
        rejected++;
      }
      expect(random.int(n)).toBe(Number(product / 2n ** 32n));
    }
    expect(rejected).toBeGreaterThan(0);
  });

  test("refuses an empty range", () => {
    expect(() => createRandom(1).int(0)).toThrow(RangeError);
    expect(() => createRandom(1).int(Number.NaN)).toThrow(RangeError);
  });

  test("has the mean of a uniform draw", () => {
    const random = createRandom(3);
    let sum = 0;
    for (let i = 0; i < 1_000_000; i++) sum += random.int(705);
    expect(sum / 1_000_000).toBeCloseTo(352, 0);
  });
});

describe("continuous draws", () => {
  const n = 100_000;

  /** The largest distance between the empirical distribution and the given one, times √n. */
  function kolmogorov(xs: readonly number[], cdf: (x: number) => number): number {
    const sorted = [...xs].sort((a, b) => a - b);
    const distances = sorted.map((x, i) =>
      Math.max(Math.abs(cdf(x) - i / n), Math.abs(cdf(x) - (i + 1) / n)),
    );
    return Math.max(...distances.slice(0, 50_000), ...distances.slice(50_000)) * Math.sqrt(n);
  }

  test("float is uniform", () => {
    const random = createRandom(1);
    // The critical value at 1e-4 is 2.23.
    expect(
      kolmogorov(
        draws(n, () => random.float()),
        (x) => x,
      ),
    ).toBeLessThan(2.23);
  });

  test("exponential has its distribution", () => {
    const random = createRandom(2);
    const xs = draws(n, () => random.exponential(4));
    expect(kolmogorov(xs, (x) => 1 - Math.exp(-4 * x))).toBeLessThan(2.23);
    expect(random.exponential(0)).toBe(Number.POSITIVE_INFINITY);
  });

  test("normal has its moments and quantiles", () => {
    const random = createRandom(3);
    const xs = draws(n, () => random.normal());
    expect(Math.abs(mean(xs))).toBeLessThan(4 / Math.sqrt(n));
    expect(mean(xs.map((x) => x * x))).toBeCloseTo(1, 1);
    expect(Math.abs(mean(xs.map((x) => x ** 4)) - 3)).toBeLessThan(0.15);
    const share = xs.filter((x) => x > 1.959963984540054).length / n;
    expect(Math.abs(share - 0.025)).toBeLessThan(0.002);
    // The second of a pair must not depend on the first.
    expect(Math.abs(mean(xs.slice(1).map((x, i) => x * xs[i]!)))).toBeLessThan(4 / Math.sqrt(n));
  });
});
