import type { Slice } from "./plan.ts";

/** What a query gave. */
export interface QueryAnswer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  /** Why the service cut the answer off; null where it is whole. */
  readonly partial: string | null;
}

/** A service that runs KQL over the telemetry. */
export interface QueryService {
  /** Which names its tables and columns have: those of Application Insights, or those of a workspace. */
  readonly schema: "classic" | "workspace";
  /**
   * @param window what the service may look at, besides what the query says
   * @throws SourceFault; or the signal's reason, where the one that the service was opened with is aborted
   */
  query(text: string, window: Slice): Promise<QueryAnswer>;
}
