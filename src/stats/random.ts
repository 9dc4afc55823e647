import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plusFromState } from "pure-rand/generator/xoroshiro128plus";

/** A stream of random draws, determined by its seed alone. */
export interface Random {
  /** Uniform on 0..n−1 without bias, for a whole n ≥ 1. */
  int(n: number): number;
  /** Uniform on [0, 1) in steps of 2⁻⁵³. */
  float(): number;
  /** Standard normal. */
  normal(): number;
  /** Exponential with the given rate; Infinity when the rate is not positive. */
  exponential(rate: number): number;
}

const TWO_32 = 4294967296;
/** Up to here a 32-bit draw times n is exact in a double. */
const EXACT_PRODUCT = 2 ** 21;

/**
 * A generator (xoroshiro128+) for a whole-number seed. It uses only operations whose results do not
 * depend on the version of the engine.
 */
export function createRandom(seed: number): Random {
  const generator = xoroshiro128plusFromState(expandSeed(seed));
  let spare: number | null = null;

  function int(n: number): number {
    if (!(n >= 1)) throw new RangeError(`cannot draw from ${n} values`);
    if (n > EXACT_PRODUCT) return uniformInt(generator, 0, n - 1);
    // Lemire, ACM TOMACS 29 (2019): the high half of a product, which also avoids the weak low bits.
    let product = (generator.next() >>> 0) * n;
    let high = Math.floor(product / TWO_32);
    let low = product - high * TWO_32;
    if (low < n) {
      const threshold = TWO_32 % n;
      while (low < threshold) {
        product = (generator.next() >>> 0) * n;
        high = Math.floor(product / TWO_32);
        low = product - high * TWO_32;
      }
    }
    return high;
  }

  const float = (): number => uniformFloat64(generator);

  /** Marsaglia's polar method: no sine, which engines have computed in different ways. */
  function normal(): number {
    if (spare !== null) {
      const value = spare;
      spare = null;
      return value;
    }
    for (;;) {
      const x = 2 * float() - 1;
      const y = 2 * float() - 1;
      const s = x * x + y * y;
      if (s >= 1 || s === 0) continue;
      const scale = Math.sqrt((-2 * Math.log(s)) / s);
      spare = y * scale;
      return x * scale;
    }
  }

  const exponential = (rate: number): number =>
    rate > 0 ? -Math.log(1 - float()) / rate : Number.POSITIVE_INFINITY;

  return { int, float, normal, exponential };
}

/**
 * Four words from a seed by splitmix32 (finaliser of murmur3), two from its low half and two from its high
 * half: no two seeds share a state, and the first draws of neighbours are far apart. The generator's own
 * seeding leaves its first draws a plain function of the seed.
 */
function expandSeed(seed: number): number[] {
  return [seed | 0, Math.floor(seed / TWO_32)].flatMap((half) => [
    scramble(half + 0x9e3779b9),
    scramble(half + 2 * 0x9e3779b9),
  ]);
}

function scramble(word: number): number {
  let z = word | 0;
  z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
  z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
  return z ^ (z >>> 16);
}
