import { Sum } from "../stats/sum.ts";
import { type LaterParts, laterParts, type Weighted } from "./anatomy-parts.ts";
import type { NoParts, RequestParts } from "./outbound.ts";

/** Which later requests the first ones are compared with. */
export type LaterBasis =
  /** Of order over 10. */
  | "order>10"
  /** All that start at or after the end of their instance's first one: where fewer than 10 are of order over 10. */
  | "after-first";

/** From so many later requests with calls on, those of order over 10 are enough. */
const ENOUGH = 10;

export interface LaterAnatomy {
  readonly n: number;
  readonly estimated: number;
  /** Of them, those with calls, on which the parts rest. */
  readonly withCalls: number;
  readonly parts: LaterParts;
}

/** The later requests of one route that were chosen. */
export interface LaterChoice {
  readonly basis: LaterBasis;
  readonly n: number;
  readonly estimated: number;
  readonly withCalls: readonly Weighted[];
}

/** Later requests of one route and one choice. */
class Later {
  n = 0;
  readonly estimated = new Sum();
  readonly withCalls: Weighted[] = [];

  add(parts: RequestParts | NoParts, weight: number): void {
    this.n++;
    this.estimated.add(weight);
    if (typeof parts !== "string") this.withCalls.push({ parts, weight });
  }
}

/** The later requests of one route, in both choices. */
export class LaterRequests {
  readonly #late = new Later();
  readonly #afterFirst = new Later();

  add(
    parts: RequestParts | NoParts,
    weight: number,
    { isLate, isOverlapping }: { readonly isLate: boolean; readonly isOverlapping: boolean },
  ): void {
    if (isLate) this.#late.add(parts, weight);
    if (!isOverlapping) this.#afterFirst.add(parts, weight);
  }

  get hasCalls(): boolean {
    return this.#late.withCalls.length + this.#afterFirst.withCalls.length > 0;
  }

  chosen(): LaterChoice {
    const isEnough = this.#late.withCalls.length >= ENOUGH;
    const { n, estimated, withCalls } = isEnough ? this.#late : this.#afterFirst;
    return { basis: isEnough ? "order>10" : "after-first", n, estimated: estimated.value, withCalls };
  }
}

/** The figures over the chosen later requests of some routes. */
export function laterAnatomy(chosen: readonly LaterChoice[]): LaterAnatomy {
  const withCalls = chosen.flatMap((choice) => choice.withCalls);
  const estimated = new Sum();
  for (const choice of chosen) estimated.add(choice.estimated);
  return {
    n: chosen.reduce((sum, { n }) => sum + n, 0),
    estimated: estimated.value,
    withCalls: withCalls.length,
    parts: laterParts(withCalls),
  };
}
