const HALF_LOG_TWO_PI = 0.9189385332046727;
/** Below this the series of Stirling's formula is left and the recurrence used. */
const STIRLING_FROM = 16;
/** Relative change of a continued fraction below which it has converged. */
const CONVERGED = 4e-16;
const TINY = 1e-300;

/** ln Γ(x) for x > 0, absolute error about 1e-15 · max(1, |ln Γ(x)|). Infinity at 0; a RangeError below. */
export function logGamma(x: number): number {
  if (x === 0) return Number.POSITIVE_INFINITY;
  if (!(x > 0)) throw new RangeError(`logGamma is defined for x > 0, not ${x}`);
  return stirlingError(x) + (x - 0.5) * Math.log(x) - x + HALF_LOG_TWO_PI;
}

/**
 * The regularised incomplete beta function I_x(a, b) = P(Beta(a, b) ≤ x), relative error about 1e-14 for
 * moderate a and b. A RangeError unless a > 0 and b > 0; x outside 0..1 counts as 0 or 1.
 */
export function regularizedBeta(x: number, a: number, b: number): number {
  return Math.exp(logBetaTail(x, 1 - x, a, b));
}

/**
 * ln I_x(a, b), with y = 1 − x given apart so that neither end loses digits; −Infinity where it is 0.
 * By the continued fraction (DLMF 8.17.22) on the side where it converges fast.
 */
export function logBetaTail(x: number, y: number, a: number, b: number): number {
  if (!(a > 0 && b > 0 && a + b < Number.POSITIVE_INFINITY) || Number.isNaN(x)) {
    throw new RangeError(`the beta distribution is not defined for x = ${x}, a = ${a}, b = ${b}`);
  }
  if (x <= 0) return Number.NEGATIVE_INFINITY;
  if (y <= 0) return 0;
  const n = a + b;
  const log = logBinomialDensity(a, b, x, y);
  if (x < (a + 1) / (n + 2)) return Math.min(0, log + Math.log((b / n) * betaFraction(x, a, b)));
  return Math.log1p(-Math.min(1, Math.exp(log) * (a / n) * betaFraction(y, b, a)));
}

/**
 * The p quantile of Beta(a, b), to double precision: Newton's steps inside a bracket, halved where a step
 * would leave it. p ≤ 0 gives 0, p ≥ 1 gives 1.
 */
export function betaQuantile(p: number, a: number, b: number): number {
  if (Number.isNaN(p)) throw new RangeError("betaQuantile needs a probability");
  if (p <= 0) return 0;
  if (p >= 1) return 1;
  let low = 0;
  let high = 1;
  let x = a / (a + b);
  for (;;) {
    const error = regularizedBeta(x, a, b) - p;
    if (error === 0) return x;
    if (error > 0) high = x;
    else low = x;
    const logDensity = logBinomialDensity(a, b, x, 1 - x) + Math.log(((a / (a + b)) * b) / (x * (1 - x)));
    const step = x - error / Math.exp(logDensity);
    const next = step > low && step < high ? step : low + (high - low) / 2;
    if (Math.abs(next - x) <= 1e-16 * x || next === low || next === high) return next;
    x = next;
  }
}

/**
 * ln of x^k · y^m · Γ(k+m+1) / (Γ(k+1) Γ(m+1)), for real k, m ≥ 0 and y = 1 − x: with whole numbers the
 * binomial probability of k successes and m failures.
 * Source: C. Loader, "Fast and accurate computation of binomial probabilities" (2000); differences of
 * ln Γ would cost six digits at n = 100,000.
 */
export function logBinomialDensity(k: number, m: number, x: number, y: number): number {
  if (x <= 0) return k <= 0 ? 0 : Number.NEGATIVE_INFINITY;
  if (y <= 0) return m <= 0 ? 0 : Number.NEGATIVE_INFINITY;
  if (k <= 0) return m * (x < y ? Math.log1p(-x) : Math.log(y));
  if (m <= 0) return k * (y < x ? Math.log1p(-y) : Math.log(x));
  const n = k + m;
  return (
    stirlingError(n) -
    stirlingError(k) -
    stirlingError(m) -
    deviance(k, n * x) -
    deviance(m, n * y) +
    0.5 * Math.log(n / k / m) -
    HALF_LOG_TWO_PI
  );
}

/** P(Z > z) of the standard normal, relative error about 1e-15 near 0 and 1e-13 far out. */
export function normalUpperTail(z: number): number {
  if (z < 0) return 1 - normalUpperTail(-z);
  if (z === Number.POSITIVE_INFINITY) return 0;
  const density = Math.exp(-0.5 * z * z - HALF_LOG_TWO_PI);
  if (z < 2) {
    // Φ(z) − ½ = φ(z) · (z + z³/3 + z⁵/(3·5) + …)
    let term = z;
    let sum = z;
    for (let i = 3; term > 1e-18 * sum; i += 2) {
      term *= (z * z) / i;
      sum += term;
    }
    return 0.5 - density * sum;
  }
  // Mills' ratio, 1/(z + 1/(z + 2/(z + …))), from the inside out.
  let fraction = z;
  for (let i = 200; i >= 1; i--) fraction = z + i / fraction;
  return density / fraction;
}

/** ln Γ(z+1) − (z + ½) ln z + z − ½ ln 2π, for z > 0. */
function stirlingError(z: number): number {
  let shift = 0;
  while (z < STIRLING_FROM) {
    shift += (z + 0.5) * Math.log1p(1 / z) - 1;
    z++;
  }
  const s = 1 / (z * z);
  return (
    shift +
    (1 / 12 -
      s * (1 / 360 - s * (1 / 1260 - s * (1 / 1680 - s * (1 / 1188 - s * (691 / 360360 - s * (1 / 156))))))) /
      z
  );
}

/** k ln(k / m) + m − k without cancellation near k = m. */
function deviance(k: number, m: number): number {
  if (!(Math.abs(k - m) < 0.1 * (k + m))) return k * Math.log(k / m) + m - k;
  const v = (k - m) / (k + m);
  let sum = (k - m) * v;
  let term = 2 * k * v;
  for (let j = 3; ; j += 2) {
    term *= v * v;
    const next = sum + term / j;
    if (next === sum) return next;
    sum = next;
  }
}

/** The continued fraction of I_x(a, b) by Lentz's method, without its leading x^a y^b / (a B(a, b)). */
function betaFraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let m = 1; ; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / awayFromZero(1 + even * d);
    c = awayFromZero(1 + even / c);
    value *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / awayFromZero(1 + odd * d);
    c = awayFromZero(1 + odd / c);
    value *= d * c;
    if (Math.abs(d * c - 1) < CONVERGED) return value;
  }
}

function awayFromZero(x: number): number {
  return Math.abs(x) < TINY ? TINY : x;
}
