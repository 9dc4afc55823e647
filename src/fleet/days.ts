import { epochMsOfTicks } from "../telemetry/time.ts";

export type DayType = "weekday" | "weekend";

/** Tells whether instants fall on a weekday in a time zone; a listed holiday counts as weekend. */
export class Calendar {
  readonly #format: Intl.DateTimeFormat;

  /**
   * @param timezone IANA name
   * @param holidays local dates, YYYY-MM-DD
   */
  constructor(
    timezone: string,
    readonly holidays: ReadonlySet<string>,
  ) {
    this.#format = new Intl.DateTimeFormat("en-US", {
      timeZone: timezone,
      weekday: "short",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
    });
  }

  dayType(ticks: number): DayType {
    const parts: Record<string, string> = {};
    for (const { type, value } of this.#format.formatToParts(epochMsOfTicks(ticks))) parts[type] = value;
    if (parts.weekday === "Sat" || parts.weekday === "Sun") return "weekend";
    return this.holidays.has(`${parts.year}-${parts.month}-${parts.day}`) ? "weekend" : "weekday";
  }
}
