import { BLOCK, type RequestTable } from "../telemetry/table.ts";

/** A growing pair of columns: durations and their weights. */
export class Series {
  #values = new Float64Array(64);
  #weights = new Float64Array(64);
  length = 0;

  add(value: number, weight: number): void {
    if (this.length === this.#values.length) {
      this.#values = grown(this.#values);
      this.#weights = grown(this.#weights);
    }
    this.#values[this.length] = value;
    this.#weights[this.length] = weight;
    this.length++;
  }

  get values(): Float64Array {
    return this.#values.subarray(0, this.length);
  }

  get weights(): Float64Array {
    return this.#weights.subarray(0, this.length);
  }
}

function grown(array: Float64Array): Float64Array<ArrayBuffer> {
  const next = new Float64Array(array.length * 2);
  next.set(array);
  return next;
}

/** Copies the weights of rows, from one place up to another, to the front of `into`, which holds as many. */
export function copyWeights(
  table: RequestTable,
  rows: Uint32Array,
  from: number,
  to: number,
  into: Float64Array,
): void {
  // Neighbours stand mostly in one block: looking it up for each row costs as much as reading the row.
  let number = -1;
  let weight = into;
  for (let i = from; i < to; i++) {
    const row = rows[i]!;
    if (row >>> 16 !== number) {
      number = row >>> 16;
      weight = table.blocks[number]!.weight;
    }
    into[i - from] = weight[row & (BLOCK - 1)]!;
  }
}
