import fc from "fast-check";
import { expect, test } from "vitest";
import { Sum } from "../../src/stats/sum.ts";

function sumOf(xs: Iterable<number>): number {
  const sum = new Sum();
  for (const x of xs) sum.add(x);
  return sum.value;
}

test("an empty sum is 0", () => {
  expect(new Sum().value).toBe(0);
});

test("small terms survive a large one", () => {
  expect(sumOf([1, 1e100, 1, -1e100])).toBe(2);
  expect(sumOf(Array.from({ length: 10 }, () => 0.1))).toBe(1);
});

test("a million weights of 100/33 keep all digits", () => {
  const weight = 100 / 33;
  const sum = new Sum();
  for (let i = 0; i < 1_000_000; i++) sum.add(weight);
  expect(sum.value).toBe(weight * 1_000_000);
});

test("an infinite term gives infinity, not NaN", () => {
  expect(sumOf([1, Number.POSITIVE_INFINITY, 2])).toBe(Number.POSITIVE_INFINITY);
});

test("it equals the sum in exact arithmetic", () => {
  // Multiples of 2^-20 below 2^60: BigInt holds them, a double's running sum does not.
  const term = fc.bigInt({ min: -(2n ** 53n), max: 2n ** 53n });
  const exponent = fc.integer({ min: -20, max: 7 });
  fc.assert(
    fc.property(fc.array(fc.tuple(term, exponent), { maxLength: 60 }), (terms) => {
      let exact = 0n;
      for (const [t, e] of terms) exact += t << BigInt(e + 20);
      const sum = sumOf(terms.map(([t, e]) => Number(t) * 2 ** e));
      const magnitude = terms.reduce((all, [t, e]) => all + Math.abs(Number(t)) * 2 ** e, 0);
      expect(Math.abs(sum - Number(exact) / 2 ** 20)).toBeLessThanOrEqual(
        2 ** -52 * Math.abs(sum) + 2 ** -98 * magnitude,
      );
    }),
  );
});

test("terms added at once give the bits that they give one by one", () => {
  const term = fc.tuple(fc.double({ min: -1, max: 1, noNaN: true }), fc.integer({ min: -40, max: 40 }));
  const terms = fc.array(term.map(([t, e]) => t * 2 ** e));
  fc.assert(
    fc.property(terms, fc.nat({ max: 5 }), fc.nat({ max: 5 }), (list, skipped, rest) => {
      // Most cancel out, so that what is left is what the compensation kept.
      const all = [...list, ...list.slice(rest).map((x) => -x)];
      const to = Math.max(skipped, all.length - rest);
      const sum = new Sum();
      sum.add(0.1);
      sum.addAll(Float64Array.from(all), skipped, Math.min(to, all.length));
      expect(sum.value).toBe(sumOf([0.1, ...all.slice(skipped, to)]));
    }),
    { numRuns: 500 },
  );
});
