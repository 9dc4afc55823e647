import { DataFault } from "./fault.ts";
import { civilTicks, fractionTicks, type ParsedInstant, parseInstant } from "./time.ts";

const LOCALE =
  /^(\d{1,4})([./-])\s?(\d{1,2})\2\s?(\d{1,4})\.?,?\s+(\d{1,2})[:.](\d\d)(?:[:.](\d\d)(?:[.,](\d{1,7}))?)?(?:\s*([ap])\.?\s?m\.?)?$/i;

type Order = "unknown" | "day" | "month";

interface LocaleParts {
  readonly first: number;
  readonly second: number;
  readonly year: number;
  /** Ticks under a reading, or null where that date does not exist. */
  ticks(dayFirst: boolean): number | null;
  readonly fixed: Order;
}

/**
 * Reads the instants of one file. ISO forms stand for themselves; portal dates such as
 * `9/3/2026, 5:29:42.893 PM` do not say whether the day comes first, so that is decided from all
 * rows of the file: one value above 12 settles it, and rows read before that are read again.
 * Upper-case AM/PM without contrary evidence is the United States' form, month first.
 */
export class DateReader {
  /** Instants without a zone, read as UTC. */
  zoneless = 0;
  /** Portal dates, whose reading depends on the whole file. */
  localeDates = 0;
  #order: Order = "unknown";
  #upperMeridiem = false;
  #example: string | null = null;
  #pending: { readonly parts: LocaleParts; readonly correct: (ticks: number) => void }[] = [];
  readonly #headerSaysUtc: boolean;

  constructor(headerSaysUtc: boolean) {
    this.#headerSaysUtc = headerSaysUtc;
  }

  /**
   * Ticks of a text, or null. Where the reading may still change, `correct` is called with the
   * right ticks as soon as the file's order is known.
   */
  read(text: string, correct: (ticks: number) => void): number | null {
    const iso = parseInstant(text);
    if (iso !== null) return this.#noteZone(iso);
    const parts = parseLocale(text);
    if (parts === null) return null;
    this.localeDates++;
    if (!this.#headerSaysUtc) this.zoneless++;
    if (parts.fixed !== "unknown") return parts.ticks(parts.fixed === "day");
    if (this.#order === "unknown") this.#order = this.#evidence(parts, text);
    if (this.#order !== "unknown") return parts.ticks(this.#order === "day");
    const ticks = parts.ticks(false);
    if (ticks !== null && parts.first !== parts.second) this.#pending.push({ parts, correct });
    return ticks;
  }

  /** Called after the file's last row. @throws DataFault where the order stayed open. */
  finish(): void {
    if (this.#order !== "unknown" || this.#pending.length === 0 || this.#upperMeridiem) return;
    throw new DataFault(
      `dates like "${this.#example}" can be read day first or month first, and no row tells which`,
      "export ISO dates (2026-09-03T17:29:42Z), or add rows in which the day is above 12",
    );
  }

  #noteZone(instant: ParsedInstant): number {
    if (!instant.zoned && !this.#headerSaysUtc) this.zoneless++;
    return instant.ticks;
  }

  #evidence(parts: LocaleParts, text: string): Order {
    this.#example ??= text.trim();
    if (/[AP]M\s*$/.test(text)) this.#upperMeridiem = true;
    const order = parts.first > 12 ? "day" : parts.second > 12 ? "month" : "unknown";
    if (order === "day") {
      for (const { parts: earlier, correct } of this.#pending) {
        const ticks = earlier.ticks(true);
        if (ticks !== null) correct(ticks);
      }
    }
    if (order !== "unknown") this.#pending = [];
    return order;
  }
}

function parseLocale(text: string): LocaleParts | null {
  const match = LOCALE.exec(text.trim());
  if (match === null) return null;
  const [, a, separator, b, c, hourText, minute, secondText = "0", fraction = "", meridiem] = match;
  let hour = Number(hourText);
  if (meridiem !== undefined) {
    if (hour < 1 || hour > 12) return null;
    hour = (hour % 12) + (meridiem.toLowerCase() === "p" ? 12 : 0);
  }
  const at = (year: number, month: number, day: number): number | null =>
    civilTicks(year, month, day, hour, Number(minute), Number(secondText), fractionTicks(fraction));
  if (a!.length === 4) {
    return {
      first: 0,
      second: 0,
      year: Number(a),
      fixed: "month",
      ticks: () => at(Number(a), Number(b), Number(c)),
    };
  }
  if (c!.length !== 4) return null;
  const first = Number(a);
  const second = Number(b);
  const year = Number(c);
  return {
    first,
    second,
    year,
    fixed: separator === "/" ? "unknown" : "day",
    ticks: (dayFirst) => (dayFirst ? at(year, second, first) : at(year, first, second)),
  };
}
