import type { Sum } from "../stats/sum.ts";
import { BLOCK, type RequestTable } from "../telemetry/table.ts";

/** A growing pair of columns: values and their weights. */
export class Series {
  #values: Float64Array;
  #weights: Float64Array;
  length = 0;

  /** @param capacity how many pairs there is room for before the columns are copied */
  constructor(capacity = 64) {
    this.#values = new Float64Array(capacity);
    this.#weights = new Float64Array(capacity);
  }

  /** Adds the durations and weights of `rows`, from one place up to another. */
  addRows(table: RequestTable, rows: Uint32Array, from: number, to: number): void {
    if (to <= from) return;
    const needed = this.length + to - from;
    if (needed > this.#values.length) {
      const capacity = Math.max(needed, this.#values.length * 2);
      this.#values = grown(this.#values, capacity);
      this.#weights = grown(this.#weights, capacity);
    }
    const values = this.#values;
    const weights = this.#weights;
    let at = this.length;
    // Looking up the block of every row would cost as much as reading the row.
    let number = rows[from]! >>> 16;
    let block = table.blocks[number]!;
    for (let i = from; i < to; i++) {
      const row = rows[i]!;
      if (row >>> 16 !== number) {
        number = row >>> 16;
        block = table.blocks[number]!;
      }
      values[at] = block.duration[row & (BLOCK - 1)]!;
      weights[at++] = block.weight[row & (BLOCK - 1)]!;
    }
    this.length = at;
  }

  get values(): Float64Array {
    return this.#values.subarray(0, this.length);
  }

  get weights(): Float64Array {
    return this.#weights.subarray(0, this.length);
  }
}

function grown(array: Float64Array, capacity: number): Float64Array {
  const next = new Float64Array(capacity);
  next.set(array);
  return next;
}

/** Adds the weights of `rows` to a sum, in their order, from one place up to another. */
export function addWeights(sum: Sum, table: RequestTable, rows: Uint32Array, from: number, to: number): void {
  let number = -1;
  let weight = new Float64Array(0);
  for (let i = from; i < to; i++) {
    const row = rows[i]!;
    if (row >>> 16 !== number) {
      number = row >>> 16;
      weight = table.blocks[number]!.weight;
    }
    sum.add(weight[row & (BLOCK - 1)]!);
  }
}
