import { stringify } from "csv-stringify/sync";
import type { ValueRow } from "../verdict/values.ts";

/**
 * The values that a verdict rests on, as CSV: one line an instance.
 *
 * @param format ISO text of ticks
 */
export function renderValues(rows: readonly ValueRow[], format: (ticks: number) => string): string {
  const header = [
    "cohort",
    "role",
    "instance",
    "born",
    "firstRequestStart",
    "firstRequestMs",
    "certainOrder",
    "failed",
    "dayType",
    "warmedBy",
    "judged",
    "reason",
  ];
  const lines = rows.map(({ cohort, instance, judged, reason }) => [
    cohort,
    instance.role,
    instance.instance,
    format(instance.born),
    format(instance.firstStart),
    String(instance.firstMs),
    String(instance.isCertain),
    instance.isFailed === null ? "" : String(instance.isFailed),
    instance.day,
    instance.warmedBy,
    String(judged),
    reason,
  ]);
  return stringify([header, ...lines]);
}
