import { REQUEST_METRICS } from "../figures/leak-metrics.ts";
import type { BoundValue } from "../sources/azure/literal.ts";
import type { Slice } from "../sources/azure/plan.ts";
import { bindQuery, declaredValues, readQuery } from "../sources/azure/query-file.ts";
import type { CaptureTable } from "../sources/capture/manifest.ts";

/** What the queries of a pull are asked for, besides the time. */
export interface QueryScope {
  readonly roles: readonly string[];
  readonly app: string;
  readonly keepQuery: boolean;
  /** Text that the line of a finished warm-up holds. */
  readonly warmedMessage: string;
}

/** A table's query for one part of the window. */
export type TableQuery = (slice: Slice) => string;

/** The queries that give a table's rows: two for the system log, which an environment writes in one of two ways. */
export async function queriesOf(
  table: CaptureTable,
  schema: "classic" | "workspace",
  scope: QueryScope,
  bundled: string,
): Promise<TableQuery[]> {
  const names =
    table === "system-events"
      ? ["system-logs-cl", "system-logs"]
      : [schema === "workspace" ? `app-${table}` : table];
  const texts = await Promise.all(names.map((name) => readQuery(bundled, name)));
  return texts.map((text) => (slice) => bindQuery(text, valuesOf(text, slice, scope)));
}

/** The values that a query asks for. */
export function valuesOf(text: string, slice: Slice, scope: QueryScope): Record<string, BoundValue> {
  const all: Readonly<Record<string, BoundValue>> = {
    since: { type: "datetime", ticks: slice.from },
    upto: { type: "datetime", ticks: slice.to },
    roles: { type: "dynamic", values: scope.roles },
    app: { type: "string", value: scope.app },
    keepQuery: { type: "bool", value: scope.keepQuery },
    words: { type: "dynamic", values: [scope.warmedMessage] },
    names: { type: "dynamic", values: REQUEST_METRICS },
  };
  return Object.fromEntries([...declaredValues(text).keys()].map((name) => [name, all[name]!]));
}
