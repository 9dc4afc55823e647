import type { RequestBuilder } from "../../telemetry/builder.ts";
import { hasValue, type RawColumn } from "./arrow-read.ts";

/** Stands for null; no item count and no rate is negative. */
const NONE = -1;
const SLOTS = 64;

/**
 * The weights of many rows. What a row says of its weight is said by many others too: it is weighed once,
 * and its oddities are counted with the number of rows.
 */
export class RequestWeights {
  readonly #counts = new Float64Array(SLOTS);
  readonly #rates = new Float64Array(SLOTS);
  readonly #weights = new Float64Array(SLOTS);
  readonly #rows = new Uint32Array(SLOTS);

  constructor(readonly builder: RequestBuilder) {}

  /** Sets `out` to the weights of the rows from `from` on. */
  fill(itemCount: RawColumn, rate: RawColumn, from: number, out: Float64Array): void {
    const { length } = out;
    const counts = this.#counts;
    const rates = this.#rates;
    const weights = this.#weights;
    const rows = this.#rows;
    const hasRates = !rate.isEmpty;
    for (let i = 0; i < length; i++) {
      const row = from + i;
      const count = hasValue(itemCount, row) ? itemCount.values[row]! : NONE;
      const kept = hasRates && hasValue(rate, row) ? rate.values[row]! : NONE;
      const slot = (count * 7 + kept * 13) & (SLOTS - 1);
      if (counts[slot] !== count || rates[slot] !== kept) this.#take(slot, count, kept);
      rows[slot]!++;
      out[i] = weights[slot]!;
    }
  }

  /** Counts the oddities of the rows that were weighed. */
  finish(): void {
    for (let slot = 0; slot < SLOTS; slot++) this.#count(slot);
  }

  #take(slot: number, count: number, rate: number): void {
    this.#count(slot);
    this.#counts[slot] = count;
    this.#rates[slot] = rate;
    this.#weights[slot] = this.builder.weightOf(orNull(count), orNull(rate));
  }

  #count(slot: number): void {
    const rows = this.#rows[slot]!;
    if (rows > 0) this.builder.weighRow(orNull(this.#counts[slot]!), orNull(this.#rates[slot]!), rows);
    this.#rows[slot] = 0;
  }
}

function orNull(value: number): number | null {
  return value === NONE ? null : value;
}
