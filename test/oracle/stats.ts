export interface Weighted {
  value: number;
  weight: number;
}

export function unweighted(values: number[]): Weighted[] {
  return values.map((value) => ({ value, weight: 1 }));
}

export function total(items: Weighted[]): number {
  return items.reduce((sum, item) => sum + item.weight, 0);
}

/** The smallest value whose cumulative weight reaches `q` of the total; null for nothing. */
export function quantile(items: Weighted[], q: number): number | null {
  const target = q * total(items) * (1 - 1e-9);
  let cumulative = 0;
  for (const item of [...items].sort((a, b) => a.value - b.value)) {
    cumulative += item.weight;
    if (cumulative >= target) return item.value;
  }
  return null;
}

/** The share of the weight whose value is strictly over the threshold. */
export function shareOver(items: Weighted[], threshold: number): number | null {
  if (items.length === 0) return null;
  return total(items.filter((item) => item.value > threshold)) / total(items);
}

/** 95 % interval of the median by order statistics, the binomial sums in whole numbers. */
export function medianInterval(values: number[]): [number | null, number | null] {
  const n = values.length;
  if (n === 0) return [null, null];
  const sorted = [...values].sort((a, b) => a - b);
  const all = 2n ** BigInt(n);
  const smallestWith = (perMille: bigint): number => {
    let ways = 1n; // n over k
    let sum = 0n;
    for (let k = 0; k <= n; k += 1) {
      sum += ways;
      if (sum * 1000n >= perMille * all) return k;
      ways = (ways * BigInt(n - k)) / BigInt(k + 1);
    }
    throw new Error("the binomial sums reach 1");
  };
  const lower = smallestWith(25n);
  const upper = smallestWith(975n) + 1;
  return [lower === 0 ? null : sorted[lower - 1]!, upper > n ? null : sorted[upper - 1]!];
}

/** Wilson's 95 % interval of a share. */
export function wilson(count: number, n: number): [number | null, number | null] {
  if (n === 0) return [null, null];
  const z = 1.959963984540054;
  const p = count / n;
  const scale = 1 + (z * z) / n;
  const centre = (p + (z * z) / (2 * n)) / scale;
  const half = (z / scale) * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n));
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}

/** Kaplan–Meier's survival just after `time`: the product over the ends at or before it. */
export function survival(lives: { ticks: bigint; censored: boolean }[], time: bigint): number {
  const ends = lives.filter((life) => !life.censored && life.ticks <= time).map((life) => life.ticks);
  let survivors = 1;
  for (const end of new Set(ends)) {
    const ended = ends.filter((one) => one === end).length;
    const atRisk = lives.filter((life) => life.ticks >= end).length;
    survivors *= (atRisk - ended) / atRisk;
  }
  return survivors;
}
