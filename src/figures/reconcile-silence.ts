import { TICKS_PER_MINUTE } from "../telemetry/time.ts";
import type { Compared } from "./reconcile-totals.ts";

/** A time in which no row of any kind and role begins although the ingress counts requests. */
export interface Silence {
  /** Ticks. */
  readonly from: number;
  readonly to: number;
  readonly ingress: number;
  /** It lasts up to the end of the time compared. */
  readonly isToEnd: boolean;
}

const SHORTEST = 60 * TICKS_PER_MINUTE;
/** With so many rows expected, none at all is no chance: e⁻¹⁰ is one in 22,000. */
const EXPECTED = 10;

/**
 * The silences of an hour or more, or up to the end, in which chance alone would leave rows; the one with
 * most requests first.
 */
export function silences(compared: readonly Compared[]): Silence[] {
  const rows = compared.reduce((sum, { anyRows }) => sum + anyRows, 0);
  const heard = compared.reduce((sum, { anyRows, span }) => sum + (anyRows > 0 ? span.total : 0), 0);
  const rowsPerRequest = heard > 0 ? rows / heard : 1;
  const found: Silence[] = [];
  for (let i = 0; i < compared.length; ) {
    let j = i;
    let ingress = 0;
    while (
      j < compared.length &&
      compared[j]!.anyRows === 0 &&
      (j === i || follows(compared[j - 1]!, compared[j]!))
    ) {
      ingress += compared[j++]!.span.total;
    }
    if (j > i) {
      const [from, to] = [compared[i]!.span.from, compared[j - 1]!.span.to];
      const isToEnd = j === compared.length;
      if ((isToEnd || to - from >= SHORTEST) && ingress * rowsPerRequest >= EXPECTED) {
        found.push({ from, to, ingress, isToEnd });
      }
    }
    i = Math.max(j, i + 1);
  }
  return found.sort((a, b) => b.ingress - a.ingress);
}

function follows(a: Compared, b: Compared): boolean {
  return a.window === b.window && a.span.to === b.span.from;
}
