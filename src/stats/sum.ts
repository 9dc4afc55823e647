/**
 * A running sum with Neumaier's compensation: the error does not grow with the number of terms, so
 * cumulative weights such as 100 / 33 can be compared with a share of their total.
 * Source: A. Neumaier, ZAMM 54 (1974), 39–51.
 */
export class Sum {
  private total = 0;
  private compensation = 0;

  add(x: number): void {
    const next = this.total + x;
    this.compensation += Math.abs(this.total) >= Math.abs(x) ? this.total - next + x : x - next + this.total;
    this.total = next;
  }

  /** Adds terms one after the other, as `add` would, from one place up to another. */
  addAll(xs: Float64Array, from = 0, to = xs.length): void {
    let total = this.total;
    let compensation = this.compensation;
    for (let i = from; i < to; i++) {
      const x = xs[i]!;
      const next = total + x;
      compensation += Math.abs(total) >= Math.abs(x) ? total - next + x : x - next + total;
      total = next;
    }
    this.total = total;
    this.compensation = compensation;
  }

  /** The sum so far; 0 before the first term. */
  get value(): number {
    // After an infinite term the compensation is Infinity − Infinity.
    return Number.isFinite(this.total) ? this.total + this.compensation : this.total;
  }
}
