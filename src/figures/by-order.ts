import { Sum } from "../stats/sum.ts";
import { ValueBins } from "../stats/value-bins.ts";
import { BLOCK, type RequestTable } from "../telemetry/table.ts";
import { ORDER_BUCKETS } from "./walk.ts";

/** Figures of one bucket of the estimated arrival order. */
export interface OrderBucket {
  readonly label: string;
  readonly observed: number;
  readonly estimated: number;
  readonly p50Ms: number | null;
  readonly p90Ms: number | null;
  readonly overThresholdShare: number | null;
}

/** Bits of a row's mark: 0–3 its bucket, from 1 on, or 0 for rows of no instance; 4 over the threshold. */
const BUCKET = 15;
const OVER = 16;

/**
 * The curve by arrival order. Whatever depends on no order is taken from the table block by block, since
 * memory gives neighbouring rows several times faster than the rows of one instance.
 */
export class OrderCurve {
  readonly #table: RequestTable;
  readonly #marks: Uint8Array;
  readonly #observed = ORDER_BUCKETS.map(() => 0);
  readonly #estimated = ORDER_BUCKETS.map(() => new Sum());
  readonly #over = ORDER_BUCKETS.map(() => new Sum());

  constructor(table: RequestTable, thresholdMs: number) {
    this.#table = table;
    this.#marks = new Uint8Array(table.capacity);
    const marks = this.#marks;
    table.blocks.forEach(({ duration, used }, number) => {
      const first = number * BLOCK;
      for (let i = 0; i < used; i++) if (duration[i]! > thresholdMs) marks[first + i] = OVER;
    });
  }

  /**
   * Adds the user requests of an instance.
   *
   * @param weights of the users, in their order
   * @param ends by bucket, how many of the users it and those before it hold
   */
  add(users: Uint32Array, weights: Float64Array, ends: readonly number[]): void {
    let from = 0;
    for (const [bucket, to] of ends.entries()) {
      this.#observed[bucket]! += to - from;
      this.#estimated[bucket]!.addAll(weights, from, to);
      this.#mark(users, weights, from, to, bucket);
      from = to;
    }
  }

  #mark(users: Uint32Array, weights: Float64Array, from: number, to: number, bucket: number): void {
    const marks = this.#marks;
    const over = this.#over[bucket]!;
    for (let i = from; i < to; i++) {
      const row = users[i]!;
      const mark = marks[row]!;
      if (mark === OVER) over.add(weights[i]!);
      marks[row] = mark | (bucket + 1);
    }
  }

  figures(): OrderBucket[] {
    const bins = ORDER_BUCKETS.map(() => new ValueBins());
    this.#visit(bins, (bin, value, weight) => bin.add(value, weight));
    const near = bins.map((bin) => bin.near([0.5, 0.9]));
    this.#visit(near, (values, value, weight) => values.keep(value, weight));
    return ORDER_BUCKETS.map(([label], bucket) => {
      const [p50Ms, p90Ms] = near[bucket]!.quantiles();
      const observed = this.#observed[bucket]!;
      const estimated = this.#estimated[bucket]!.value;
      const share = Math.min(1, this.#over[bucket]!.value / estimated);
      return {
        label,
        observed,
        estimated,
        p50Ms: p50Ms!,
        p90Ms: p90Ms!,
        overThresholdShare: observed === 0 ? null : share,
      };
    });
  }

  /** Calls back for each row of a bucket with what `of` holds for it. */
  #visit<T>(of: readonly T[], visit: (one: T, value: number, weight: number) => void): void {
    this.#table.blocks.forEach(({ duration, weight, used }, number) => {
      const marks = this.#marks.subarray(number * BLOCK, number * BLOCK + used);
      for (let i = 0; i < used; i++) {
        const bucket = marks[i]! & BUCKET;
        // The first request counts once.
        if (bucket !== 0) visit(of[bucket - 1]!, duration[i]!, bucket === 1 ? 1 : weight[i]!);
      }
    });
  }
}
