/** A growing pair of columns: values and their weights. */
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
