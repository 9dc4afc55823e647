import { formatTicks, TICKS_PER_MINUTE } from "../telemetry/time.ts";
import { comparedRows, type Reason, type ReasonInput, round, sumOf, teller } from "./reconcile-reason.ts";
import { isOutside } from "./reconcile-rows.ts";
import { type Silence, silences } from "./reconcile-silence.ts";
import type { Compared } from "./reconcile-totals.ts";

/** Rows appear minutes after the request: the last quarter of an hour of an export may be thin. */
const LATE = 15 * TICKS_PER_MINUTE;
/** Reasons that lie in when rows and metric were recorded. */
export function timeReasons(input: ReasonInput): Reason[] {
  const tell = teller(input);
  const { compared, fleet, rows, ingress } = input;
  const trial = (kept: readonly Compared[]): { weighted: number; ingress: number } | null =>
    kept.length === 0 || kept.length === compared.length
      ? null
      : {
          weighted: sumOf(kept.flatMap((one) => one.rows.filter(isOutside))),
          ingress: kept.reduce((sum, { span }) => sum + span.total, 0),
        };
  const end = compared[compared.length - 1]!.span.to;
  const early = compared.filter(({ span }) => span.to <= end - LATE);
  const quiet = silences(compared);
  const inner = compared.slice(1, -1);
  const inWindows = ingress.spans.filter((span) =>
    fleet.settings.windows.some((window) => span.from >= window.from && span.to <= window.to),
  );
  const outside = rows.filter(
    (row) => row.window !== -1 && row.isSelected && !row.isDuplicate && isOutside(row),
  );
  const uncovered = outside.length - comparedRows(input).filter(isOutside).length;
  const uncomparedIntervals = inWindows.length - compared.length;
  return [
    tell(
      "late-data",
      "the last 15 minutes do not count",
      early.length === 0
        ? "the time compared is too short to try"
        : "rows can be queried minutes after the request; end the window earlier, or export again",
      trial(early),
    ),
    tell(
      "daily-cap",
      "intervals in which all rows stop do not count",
      silenceDetail(quiet),
      quiet.length === 0
        ? null
        : trial(
            compared.filter(({ span }) => !quiet.some(({ from, to }) => span.from >= from && span.to <= to)),
          ),
    ),
    tell(
      "edges",
      "the first and the last interval do not count",
      inner.length === 0
        ? "the time compared is too short to try"
        : "the export may begin or end in the middle of an interval; give --from and --to",
      trial(inner),
    ),
    tell(
      "not-covered",
      "all rows and all of the metric count, whether the other covers them or not",
      uncovered === 0 && uncomparedIntervals === 0
        ? "rows and metric cover the same time"
        : `${uncovered} rows lie where the metric has no value, and ${uncomparedIntervals} intervals of the metric where no row could be`,
      uncovered === 0 && uncomparedIntervals === 0
        ? null
        : { weighted: sumOf(outside), ingress: inWindows.reduce((sum, { total }) => sum + total, 0) },
    ),
  ];
}

function silenceDetail(quiet: readonly Silence[]): string {
  const [first] = quiet;
  if (first === undefined)
    return "rows never stop for an hour, or up to the end, while the ingress counts on";
  const { from, to, ingress, isToEnd } = first;
  const more = quiet.length > 1 ? ` (and ${quiet.length - 1} more such times)` : "";
  return `no row of any kind from ${formatTicks(from)} ${isToEnd ? "on" : `to ${formatTicks(to)}`}, while the ingress counted ${round(ingress)}${more}: a daily cap, an outage of the telemetry, or an export that ends there`;
}
