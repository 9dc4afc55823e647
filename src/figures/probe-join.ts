import type { AppSpec } from "../telemetry/spec.ts";
import type { AppLog } from "./probe-log.ts";
import type { AppRows } from "./probe-rows.ts";

/** The three sides of one app, as far as they are given. */
export interface AppSides {
  readonly app: string;
  readonly spec: AppSpec | null;
  readonly log: AppLog | null;
  readonly rows: AppRows | null;
}

/**
 * Brings together what is known of each app by its name. What has no name (a spec without one, a log
 * without the column, rows that only have a role) goes to the single app there is.
 */
export function joinSides(
  specs: readonly AppSpec[],
  logs: readonly AppLog[],
  rows: readonly AppRows[],
): AppSides[] {
  const sides: AppSides[] = specs.map((spec) => ({ app: spec.name, spec, log: null, rows: null }));
  const place = (part: Partial<AppSides>, app: string, isNamed: boolean, isAlone: boolean): void => {
    let index = sides.findIndex((side) => isSame(side.app, app));
    if (index === -1 && isAlone && sides.length === 1 && (!isNamed || sides[0]!.app === "")) index = 0;
    const side = sides[index] ?? { app, spec: null, log: null, rows: null };
    sides[index === -1 ? sides.length : index] = { ...side, ...part, app: side.app || app };
  };
  for (const log of logs) place({ log }, log.app, log.app !== "", logs.length === 1);
  for (const own of rows) place({ rows: own }, own.app, own.namedBy === "replica", rows.length === 1);
  return sides;
}

function isSame(a: string, b: string): boolean {
  return a !== "" && a.toLowerCase() === b.toLowerCase();
}
