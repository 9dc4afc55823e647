import { Sum } from "./sum.ts";
import { SLACK, selectUpTo } from "./weighted-select.ts";

/** Values are told apart by the upper 16 bits of a double: sign, exponent and four bits of the fraction. */
const BINS = 1 << 16;
const double = new Float64Array([-1]);
const words = new Uint16Array(double.buffer);
/** Where the upper bits stand, which depends on the machine's byte order. */
const UPPER = words[0] === 0 ? 3 : 0;

/** The bins' numbers ascend with the values. */
function binOf(value: number): number {
  double[0] = value;
  const bits = words[UPPER]!;
  return bits < 0x8000 ? bits + 0x8000 : 0xffff - bits;
}

/**
 * Weighted quantiles, as `weightedQuantiles` of `quantile.ts` gives them, of values that can be read twice,
 * in any order, instead of being kept: `add` all of them, then `keep` all of them in what `near` returns.
 */
export class ValueBins {
  readonly #counts = new Uint32Array(BINS);
  readonly #weights = new Float64Array(BINS);
  /** What the sums of the weights lack (see `Sum`). */
  readonly #compensations = new Float64Array(BINS);

  /** Adds a value; one without a positive weight does not count. */
  add(value: number, weight: number): void {
    if (!(weight > 0)) return;
    const bin = binOf(value);
    const total = this.#weights[bin]!;
    const next = total + weight;
    this.#compensations[bin]! += total >= weight ? total - next + weight : weight - next + total;
    this.#weights[bin] = next;
    this.#counts[bin]!++;
  }

  /** The bins that the quantiles `qs` lie in, as yet without their values. */
  near(qs: readonly number[]): NearValues {
    const filled: number[] = [];
    for (let bin = 0; bin < BINS; bin++) if (this.#counts[bin]! > 0) filled.push(bin);
    const total = this.#sum(filled);
    const bounds = qs.map((q) => q * total * SLACK);
    const bins = bounds.map((bound) => this.#reach(filled, bound));
    const wanted = new Set(bins);
    // Only what is kept is summed up again, so the bounds go down by what is left out below.
    const left = bins.map((last) => this.#sum(filled.filter((bin) => bin < last && !wanted.has(bin))));
    return new NearValues(
      filled.filter((bin) => wanted.has(bin)),
      filled.reduce((sum, bin) => sum + (wanted.has(bin) ? this.#counts[bin]! : 0), 0),
      bounds.map((bound, i) => bound - left[i]!),
    );
  }

  /** The first bin up to which the weights add up to a bound, else the last one; -1 without any. */
  #reach(filled: readonly number[], bound: number): number {
    const upTo = new Sum();
    for (const bin of filled) {
      this.#addTo(upTo, bin);
      if (upTo.value >= bound) return bin;
    }
    return filled[filled.length - 1] ?? -1;
  }

  #sum(bins: readonly number[]): number {
    const sum = new Sum();
    for (const bin of bins) this.#addTo(sum, bin);
    return sum.value;
  }

  #addTo(sum: Sum, bin: number): void {
    sum.add(this.#weights[bin]!);
    sum.add(this.#compensations[bin]!);
  }
}

/** The values of some bins, and where among them the quantiles are. */
export class NearValues {
  readonly #wanted = new Uint8Array(BINS);
  readonly #values: Float64Array;
  readonly #weights: Float64Array;
  readonly #bounds: readonly number[];
  #used = 0;

  /**
   * @param length how many values the bins hold
   * @param bounds for each quantile, the weight of these values up to it
   */
  constructor(bins: readonly number[], length: number, bounds: readonly number[]) {
    for (const bin of bins) this.#wanted[bin] = 1;
    this.#values = new Float64Array(length);
    this.#weights = new Float64Array(length);
    this.#bounds = bounds;
  }

  /** Takes a value if it lies in one of the bins. */
  keep(value: number, weight: number): void {
    if (this.#wanted[binOf(value)] === 0 || !(weight > 0)) return;
    this.#values[this.#used] = value;
    this.#weights[this.#used++] = weight;
  }

  /** In the order of the `qs`; null where no value counts. */
  quantiles(): (number | null)[] {
    return this.#bounds.map((bound) =>
      this.#used === 0 ? null : selectUpTo(this.#values, this.#weights, this.#used, bound),
    );
  }
}
