import { binomialCdf, logBinomialCdf, logBinomialPmf } from "./binomial.ts";
import { neededUnder } from "./intervals.ts";

/**
 * The evidence, with `k` of `n` values under the bar, against H₀: the share under it is at most `p0`
 * (0..1), as a mixture over shares uniform on (p0, 1):
 *
 *   E = [B(k+1, n−k+1) · P(Beta(k+1, n−k+1) > p0)] / [(1−p0) · p0^k · (1−p0)^(n−k)]
 *
 * Under H₀ the chance that E ever reaches 1/α, however often one looks, is at most α (Ville's
 * inequality). 1 for n = 0; capped at Number.MAX_VALUE. A RangeError unless 0 ≤ k ≤ n.
 */
export function mixtureEValue(k: number, n: number, p0: number): number {
  if (!(k >= 0 && k <= n)) throw new RangeError(`${k} of ${n} is no count`);
  if (n === 0 || p0 >= 1) return 1;
  if (p0 <= 0) return k > 0 ? Number.MAX_VALUE : 1 / (n + 1);
  // B(k+1, n−k+1) = 1 / ((n+1) C(n, k)), and P(Beta(k+1, n−k+1) > p0) = P(Bin(n+1, p0) ≤ k).
  const log = logBinomialCdf(k, n + 1, p0) - logBinomialPmf(k, n, p0) - Math.log1p(-p0) - Math.log(n + 1);
  return Math.min(Number.MAX_VALUE, Math.exp(log));
}

/**
 * The chance that `n` values, each under the bar with probability `trueShare`, show with the given
 * confidence that the `q` quantile is under it (see `neededUnder`); 0 where no count could show it.
 */
export function signTestPower(n: number, trueShare: number, q: number, confidence: number): number {
  const needed = neededUnder(n, q, confidence);
  // At least `needed` under the bar is at most n − needed not under it.
  return needed === null ? 0 : binomialCdf(n - needed, n, 1 - trueShare);
}
