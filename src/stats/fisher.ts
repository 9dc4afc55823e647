import { logGamma } from "./special.ts";

const logChoose = (n: number, k: number): number => logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1);

/**
 * Fisher's exact test, one-sided: the chance of at least `count` of `n`, given the margins, when this
 * group and the other (`otherCount` of `otherN`) have one share. 1 where either group is empty.
 * Source: R. A. Fisher, JRSS 98 (1935), 39–82.
 */
export function fisherGreater(count: number, n: number, otherCount: number, otherN: number): number {
  if (n <= 0 || otherN <= 0) return 1;
  const hits = count + otherCount;
  const all = logChoose(n + otherN, hits);
  let sum = 0;
  for (let k = count; k <= Math.min(n, hits); k++) {
    if (hits - k > otherN) continue;
    sum += Math.exp(logChoose(n, k) + logChoose(otherN, hits - k) - all);
  }
  return Math.min(1, sum);
}
