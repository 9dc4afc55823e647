import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { binomialCdf } from "../../src/stats/binomial.ts";
import { bootstrapInterval, bootstrapMedianDifference, clusterBootstrap } from "../../src/stats/bootstrap.ts";
import { quantile } from "../../src/stats/quantile.ts";
import { createRandom, type Random } from "../../src/stats/random.ts";

/** A generator whose draws do not matter. */
const random = createRandom(0);

function normals(n: number, centre: number, source: Random): number[] {
  return Array.from({ length: n }, () => centre + source.normal());
}

describe("bootstrapInterval", () => {
  test("takes the 250th and the 9,750th of 9,999 draws", () => {
    let i = 0;
    const draw = (): number => ((++i * 7919) % 9999) + 1;
    expect(bootstrapInterval(9999, draw, random)).toEqual([250, 9750]);
  });

  test("leaves out draws without a value, and gives up when fewer than half have one", () => {
    const only = (n: number) => {
      let i = 0;
      return (): number | null => (i++ < n ? i : i % 2 === 0 ? null : Number.NaN);
    };
    expect(bootstrapInterval(100, only(50), random)).toEqual([2, 49]);
    expect(bootstrapInterval(100, only(49), random)).toEqual([null, null]);
    expect(bootstrapInterval(0, only(0), random)).toEqual([null, null]);
  });

  test("draws as often as it is told, and not once more", () => {
    let calls = 0;
    bootstrapInterval(100, () => ++calls, random);
    expect(calls).toBe(100);
  });

  test("a lower confidence gives a narrower interval", () => {
    let i = 0;
    expect(bootstrapInterval(1000, () => ++i, random, 0.8)).toEqual([100, 900]);
  });
});

describe("no clusters", () => {
  test("have no interval, though the statistic of nothing has a value", () => {
    expect(clusterBootstrap([], () => 0, 10, random)).toEqual([null, null]);
  });
});

describe("bootstrapMedianDifference", () => {
  test("equals resampling, sorting and subtracting with the same draws", () => {
    const side = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 15 });
    const share = fc.constantFrom(0, 0.1, 0.5, 0.9, 1);
    fc.assert(
      fc.property(side, side, share, fc.integer(), (before, after, q, seed) => {
        const source = createRandom(seed);
        const slow = (values: number[]): number => {
          const sorted = [...values].sort((a, b) => a - b);
          return quantile(
            values.map(() => sorted[source.int(values.length)]!),
            q,
          )!;
        };
        const expected = bootstrapInterval(
          60,
          () => {
            const from = slow(before);
            return slow(after) - from;
          },
          source,
        );
        expect(bootstrapMedianDifference(before, after, q, 60, createRandom(seed))).toEqual(expected);
      }),
    );
  });

  test("matches the exact bootstrap distribution of a median", () => {
    // Of n = 101 ranks the resampled median is at most r with probability P(Bin(n, r / n) ≥ 51).
    const after = Array.from({ length: 101 }, (_, i) => i + 1);
    const cdf = (r: number): number => 1 - binomialCdf(50, 101, r / 101);
    const [lower, upper] = bootstrapMedianDifference([0], after, 0.5, 20_000, createRandom(4));
    expect(cdf(lower!)).toBeGreaterThan(0.023);
    expect(cdf(lower! - 1)).toBeLessThan(0.027);
    expect(cdf(upper!)).toBeGreaterThan(0.973);
    expect(cdf(upper! - 1)).toBeLessThan(0.977);
  });

  test("covers the true difference about as often as it says", () => {
    const source = createRandom(8);
    let covered = 0;
    for (let i = 0; i < 400; i++) {
      const [lower, upper] = bootstrapMedianDifference(
        normals(61, 0, source),
        normals(41, 1, source),
        0.5,
        299,
        source,
      );
      if (lower! <= 1 && upper! >= 1) covered++;
    }
    expect(covered).toBeGreaterThan(0.91 * 400);
    expect(covered).toBeLessThan(0.99 * 400);
  });

  test("an empty side has no difference", () => {
    expect(bootstrapMedianDifference([], [1], 0.5, 10, random)).toEqual([null, null]);
    expect(bootstrapMedianDifference([1], [], 0.5, 10, random)).toEqual([null, null]);
  });
});

describe("clusterBootstrap", () => {
  const mean = (sample: readonly (readonly number[])[]): number => {
    const all = sample.flat();
    return all.reduce((sum, x) => sum + x, 0) / all.length;
  };

  test("resamples whole clusters, as many as there are", () => {
    const clusters = [[1, 1], [2], [3, 3, 3]];
    clusterBootstrap(
      clusters,
      (sample) => {
        expect(sample).toHaveLength(3);
        for (const cluster of sample) expect(clusters).toContain(cluster);
        return 0;
      },
      50,
      createRandom(1),
    );
    expect(clusters).toEqual([[1, 1], [2], [3, 3, 3]]);
  });

  test("is wider than a bootstrap of single values when the clusters agree within", () => {
    const source = createRandom(6);
    const clusters = Array.from({ length: 30 }, () => {
      const centre = source.normal();
      return Array.from({ length: 20 }, () => centre + 0.1 * source.normal());
    });
    const width = ([lower, upper]: readonly (number | null)[]): number => upper! - lower!;
    const clustered = width(clusterBootstrap(clusters, mean, 500, createRandom(1)));
    const single = width(
      clusterBootstrap(
        clusters.flat().map((x) => [x]),
        mean,
        500,
        createRandom(1),
      ),
    );
    // √20 wider in theory.
    expect(clustered / single).toBeGreaterThan(3.5);
    expect(clustered / single).toBeLessThan(5.5);
  });

  test("degenerate inputs", () => {
    expect(clusterBootstrap([], mean, 10, random)).toEqual([null, null]);
    expect(clusterBootstrap([[5]], mean, 10, random)).toEqual([5, 5]);
    expect(clusterBootstrap([[5]], () => null, 10, random)).toEqual([null, null]);
  });
});
