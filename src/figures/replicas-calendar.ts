import { epochMsOfTicks, TICKS_PER_MINUTE } from "../telemetry/time.ts";
import { CAUSES, type CauseName } from "./replicas-causes.ts";

export const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;

/** Births in one part of the calendar, with how long the log covers of it. */
export interface Slot {
  readonly label: string;
  readonly births: number;
  readonly byCause: Readonly<Record<CauseName, number>>;
  /** Hours of this day, hour or weekday that the log covers. */
  readonly coveredHours: number;
}

export interface CalendarFigures {
  /** Every local day that the log covers, also those without a birth. */
  readonly perDay: readonly Slot[];
  /** 24 slots, `00` to `23`, local time. */
  readonly byHour: readonly Slot[];
  readonly byWeekday: readonly Slot[];
}

/** Offsets of time zones are multiples of a quarter of an hour. */
const STEP = 15 * TICKS_PER_MINUTE;
/** A log longer than three years is taken by the hour: one wrong year must not cost minutes. */
const LONG = 3 * 366 * 24 * 60 * TICKS_PER_MINUTE;

/**
 * Births by local day, hour and weekday, each with the hours that the log covers there.
 *
 * @param births ticks and cause of each
 * @param from begin of what the log covers, in ticks
 */
export function calendarFigures(
  births: readonly { readonly at: number; readonly cause: CauseName }[],
  from: number,
  to: number,
  timezone: string,
): CalendarFigures {
  const local = localParts(timezone);
  const days = new Map<string, Mutable>();
  const hours = Array.from({ length: 24 }, (_, hour) => slot(String(hour).padStart(2, "0")));
  const weekdays = WEEKDAYS.map((name) => slot(name));
  const slotsAt = (ticks: number): Mutable[] => {
    const { date, hour, weekday } = local(ticks);
    let day = days.get(date);
    if (day === undefined) {
      day = slot(date);
      days.set(date, day);
    }
    return [day, hours[hour]!, weekdays[WEEKDAYS.indexOf(weekday)]!];
  };
  const step = to - from > LONG ? 4 * STEP : STEP;
  for (let at = from; at < to; at = nextStep(at, step)) {
    const length = (Math.min(nextStep(at, step), to) - at) / (60 * TICKS_PER_MINUTE);
    for (const part of slotsAt(at)) part.coveredHours += length;
  }
  for (const { at, cause } of births) {
    for (const part of slotsAt(at)) {
      part.births++;
      part.byCause[cause]++;
    }
  }
  const byLabel = (a: Slot, b: Slot): number => (a.label < b.label ? -1 : 1);
  return { perDay: [...days.values()].sort(byLabel), byHour: hours, byWeekday: weekdays };
}

interface Mutable {
  readonly label: string;
  births: number;
  byCause: Record<CauseName, number>;
  coveredHours: number;
}

function slot(label: string): Mutable {
  const byCause = Object.fromEntries(CAUSES.map((name) => [name, 0])) as Record<CauseName, number>;
  return { label, births: 0, byCause, coveredHours: 0 };
}

/** The next multiple of `step`, so that no step crosses a local midnight or hour. */
function nextStep(ticks: number, step: number): number {
  return (Math.floor(ticks / step) + 1) * step;
}

type LocalParts = {
  readonly date: string;
  readonly hour: number;
  readonly weekday: (typeof WEEKDAYS)[number];
};

function localParts(timezone: string): (ticks: number) => LocalParts {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: timezone,
    weekday: "short",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    hourCycle: "h23",
  });
  return (ticks) => {
    const parts: Record<string, string> = {};
    for (const { type, value } of format.formatToParts(epochMsOfTicks(ticks))) parts[type] = value;
    return {
      date: `${parts.year}-${parts.month}-${parts.day}`,
      hour: Number(parts.hour),
      weekday: WEEKDAYS.find((name) => name === parts.weekday)!,
    };
  };
}
